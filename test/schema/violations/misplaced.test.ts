import { describe, expect, test } from 'vitest';
import { integer, object, string, to } from '../../../test-support/schemas/short.js';
import { linesFor } from '../decide.js';

const closed = { additionalProperties: false };
const list = (items: unknown) => ({ type: 'array', items });
const page = object({ size: integer, order: object({ by: string }) }, closed);
const tree = object({ size: integer, inner: to('t') });

describe('A property at the wrong level', () => {
  const misplaced: Record<string, [schema: object, args: object, line: string]> = {
    'that belongs further down': [object({ page, q: string }, closed), { size: 5 }, '"size" (it belongs in /page)'],
    'that belongs further up': [
      object({ page, q: string }, closed),
      { page: { q: 'a' } },
      '"q" (it belongs in (root))',
    ],
    'that belongs two levels down': [object({ page }, closed), { by: 'a' }, '"by" (it belongs in /page/order)'],
    'that belongs in the same row': [
      object({ rows: list(object({ page }, closed)) }),
      { rows: [{}, { size: 1 }] },
      '"size" (it belongs in /rows/1/page)',
    ],
    'that belongs behind a reference': [
      object({ page: to('p') }, { ...closed, $defs: { p: page } }),
      { size: 5 },
      '"size" (it belongs in /page)',
    ],
    'that belongs in a part of a schema': [
      object({ page: { allOf: [{}, { dependentSchemas: { x: object({ size: integer }) } }] } }, closed),
      { size: 5, page: { x: 1 } },
      '"size" (it belongs in /page)',
    ],
  };
  test.each(Object.entries(misplaced))(
    'The line about a property at the wrong level, %s, names the right place',
    (_, [schema, args, line]) => {
      expect(linesFor(schema, args).join('\n')).toMatch(
        new RegExp(`must not have the property ${line.replace(/[()]/g, '\\$&')}$`),
      );
    },
  );

  test.each<[what: string, schema: object, args: object]>([
    ['that two places declare', object({ a: page, b: page }, closed), { size: 5 }],
    ['that is there already', object({ page }, closed), { size: 5, page: { size: 1 } }],
    ['whose place holds no object', object({ page: {}, p: page }, closed), { size: 5, p: 'x' }],
    ['of rows that are elsewhere', object({ rows: list(page) }, closed), { size: 5 }],
    [
      'whose place forbids it',
      object({ page: { allOf: [page, { not: { required: ['size'] } }] } }, closed),
      { size: 5 },
    ],
    [
      'whose name is rejected there',
      object({ page: { ...page, propertyNames: { maxLength: 2 } } }, closed),
      { size: 5 },
    ],
    ['that items declare as well', object({ page, l: { prefixItems: [page] } }, closed), { size: 5 }],
    ['that some item has', object({ page, l: { contains: page } }, closed), { size: 5 }],
    ['of a map', object({ page, map: { additionalProperties: page } }, closed), { size: 5 }],
    ['that a tree declares at each level', object({ page: to('t') }, { ...closed, $defs: { t: tree } }), { size: 5 }],
  ])('No other place is named for a property %s', (_, schema, args) => {
    expect(linesFor(schema, args).join('\n')).not.toContain('it belongs in');
  });
});

const circle = object({ r: integer }, { title: 'Circle', required: ['r'] });
const square = object({ a: integer }, { required: ['a'] });
const either = { oneOf: [circle, to('Square')], $defs: { Square: square } };

const told: Record<string, [schema: object, args: object, end: string]> = {
  'the members to leave out': [either, { r: 1, a: 2 }, 'matches "Circle" and "Square"; leave out "a" or "r"'],
  'the member to leave out, if one needs less': [
    { oneOf: [circle, object({}, { title: 'Round', required: ['r', 'x'] })] },
    { r: 1, x: 2 },
    'matches "Circle" and "Round"; leave out "x"',
  ],
  'the member to add, if none is required': [
    {
      oneOf: [
        object({ id: integer }, { title: 'A', ...closed }),
        object({ id: integer, b: integer }, { title: 'B', ...closed }),
      ],
    },
    { id: 1 },
    'matches "A" and "B"; add "b"',
  ],
  'the property of a tag': [
    { oneOf: [object({ kind: { const: 'a' } }), object({}, { title: 'Any' })] },
    { kind: 'a' },
    'matches "kind" "a" and "Any"; they differ in "kind"',
  ],
  'the property of a tag with several values': [
    { oneOf: [object({ kind: { enum: ['a', 'b'] } }), object({ kind: { enum: ['b', 'c'] } })] },
    { kind: 'b' },
    'matches "kind" "a" or "b" and "kind" "b" or "c"; they differ in "kind"',
  ],
  'their numbers, if they have one name': [
    { oneOf: [object({ n: integer }, { title: 'N' }), object({ n: { type: 'number' } }, { title: 'N' })] },
    { n: 1 },
    'matches "N" (number 1) and "N" (number 2); they differ in "n"',
  ],
  'their properties if none may be left out': [
    { required: ['r', 'a'], ...either },
    { r: 1, a: 2 },
    'matches "Circle" and "Square"; they differ in "r" and "a"',
  ],
  'only the member that helps': [
    { dependentRequired: { a: ['r'] }, ...either },
    { r: 1, a: 2 },
    'matches "Circle" and "Square"; leave out "a"',
  ],
};
test.each(Object.entries(told))('Several matching alternatives are told apart by %s', (_, [schema, args, end]) => {
  expect(linesFor(schema, args).join('\n')).toBe(`must be valid against exactly one of 2 alternatives, but ${end}`);
});

test('Unexpected items are named from the first to the last', () => {
  const schema = { prefixItems: [integer, integer], items: false };
  expect(linesFor(schema, [1, 2, 3, 4, 5, 6])).toEqual(['/2 to /5: is not allowed']);
});
