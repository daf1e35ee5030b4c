import { describe, expect, test } from 'vitest';
import { repairArguments } from '../../src/repair/repair.js';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { evaluate } from '../../src/schema/evaluate/evaluate.js';
import { integer, string } from '../../test-support/schemas/short.js';

type Said = Record<string, unknown>;

const only = (a: Said, more: Said = {}) => ({ properties: { a }, ...more });

/** The places where a schema can describe a member: beside its type, or elsewhere. */
const placesOf: Record<string, (own: Said, said: Said) => Said> = {
  'beside the type': (own, said) => only({ ...own, ...said }),
  'behind a reference': (own, said) => only({ $ref: '#/$defs/a' }, { $defs: { a: { ...own, ...said } } }),
  'behind two references': (own, said) =>
    only(
      { $ref: '#/$defs/a' },
      { $defs: { a: { allOf: [{ $ref: '#/$defs/b' }, own] }, b: { $ref: '#/$defs/c' }, c: said } },
    ),
  'in allOf': (own, said) => only({ allOf: [own, said] }),
  'in an alternative of an alternative': (own, said) =>
    only({ oneOf: [{ anyOf: [{ ...own, ...said }] }, { enum: [false] }] }),
  'around alternatives': (own, said) => only({ anyOf: [{ oneOf: [own] }], ...said }),
  'under a condition': (own, said) => only({ ...own, if: { enum: ['x'] }, then: said }),
  'in another part of the whole': (own, said) => ({ allOf: [only(own), only(said)] }),
  'if another member is given': (own, said) => only(own, { dependentSchemas: { b: only(said) } }),
  'under a pattern': (own, said) => only(own, { patternProperties: { '^[a-c]$': said } }),
};

/** The places of newer dialects. */
const newPlacesOf: typeof placesOf = {
  'behind an anchor': (own, said) =>
    only({ ...own, allOf: [{ $ref: '#said' }] }, { $defs: { a: { $anchor: 'said', ...said } } }),
  'behind a dynamic reference': (own, said) =>
    only({ ...own, allOf: [{ $dynamicRef: '#said' }] }, { $defs: { a: { $dynamicAnchor: 'said', ...said } } }),
  'in another resource': (own, said) =>
    only(
      { ...own, allOf: [{ $ref: 'https://example.com/a#/$defs/b' }] },
      { $defs: { a: { $id: 'https://example.com/a', $defs: { b: said } } } },
    ),
};

const cases = [
  ...Object.entries(placesOf).map((place) => ['http://json-schema.org/draft-07/schema#', ...place] as const),
  ...Object.entries({ ...placesOf, ...newPlacesOf }).map(
    (place) => ['https://json-schema.org/draft/2020-12/schema', ...place] as const,
  ),
];

describe.each(cases)('meaning in %s, %s', ($schema, _place, place) => {
  const schemaFor = (own: Said, said: Said) => compileSchema({ $schema, type: 'object', ...place(own, said) });

  test.each<[what: string, own: Said, said: Said, value: unknown]>([
    ['null in the description', integer, { description: 'null clears it' }, null],
    ['null in the title', integer, { title: 'Null for all' }, null],
    ['None in the description', integer, { description: 'None for the root' }, 'None'],
    ['an allowed value that says none', { type: ['integer', 'string'] }, { enum: [1, 'none'] }, null],
    ['an empty text', integer, { description: 'An empty text matches everything' }, ''],
    ['zeros that are lost', string, { description: 'ZIP code, such as 02134' }, 2134],
    ['a fraction that is lost', string, { title: '12.0' }, 12],
    ['an example', string, { example: '02134' }, 2134],
    ['examples', string, { examples: ['1', '02134'] }, 2134],
    ['named examples', string, { examples: { boston: { value: '02134' } } }, 2134],
    ['a default', string, { default: '02134' }, 2134],
  ])('A description keeps a value from being repaired: %s', (_, own, said, value) => {
    const compiled = schemaFor(own, said);
    const args = { a: value };
    expect(evaluate(compiled, args).outcome).toBe('invalid');
    expect(repairArguments(compiled, args, 'all').arguments).toBe(args);
  });

  test.each<[Said, unknown, Said]>([
    [integer, null, {}],
    [integer, 'None', {}],
    [integer, '', {}],
    [string, 2134, { a: '2134' }],
  ])('A meaningless description does not keep a value from being repaired: %j, %j', (own, value, repaired) => {
    const compiled = schemaFor(own, { description: 'How many to send' });
    expect(repairArguments(compiled, { a: value }, 'all').arguments).toEqual(repaired);
  });
});

