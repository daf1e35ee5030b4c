import { describe, expect, test } from 'vitest';
import { typesWanted, withReceived } from '../../../src/schema/violations/violation.js';
import { integer, object, string, to } from '../../../test-support/schemas/short.js';
import { decide, violations } from '../decide.js';

describe('A violation', () => {
  const limit = { properties: { limit: {} } };

  test('A violation has the place, the expected and the received value, and the keyword of the schema', () => {
    const schema = { properties: { page: to('page') }, $defs: { page: { type: ['integer', 'null'] } } };
    expect(JSON.parse(JSON.stringify(decide(schema, { page: 'abc' })))).toEqual({
      outcome: 'invalid',
      truncated: false,
      violations: [
        {
          instanceLocation: '/page',
          schemaLocation: '#/$defs/page/type',
          keyword: 'type',
          expected: 'integer or null',
          expectedTypes: ['integer', 'null'],
          received: { type: 'string', value: 'abc', text: '"abc"' },
          message: '/page: must be integer or null, received string "abc"',
        },
      ],
    });
  });

  test.each<[schema: object, instance: unknown, message: string]>([
    [{ type: 'integer' }, 1.5, 'must be integer, received number 1.5'],
    [{ type: 'string' }, null, 'must be string, received null'],
    [{ type: 'integer' }, Infinity, 'must be integer, received number Infinity'],
    [{ type: ['number', 'null'] }, Infinity, 'must be a number that JSON can hold, received number Infinity'],
    [{ type: 'string', nullable: true }, 1, 'must be string or null, received integer 1'],
    [{ enum: ['a', 2, null] }, 'b', 'must be one of "a", 2, null, received string "b"'],
    [{ const: 5 }, '5', 'must be 5, received string "5"'],
    [{ minimum: 0 }, -1, 'must be >= 0, received integer -1'],
    [{ minimum: 0, exclusiveMinimum: true }, 0, 'must be > 0, received integer 0'],
    [{ exclusiveMaximum: 3 }, 3, 'must be < 3, received integer 3'],
    [{ multipleOf: 0.1 }, 0.25, 'must be a multiple of 0.1, received number 0.25'],
    [{ minLength: 1 }, '', 'must be at least 1 character long, received string ""'],
    [{ maxLength: 2 }, 'abc', 'must be at most 2 characters long, received string "abc"'],
    [{ pattern: '^a' }, 'b', 'must be a string matching "^a", received string "b"'],
    [{ minItems: 2 }, [1], 'must have at least 2 items, has 1'],
    [{ maxItems: 1 }, [1, 2], 'must have at most 1 item, has 2'],
    [{ uniqueItems: true }, [1, 2, 1], 'must have unique items, but numbers 1 and 3 are equal'],
    [{ contains: { const: 1 } }, [2], 'must have at least 1 item matching {"const":1}'],
    [{ contains: { const: 1 }, maxContains: 1 }, [1, 1], 'must have at most 1 item matching {"const":1}'],
    [{ contains: { type: 'integer' }, minContains: 2 }, [1], 'must have at least 2 items matching {"type":"integer"}'],
    [{ minProperties: 1 }, {}, 'must have at least 1 property, has 0'],
    [{ maxProperties: 1 }, { a: 1, b: 1 }, 'must have at most 1 property, has 2'],
    [{ required: ['a'] }, {}, 'must have property "a", which is missing'],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, 'must have property "b" beside "a"'],
    [{ properties: { a: false } }, { a: 1 }, '/a: is not allowed'],
    [
      { required: ['a'], properties: { a: { enum: [], ...string } } },
      {},
      'must have property "a" (string), which is missing',
    ],
    [{ required: ['a'], properties: { a: { const: 'b' } } }, {}, 'must have property "a" ("b"), which is missing'],
    [{ enum: [] }, 1, 'must be one of no values at all (the list is empty), received integer 1'],
    [{ propertyNames: false }, { a: 1 }, 'must not have the property "a": its name must be allowed by the schema'],
    [{ propertyNames: { enum: ['a'] } }, { c: 1 }, 'must not have the property "c": its name must be "a"'],
    [{ additionalProperties: false }, { a: 1 }, 'must not have the property "a"'],
    [
      { ...limit, additionalProperties: false },
      { lmit: 1 },
      'must not have the property "lmit" (did you mean "limit"?)',
    ],
    [{ ...limit, additionalProperties: false }, { other: 1 }, 'must not have the property "other" (allowed: "limit")'],
    [
      { ...limit, unevaluatedProperties: false },
      { Limit: 1 },
      'must not have the property "Limit" (did you mean "limit"?)',
    ],
    [{ not: { const: 1 } }, 1, 'must be anything but {"const":1}, received integer 1'],
    [{ not: true }, 1, 'is not allowed'],
    [{ not: { required: ['a'] } }, { a: 1 }, 'must not have the property "a"'],
    [{ not: { required: ['a', 'b'] } }, { a: 1, b: 2 }, 'must not have the properties "a" and "b" together'],
    [{ anyOf: [string, { type: 'null' }] }, 1, 'must be string or null, received integer 1'],
  ])('A violation of %j by %j reads: %s', (schema, instance, message) => {
    expect(violations(schema, instance).map((violation) => violation.message)).toEqual([
      message.startsWith('/') ? message : `(root): ${message}`,
    ]);
  });

  test.each<[schema: object, instance: unknown, expected: string]>([
    [{ minLength: 2 }, '', 'at least 2 characters long'],
    [{ required: ['a'], properties: { a: integer } }, {}, 'property "a" (integer)'],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, 'property "b" beside "a"'],
    [{ additionalProperties: false }, { a: 1 }, 'no property "a"'],
    [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, 'property names: at most 1 character long'],
    [{ not: { required: ['a', 'b'] } }, { a: 1, b: 1 }, 'anything but {"required":["a","b"]}'],
    [{ anyOf: [{ minimum: 2 }, { maximum: 0 }] }, 1, 'valid against one of 2 alternatives'],
    [{ oneOf: [true, true] }, 1, 'valid against exactly one of 2 alternatives'],
    [{ if: string, else: { maximum: 0 } }, 1, '<= 0, valid against "if", or else against "else"'],
    [{ properties: { a: false } }, { a: 1 }, 'absent'],
  ])('A violation of %j by %j expects: %s', (schema, instance, expected) => {
    expect(
      violations(schema, instance)
        .map((violation) => violation.expected)
        .join(', '),
    ).toBe(expected);
  });

  test('A violation of a format names it', () => {
    expect(violations({ format: 'email' }, 'x', { assertFormats: true })).toMatchObject([
      { expected: 'a valid email', message: '(root): must be a valid email, received string "x"' },
    ]);
  });

  test.each<[schema: object, instance: unknown, property: string]>([
    [{ required: ['a'] }, {}, 'a'],
    [{ additionalProperties: false }, { b: 1 }, 'b'],
    [{ unevaluatedProperties: false }, { b: 1 }, 'b'],
    [{ propertyNames: { maxLength: 1 } }, { long: 1 }, 'long'],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, 'b'],
  ])('A violation of %j names the property', (schema, instance, property) => {
    expect(violations(schema, instance)).toMatchObject([{ instanceLocation: '', property }]);
  });

  test.each<[schema: object, types: string[]]>([
    [{ type: ['integer', 'null'] }, ['integer', 'null']],
    [{ enum: [1, 2, 'a', null, 1.5] }, ['integer', 'string', 'null', 'number']],
    [{ const: 5 }, ['integer']],
    [
      { oneOf: [to('a'), { type: 'array' }], $defs: { a: { anyOf: [integer, { type: 'null' }] } } },
      ['integer', 'null', 'array'],
    ],
    [{ anyOf: [integer, { type: 'null', maxLength: 1 }, { maxLength: 1 }] }, ['integer']],
  ])('A violation of %j names the expected types', (schema, expectedTypes) => {
    expect(violations(schema, '5.')).toMatchObject([{ expectedTypes }]);
  });

  test.each<[schema: object, instance: unknown]>([
    [{ anyOf: [{ maxLength: 1 }, { pattern: '^a' }] }, '5.'],
    [{ anyOf: [{ properties: { a: integer } }] }, { a: '5' }],
  ])('A violation of %j names no types if none is expected', (schema, instance) => {
    expect(violations(schema, instance)).toMatchObject([{ expectedTypes: undefined }]);
  });

  test.each<[what: string, schema: object, instance: unknown, types: string[]]>([
    ['those it asks for', { type: ['integer', 'null'], minLength: 3 }, 'x', ['integer', 'null']],
    ['else those of its schema', { type: 'string', minLength: 3 }, 'x', ['string']],
    ['of what is missing, its own', object({ a: { type: 'null' } }, { required: ['a'] }), {}, ['null']],
    ['of what is missing without types, none', object({}, { required: ['a'] }), {}, []],
    ['of one that must not be there, none', object({}, { additionalProperties: false }), { a: 1 }, []],
    ['of one that must not be called so, none', object({}, { propertyNames: { maxLength: 1 } }), { ab: 1 }, []],
  ])('A violation tells programs the expected types: %s', (_, schema, instance, types) => {
    const [found] = violations(schema, instance);
    expect(found && typesWanted(found)).toEqual(types);
  });

  test.each<[schema: object, instance: unknown, given: unknown, message: string]>([
    [{ properties: { a: integer } }, { a: 'x' }, 'given', '/a: must be integer, received string "given"'],
    [{ minItems: 2 }, [1], '[1]', '(root): must have at least 2 items, received string "[1]"'],
    [{ minProperties: 1 }, {}, '{}', '(root): must have at least 1 property, received string "{}"'],
    [{ minLength: 2 }, '', null, '(root): must be at least 2 characters long, received null'],
    [{ minimum: 2 }, 1, '1', '(root): must be >= 2, received string "1"'],
  ])('A violation of %j by %j, which was made of %j, reads: %s', (schema, instance, given, message) => {
    const [found] = violations(schema, instance);
    expect(found && withReceived(found, given).message).toBe(message);
  });

  test('A violation shows at most two hundred characters of its place, from both ends', () => {
    const place = (name: string) =>
      violations({ properties: { [name]: integer } }, { [name]: 'x' })[0]?.message.split(': ')[0];
    expect(place('a'.repeat(199))).toBe(`/${'a'.repeat(199)}`);
    expect(place('a'.repeat(100) + 'c'.repeat(100))).toBe(`/${'a'.repeat(99)}...${'c'.repeat(100)}`);
    expect(place(`${'a'.repeat(100)}b${'c'.repeat(100)}`)).toBe(`/${'a'.repeat(99)}...${'c'.repeat(100)}`);
  });

  test('All violations are reported, not only the first', () => {
    const schema = { properties: { a: { minimum: 0 }, b: { items: string } }, required: ['c'] };
    const found = violations(schema, { a: -1, b: [1, 'x', 2] });
    const places = found.map(({ instanceLocation, keyword }) => `${instanceLocation} ${keyword}`);
    expect(places).toEqual(['/a minimum', '/b/0 type', '/b/2 type', ' required']);
  });

  test('A violation has escaped JSON Pointers', () => {
    const schema = { properties: { 'a/b': { properties: { 'c~d': string } } } };
    expect(violations(schema, { 'a/b': { 'c~d': 1 } })).toMatchObject([
      { instanceLocation: '/a~1b/c~0d', schemaLocation: '#/properties/a~1b/properties/c~0d/type' },
    ]);
  });
});

test('Branches of a violation are part of its JSON', () => {
  const [found] = violations({ anyOf: [{ type: 'integer', minimum: 5 }, { maxLength: 0 }] }, 'x');
  expect(JSON.parse(JSON.stringify(found))).toMatchObject({
    keyword: 'anyOf',
    branches: [
      [{ keyword: 'type' }],
      [{ keyword: 'maxLength', message: expect.stringContaining('at most 0') as unknown }],
    ],
  });
});

test('Branches of a violation of oneOf are empty if an alternative matches', () => {
  expect(violations({ oneOf: [true, { type: 'string' }, true] }, 1)).toMatchObject([
    { keyword: 'oneOf', branches: [[], [{ keyword: 'type' }], []] },
  ]);
});

test('Branches of a violation say which condition failed if `else` rejected the value', () => {
  const schema = { if: { properties: { a: { type: 'integer' } } }, else: { required: ['b'] } };
  expect(violations(schema, { a: '5' })).toMatchObject([
    { keyword: 'required', property: 'b' },
    { keyword: 'if', branches: [[{ instanceLocation: '/a', keyword: 'type', expectedTypes: ['integer'] }]] },
  ]);
});
