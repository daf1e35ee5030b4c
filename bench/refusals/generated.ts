import type { JsonObject } from '../../src/json/index.js';
import type { Chance } from './chance.js';

/** A schema, and values that it should accept; the caller checks that it does. */
interface Made {
  readonly schema: JsonObject;
  readonly value: unknown;
}

export interface GeneratedTool {
  readonly name: string;
  readonly inputSchema: JsonObject;
  readonly args: unknown;
}

const names = [
  ...[
    'id',
    'name',
    'query',
    'limit',
    'page',
    'filter',
    'options',
    'items',
    'user',
    'owner',
    'status',
    'kind',
    'from',
    'to',
  ],
  ...[
    'startDate',
    'end_date',
    'priority',
    'tags',
    'labels',
    'path',
    'url',
    'content',
    'format',
    'size',
    'width',
    'height',
  ],
  ...[
    'recursive',
    'dry_run',
    'includeArchived',
    'sort',
    'order',
    'offset',
    'cursor',
    'amount',
    'currency',
    'address',
    'city',
  ],
];
const words = [
  'open',
  'closed',
  'all',
  'none',
  'asc',
  'desc',
  'small',
  'large',
  'json',
  'csv',
  'high',
  'low',
  'auto',
  'manual',
];

/** Patterns as tools have them, each with a text that matches. */
const patterns: readonly (readonly [string, string])[] = [
  ['^[a-z]+$', 'abc'],
  ['^[A-Z]{2,5}-\\d+$', 'AB-12'],
  ['^\\d{4}-\\d{2}-\\d{2}$', '2026-01-31'],
  ['^#[0-9a-f]{6}$', '#a1b2c3'],
  ['^[\\w.-]+/[\\w.-]+$', 'owner/repo'],
  ['^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$', 'www.example.com'],
  ['^/', '/tmp'],
  ['^(https?)://[^\\s]+$', 'https://a.b'],
];

/** A tool whose schema uses the keywords of published ones, and more of them at once. */
export function generatedTool(chance: Chance): GeneratedTool {
  const $defs: Record<string, JsonObject> = {};
  const { schema, value } = objectOf({ chance, $defs, depth: 0 });
  return {
    name: 'generated',
    inputSchema: { ...schema, ...(Object.keys($defs).length > 0 && { $defs }) },
    args: value,
  };
}

interface Making {
  readonly chance: Chance;
  readonly $defs: Record<string, JsonObject>;
  readonly depth: number;
}

type Maker = (making: Making) => Made;

function anything(making: Making): Made {
  const { chance, depth } = making;
  const simple: readonly Maker[] = [
    integer,
    integer,
    number,
    text,
    text,
    boolean,
    words1,
    words1,
    patterned,
    formatted,
    constant,
    nullable,
  ];
  const large: readonly Maker[] = [
    listOf,
    listOf,
    objectOf,
    objectOf,
    mapOf,
    tagged,
    untagged,
    scalars,
    overlapping,
    referred,
    merged,
    tuple,
  ];
  return chance.of(depth > 2 || chance.is(0.6) ? simple : large)(making);
}

const deeper = (making: Making): Making => ({ ...making, depth: making.depth + 1 });

function integer({ chance }: Making): Made {
  const low = chance.of([0, 1, -10, 5]);
  const high = low + chance.of([9, 99, 990]);
  const bounds = chance.of<JsonObject>([
    {},
    { minimum: low },
    { minimum: low, maximum: high },
    { exclusiveMinimum: low },
    { maximum: high },
  ]);
  const multiple = chance.is(0.1) ? { multipleOf: 5 } : {};
  return { schema: { type: 'integer', ...bounds, ...multiple }, value: Math.ceil((low + 1) / 5) * 5 };
}

function number({ chance }: Making): Made {
  const bounds = chance.of<JsonObject>([
    {},
    { minimum: 0 },
    { minimum: 0, maximum: 1 },
    { exclusiveMinimum: 0, maximum: 2 },
  ]);
  return { schema: { type: 'number', ...bounds }, value: chance.of([0.5, 0.25, 1]) };
}

