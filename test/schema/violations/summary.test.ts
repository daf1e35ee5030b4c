import { describe, expect, test } from 'vitest';
import { describeViolations } from '../../../src/schema/violations/describe.js';
import { summarizedViolations } from '../../../src/schema/violations/summary.js';
import { violations } from '../decide.js';

/** The lines that a model gets, but for the name of the whole. */
const linesFor = (schema: object, instance: unknown) =>
  describeViolations(violations(schema, instance))
    .split('\n')
    .map((line) => line.replace('(root): ', ''));

describe('Of alternatives the closest is described', () => {
  const shapes = {
    oneOf: [
      {
        type: 'object',
        properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
        required: ['kind', 'radius'],
      },
      {
        type: 'object',
        properties: { kind: { const: 'square' }, side: { type: 'number' } },
        required: ['kind', 'side'],
      },
      { type: 'string' },
    ],
  };

  test.each<[what: string, schema: object, instance: unknown, lines: string[]]>([
    [
      'the one with the same tag, deeper',
      shapes,
      { kind: 'circle', radius: 'big' },
      ['/radius: must be number, received string "big"'],
    ],
    [
      'all tags, where none fits',
      { oneOf: shapes.oneOf.slice(0, 2) },
      { kind: 'line' },
      ['/kind: must be one of "circle", "square", received string "line"'],
    ],
    [
      'the one of the same type',
      {
        anyOf: [
          { type: 'integer', minimum: 1 },
          { type: 'string', pattern: '^[1-9]\\d*$' },
        ],
      },
      '0',
      ['must be a string matching "^[1-9]\\\\d*$", received string "0"'],
    ],
    [
      'the one with the fewest violations',
      { anyOf: [{ required: ['a', 'b', 'c'] }, { required: ['d'] }] },
      {},
      ['must have property "d", which is missing'],
    ],
    [
      'the one that is not ruled out',
      { anyOf: [false, { type: 'object', required: ['a'] }] },
      {},
      ['must have property "a", which is missing'],
    ],
    [
      'nullable objects',
      { anyOf: [{ type: 'null' }, { type: 'object', properties: { a: { type: 'integer' } } }] },
      { a: 'x' },
      ['/a: must be integer, received string "x"'],
    ],
    [
      'the `else`, where the condition failed',
      { if: { properties: { a: { const: 1 } } }, else: { required: ['b'] } },
      { a: 2 },
      ['must have property "b", which is missing'],
    ],
  ])('%s', (_, schema, instance, lines) => {
    expect(linesFor(schema, instance)).toEqual(lines);
  });

  test('too many matches are listed, with what they are', () => {
    expect(linesFor({ oneOf: [{ type: 'integer' }, { minimum: 0 }] }, 5)).toEqual([
      'must be valid against exactly one of 2 alternatives, but is against number 1 {"type":"integer"} and number 2 {"minimum":0}',
    ]);
    const named = {
      oneOf: [{ title: 'Cat' }, { $ref: '#/$defs/Dog' }, { required: ['id'] }, false],
      $defs: { Dog: { type: 'object' } },
    };
    expect(linesFor(named, { id: 1 })).toEqual([
      'must be valid against exactly one of 4 alternatives, but is against number 1 {"title":"Cat"}, number 2 {"$ref":"#/$defs/Dog"} and number 3 {"required":["id"]}',
    ]);
  });

  test('as violations too, for programs', () => {
    expect(summarizedViolations(violations(shapes, { kind: 'circle', radius: '5' }))).toMatchObject([
      { instanceLocation: '/radius', keyword: 'type', expectedTypes: ['number'], received: { value: '5' } },
    ]);
  });
});

