import { describe, expect, test } from 'vitest';
import { startWork } from '../../../src/json/index.js';
import { closestAlternatives } from '../../../src/schema/violations/closest.js';

const closest = (value: unknown, alternatives: readonly unknown[], { root = {}, steps = 10_000 } = {}) =>
  closestAlternatives(
    value,
    alternatives.map((schema) => ({ schema })),
    root,
    startWork({ steps, ms: 60_000 }),
  );

const times = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));
const all = (count: number) => times(count, (i) => i);

/** As many as are more than are looked into. */
const nine = (make: (i: number) => object) => times(9, make);
const tagged = (i: number) => ({ properties: { kind: { const: `k${i}` } } });
const others = { type: 'array' };

describe('Of alternatives', () => {
  const named = (i: number) => ({ properties: { [`p${i}`]: {} } });

  test.each([
    ['eight are all looked into, whatever the value', { p7: 1 }, times(8, named), { chosen: all(8), others: [] }],
    ['of nine, the eight that come closest to an object', { p8: 1 }, nine(named), { chosen: [0, 1, 2, 3, 4, 5, 6, 8] }],
    ['all nine, for a value without names', 'p8', nine(named), { chosen: all(9), others: [] }],
    ['all nine, for a list', ['p8'], nine(named), { chosen: all(9), others: [] }],
  ])('%s', (_, value, alternatives, expected) => {
    expect(closest(value, alternatives)).toMatchObject(expected);
  });

  test.each<[what: string, value: object, alternatives: object[], chosen: number[], others: number[], tied: number[]]>([
    [
      'those for other types are left out, where one is for objects',
      { a: 1 },
      [{ type: 'object' }, { type: ['object', 'null'] }, {}, { type: ['string', 'null'] }, ...times(7, () => others)],
      [0, 1, 2],
      [],
      [],
    ],
    [
      'those for other types are all that there is, where none is for objects',
      { a: 1 },
      times(10, () => others),
      all(8),
      [8, 9],
      [8, 9],
    ],
    [
      'those with another tag are left out, where one has the right one',
      { kind: 'k9' },
      times(10, tagged),
      [9],
      [],
      [],
    ],
    [
      'those with another tag stay, where none has the right one, but not those for other types',
      { kind: 'x' },
      [others, ...times(9, tagged)],
      [1, 2, 3, 4, 5, 6, 7, 8],
      [9],
      [9],
    ],
    [
      'those that list another value among several stay out',
      { kind: 'b8' },
      times(10, (i) => ({ properties: { kind: { enum: [`a${i}`, `b${i}`] } } })),
      [8],
      [],
      [],
    ],
    [
      'a value that only one lists tells nothing apart',
      { kind: 'x' },
      [tagged(0), ...times(9, () => ({ properties: { kind: {} } }))],
      all(8),
      [8, 9],
      [8, 9],
    ],
    [
      'a value that two list tells them apart',
      { kind: 'x' },
      [tagged(0), tagged(1), ...times(8, () => ({ properties: { kind: {} } }))],
      [2, 3, 4, 5, 6, 7, 8, 9],
      [],
      [],
    ],
    [
      'an object in the place of the tag speaks for none',
      { kind: { a: 1 } },
      [...times(9, tagged), { properties: { kind: {} } }],
      all(8),
      [8, 9],
      [8, 9],
    ],
    [
      'the names that they know speak for them, those that they require against them',
      { a: 1, b: 1 },
      [
        ...times(7, () => ({})),
        { properties: { a: {} } },
        { properties: { a: {}, b: {} } },
        { properties: { a: {}, b: {} }, required: ['a', 'b', 'c'] },
        { required: ['x'] },
      ],
      [0, 1, 2, 3, 4, 7, 8, 9],
      [5, 6, 10],
      [],
    ],
    [
      'a name counts once, however often it is declared',
      { a: 1, b: 1 },
      [
        ...times(8, () => ({ properties: { a: {}, b: {} } })),
        { allOf: times(4, () => ({ properties: { a: {} } })), properties: { a: {} } },
      ],
      all(8),
      [8],
      [],
    ],
  ])('%s', (_, value, alternatives, chosen, rest, tied) => {
    expect(closest(value, alternatives)).toEqual({ chosen, others: rest, tied });
  });

  test('are taken with what they refer to and are made of', () => {
    const root = { $defs: { a: { properties: { far: {} } } } };
    const alternatives = [...times(9, () => ({})), { $ref: '#/$defs/a' }, { allOf: [{ $ref: '#/$defs/a' }] }];
    expect(closest({ far: 1 }, alternatives, { root })).toEqual({
      chosen: [0, 1, 2, 3, 4, 5, 9, 10],
      others: [6, 7, 8],
      tied: [],
    });
  });

  test('the same are compared with many values', () => {
    const schemas = times(10, (i) => ({ schema: tagged(i) }));
    const work = startWork({ steps: 10_000, ms: 60_000 });
    const chosen = ['k3', 'k9', 'k3'].map((kind) => closestAlternatives({ kind }, schemas, {}, work).chosen);
    expect(chosen).toEqual([[3], [9], [3]]);
  });

  test.each([
    [100, [0, 1, 2, 3, 4, 5, 6, 9]],
    [101, all(8)],
  ])('the first hundred names of a value speak, not one after them: %i', (at, chosen) => {
    const value = Object.fromEntries(times(at, (i) => [`n${i}`, 1]));
    const alternatives = [...times(9, () => ({})), { properties: { [`n${at - 1}`]: {} } }];
    expect(closest(value, alternatives)).toMatchObject({ chosen });
  });

  test.each([
    [100, [1, 2, 3, 4, 5, 6, 7, 8]],
    [101, [1, 2, 3, 4, 5, 6, 7, 8]],
  ])('of %i names that one requires, a hundred are looked for', (count, chosen) => {
    const required = times(count, (i) => `n${i}`);
    const given = Object.fromEntries(required.slice(0, 99).map((name) => [name, 1]));
    const alternatives = [{ required }, ...times(8, () => ({}))];
    expect(closest(given, alternatives)).toMatchObject({ chosen });
    expect(closest({ ...given, n99: 1 }, alternatives)).toMatchObject({ chosen: all(8), tied: [8] });
  });

  test('none is chosen by half a comparison', () => {
    const alternatives = times(1_000, tagged);
    expect(closest({ kind: 'k5' }, alternatives, { steps: 500 })).toEqual({ chosen: [], others: [], tied: [] });
    expect(closest({ kind: 'k5' }, alternatives)).toEqual({ chosen: [5], others: [], tied: [] });
  });
});