function text({ chance }: Making): Made {
  const lengths = chance.of<JsonObject>([
    {},
    {},
    { minLength: 1 },
    { minLength: 3, maxLength: 40 },
    { maxLength: 100 },
  ]);
  return { schema: { type: 'string', ...lengths }, value: chance.of(['some text', 'word', 'a b c']) };
}

function boolean({ chance }: Making): Made {
  return { schema: { type: 'boolean' }, value: chance.is(0.5) };
}

function words1({ chance }: Making): Made {
  const values = chance.some(words, 0.3);
  if (values.length === 0) return { schema: { enum: [10, 20, 30] }, value: 20 };
  return { schema: { ...(chance.is(0.7) && { type: 'string' }), enum: values }, value: chance.of(values) };
}

function patterned({ chance }: Making): Made {
  const [pattern, value] = chance.of(patterns);
  return {
    schema: { type: 'string', pattern, ...(chance.is(0.3) && { description: `For example "${value}".` }) },
    value,
  };
}

function formatted({ chance }: Making): Made {
  const [format, value] = chance.of([
    ['date-time', '2026-01-31T12:00:00Z'],
    ['email', 'a@example.com'],
    ['uuid', '123e4567-e89b-12d3-a456-426614174000'],
  ]);
  return { schema: { type: 'string', format }, value };
}

function constant({ chance }: Making): Made {
  const value = chance.of<unknown>(['v1', 2, true]);
  return { schema: { const: value }, value };
}

function nullable(making: Making): Made {
  const { chance } = making;
  const { schema, value } = anything(deeper({ ...making, depth: 3 }));
  return { schema: { anyOf: [schema, { type: 'null' }] }, value: chance.is(0.3) ? null : value };
}

function listOf(making: Making): Made {
  const { chance } = making;
  const { schema, value } = anything(deeper(making));
  const sizes = chance.of<JsonObject>([
    {},
    {},
    { minItems: 1 },
    { minItems: 1, maxItems: 5 },
    { maxItems: 10, uniqueItems: true },
  ]);
  return {
    schema: { type: 'array', items: schema, ...sizes },
    value: chance.is(0.7) ? [value] : sizes['minItems'] === undefined ? [] : [value],
  };
}

function tuple(making: Making): Made {
  const [first, second] = [anything(deeper(making)), anything(deeper(making))];
  const { chance } = making;
  const closed = chance.is(0.6) ? { items: false, minItems: 2 } : {};
  return {
    schema: { type: 'array', prefixItems: [first.schema, second.schema], ...closed },
    value: [first.value, second.value],
  };
}

function mapOf(making: Making): Made {
  const { schema, value } = anything(deeper(making));
  const keyed = making.chance.is(0.3)
    ? { patternProperties: { '^[a-z]+$': schema }, additionalProperties: false }
    : { additionalProperties: schema };
  return { schema: { type: 'object', ...keyed }, value: { first: value } };
}

function objectOf(making: Making): Made {
  const { chance, depth } = making;
  const members = chance
    .some(names, depth === 0 ? 0.14 : 0.08)
    .map((name) => [name, anything(deeper(making))] as const);
  const properties = Object.fromEntries(members.map(([name, { schema }]) => [name, schema]));
  const required = chance.some(Object.keys(properties), 0.6);
  const value = Object.fromEntries(
    members.filter(([name]) => required.includes(name) || chance.is(0.5)).map(([name, each]) => [name, each.value]),
  );
  const schema = {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    ...(chance.is(0.6) && { additionalProperties: false }),
  };
  return { schema: { ...schema, ...ruleAmong(Object.keys(properties), value, chance) }, value };
}

