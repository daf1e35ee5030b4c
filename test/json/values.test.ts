import { describe, expect, test } from 'vitest';
import * as json from '../../src/json/index.js';
import { nested } from '../../test-support/schemas/short.js';

const lists = (levels: number) => nested(levels, (inner) => [inner], 1);

describe('Values', () => {
  test.each<[value: unknown, type: string, object: boolean, list: boolean, schema: boolean]>([
    [null, 'null', false, false, false],
    [undefined, 'null', false, false, false],
    [true, 'boolean', false, false, true],
    [1, 'integer', false, false, false],
    [1.5, 'number', false, false, false],
    ['x', 'string', false, false, false],
    [[], 'array', false, true, false],
    [{}, 'object', true, false, true],
  ])('The value %j is of type %s', (value, type, object, list, schema) => {
    expect(json.typeOf(value)).toBe(type);
    expect([json.isObject(value), json.isList(value), json.isSchema(value)]).toEqual([object, list, schema]);
  });

  test('A value has a property if it is its own and defined', () => {
    expect(json.has({ a: null }, 'a')).toBe(true);
    expect(json.has({ a: undefined }, 'a')).toBe(false);
    expect(json.has({}, 'toString')).toBe(false);
  });

  test.each<[value: unknown, text: string]>([
    ['x', '"x"'],
    [1e21, '1e+21'],
    [null, 'null'],
    [undefined, 'null'],
    [Infinity, 'Infinity'],
    [10n, '10'],
  ])('The text of %s, which is not a container, is %s', (value, text) => {
    expect(json.scalarText(value)).toBe(text);
  });
});

test.each<[left: unknown, right: unknown, equal: boolean]>([
  [1, 1, true],
  [1, 2, false],
  [1, '1', false],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [{ a: 1 }, { a: 1, b: undefined }, true],
  [{ a: 1, b: null }, { a: 1 }, false],
  [{ a: 1, b: null }, { a: 1, b: undefined, c: 1 }, false],
  [{ toString: null }, { valueOf: null }, false],
  [[], {}, false],
  [null, {}, false],
  [[1, 2], [1, 2], true],
  [[1, 2], [2, 1], false],
  [[1, 2], [[1], 2], false],
  [[[1], 2], [[1, 2]], false],
  [{}, [], false],
  [[], '', false],
  [{ '"': ':' }, { '":"': '' }, false],
  [lists(200), lists(200), true],
])('Equality of %j and %j is %j', (left, right, equal) => {
  expect(json.equals(left, right)).toBe(equal);
});

test('Equality holds for nested lists of any depth', () => {
  expect(json.equals(lists(10_000), lists(10_000))).toBe(true);
  expect(json.equals(lists(10_000), lists(10_001))).toBe(false);
});

// Every value counts as a step, and so do 64 characters of a text.
test.each<[value: unknown, steps: number]>([
  [[1, 2, 3], 3],
  [[1, { a: [] }], 3],
  ['x'.repeat(6400), 100],
])('Equality of %.20j is not decided with %i steps', (value, steps) => {
  const allowing = (limit: number) => json.canonicalText(value, (more) => (limit -= more) >= 0);
  expect(allowing(steps)).toBeUndefined();
  expect(allowing(steps + 1)).toBeTypeOf('string');
});

test.each<[value: unknown, size: number]>([
  [1, 1],
  ['abc', 4],
  [[1, 2], 5],
  [{ abc: 1 }, 5],
  [{ abc: ['de', null] }, 11],
])('The size of %j is %i', (value, size) => {
  expect(json.fits(value, size)).toBe(true);
  expect(json.fits(value, size - 1)).toBe(false);
});

test('The size of a value that contains itself is beyond any limit', () => {
  const cyclic: unknown[] = [];
  cyclic.push(cyclic);
  expect(json.fits(cyclic, 1000)).toBe(false);
});
