import { describe, expect, test } from 'vitest';
import { typesWanted, withReceived } from '../../../src/schema/violations/violation.js';
import { decide, violations } from '../decide.js';

describe('A violation', () => {
  test('says where, what was expected, what came, and which keyword of the schema says so', () => {
    const schema = { properties: { page: { $ref: '#/$defs/page' } }, $defs: { page: { type: ['integer', 'null'] } } };
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
    [{ type: 'string', nullable: true }, 1, 'must be string or null, received integer 1'],
    [{ enum: ['a', 2, null] }, 'b', 'must be one of "a", 2, null, received string "b"'],
    [{ enum: ['a'] }, 'b', 'must be "a", received string "b"'],
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
    [
      { required: ['a'], properties: { a: { type: ['string', 'null'] } } },
      {},
      'must have property "a" (string or null), which is missing',
    ],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, 'must have property "b" beside "a"'],
    [{ properties: { a: false } }, { a: 1 }, '/a: is not allowed'],
    [
      { required: ['a'], properties: { a: { enum: [], type: 'string' } } },
      {},
      'must have property "a" (string), which is missing',
    ],
    [{ required: ['a'], properties: { a: { const: 'b' } } }, {}, 'must have property "a" ("b"), which is missing'],
    [{ enum: [] }, 1, 'must be one of no values at all (the list is empty), received integer 1'],
    [{ propertyNames: false }, { a: 1 }, 'must not have the property "a": its name must be allowed by the schema'],
    [
      { propertyNames: { enum: ['a', 'b'] } },
      { c: 1 },
      'must not have the property "c": its name must be one of "a", "b"',
    ],
    [{ additionalProperties: false }, { a: 1 }, 'must not have the property "a"'],
    [
      { properties: { query: {}, limit: {} }, additionalProperties: false },
      { qurey: 1 },
      'must not have the property "qurey" (did you mean "query"?)',
    ],
    [
      { properties: { max_results: {} }, additionalProperties: false },
      { maxResults: 1 },
      'must not have the property "maxResults" (did you mean "max_results"?)',
    ],
    [
      { properties: { a: {}, b: {} }, additionalProperties: false },
      { other: 1 },
      'must not have the property "other" (allowed: "a", "b")',
    ],
    [{ unevaluatedProperties: false }, { a: 1 }, 'must not have the property "a"'],
    [
      { properties: { limit: {} }, unevaluatedProperties: false },
      { Limit: 1 },
      'must not have the property "Limit" (did you mean "limit"?)',
    ],
    [
      { propertyNames: { pattern: '^a' } },
      { b: 1 },
      'must not have the property "b": its name must be a string matching "^a"',
    ],
    [{ not: { const: 1 } }, 1, 'must be anything but {"const":1}, received integer 1'],
    [
      { not: { required: ['a'], properties: { a: { const: 1 } } } },
      { a: 1 },
      'must be anything but {"required":["a"],"properties":{"a":{"const":1}}}, received object {"a":1}',
    ],
    [{ not: {} }, 1, 'is not allowed'],
    [{ not: true }, 1, 'is not allowed'],
    [{ not: { required: ['a'] } }, { a: 1 }, 'must not have the property "a"'],
    [{ not: { required: ['a', 'b'] } }, { a: 1, b: 2 }, 'must not have the properties "a" and "b" together'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 1, 'must be string or null, received integer 1'],
    [
      { oneOf: [{ minimum: 1 }, { minimum: 2 }, false] },
      3,
      'must be valid against exactly one of 3 alternatives, but is against number 1 {"minimum":1} and number 2 {"minimum":2}',
    ],
  ])('of %j by %j reads: %s', (schema, instance, message) => {
    expect(violations(schema, instance).map((violation) => violation.message)).toEqual([
      message.startsWith('/') ? message : `(root): ${message}`,
    ]);
  });

  test.each<[schema: object, instance: unknown, expected: string]>([
    [{ uniqueItems: true }, [1, 1], 'unique items'],
    [{ minLength: 2 }, '', 'at least 2 characters long'],
    [{ minProperties: 2 }, {}, 'at least 2 properties'],
    [{ required: ['a'], properties: { a: { type: 'integer' } } }, {}, 'property "a" (integer)'],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, 'property "b" beside "a"'],
    [{ additionalProperties: false }, { a: 1 }, 'no property "a"'],
    [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, 'property names: at most 1 character long'],
    [{ contains: { const: 1 } }, [], 'at least 1 item matching {"const":1}'],
    [{ not: { required: ['a', 'b'] } }, { a: 1, b: 1 }, 'anything but {"required":["a","b"]}'],
    [{ not: {} }, 1, 'anything but {}'],
    [{ not: { const: 1 } }, 1, 'anything but {"const":1}'],
    [{ anyOf: [{ minimum: 2 }, { maximum: 0 }] }, 1, 'valid against one of 2 alternatives'],
    [{ oneOf: [true, true] }, 1, 'valid against exactly one of 2 alternatives'],
    [{ properties: { a: false } }, { a: 1 }, 'absent'],
  ])('of %j by %j expects: %s', (schema, instance, expected) => {
    expect(violations(schema, instance).map((violation) => violation.expected)).toEqual([expected]);
  });

  test('of a format names it', () => {
    const [found] = violations({ format: 'email' }, 'x', { assertFormats: true });
    expect([found?.expected, found?.message]).toEqual([
      'a valid email',
      '(root): must be a valid email, received string "x"',
    ]);
  });

  test.each<[schema: object, instance: unknown, property: string]>([
    [{ required: ['a'] }, {}, 'a'],
    [{ additionalProperties: false }, { b: 1 }, 'b'],
    [{ unevaluatedProperties: false }, { b: 1 }, 'b'],
    [{ propertyNames: { maxLength: 1 } }, { long: 1 }, 'long'],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, 'b'],
  ])('of %j names the property', (schema, instance, property) => {
    expect(violations(schema, instance)).toMatchObject([{ instanceLocation: '', property }]);
  });

  test.each<[schema: object, types: string[]]>([
    [{ type: ['integer', 'null'] }, ['integer', 'null']],
    [{ enum: [1, 2, 'a', null, 1.5] }, ['integer', 'string', 'null', 'number']],
    [{ const: 5 }, ['integer']],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, ['integer', 'null']],
    [
      {
        oneOf: [{ $ref: '#/$defs/a' }, { type: 'array' }],
        $defs: { a: { anyOf: [{ type: 'integer' }, { type: 'number' }] } },
      },
      ['integer', 'number', 'array'],
    ],
    [{ anyOf: [{ type: 'integer' }, { type: 'null', maxLength: 1 }, { maxLength: 1 }] }, ['integer']],
  ])('of %j names the types asked for', (schema, expectedTypes) => {
    expect(violations(schema, '5.')).toMatchObject([{ expectedTypes }]);
  });

  test.each<[schema: object, instance: unknown]>([
    [{ pattern: '^a' }, '5.'],
    [{ anyOf: [{ maxLength: 1 }, { pattern: '^a' }] }, '5.'],
    [{ anyOf: [{ properties: { a: { type: 'integer' } } }] }, { a: '5' }],
  ])('of %j names no types, where none is asked for there', (schema, instance) => {
    expect(violations(schema, instance)).toMatchObject([{ expectedTypes: undefined }]);
  });

  test.each<[what: string, schema: object, instance: unknown, types: string[]]>([
    ['those it asks for', { type: ['integer', 'null'], minLength: 3 }, 'x', ['integer', 'null']],
    ['else those of its schema', { type: 'string', minLength: 3 }, 'x', ['string']],
    [
      'of a missing property, its own',
      { type: 'object', required: ['a'], properties: { a: { type: 'null' } } },
      {},
      ['null'],
    ],
    ['of a missing property without types, none', { type: 'object', required: ['a'] }, {}, []],
    ['of one that must not be there, none', { type: 'object', additionalProperties: false }, { a: 1 }, []],
    ['of one that must not be called so, none', { type: 'object', propertyNames: { maxLength: 1 } }, { ab: 1 }, []],
  ])('tells programs which types are wanted: %s', (_, schema, instance, types) => {
    const [found] = violations(schema, instance);
    expect(found && typesWanted(found)).toEqual(types);
  });

  test('may be that of another value', () => {
    const [found] = violations({ type: 'integer' }, { a: 'x' });
    expect(found && withReceived(found, 'given').message).toBe('(root): must be integer, received string "given"');
  });

  test.each<[schema: object, instance: unknown, given: unknown, message: string]>([
    [{ minItems: 2 }, [1], '[1]', '(root): must have at least 2 items, received string "[1]"'],
    [{ minProperties: 1 }, {}, '{}', '(root): must have at least 1 property, received string "{}"'],
    [{ minLength: 2 }, '', null, '(root): must be at least 2 characters long, received null'],
    [{ minimum: 2 }, 1, '1', '(root): must be >= 2, received string "1"'],
  ])('of %j by %j, made of %j, reads: %s', (schema, instance, given, message) => {
    const [found] = violations(schema, instance);
    expect(found && withReceived(found, given).message).toBe(message);
  });

  test('of a condition expects one of its ways', () => {
    expect(violations({ if: { type: 'string' }, else: false }, 1).map(({ expected }) => expected)).toEqual([
      'absent',
      'valid against "if", or else against "else"',
    ]);
  });

  test('shows at most two hundred characters of its place, from both ends', () => {
    const message = (length: number) => {
      const name = `${'a'.repeat(100)}${'b'.repeat(length - 201)}${'c'.repeat(100)}`;
      return violations({ properties: { [name]: { type: 'integer' } } }, { [name]: 'x' })[0]?.message.split(': ')[0];
    };
    expect(message(201)).toBe(`/${'a'.repeat(99)}...${'c'.repeat(100)}`);
    expect(message(202)).toBe(`/${'a'.repeat(99)}...${'c'.repeat(100)}`);
    const whole = 'a'.repeat(199);
    const [found] = violations({ properties: { [whole]: { type: 'integer' } } }, { [whole]: 'x' });
    expect(found?.message).toBe(`/${whole}: must be integer, received string "x"`);
  });

  test('comes with all others, not only the first', () => {
    const schema = {
      properties: { a: { type: 'integer', minimum: 0 }, b: { items: { type: 'string' } } },
      required: ['c'],
    };
    expect(
      violations(schema, { a: -1, b: [1, 'x', 2] }).map(
        ({ instanceLocation, keyword }) => `${instanceLocation} ${keyword}`,
      ),
    ).toEqual(['/a minimum', '/b/0 type', '/b/2 type', ' required']);
  });

  test('uses JSON Pointers, escaped', () => {
    const schema = { properties: { 'a/b': { properties: { 'c~d': { type: 'string' } } } } };
    expect(violations(schema, { 'a/b': { 'c~d': 1 } })).toMatchObject([
      { instanceLocation: '/a~1b/c~0d', schemaLocation: '#/properties/a~1b/properties/c~0d/type' },
    ]);
  });
});

describe('Branches of a violation', () => {
  test('are part of its JSON', () => {
    const [found] = violations({ anyOf: [{ type: 'integer', minimum: 5 }, { maxLength: 0 }] }, 'x');
    expect(JSON.parse(JSON.stringify(found))).toMatchObject({
      keyword: 'anyOf',
      branches: [
        [{ keyword: 'type' }],
        [{ keyword: 'maxLength', message: expect.stringContaining('at most 0') as unknown }],
      ],
    });
    expect(JSON.stringify(violations({ type: 'integer' }, 'x'))).not.toContain('branches');
  });

  test('of oneOf are empty where an alternative matches', () => {
    expect(violations({ oneOf: [true, { type: 'string' }, true] }, 1)).toMatchObject([
      { keyword: 'oneOf', branches: [[], [{ keyword: 'type' }], []] },
    ]);
  });

  test('say which condition failed where `else` refused', () => {
    const schema = { if: { properties: { a: { type: 'integer' } } }, else: { required: ['b'] } };
    expect(violations(schema, { a: '5' })).toMatchObject([
      { keyword: 'required', property: 'b' },
      { keyword: 'if', branches: [[{ instanceLocation: '/a', keyword: 'type', expectedTypes: ['integer'] }]] },
    ]);
  });
});