describe('The alternative that was meant', () => {
  const object = (properties: object, required: string[] = []) => ({ type: 'object', properties, required });
  const closed = (properties: object, required: string[] = []) => ({
    ...object(properties, required),
    additionalProperties: false,
  });
  const sort = { query: { type: 'string' }, sort: { enum: ['asc', 'desc'] } };
  const tagged = {
    oneOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }],
    $defs: {
      a: object({ t: { enum: ['x', 'y'] }, n: { type: 'integer' } }, ['t']),
      b: object({ t: { const: 'z' }, m: { type: 'integer' } }, ['t']),
    },
  };

  test.each<[what: string, schema: object, instance: unknown, lines: string[]]>([
    [
      'knows the names, though one of its values is wrong',
      { properties: { target: { anyOf: [closed({ id: {} }), closed(sort)] } } },
      { target: { query: 'x', sort: 'up' } },
      ['/target/sort: must be one of "asc", "desc", received string "up"'],
    ],
    ['has the tag', tagged, { t: 'y', n: 'q', m: 'q' }, ['/n: must be integer, received string "q"']],
    ['has the other tag', tagged, { t: 'z', n: 'q', m: 'q' }, ['/m: must be integer, received string "q"']],
    [
      'cannot be found without its tag',
      tagged,
      { n: 1 },
      ['must have property "t" (one of "x", "y", "z"), which is missing'],
    ],
    [
      'is one of two',
      { anyOf: [{ required: ['id'] }, { required: ['name'] }] },
      {},
      ['must have property "id" or "name"; both are missing'],
    ],
    [
      'does not forbid what it declares, beside unevaluatedProperties',
      { anyOf: [object({ a: { type: 'integer' }, b: {} }), object({ c: {} }, ['c'])], unevaluatedProperties: false },
      { a: 'x', b: 1, z: 1 },
      ['/a: must be integer, received string "x"', 'must not have the property "z" (allowed: "c")'],
    ],
    [
      'does not forbid what it declares, whatever its name, and what another object declares says nothing',
      {
        anyOf: [object({ a: { type: 'integer' }, 'b/c': {}, '~d': {} })],
        properties: { k: { anyOf: [object({ e: { type: 'integer' } })] } },
        unevaluatedProperties: false,
      },
      { a: 'x', 'b/c': 1, '~d': 1, e: 1, k: { e: 'x' } },
      [
        '/a: must be integer, received string "x"',
        '/k/e: must be integer, received string "x"',
        'must not have the property "e"',
      ],
    ],
    [
      'does not ask for another type of what it declares, beside a schema for unevaluatedProperties',
      {
        anyOf: [object({ a: { type: 'integer' }, 'b/c': {} }), object({}, ['z'])],
        unevaluatedProperties: { type: 'string' },
      },
      { a: 'x', 'b/c': 1, q: 1 },
      ['/a: must be integer, received string "x"', '/q: must be string, received integer 1'],
    ],
    [
      'does not speak for what other keywords leave unevaluated',
      { oneOf: [true, true], unevaluatedProperties: false },
      { q: 1 },
      [
        'must not have the property "q"',
        'must be valid against exactly one of 2 alternatives, but is against number 1 true and number 2 true',
      ],
    ],
    [
      'lists its values or names its type, where those of the others are other types',
      {
        anyOf: [
          { type: 'string', enum: ['a', 'b'] },
          { type: 'integer', const: 3 },
          { type: 'array', properties: { x: { enum: [9] } } },
          { type: 'null' },
          false,
        ],
      },
      { x: 1 },
      ['must be array, null or one of "a", "b", 3, received object {"x":1}'],
    ],
    [
      'is the only one for this type, with all that is wrong',
      { anyOf: [{ type: 'null' }, object({ a: { enum: [1, 2] }, b: { type: 'integer' } }, ['c'])] },
      { a: 3, b: 'x' },
      [
        '/a: must be one of 2, 1, received integer 3',
        '/b: must be integer, received string "x"',
        'must have property "c", which is missing',
      ],
    ],
    [
      'has its own tag, not one within a member',
      {
        anyOf: [
          object({ x: object({}, ['t']), t: { const: 'a' } }),
          object({ x: object({}, ['t']), t: { const: 'b' } }),
        ],
      },
      { x: {} },
      ['/x: must have property "t", which is missing'],
    ],
    [
      'misses what others miss, if nothing tells them apart',
      { anyOf: [object({ t: { const: 'a' } }, ['t', 'u']), object({ t: { const: 'a' } }, ['t', 'v'])] },
      {},
      ['must have property "t" and "u" or "t" and "v"; both are missing'],
    ],
    [
      'misses its tag, of many that are for objects',
      { anyOf: Array.from({ length: 9 }, (_, i) => object({ t: { const: `k${i}` } }, ['t'])) },
      { q: 1 },
      [
        `must have property "t" (one of ${Array.from({ length: 9 }, (_, i) => `"k${i}"`).join(', ')}), which is missing`,
      ],
    ],
    [
      'misses what not all of many list',
      { anyOf: Array.from({ length: 9 }, (_, i) => object({ t: i === 8 ? {} : { const: `k${i}` } }, ['t'])) },
      {},
      ['must have property "t", which is missing'],
    ],
    [
      'wants a value deep within, of many',
      { anyOf: Array.from({ length: 9 }, (_, i) => object({ a: object({ t: { const: `k${i}` } }) })) },
      { a: { t: 'x' } },
      [`/a/t: must be one of ${Array.from({ length: 9 }, (_, i) => `"k${i}"`).join(', ')}, received string "x"`],
    ],
    [
      'knows more of the names, though as much is wrong with it',
      { anyOf: [object({ a: {} }, ['a']), object({ query: {}, sort: {} }, ['limit'])] },
      { query: 'x', sort: 'asc' },
      ['must have property "limit", which is missing'],
    ],
    [
      'is wrong within a member rather than as a whole',
      { anyOf: [object({ a: {} }, ['b']), object({ a: { type: 'integer' } })] },
      { a: 'x' },
      ['/a: must be integer, received string "x"'],
    ],
    [
      'misses a property rather than forbidding one',
      { anyOf: [closed({ a: {} }), object({ a: {} }, ['b'])] },
      { a: 1, c: 1 },
      ['must have property "b", which is missing'],
    ],
    [
      'is the first of those that are wrong in different members',
      { anyOf: [object({ a: { minimum: 5 } }), object({ b: { minimum: 7 } })] },
      { a: 1, b: 1 },
      ['/a: must be >= 5, received integer 1'],
    ],
    [
      'is one of several, each of which says so in one phrase',
      { anyOf: [{ minimum: 5 }, { multipleOf: 7 }, { enum: [2, 3] }] },
      1,
      ['must be >= 5, a multiple of 7 or one of 2, 3, received integer 1'],
    ],
    [
      'is the first of those that take more than a phrase',
      { anyOf: [{ minItems: 3 }, { maxItems: 0 }] },
      [1],
      ['must have at least 3 items, has 1'],
    ],
    [
      'is the first where one misses a property and the other does not',
      { anyOf: [{ required: ['a'] }, { minProperties: 2 }] },
      { b: 1 },
      ['must have property "a", which is missing'],
    ],
    [
      'is the first where a property is missing beside another one',
      { anyOf: [{ dependentRequired: { x: ['q'] } }, { required: ['b'] }] },
      { x: 1 },
      ['must have property "q" beside "x"'],
    ],
    [
      'forbids what no other allows',
      { anyOf: [closed({ a: {}, y: {} }, ['a']), closed({ b: {}, y: {} }, ['b'])] },
      { x: 1, y: 1, z: 1 },
      [
        'must have property "a" or "b"; both are missing',
        'must not have the properties "x" and "z" (allowed: "a", "b")',
      ],
    ],
    [
      'misses one of two properties, though both list values of one',
      { anyOf: [object({ t: { const: 'a' } }, ['t']), object({ t: { const: 'b' } }, ['u'])] },
      {},
      ['must have property "t" or "u"; both are missing'],
    ],
    [
      'is not one of several types, where another is for this type',
      { anyOf: [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, { pattern: '^a' }] },
      'x',
      ['must be a string matching "^a", received string "x"'],
    ],
    [
      'is none, where nothing is allowed',
      { anyOf: [false, false] },
      1,
      ['must be valid against one of 2 alternatives, received integer 1'],
    ],
    [
      'does not forbid what another allows',
      { anyOf: [closed({ a: {} }, ['a']), closed({ b: {}, x: {} }, ['b', 'c'])] },
      { x: 1 },
      ['the properties "b" and "c" are missing'],
    ],
    [
      'does not forbid its items, beside unevaluatedItems',
      { anyOf: [{ prefixItems: [{ type: 'integer' }] }, { type: 'string' }], unevaluatedItems: false },
      ['x', 1],
      ['/0: must be integer, received string "x"'],
    ],
  ])('%s', (_, schema, instance, lines) => {
    expect(linesFor(schema, instance)).toEqual(lines);
  });

  test('wants one of two formats', () => {
    const found = violations({ anyOf: [{ format: 'email' }, { format: 'date' }] }, 'x', { assertFormats: true });
    expect(describeViolations(found)).toBe('(root): must be a valid email or a valid date, received string "x"');
  });

  test('is found among hundreds', () => {
    const many = Array.from({ length: 300 }, (_, i) =>
      closed({ kind: { const: `k${i}` }, [`p${i}`]: {} }, ['kind', `p${i}`]),
    );
    expect(linesFor({ oneOf: many }, { kind: 'k250', q: 1 })).toEqual([
      'must have property "p250", which is missing',
      'must not have the property "q"',
    ]);
  });
});
