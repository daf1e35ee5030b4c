import { expect, test } from 'vitest';
import { isObject, WorkBudget } from '../../src/json/index.js';
import { isLost, type Provider, providerNotes, ruleTable, sentSchema, type Api } from '../../src/projections/index.js';
import { compileSchema, evaluate } from '../../src/schema/index.js';
import { fc } from '../../test-support/fuzz.js';
import { lawRuns } from '../../test-support/law-runs.js';
import { jsonSchema, jsonValue } from '../../test-support/schemas/arbitraries.js';
import { integer, nested, object, string, to } from '../../test-support/schemas/short.js';

type Schema = Record<string, unknown>;

const list = { type: 'array' };
const levels = (count: number, leaf: Schema = string) => nested(count, (a) => object({ a }), leaf) as Schema;
/** Schemas of one parameter. */
const a = <S extends (object | undefined)[]>(...schemas: S) =>
  schemas.map((each) => each && object({ a: each })) as { [At in keyof S]: S[At] extends object ? Schema : undefined };
const saying = (description: string) => ({ ...string, description });
const pattern = (text: string) => object({ a: { ...string, pattern: text } });

/** By provider and rule, a schema at fault, its adapted form (undefined: none), and a similar schema without fault. */
const cases: Record<`${Provider | `${Provider}/${Api}`} ${string}`, [Schema, Schema | undefined, Schema]> = {
  'openai metaschema': [
    object({ a: { ...integer, minimum: 0, exclusiveMinimum: true }, b: { ...list, items: [string, integer] } }),
    object({ a: { ...integer, exclusiveMinimum: 0 }, b: { ...list, prefixItems: [string, integer], items: {} } }),
    object({ a: { ...integer, exclusiveMinimum: 0 }, b: { ...list, prefixItems: [string], items: false } }),
  ],
  'anthropic metaschema': [
    object({ a: { type: 'any', required: true, enum: 'x', minimum: '0', description: null }, b: null }),
    object({ a: {}, b: {} }),
    object({ a: { default: null, const: null, enum: [null], 'x-any': 'any' } }),
  ],
  'mistral metaschema': [
    {
      ...object({ a: { $ref: '#/definitions/b', type: 'string', description: 'A.' }, b: { required: null } }),
      $schema: 'http://json-schema.org/draft-07/schema#',
      definitions: { b: integer },
    },
    { ...object({ a: { $ref: '#/$defs/b', description: 'A.' }, b: {} }), $defs: { b: integer } },
    { ...object({ a: { $ref: '#/$defs/b', type: 'integer' } }), $defs: { b: integer } },
  ],
  'deepseek metaschema': [object({ a: { required: null } }), object({ a: {} }), object({ a: { required: [] } })],
  'openai lookaround': [
    pattern('^(?!x)y$'),
    object({ a: saying('(pattern: "^(?!x)y$")') }),
    pattern('\\(?=[(?=]x(?:y)'),
  ],
  'openai pattern-of-python': [
    pattern('^(?<n>a)\\k<n>[\\w-.]$'),
    pattern('^(?P<n>a)(?P=n)[\\w\\-.]$'),
    pattern('^[\\w.-]+\\.[a-z]{2,}(?:\\/x)*?[^\\]]$'),
  ],
  'openai pattern-of-python, of names': a(
    { type: 'object', patternProperties: { '^\\p{L}': string, b: string }, additionalProperties: false },
    { type: 'object' },
    { type: 'object', patternProperties: { '^\\\\p': string }, additionalProperties: false },
  ),
  'deepseek pattern-of-rust': [pattern('^[^/\\\\\\0[]+$'), undefined, pattern('^(?!x)\\p{L}[^/\\\\]+$')],
  'llama.cpp pattern-of-grammar': [
    pattern('^\\S+$'),
    object({ a: saying('(pattern: "^\\\\S+$")') }),
    pattern('^[a-z^$]{2}\\$$'),
  ],
  'groq required-without-properties': a(
    { type: 'object', required: [] },
    { type: 'object', required: [], properties: {} },
    { type: 'object', properties: { required: { type: 'object' } } },
  ),
  'groq checked-before-repair': [
    object({ a: integer, b: { not: integer } }),
    object({ a: { type: ['integer', 'string'] }, b: {} }),
    object({ a: { ...integer, enum: [1] }, b: string }),
  ],
  'xai limits': [...a({ ...string, maxLength: 5 }, saying('(maxLength: 5)')), object({ maxLength: integer })],
  'xai/responses pattern-or-format': [
    ...a({ ...string, format: 'date' }, saying('(format: "date")')),
    object({ format: string }),
  ],
  'llama.cpp large-limits': a({ ...string, maxLength: 2001 }, saying('(maxLength: 2001)'), {
    ...string,
    maxLength: 2000,
  }),
  'llama.cpp open-object': a(
    { type: 'object' },
    { type: 'object', additionalProperties: true },
    { type: 'object', additionalProperties: false },
  ),
  'fireworks untyped': [
    object({ a: { not: {} } }),
    undefined,
    object({ a: { enum: [1] }, b: { anyOf: [string, integer] } }),
  ],
  'moonshot untyped-alternatives': a({ description: 'x', minLength: 1 }, undefined, { enum: ['x'] }),
  'moonshot beside-alternatives': a(
    { ...string, description: 'x', minLength: 1, anyOf: [{ maxLength: 3 }, { type: 'integer' }] },
    { description: 'x', anyOf: [{ ...string, minLength: 1, maxLength: 3 }, integer] },
    { description: 'x', anyOf: [string, integer] },
  ),
  'moonshot beside-reference': [
    { ...object({ a: { $ref: '#/$defs/b', type: 'string' } }), $defs: { b: string } },
    { ...object({ a: to('b') }), $defs: { b: string } },
    { ...object({ a: { $ref: '#/$defs/b', title: 'x' } }), $defs: { b: string } },
  ],
  'moonshot reference': [
    { ...object({ a: { $ref: '#/definitions/b' } }), definitions: { b: string } },
    { ...object({ a: to('b') }), $defs: { b: string } },
    { ...object({ a: to('b'), b: { $ref: '#' } }), $defs: { b: string } },
  ],
  'moonshot definitions': [
    { ...object({ a: { $ref: '#' } }), definitions: { b: string } },
    object({ a: { $ref: '#/$defs/part' } }, { $defs: { part: object({ a: { $ref: '#/$defs/part' } }) } }),
    object({ definitions: string }),
  ],
  'moonshot keyword-of-another-type': a(
    { type: 'object', minLength: 1 },
    { type: 'object' },
    { type: ['object', 'string'], minLength: 1 },
  ),
  'moonshot enum-of-others': a(
    { enum: [1, 'x'] },
    { type: ['integer', 'string'], description: '(enum: [1,"x"])' },
    { enum: [1, 2.5] },
  ),
  'moonshot root-type': [
    { type: ['object', 'null'], properties: {} },
    { type: 'object', properties: {} },
    object({ a: { type: ['object', 'null'] } }),
  ],
  'openai root-combinator': [
    { ...object({ a: string }), const: { a: 'x' } },
    { ...object({ a: string }), description: '(const: {"a":"x"})' },
    object({ const: string, a: { const: 1 } }),
  ],
  'anthropic root-combinator': [
    { ...object({ a: string }), anyOf: [{ required: ['a'] }] },
    object({ a: string }, { required: ['a'] }),
    object({ a: { anyOf: [string, integer] } }),
  ],
  'openai root-without-properties': [{ type: 'object' }, object({}), object({})],
  'openai array-without-items': a(list, { ...list, items: {} }, { ...list, items: true }),
  'anthropic property-name': [
    object({ 'a b': string }, { required: ['a b'] }),
    object({ a_b: string }, { required: ['a_b'] }),
    object({ a: object({ 'a b': string }) }),
  ],
  'google removed-keyword': [
    object({}, { additionalProperties: false }),
    object({}),
    object({ additionalProperties: string }),
  ],
  'google unknown-keyword': [
    ...a({ ...integer, exclusiveMinimum: 0 }, { ...integer, minimum: 1 }),
    object({ exclusiveMinimum: integer }, { propertyOrdering: ['exclusiveMinimum'] }),
  ],
  'google format': a({ ...string, format: 'email' }, saying('(format: "email")'), { ...string, format: 'date-time' }),
  'google enum-of-others': a(
    { ...integer, enum: [1, 2] },
    { ...integer, description: 'One of 1, 2.' },
    { ...string, enum: ['1'] },
  ),
  'google empty-enum-value': a({ ...string, enum: [''] }, saying('One of "".'), { ...string, enum: [' '] }),
  'google enum-without-type': [...a({ enum: ['x'] }, { ...string, enum: ['x'] }), object({ enum: string })],
  'google type-list': [
    ...a(
      { type: ['string', 'integer', 'null'] },
      {
        anyOf: [
          { ...string, nullable: true },
          { ...integer, nullable: true },
        ],
      },
    ),
    object({ type: string }),
  ],
  'google untyped': [object({ a: { description: 'x' } }), undefined, object({ a: { anyOf: [string, integer] } })],
  'google beside-alternatives': a({ description: 'x', anyOf: [string, integer], nullable: true }, undefined, {
    anyOf: [saying('x'), integer],
  }),
  'google array-without-items': a(
    { ...list, items: list },
    { ...list, items: { ...list, items: {} } },
    { ...list, items: {} },
  ),
  'google keyword-of-another-type': [...a({ ...string, items: string }, string), object({ items: string })],
  'google required-undeclared': [
    object({ a: string }, { required: ['a', 'b'] }),
    object({ a: string }, { required: ['a'] }),
    object({ a: string }, { required: ['a'] }),
  ],
  'google many-items': [
    object({ a: { ...list, items: string, maxItems: 900 }, b: { ...list, items: string, maxItems: 61 } }),
    object({
      a: { ...list, items: string, description: '(maxItems: 900)' },
      b: { ...list, items: string, description: '(maxItems: 61)' },
    }),
    object({ a: { ...list, items: string, maxItems: 900 }, b: { ...list, items: string, maxItems: 60 } }),
  ],
  'google many-levels': [levels(9), levels(9), levels(8)],
  'google parameter-name': [
    object({ 'a-b': string }),
    object({ 'a-b': string }),
    object({ _a1: { ...string, enum: ['a-b'] } }),
  ],
  'xai boolean-schema': [
    object({ a: true, b: { type: 'object', properties: { c: false } } }),
    object({ a: {}, b: { type: 'object', properties: { c: { not: {} } } } }),
    object({ a: { type: 'object', additionalProperties: false, default: { properties: { a: true } } } }),
  ],
  'moonshot depth': [levels(10), levels(9, { type: 'object' }), levels(9)],
  'ollama go-structs': [
    object({}, { additionalProperties: false }),
    object({}, { additionalProperties: false }),
    object({ additionalProperties: string }),
  ],
  'cohere parameter-type': [
    object({
      a: { type: ['string', 'null'], minLength: 1 },
      b: { anyOf: [string, { $ref: '#/properties/c' }] },
      c: { ...integer, type: 'integer' },
      d: { enum: [1] },
    }),
    object(
      {
        a: { type: 'string | null', minLength: 1 },
        b: { anyOf: [string, { $ref: '#/$defs/c' }], type: 'string | integer' },
        c: integer,
        d: { enum: [1], type: 'any' },
      },
      { $defs: { c: integer } },
    ),
    object({ a: { ...string, enum: ['x'] }, b: { type: 'array', items: { type: ['string', 'null'] } } }),
  ],
  'cohere rebuilt': a({ ...string, enum: ['x'] }, { ...string, enum: ['x'] }, string),
};

