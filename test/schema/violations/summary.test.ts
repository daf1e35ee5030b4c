import { describe, expect, test } from 'vitest';
import { summarizedViolations } from '../../../src/schema/violations/summary.js';
import { closed, integer, object, string, times, to } from '../../../test-support/schemas/short.js';
import { linesFor, violations } from '../decide.js';

type Row = readonly [schema: object, instance: unknown, lines: string];

const number = { type: 'number' };
const circle = object({ kind: { const: 'circle' }, radius: number }, { required: ['kind', 'radius'] });
const square = object({ kind: { const: 'square' }, side: number }, { required: ['kind', 'side'] });
const positive = { ...integer, minimum: 1 };
const digits = { ...string, pattern: '^[1-9]\\d*$' };
const shapes = { oneOf: [circle, square, string] };
const needs = (...required: string[]) => ({ required });
const missing = (property: string) => `must have property ${property}, which is missing`;
const noInteger = (at: string) => `${at}: must be integer, received string "x"`;

describe('The closest alternative is described', () => {
  const closest: Record<string, Row> = {
    'the one with the same tag': [
      shapes,
      { kind: 'circle', radius: 'x' },
      '/radius: must be number, received string "x"',
    ],
    'all tags if none fits': [
      { oneOf: [circle, square] },
      { kind: 'line' },
      '/kind: must be one of "circle", "square", received string "line"',
    ],
    'the one of the same type': [
      { anyOf: [positive, digits] },
      '0',
      'must be a string matching "^[1-9]\\\\d*$", received string "0"',
    ],
    'the one with the fewest violations': [{ anyOf: [needs('a', 'b', 'c'), needs('d')] }, {}, missing('"d"')],
    'the one that is not `false`': [{ anyOf: [false, object({}, needs('a'))] }, {}, missing('"a"')],
    'the object of a nullable one': [
      { anyOf: [{ type: 'null' }, object({ a: integer })] },
      { a: 'x' },
      noInteger('/a'),
    ],
    'the `else` if the condition failed': [
      { if: { properties: { a: { const: 1 } } }, else: needs('b') },
      { a: 2 },
      missing('"b"'),
    ],
    'all matching ones if only one may match': [
      { oneOf: [{ title: 'Cat' }, to('Dog'), needs('id'), false], $defs: { Dog: { type: 'object' } } },
      { id: 1 },
      'must be valid against exactly one of 4 alternatives, but matches "Cat", "Dog" and number 3 {"required":["id"]}',
    ],
  };
  test.each(Object.entries(closest))('The closest alternative is described: %s', (_, [schema, instance, lines]) => {
    expect(linesFor(schema, instance).join('\n')).toBe(lines);
  });

  test('The closest alternative is also described as violations for programs', () => {
    expect(summarizedViolations(violations(shapes, { kind: 'circle', radius: '5' }))).toMatchObject([
      { instanceLocation: '/radius', keyword: 'type', expectedTypes: ['number'], received: { value: '5' } },
    ]);
  });
});

