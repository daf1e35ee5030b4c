/** One call of one tool: the model's arguments, and the expected outcome. */
export interface Case {
  name: string;
  schema: Record<string, unknown>;
  args: Record<string, unknown>;
  /** The arguments that the server has to receive; absent if the call has to be refused. */
  arrives?: unknown;
  /** Names that a helpful refusal mentions. */
  names?: readonly string[];
}

const integer = { type: 'integer', minimum: 0 };
const object = (properties: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  type: 'object',
  properties,
  ...more,
});

/** Typical slips, and schemas that are harder than they look; the threads they come from are in the project's notes. */
export const cases: readonly Case[] = [
  // Integers as strings, ever deeper.
  { name: 'integer as string', schema: object({ limit: integer }), args: { limit: '100' }, arrives: { limit: 100 } },
  {
    name: 'integer as string, in an object',
    schema: object({ page: object({ size: integer }) }),
    args: { page: { size: '5' } },
    arrives: { page: { size: 5 } },
  },
  {
    name: 'integer as string, in an array',
    schema: object({ ids: { type: 'array', items: integer } }),
    args: { ids: ['1', 2] },
    arrives: { ids: [1, 2] },
  },
  {
    name: 'integer as string, behind $ref',
    schema: object({ page: { $ref: '#/$defs/page' } }, { $defs: { page: object({ size: integer }) } }),
    args: { page: { size: '5' } },
    arrives: { page: { size: 5 } },
  },
  {
    name: 'integer as string, in a branch of anyOf',
    schema: object({
      by: {
        anyOf: [
          object({ id: integer }, { required: ['id'] }),
          object({ name: { type: 'string' } }, { required: ['name'] }),
        ],
      },
    }),
    args: { by: { id: '7' } },
    arrives: { by: { id: 7 } },
  },
  {
    name: 'integer or null, as string',
    schema: object({ limit: { type: ['integer', 'null'] } }),
    args: { limit: '100' },
    arrives: { limit: 100 },
  },
  {
    name: 'digits for a string',
    schema: object({ zip: { type: 'string' } }),
    args: { zip: '0049151' },
    arrives: { zip: '0049151' },
  },
  {
    name: 'digits for an integer or a string',
    schema: object({ id: { oneOf: [{ type: 'integer' }, { type: 'string' }] } }),
    args: { id: '2' },
    arrives: { id: '2' },
  },
  // Arguments that are right, and get lost or refused all the same.
  {
    name: 'null that is allowed',
    schema: object({ tags: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] } }),
    args: { tags: null },
    arrives: { tags: null },
  },
  {
    name: 'pattern property',
    schema: object(
      { q: { type: 'string' } },
      { patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false },
    ),
    args: { q: 'a', 'x-trace': 'abc' },
    arrives: { q: 'a', 'x-trace': 'abc' },
  },
  {
    name: 'pattern properties alone',
    schema: { type: 'object', patternProperties: { '^.+$': { type: 'integer' } } },
    args: { a: 1 },
    arrives: { a: 1 },
  },
  {
    name: 'additional property of a given type',
    schema: object({ q: { type: 'string' } }, { additionalProperties: integer }),
    args: { q: 'a', depth: 2 },
    arrives: { q: 'a', depth: 2 },
  },
  {
    name: 'argument named "tool"',
    schema: object({ tool: { type: 'string' } }),
    args: { tool: 'hammer' },
    arrives: { tool: 'hammer' },
  },
  {
    name: 'unlisted argument that the schema allows',
    schema: object({ q: { type: 'string' } }),
    args: { q: 'a', note: 'b' },
    arrives: { q: 'a', note: 'b' },
  },
  {
    name: 'anyOf at the root',
    schema: object(
      { id: { type: 'string' }, name: { type: 'string' } },
      { anyOf: [{ required: ['id'] }, { required: ['name'] }] },
    ),
    args: { name: 'a' },
    arrives: { name: 'a' },
  },
  {
    name: 'recursive $ref',
    schema: object(
      { filter: { $ref: '#/$defs/filter' } },
      {
        $defs: {
          filter: object({ and: { type: 'array', items: { $ref: '#/$defs/filter' } }, field: { type: 'string' } }),
        },
      },
    ),
    args: { filter: { and: [{ field: 'a' }, { and: [{ field: 'b' }] }] } },
    arrives: { filter: { and: [{ field: 'a' }, { and: [{ field: 'b' }] }] } },
  },
  {
    name: 'number from an enum of mixed types',
    schema: object({ status: { enum: ['a', 'b', 3, null] } }),
    args: { status: 3 },
    arrives: { status: 3 },
  },
  {
    name: 'default is not filled in',
    schema: object({ limit: { type: 'integer', default: 10 }, q: { type: 'string' } }),
    args: { q: 'a' },
    arrives: { q: 'a' },
  },
  {
    name: 'property named __proto__',
    schema: JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'),
    args: JSON.parse('{"__proto__":"a"}'),
    arrives: JSON.parse('{"__proto__":"a"}'),
  },
  {
    name: 'draft-04 exclusiveMinimum',
    schema: object({ n: { type: 'integer', minimum: 0, exclusiveMinimum: true } }),
    args: { n: 1 },
    arrives: { n: 1 },
  },
  {
    name: 'pattern that only Python can read',
    schema: object({ q: { type: 'string', pattern: '(?P<word>a)' } }),
    args: { q: 'a' },
    arrives: { q: 'a' },
  },
  // Wrong arguments; the model needs to learn which field is at fault.
  { name: 'wrong type', schema: object({ limit: integer }), args: { limit: 'abc' }, names: ['limit'] },
  { name: 'below minimum', schema: object({ limit: integer }), args: { limit: -1 }, names: ['limit'] },
  {
    name: 'required missing',
    schema: object({ queries: { type: 'array' } }, { required: ['queries'] }),
    args: {},
    names: ['queries'],
  },
  {
    name: 'unknown property that the schema forbids',
    schema: object({ q: { type: 'string' } }, { additionalProperties: false }),
    args: { q: 'a', extra: 1 },
    names: ['extra'],
  },
  {
    name: 'not in the enum',
    schema: object({ status: { enum: ['open', 'closed'] } }),
    args: { status: 'opened' },
    names: ['status'],
  },
  {
    name: 'pattern not matched',
    schema: object({ id: { type: 'string', pattern: '^[a-z]+$' } }),
    args: { id: 'A1' },
    names: ['id'],
  },
  { name: 'too few items', schema: object({ ids: { type: 'array', minItems: 1 } }), args: { ids: [] }, names: ['ids'] },
  {
    name: 'not unique',
    schema: object({ ids: { type: 'array', uniqueItems: true } }),
    args: { ids: [1, 1] },
    names: ['ids'],
  },
  {
    name: 'wrong in every branch of oneOf',
    schema: object({ id: { oneOf: [integer, { type: 'string', pattern: '^[a-z]+$' }] } }),
    args: { id: -1 },
    names: ['id'],
  },
  {
    name: 'pattern property of the wrong type',
    schema: object({}, { patternProperties: { '^x-': { type: 'string' } } }),
    args: { 'x-trace': { of: 5 } },
    names: ['x-trace'],
  },
  {
    name: 'if / then violated',
    schema: object(
      { kind: { type: 'string' }, url: { type: 'string' } },
      { if: { properties: { kind: { const: 'web' } } }, then: { required: ['url'] } },
    ),
    args: { kind: 'web' },
    names: ['url'],
  },
  {
    name: 'two faults at once, both named',
    schema: object({ limit: integer, q: { type: 'string' } }, { required: ['q'] }),
    args: { limit: -1 },
    names: ['limit', 'q'],
  },
];