test.each(Object.entries(cases))(
  'The rule %s adapts its fault, and leaves a similar schema unchanged',
  (which, [schema, sent, alike]) => {
    const [whose, id] = which.split(/,? /) as [Provider | `${Provider}/${Api}`, string];
    const [provider, api] = whose.split('/') as [Provider, Api | undefined];
    const codes = (each: Schema) =>
      providerNotes({ inputSchema: each }, provider, api, 'langchain').map(({ code }) => code);
    expect(codes(schema)).toContain(id);
    const found = sentSchema(schema, provider, api, 'langchain');
    if (sent) expect(found.schema).toEqual(sent);
    const [rule] = ruleTable.filter((each) => each.id === id && each.of.includes(whose));
    if (rule && isLost(rule)) expect(codes(found.schema)).not.toContain(id);
    expect(found.isCut).toBe(false);
    expect(codes(alike)).not.toContain(id);
    expect(sentSchema(alike, provider, api, 'langchain').schema).toBe(alike);
    if (rule?.client) {
      expect(providerNotes({ inputSchema: schema }, provider, api).map(({ code }) => code)).not.toContain(id);
      expect(sentSchema(schema, provider, api).schema).toBe(schema);
    }
    if (api) expect(providerNotes({ inputSchema: schema }, provider).map(({ code }) => code)).not.toContain(id);
  },
);

