import { describe, expect, test, vi } from 'vitest';
import { repairArguments } from '../../src/repair/repair.js';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { evaluate } from '../../src/schema/evaluate/evaluate.js';

type Said = Record<string, unknown>;

/** Every way in which what a schema says of a member can stand elsewhere than beside its type. */
const placesOf: Record<string, (own: Said, said: Said) => Said> = {
  'beside the type': (own, said) => ({ properties: { a: { ...own, ...said } } }),
  'behind a reference': (own, said) => ({
    properties: { a: { $ref: '#/$defs/a' } },
    $defs: { a: { ...own, ...said } },
  }),
  'beside a reference': (own, said) => ({ properties: { a: { $ref: '#/$defs/a', ...said } }, $defs: { a: own } }),
  'behind two references': (own, said) => ({
    properties: { a: { $ref: '#/$defs/a' } },
    $defs: { a: { allOf: [{ $ref: '#/$defs/b' }, own] }, b: { $ref: '#/$defs/c' }, c: said },
  }),
  'behind an anchor': (own, said) => ({
    properties: { a: { ...own, allOf: [{ $ref: '#said' }] } },
    $defs: { a: { $anchor: 'said', ...said } },
  }),
  'behind a dynamic reference': (own, said) => ({
    properties: { a: { ...own, allOf: [{ $dynamicRef: '#said' }] } },
    $defs: { a: { $dynamicAnchor: 'said', ...said } },
  }),
  'in another resource': (own, said) => ({
    properties: { a: { ...own, allOf: [{ $ref: 'https://example.com/a#/$defs/b' }] } },
    $defs: { a: { $id: 'https://example.com/a', $defs: { b: said } } },
  }),
  'in allOf': (own, said) => ({ properties: { a: { allOf: [own, said] } } }),
  'beside allOf': (own, said) => ({ properties: { a: { allOf: [{ allOf: [own] }], ...said } } }),
  'in an alternative': (own, said) => ({ properties: { a: { anyOf: [{ ...own, ...said }, { enum: [false] }] } } }),
  'in an alternative of an alternative': (own, said) => ({
    properties: { a: { oneOf: [{ anyOf: [{ ...own, ...said }] }, { enum: [false] }] } },
  }),
  'around alternatives': (own, said) => ({ properties: { a: { anyOf: [{ oneOf: [own] }], ...said } } }),
  'under a condition': (own, said) => ({ properties: { a: { ...own, if: { enum: ['x'] }, then: said } } }),
  'in another part of the whole': (own, said) => ({ allOf: [{ properties: { a: own } }, { properties: { a: said } }] }),
  'where another member is given': (own, said) => ({
    properties: { a: own },
    dependentSchemas: { b: { properties: { a: said } } },
  }),
  'under a pattern': (own, said) => ({ properties: { a: own }, patternProperties: { '^[a-c]$': said } }),
};

const dialects: Record<string, string[]> = {
  'http://json-schema.org/draft-04/schema#': ['behind an anchor', 'behind a dynamic reference', 'in another resource'],
  'http://json-schema.org/draft-06/schema#': ['behind an anchor', 'behind a dynamic reference', 'in another resource'],
  'http://json-schema.org/draft-07/schema#': ['behind an anchor', 'behind a dynamic reference', 'in another resource'],
  'https://json-schema.org/draft/2019-09/schema': ['behind a dynamic reference'],
  'https://json-schema.org/draft/2020-12/schema': [],
};

const cases = Object.entries(dialects).flatMap(([$schema, absent]) =>
  Object.keys(placesOf)
    .filter((place) => !absent.includes(place))
    .map((place) => [place, $schema] as const),
);

const integer = { type: 'integer' };
const string = { type: 'string' };

describe.each(cases)('what is said %s (%s)', (place, $schema) => {
  const schemaFor = (own: Said, said: Said) =>
    compileSchema({ $schema, type: 'object', ...placesOf[place]!(own, said) });

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
  ])('keeps from being repaired: %s', (_, own, said, value) => {
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
  ])('keeps nothing from being repaired where it means nothing: %j, %j', (own, value, repaired) => {
    const compiled = schemaFor(own, { description: 'How many to send' });
    expect(repairArguments(compiled, { a: value }, 'all').arguments).toEqual(repaired);
  });
});

const inner = { type: 'object', properties: { limit: integer }, required: ['limit'] };

