import { describe, expect, test } from 'vitest';
import { describeViolations, leafViolations } from '../../../src/schema/index.js';
import { violations } from '../decide.js';

/** What a model is told. */
function told(schema: object, instance: unknown): string[] {
  return describeViolations(violations(schema, instance)).split('\n');
}

describe('Violations in words', () => {
  test('are one line each, the most useful first', () => {
    const schema = {
      properties: { a: { minimum: 5 }, b: { type: 'string' }, c: { pattern: '^x' } },
      required: ['d'],
    };
    expect(told(schema, { a: 1, b: 1, c: 'y' })).toEqual([
      '/b: must be string, received integer 1',
      '(root): must have property "d", which is missing',
      '/a: must be >= 5, received integer 1',
      '/c: must be a string matching "^x", received string "y"',
    ]);
  });

  test('are counted beyond a limit', () => {
    const names = Array.from({ length: 30 }, (_, i) => `p${i}`);
    const found = violations(
      { additionalProperties: { type: 'string' } },
      Object.fromEntries(names.map((name, i) => [name, i])),
    );
    expect(describeViolations(found).split('\n')).toHaveLength(11);
    expect(describeViolations(found, { limit: 2 }).split('\n')).toEqual([
      '/p0: must be string, received integer 0',
      '/p1: must be string, received integer 1',
      '... and 28 more',
    ]);
  });

  test('of none are the empty text', () => {
    expect(describeViolations([])).toBe('');
  });
});

describe('Of alternatives the closest is told', () => {
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
      'the one with the same tag',
      shapes,
      { kind: 'square', radius: 1 },
      ['(root): must have property "side" (number), which is missing'],
    ],
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
      ['(root): must be a string matching "^[1-9]\\\\d*$", received string "0"'],
    ],
    [
      'the types, where none fits',
      { anyOf: [{ type: 'integer' }, { type: 'array' }, { type: 'null' }] },
      'x',
      ['(root): must be integer, array or null, received string "x"'],
    ],
    [
      'the one with the fewest violations',
      { anyOf: [{ required: ['a', 'b', 'c'] }, { required: ['d'] }] },
      {},
      ['(root): must have property "d", which is missing'],
    ],
    [
      'the one that is not ruled out',
      { anyOf: [false, { type: 'object', required: ['a'] }] },
      {},
      ['(root): must have property "a", which is missing'],
    ],
    [
      'nullable objects',
      { anyOf: [{ type: 'null' }, { type: 'object', properties: { a: { type: 'integer' } } }] },
      { a: 'x' },
      ['/a: must be integer, received string "x"'],
    ],
    [
      'combinators within combinators',
      { anyOf: [{ type: 'null' }, { anyOf: [{ type: 'array', items: { type: 'integer' } }, { type: 'string' }] }] },
      ['x'],
      ['/0: must be integer, received string "x"'],
    ],
    [
      'of items, each on its own',
      { items: { anyOf: [{ type: 'integer' }, { type: 'null' }] } },
      [1, 'x', null, true],
      ['/1: must be integer or null, received string "x"', '/3: must be integer or null, received boolean true'],
    ],
    [
      'the `else`, where the condition failed',
      { if: { properties: { a: { const: 1 } } }, else: { required: ['b'] } },
      { a: 2 },
      ['(root): must have property "b", which is missing'],
    ],
  ])('%s', (_, schema, instance, lines) => {
    expect(told(schema, instance)).toEqual(lines);
  });

  test('too many matches are told as they are', () => {
    expect(told({ oneOf: [{ type: 'integer' }, { minimum: 0 }] }, 5)).toEqual([
      '(root): must match exactly one of the 2 alternatives, but matches number 1 (integer) and number 2 (>= 0)',
    ]);
  });

  test('as violations too, for programs', () => {
    expect(leafViolations(violations(shapes, { kind: 'circle', radius: '5' }))).toMatchObject([
      { instanceLocation: '/radius', keyword: 'type', expectedTypes: ['number'], received: { value: '5' } },
    ]);
  });
});