test("The rule openai, long-description, is about the tool's description, and adapts nothing", () => {
  const codes = (length: number) =>
    providerNotes({ inputSchema: object({}), description: 'x'.repeat(length) }, 'openai').map(({ code }) => code);
  expect([codes(1025), codes(1024)]).toEqual([['long-description'], []]);
});

test('Every rule has a case in this table', () => {
  const tried = new Set([...Object.keys(cases).map((which) => which.split(/,? /)[1]), 'long-description']);
  expect(ruleTable.map(({ id }) => id).filter((id) => !tried.has(id))).toEqual([]);
});

/** Rules whose rewriting keeps the meaning. Faults that remain need a wider form. */
const equal = ruleTable.flatMap(({ id, of, faults, equal: rewrite }) =>
  rewrite ? [[`${of.join()}, ${id}`, faults, rewrite] as const] : [],
);

test.each(equal)('The equal rewriting of %s accepts the same values', (_name, faults, rewrite) => {
  let changed = 0;
  const budget = () => new WorkBudget({ steps: 1e6, ms: Infinity });
  const law = fc.property(oddSchema, fc.array(jsonValue, { minLength: 8, maxLength: 8 }), (root, values) => {
    const at = (keyword: string | undefined) => ({ root, keyword, depth: keyword ? 1 : 0, budget: budget() });
    for (const place of [at(undefined), at('properties')]) {
      if ([...faults(root, place)].length === 0) continue;
      const own = rewrite(root, place);
      changed++;
      const decide = (schema: unknown, value: unknown) => evaluate(compileSchema(inJavaScript(schema)), value).outcome;
      for (const value of place.keyword === undefined ? values.filter(isObject) : values)
        expect(decide(own, value), JSON.stringify({ root, own, value })).toBe(decide(root, value));
    }
  });
  fc.assert(law, { numRuns: lawRuns(300), endOnFailure: true });
  expect(changed).toBeGreaterThan(0);
});

/** Python's spelling of named groups. */
function inJavaScript(schema: unknown): unknown {
  return JSON.parse(
    JSON.stringify(schema)
      .replaceAll('(?P<', '(?<')
      .replaceAll('(?P=n)', String.raw`\\k<n>`),
  );
}

const odd = fc.constantFrom<Schema>(
  { required: ['a', 'a', 1], type: ['string', 'string'] },
  { properties: { a: null, b: integer, c: true } },
  { enum: 'x', minimum: '0', description: null },
  { enum: ['x', 'ab'] },
  { pattern: '^(?<n>a)\\k<n>$' },
  { pattern: '[\\w-.]\\0' },
  { patternProperties: { '^(?<n>a)': integer } },
  { type: 'array' },
  { type: 'array', unevaluatedItems: false },
  { type: 'object', required: ['a'] },
  { type: 'object' },
  { type: 'string', items: integer, minimum: 3 },
  { minLength: 1, description: 'x' },
  { properties: { a: true, b: false } },
  {},
);

/** Schemas with something that a provider rejects. */
const oddSchema = fc
  .tuple(jsonSchema.filter(isObject), odd)
  .map(([schema, more]): Schema => ({ ...schema, ...more, $defs: { one: integer, two: string } }));