describe('The alternative that was meant', () => {
  const sort = { enum: ['asc', 'desc'] };
  const one = object({ t: { enum: ['x', 'y'] }, n: integer }, needs('t'));
  const tagged = {
    oneOf: [to('a'), to('b')],
    $defs: { a: one, b: object({ t: { const: 'z' }, m: integer }, needs('t')) },
  };
  const nine = (make: (tag: object) => object) => ({ anyOf: times(9, (i) => make({ const: `k${i}` })) });
  const all = times(9, (i) => `"k${i}"`).join(', ');

  const meant: Record<string, Row> = {
    'has the sent names, though one value is wrong': [
      { properties: { target: { anyOf: [closed({ id: {} }), closed({ query: string, sort })] } } },
      { target: { query: 'x', sort: 'up' } },
      '/target/sort: must be one of "asc", "desc", received string "up"',
    ],
    'has the tag': [tagged, { t: 'y', n: 'q', m: 'q' }, '/n: must be integer, received string "q"'],
    'has the other tag': [tagged, { t: 'z', n: 'q', m: 'q' }, '/m: must be integer, received string "q"'],
    'lacks its tag': [tagged, { n: 1 }, missing('"t" (one of "x", "y", "z")')],
    'does not forbid its own properties beside unevaluatedProperties': [
      { anyOf: [object({ a: integer, b: {} }), object({ c: {} }, needs('c'))], unevaluatedProperties: false },
      { a: 'x', b: 1, z: 1 },
      `${noInteger('/a')}\nmust not have the property "z" (allowed: "c")`,
    ],
    'does not forbid its own properties of any name, but those of another object': [
      {
        anyOf: [object({ a: integer, 'b/c': {}, '~d': {} })],
        properties: { k: { anyOf: [object({ e: integer })] } },
        unevaluatedProperties: false,
      },
      { a: 'x', 'b/c': 1, '~d': 1, e: 1, k: { e: 'x' } },
      `${noInteger('/a')}\n/k/e: must be integer, received string "x"\nmust not have the property "e"`,
    ],
    'does not apply the schema of unevaluatedProperties to its own properties': [
      { anyOf: [object({ a: integer, 'b/c': {} }), object({}, needs('z'))], unevaluatedProperties: string },
      { a: 'x', 'b/c': 1, q: 1 },
      `${noInteger('/a')}\n/q: must be string, received integer 1`,
    ],
    'does not cover properties that other keywords leave unevaluated': [
      { oneOf: [true, true], unevaluatedProperties: false },
      { q: 1 },
      'must not have the property "q"\nmust be valid against exactly one of 2 alternatives, but matches number 1 true and number 2 true',
    ],
    'lists its values or names its type if no alternative takes the sent type': [
      { anyOf: [{ enum: ['a', 'b'] }, { const: 3 }, { type: 'array', properties: { x: sort } }, { type: 'null' }] },
      { x: 1 },
      'must be array, null or one of "a", "b", 3, received object {"x":1}',
    ],
    'is the only one for this type, and all its violations are named': [
      { anyOf: [{ type: 'null' }, object({ a: { enum: [1, 2] }, b: integer }, needs('c'))] },
      { a: 3, b: 'x' },
      '/a: must be one of 2, 1, received integer 3\n/b: must be integer, received string "x"\nmust have property "c", which is missing',
    ],
    'has its own tag, not one inside a member': [
      { anyOf: ['a', 'b'].map((tag) => object({ x: object({}, needs('t')), t: { const: tag } })) },
      { x: {} },
      '/x: must have property "t", which is missing',
    ],
    'lacks the same as others if nothing tells them apart': [
      { anyOf: ['u', 'v'].map((other) => object({ t: { const: 'a' } }, needs('t', other))) },
      {},
      'must have property "t" ("a") and "u" or "t" ("a") and "v"; both are missing',
    ],
    'lacks its tag if many are for objects': [
      nine((t) => object({ t }, needs('t'))),
      { q: 1 },
      missing(`"t" (one of ${all})`),
    ],
    'lacks a property whose values are not listed in all': [
      { anyOf: [...nine((t) => object({ t }, needs('t'))).anyOf, object({ t: {} }, needs('t'))] },
      {},
      missing('"t"'),
    ],
    'expects a nested value if there are many': [
      nine((t) => object({ a: object({ t }) })),
      { a: { t: 'x' } },
      `/a/t: must be one of ${all}, received string "x"`,
    ],
    'has more of the sent names at the same number of violations': [
      { anyOf: [object({ a: {} }, needs('a')), object({ query: {}, sort: {} }, needs('limit'))] },
      { query: 'x', sort: 'asc' },
      missing('"limit"'),
    ],
    'fails inside a member rather than as a whole': [
      { anyOf: [object({ a: {} }, needs('b')), object({ a: integer })] },
      { a: 'x' },
      noInteger('/a'),
    ],
    'lacks a property rather than forbidding one': [
      { anyOf: [closed({ a: {} }), object({ a: {} }, needs('b'))] },
      { a: 1, c: 1 },
      missing('"b"'),
    ],
    'is the first if they fail in different members': [
      { anyOf: [object({ a: { minimum: 5 } }), object({ b: { minimum: 7 } })] },
      { a: 1, b: 1 },
      '/a: must be >= 5, received integer 1',
    ],
    'is one of several that each need one phrase': [
      { anyOf: [{ minimum: 5 }, { multipleOf: 7 }, { enum: [2, 3] }] },
      1,
      'must be >= 5, a multiple of 7 or one of 2, 3, received integer 1',
    ],
    'needs more than one phrase': [
      { anyOf: [{ minItems: 3 }, { maxItems: 0 }] },
      [1],
      'must have at least 3 items, has 1',
    ],
    'is the first if only one lacks a property': [
      { anyOf: [needs('a'), { minProperties: 2 }] },
      { b: 1 },
      missing('"a"'),
    ],
    'is the first if a property is missing beside another one': [
      { anyOf: [{ dependentRequired: { x: ['q'] } }, needs('b')] },
      { x: 1 },
      'must have property "q" beside "x"',
    ],
    'forbids properties that no other allows': [
      { anyOf: [closed({ a: {}, y: {} }, needs('a')), closed({ b: {}, y: {} }, needs('b'))] },
      { x: 1, y: 1, z: 1 },
      'must have property "a" or "b"; both are missing\nmust not have the properties "x" and "z" (allowed: "a", "b")',
    ],
    'lacks one of two properties, though both list values of one': [
      { anyOf: [object({ t: { const: 'a' } }, needs('t')), object({ t: { const: 'b' } }, needs('u'))] },
      {},
      'must have property "t" ("a") or "u"; both are missing',
    ],
    'is not one of several types, if another is for this type': [
      { anyOf: [{ anyOf: [integer, { type: 'null' }] }, { pattern: '^a' }] },
      'x',
      'must be a string matching "^a", received string "x"',
    ],
    'allows nothing': [{ anyOf: [false, false] }, 1, 'must be valid against one of 2 alternatives, received integer 1'],
    'does not forbid a property that another allows': [
      { anyOf: [closed({ a: {} }, needs('a')), closed({ b: {}, x: {} }, needs('b', 'c'))] },
      { x: 1 },
      'the properties "b" and "c" are missing',
    ],
    'does not forbid its items, beside unevaluatedItems': [
      { anyOf: [{ prefixItems: [integer] }, string], unevaluatedItems: false },
      ['x', 1],
      noInteger('/0'),
    ],
    'is found among hundreds': [
      { oneOf: times(300, (i) => closed({ kind: { const: `k${i}` }, [`p${i}`]: {} }, needs('kind', `p${i}`))) },
      { kind: 'k250', q: 1 },
      'must have property "p250", which is missing\nmust not have the property "q"',
    ],
  };
  test.each(Object.entries(meant))('The alternative that was meant %s', (_, [schema, instance, lines]) => {
    expect(linesFor(schema, instance).join('\n')).toBe(lines);
  });

  test('The alternative that was meant may be one of two formats', () => {
    expect(linesFor({ anyOf: [{ format: 'email' }, { format: 'date' }] }, 'x', { assertFormats: true })).toEqual([
      'must be a valid email or a valid date, received string "x"',
    ]);
  });
});
