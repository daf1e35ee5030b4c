import { fc } from '../fuzz.js';
import { jsonSchema } from './arbitraries.js';
import { members, nested, object, texts, times, to } from './short.js';

type Schema = Record<string, unknown>;

/** Definitions, each with many references to the next one. */
const fan = (keyword: string, width: number) =>
  members(texts(40, 'd'), (at) => ({ [keyword]: times(width, () => to(`d${at + 1}`)) }));

/** One reference in as many spellings as there are numbers: characters percent-encoded or not. */
function spelled(at: number): { $ref: string } {
  const letters = Array.from('$defs/definition');
  const ways = letters.map((letter, bit) =>
    (at >> bit) & 1 && letter !== '/' ? `%${letter.charCodeAt(0).toString(16)}` : letter,
  );
  return { $ref: `#/${ways.join('')}` };
}

const long = 'x'.repeat(100_000);

/** A cyclic object cannot come from a server, but a program can create one. */
function cyclic(): Schema {
  const properties: Schema = { list: { type: 'array' } };
  const schema = object(properties);
  properties['self'] = schema;
  properties['either'] = { anyOf: [schema, schema] };
  return schema;
}

/** Schemas up to 1 MB that make careless code multiply its work: some once took seconds to hours. */
export const hostileSchemas: Readonly<Record<string, Schema>> = {
  '2,000 properties that are objects': object(
    members(texts(2000), () => object(members(texts(10)), { required: ['p1'] })),
  ),
  'many properties, all required': object(members(texts(25_000)), { required: texts(25_000) }),
  'many required and none described': { type: 'object', required: texts(80_000) },
  'many keywords': { ...members(texts(40_000)), ...object(members(texts(100), () => ({ $ref: '#' }))) },
  'many types': object(
    members(texts(50), () => to('t')),
    { $defs: { t: { type: [...texts(50_000), 'object', 'array'] } } },
  ),
  'long names': object(
    members(
      texts(30).map((name) => name + 'n'.repeat(20_000)),
      () => to('d0'),
    ),
    {
      $defs: members(texts(5, 'd'), (at) => object(members(texts(5), () => to(`d${at + 1}`)))),
    },
  ),
  'long values': object(
    members(texts(3000), () => to('e')),
    { $defs: { e: { enum: texts(8).map((text) => text + long) } } },
  ),
  'long defaults': object(
    members(texts(3000), () => to('e')),
    {
      $defs: { e: { type: 'object', default: { a: long.repeat(8) }, examples: [{ a: long }] } },
    },
  ),
  'a long description': object(
    members(texts(3000), () => to('e')),
    { $defs: { e: { type: 'array', description: long.repeat(8) } } },
  ),
  'slow patterns': object(
    members(texts(3000), () =>
      object({ a: { type: 'string', pattern: '^(a+)+$' } }, { default: { a: `${'a'.repeat(30)}!` } }),
    ),
  ),
  'large enums within allOf': object({ a: { allOf: [{ enum: texts(40_000) }, { enum: texts(40_000, 'q') }] } }),
  'choices of constants': object(
    members(texts(8000), () => ({
      oneOf: [
        { const: 1, title: 'a' },
        { const: 2, title: 'b' },
      ],
    })),
  ),
  'many alternatives of one property': {
    type: 'object',
    anyOf: texts(16_000).map((text) => ({ properties: { a: { const: text } }, required: ['a'] })),
  },
  'many alternatives of many properties': {
    type: 'object',
    oneOf: times(200, () => ({ properties: members(texts(150)), required: texts(150) })),
  },
  'alternatives within alternatives': {
    type: 'object',
    anyOf: times(300, (at) => ({
      anyOf: times(60, (one) => ({ properties: { [`p${at * 60 + one}`]: { const: one } } })),
    })),
  },
  '3,000 references to a closed object of 200 names': {
    type: 'object',
    anyOf: times(3000, () => to('c')),
    $defs: { c: object(members(texts(200)), { additionalProperties: false }) },
  },
  'objects 40,000 levels deep': object({ a: nested(40_000, (a) => object({ a })) }),
  'allOf 40,000 levels deep': { type: 'object', allOf: [nested(40_000, (inner) => ({ allOf: [inner] }))] },
  'a chain of 15,000 references': object(
    { a: to('d0') },
    { $defs: members(texts(15_000, 'd'), (at) => ({ allOf: [to(`d${at + 1}`)] })) },
  ),
  'references that multiply under allOf': { ...object({ a: to('d0') }), allOf: [to('d0')], $defs: fan('allOf', 32) },
  'references that multiply under anyOf': {
    ...object({ a: to('d0') }),
    anyOf: [to('d0'), to('d1')],
    $defs: fan('anyOf', 32),
  },
  'one recursive reference in 300 spellings': object(members(texts(300), spelled), {
    $defs: { definition: object(members(texts(300), spelled)) },
  }),
  'one recursive alternative in 400 spellings': object(
    { a: spelled(0) },
    { $defs: { definition: { anyOf: times(400, spelled) } } },
  ),
  '8,000 conditions': {
    type: 'object',
    allOf: times(8000, (at) => ({
      if: { properties: { k: { const: at } } },
      then: { required: [`p${at}`] },
      else: { properties: { k: { not: { const: at } } } },
    })),
  },
  'dynamic references in rounds': {
    ...object(members(texts(3000), () => ({ $dynamicRef: '#a' }))),
    $dynamicAnchor: 'a',
    allOf: times(2000, () => ({ $dynamicRef: '#a' })),
  },
  '20,000 patterns of names': object(
    {},
    {
      patternProperties: members(
        times(20_000, (at) => `^a${at}(b|c)*$`),
        () => true,
      ),
      additionalProperties: false,
    },
  ),
  'a pattern of a million characters': object(
    { a: { type: 'string', pattern: texts(120_000).join('|') } },
    { propertyNames: { pattern: 'a?'.repeat(50_000) } },
  ),
  'what 8,000 parts leave unevaluated': {
    type: 'object',
    allOf: times(8000, (at) => ({ properties: { [`p${at}`]: { type: 'string' } } })),
    unevaluatedProperties: false,
  },
  '5,000 items that have to be there': object({
    a: { allOf: times(5000, (at) => ({ contains: { const: at }, minContains: 2, maxContains: 3 })) },
  }),
  'lists without doubled items, 3,000 times': object({ a: { allOf: times(3000, () => ({ uniqueItems: true })) } }),
  '4,000 names with one beginning': object(
    members(
      times(4000, (at) => `${'n'.repeat(100)}${at}`),
      () => ({ type: 'integer' }),
    ),
    { additionalProperties: false },
  ),
  '2,000 tagged alternatives': object({
    a: {
      oneOf: times(2000, (at) => object({ kind: { const: `k${at}` }, x: {} }, { required: ['kind'] })),
    },
  }),
  'an object that contains itself': cyclic(),
  'other values than a schema has': {
    ...{ type: 'object', required: 'a', anyOf: {}, oneOf: [], allOf: [null, 5], patternProperties: [] },
    properties: {
      ...{ a: null, b: true, c: [], d: { type: 5, items: 'x', enum: {} }, e: { enum: 'x' }, f: { properties: [] } },
      ...{ g: { $ref: 7 }, h: { anyOf: [] }, i: { allOf: {} }, j: { type: [] }, k: { required: [{ toString: 1 }] } },
    },
  },
  'properties that are a list': { properties: [], anyOf: [{ $ref: '#' }, { $ref: '#/nowhere' }] },
  'a schema that is itself': { $ref: '#' },
  ...Object.fromEntries(generated().map((schema, at) => [`generated ${at + 1}`, schema])),
};

/** Repeats drawn parts in one another's definitions and at the root. */
function generated(): Schema[] {
  const keyword = fc.constantFrom('anyOf', 'allOf', 'oneOf');
  const schema = fc
    .tuple(fc.array(jsonSchema, { minLength: 5, maxLength: 20 }), keyword, keyword)
    .map(([parts, one, other]): Schema => {
      const size = Math.max(1, JSON.stringify(parts).length);
      const copies = Math.floor(300_000 / size);
      const repeated = times(copies, () => parts).flat();
      return {
        type: 'object',
        [one]: repeated,
        properties: members(texts(repeated.length), (at) => repeated[at]),
        $defs: {
          one: { [other]: repeated.slice(0, 200) },
          two: { properties: members(texts(200), (at) => (at % 2 ? to('one') : repeated[at])) },
        },
      };
    });
  return fc.sample(schema, { numRuns: 4, seed: 271_828 }).map((drawn) => JSON.parse(JSON.stringify(drawn)) as Schema);
}