describe('a name that the schema knows', () => {
  const known: Record<string, Said> = {
    'as a property of another spelling': { properties: { Input: {} } },
    'as a property in part of allOf': { allOf: [{ properties: { input: {} } }] },
    'by a pattern': { patternProperties: { '^in': {} } },
    'by a pattern behind a reference': {
      allOf: [{ $ref: '#/$defs/a' }],
      $defs: { a: { patternProperties: { put: {} } } },
    },
    'as one that others depend on': { dependentRequired: { input: ['limit'] } },
    'as one that depends on others': { dependentRequired: { limit: ['input'] } },
    'as one that a schema depends on': { dependentSchemas: { input: {} } },
    'in a condition': { if: { required: ['input'] }, then: {} },
    'as one that may not be there': { not: { required: ['input'] } },
    'as one of the allowed names': { propertyNames: { enum: ['limit', 'input'] } },
  };

  test.each(Object.entries(known))('%s is no wrapper', (_, said) => {
    const args = { input: { limit: 5 } };
    const compiled = compileSchema({
      ...inner,
      ...said,
      properties: { ...inner.properties, ...(said['properties'] ?? {}) },
    });
    expect(evaluate(compiled, args).outcome).toBe('invalid');
    expect(repairArguments(compiled, args, 'all').arguments).toBe(args);
  });

  test.each(Object.entries(known))('%s is not misspelled', (_, said) => {
    const args = { input: 5 };
    const compiled = compileSchema({
      type: 'object',
      ...said,
      properties: { in_put: integer, ...(said['properties'] ?? {}) },
      required: ['in_put'],
    });
    expect(evaluate(compiled, args).outcome).toBe('invalid');
    // `Input` and `in_put` are two readings of one name.
    expect(repairArguments(compiled, args, 'all').arguments).toBe(args);
  });

  test.each([
    ['dependencies on names', { dependencies: { limit: ['input'] } }],
    ['dependencies on schemas', { dependencies: { input: {} } }],
  ])('of draft-07, by %s, is no wrapper', (_, said) => {
    const args = { input: { limit: 5 } };
    const compiled = compileSchema({ $schema: 'http://json-schema.org/draft-07/schema#', ...inner, ...said });
    expect(repairArguments(compiled, args, 'all').arguments).toBe(args);
  });
});

test('a name that is like two declared ones, wherever they are declared, is not corrected', () => {
  const parts = [{ properties: { in_put: integer }, required: ['in_put'] }, { properties: { inPut: integer } }];
  const args = { INPUT: 5 };
  const [one, two] = parts;
  expect(repairArguments(compileSchema({ type: 'object', allOf: [one, two] }), args, 'all').arguments).toBe(args);
  expect(repairArguments(compileSchema({ type: 'object', allOf: [one] }), args, 'all').arguments).toEqual({
    in_put: 5,
  });
});

test.each([
  ['of allOf', { allOf: [{ properties: { max_results: integer } }], unevaluatedProperties: false }],
  [
    'behind a reference',
    { $ref: '#/$defs/a', required: ['max_results'], $defs: { a: { properties: { max_results: integer } } } },
  ],
])('a name is corrected by what is declared in a part %s', (_, schema) => {
  const args = { maxResults: 5 };
  expect(repairArguments(compileSchema(schema), args, 'safe').arguments).toEqual({ max_results: 5 });
});

test('null that is accepted, in whatever way, may be what an empty text means', () => {
  const nullOrOne = { type: ['integer', 'null'] };
  for (const place of Object.values(placesOf)) {
    const schema = { type: 'object', ...place({}, nullOrOne) };
    const compiled = compileSchema(schema);
    const args = { a: '' };
    if (evaluate(compiled, args).outcome === 'valid') continue;
    expect(repairArguments(compiled, args, 'all').arguments, JSON.stringify(schema)).toBe(args);
  }
});

test('what an example of the whole, or of a list, shows of a part counts', () => {
  const zips = { type: 'object', properties: { towns: { type: 'array', items: string }, town: string } };
  for (const [args, examples] of [
    [{ towns: [2134] }, [{ towns: ['02134'] }]],
    [{ town: 2134 }, [{ town: '02134' }]],
  ] as const) {
    expect(repairArguments(compileSchema({ ...zips, examples }), args, 'all').arguments).toBe(args);
    expect(repairArguments(compileSchema({ ...zips, examples: [{}] }), args, 'all').arguments).not.toBe(args);
  }
});

test('however many calls are repaired, the schema is read once', () => {
  const allOf = Array.from({ length: 2000 }, (_, index) => ({ title: String(index) }));
  const compiled = compileSchema({ properties: { user_id: integer, late: integer }, required: ['user_id'], allOf });
  for (let call = 0; call < 50; call++) {
    expect(repairArguments(compiled, { userId: 5 }, 'safe').arguments).toEqual({ user_id: 5 });
  }
  expect(evaluate(compiled, { user_id: 5, late: 5 })).toEqual({ outcome: 'valid' });
});

test('a schema may apply more others at one place than a call takes arguments', () => {
  const dependentSchemas = Object.fromEntries(Array.from({ length: 190_000 }, (_, index) => [`k${index}`, {}]));
  const compiled = compileSchema({ properties: { a: integer }, dependentSchemas });
  expect(repairArguments(compiled, { a: '5' }).arguments).toEqual({ a: 5 });
});

describe('however many values there are, what is said of them is read once', () => {
  const description = 'How many to send';
  const names = Array.from({ length: 100 }, (_, index) => `k${index}`);
  const each = (value: unknown) => Object.fromEntries(names.map((name) => [name, value]));
  test.each<[string, Said, unknown, unknown]>([
    ['numbers in a list', { items: { ...string, description } }, names.map(() => 5), names.map(() => '5')],
    ['numbers in a map', { additionalProperties: string, description }, each(5), each('5')],
    ['lists in a map', { additionalProperties: string, description }, each(['x']), each('x')],
    ['null in objects', { properties: each(string), description }, each(null), {}],
    [
      'null in the objects of a list',
      { items: { properties: { a: { ...string, description } } } },
      names.map(() => ({ a: null })),
      names.map(() => ({})),
    ],
  ])('%s', (_, schema, args, expected) => {
    const compiled = compileSchema(schema);
    const read = vi.spyOn(RegExp.prototype, 'test');
    const { arguments: repaired } = repairArguments(compiled, args, 'all');
    const times = read.mock.calls.filter(([text]) => text === description).length;
    read.mockRestore();
    expect(repaired).toEqual(expected);
    expect(times).toBeLessThan(20);
  });
});