/** A rule between members, in the form that tools write beside `properties`. */
function ruleAmong(all: readonly string[], value: Readonly<Record<string, unknown>>, chance: Chance): JsonObject {
  if (all.length < 3 || !chance.is(0.25)) return {};
  const [one = '', other = '', third = ''] = all;
  const has = (name: string) => Object.hasOwn(value, name);
  const rules: JsonObject[] = [
    ...(has(one) || has(other) ? [{ anyOf: [{ required: [one] }, { required: [other] }] }] : []),
    ...(has(one) !== has(other) ? [{ oneOf: [{ required: [one] }, { required: [other] }] }] : []),
    ...(!has(one) || has(third) ? [{ dependentRequired: { [one]: [third] } }] : []),
    ...(has(one) && has(third) ? [] : [{ not: { required: [one, third] } }]),
    ...(!has(other) || has(third) ? [{ if: { required: [other] }, then: { required: [third] } }] : []),
    { minProperties: Math.min(1, Object.keys(value).length) },
  ];
  return chance.of(rules);
}

/** Objects that a member tells apart. */
function tagged(making: Making): Made {
  const { chance } = making;
  const tag = chance.of(['type', 'kind', 'mode']);
  const all = chance
    .some(words, 0.2)
    .concat('other')
    .slice(0, 4)
    .map((word) => {
      const { schema, value } = objectOf(deeper(making));
      const properties = { ...(schema['properties'] as JsonObject), [tag]: { const: word } };
      const required = [tag, ...((schema['required'] as string[] | undefined) ?? [])];
      const own: Made = {
        schema: { ...schema, properties, required },
        value: { ...(value as JsonObject), [tag]: word },
      };
      return own;
    });
  return unionOf(all, making);
}

/** Objects that require a member of their own each. */
function untagged(making: Making): Made {
  const { chance } = making;
  const all = ['by_id', 'by_name', 'by_url'].slice(0, 2 + chance.below(2)).map((name) => {
    const inner = anything(deeper(making));
    const other = anything(deeper({ ...making, depth: 3 }));
    const schema = {
      ...(chance.is(0.5) && { title: name }),
      type: 'object',
      properties: { [name]: inner.schema, [`${name}_more`]: other.schema },
      required: [name],
      additionalProperties: false,
    };
    return {
      schema,
      value: chance.is(0.5) ? { [name]: inner.value } : { [name]: inner.value, [`${name}_more`]: other.value },
    };
  });
  return unionOf(all, making);
}

function scalars(making: Making): Made {
  const makers: readonly Maker[] = [integer, words1, boolean, listOf, text, constant];
  const first = making.chance.below(makers.length - 1);
  return unionOf(
    makers.slice(first, first + 2).map((make) => make(deeper(making))),
    making,
  );
}

/** A `oneOf` whose alternatives share members, so that a value with the members of both fits both. */
function overlapping(making: Making): Made {
  const [one, other, shared] = [
    anything(deeper({ ...making, depth: 3 })),
    anything(deeper({ ...making, depth: 3 })),
    text(making),
  ];
  const alternative = (name: string, { schema }: Made) => ({
    title: `With ${name}`,
    type: 'object',
    properties: { [name]: schema, note: shared.schema },
    required: [name],
  });
  return {
    schema: { oneOf: [alternative('file', one), alternative('address', other)] },
    value: { file: one.value, note: shared.value },
  };
}

function unionOf(all: readonly Made[], { chance }: Making): Made {
  const { value } = chance.of(all);
  return { schema: { [chance.of(['anyOf', 'anyOf', 'oneOf'])]: all.map(({ schema }) => schema) }, value };
}

function referred(making: Making): Made {
  const { $defs } = making;
  const { schema, value } = objectOf(deeper(making));
  const name = `Part${Object.keys($defs).length + 1}`;
  $defs[name] = schema;
  return { schema: { $ref: `#/$defs/${name}` }, value };
}

/** Parts of one object, closed as a whole. */
function merged(making: Making): Made {
  const open = ({ schema: { additionalProperties: _, ...schema }, value }: Made): Made => ({ schema, value });
  const [one, other] = [open(objectOf(deeper(making))), open(objectOf(deeper(making)))];
  const closed = making.chance.is(0.5) ? { unevaluatedProperties: false } : {};
  return {
    schema: { allOf: [one.schema, other.schema], ...closed },
    value: { ...(one.value as JsonObject), ...(other.value as JsonObject) },
  };
}