const put = { input: {} };
test.each<[how: string, said: Said]>([
  ['as a property of another spelling', { properties: { Input: {} } }],
  ['as a property in part of allOf', { allOf: [{ properties: put }] }],
  ['by a pattern', { patternProperties: { '^in': {} } }],
  ['by a pattern behind a reference', { allOf: [{ $ref: '#/$defs/a' }], $defs: { a: { patternProperties: put } } }],
  ['as one that others depend on', { dependentRequired: { input: ['limit'] } }],
  ['as one that depends on others', { dependentRequired: { limit: ['input'] } }],
  ['as one that a schema depends on', { dependentSchemas: put }],
  ['as one that depends, in older drafts', { dependencies: { limit: ['input'] } }],
  ['as one that a schema depends on, in older drafts', { dependencies: put }],
  ['in a condition', { if: { required: ['input'] }, then: {} }],
  ['as one that may not be there', { not: { required: ['input'] } }],
  ['as one of the allowed names', { propertyNames: { enum: ['limit', 'in_put', 'input'] } }],
])('A name that the schema mentions %s counts as neither a wrapper nor a misspelling', (_, said) => {
  const unchanged = (name: string, args: object) => {
    const properties = { [name]: integer, ...(said['properties'] ?? {}) };
    const compiled = compileSchema({ type: 'object', ...said, properties, required: [name] });
    expect(evaluate(compiled, args).outcome).toBe('invalid');
    expect(repairArguments(compiled, args, 'all').arguments).toBe(args);
  };
  unchanged('limit', { input: { limit: 5 } });
  // `Input` and `in_put` could both be this name.
  unchanged('in_put', { input: 5 });
});

const max_results = integer;
test.each<[where: string, schema: Said, sent: object, repaired: object]>([
  [
    'in a part of allOf',
    { allOf: [{ properties: { max_results } }], unevaluatedProperties: false },
    { maxResults: 5 },
    { max_results: 5 },
  ],
  [
    'behind a reference',
    { $ref: '#/$defs/a', required: ['max_results'], $defs: { a: { properties: { max_results } } } },
    { maxResults: 5 },
    { max_results: 5 },
  ],
  [
    'unless two names are similar',
    { allOf: [{ properties: { in_put: integer }, required: ['in_put'] }, { properties: { inPut: integer } }] },
    { INPUT: 5 },
    { INPUT: 5 },
  ],
])('A misspelled name is corrected to a name declared %s', (_, schema, sent, repaired) => {
  expect(repairArguments(compileSchema(schema), sent, 'all').arguments).toEqual(repaired);
});

test('An empty string may mean a null that the schema accepts in any way', () => {
  for (const place of Object.values({ ...placesOf, ...newPlacesOf })) {
    const schema = { type: 'object', ...place({}, { type: ['integer', 'null'] }) };
    const compiled = compileSchema(schema);
    const args = { a: '' };
    if (evaluate(compiled, args).outcome === 'valid') continue;
    expect(repairArguments(compiled, args, 'all').arguments, JSON.stringify(schema)).toBe(args);
  }
});

test('An example of the whole, or of a list, also applies to its parts', () => {
  const zips = { type: 'object', properties: { towns: { type: 'array', items: string }, town: string } };
  for (const [args, examples] of [
    [{ towns: [2134] }, [{ towns: ['02134'] }]],
    [{ town: 2134 }, [{ town: '02134' }]],
  ] as const) {
    expect(repairArguments(compileSchema({ ...zips, examples }), args, 'all').arguments).toBe(args);
    expect(repairArguments(compileSchema({ ...zips, examples: [{}] }), args, 'all').arguments).not.toBe(args);
  }
});

test('A schema may apply more subschemas at one place than a JavaScript call takes arguments', () => {
  const dependentSchemas = Object.fromEntries(Array.from({ length: 190_000 }, (_, index) => [`k${index}`, {}]));
  const compiled = compileSchema({ properties: { a: integer }, dependentSchemas });
  expect(repairArguments(compiled, { a: '5' }).arguments).toEqual({ a: 5 });
});
