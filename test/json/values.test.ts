import { describe, expect, test } from 'vitest';
import {
  canonicalText,
  equals,
  fits,
  has,
  isList,
  isObject,
  isSchema,
  scalarText,
  typeOf,
} from '../../src/json/index.js';

const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}1${']'.repeat(levels)}`);

describe('A value', () => {
  test.each<[value: unknown, type: string, object: boolean, list: boolean, schema: boolean]>([
    [null, 'null', false, false, false],
    [undefined, 'null', false, false, false],
    [true, 'boolean', false, false, true],
    [1, 'integer', false, false, false],
    [1.5, 'number', false, false, false],
    ['x', 'string', false, false, false],
    [[], 'array', false, true, false],
    [{}, 'object', true, false, true],
  ])('%j is of type %s', (value, type, object, list, schema) => {
    expect(typeOf(value)).toBe(type);
    expect([isObject(value), isList(value), isSchema(value)]).toEqual([object, list, schema]);
  });

  test('has a property of its own that is there', () => {
    expect(has({ a: null }, 'a')).toBe(true);
    expect(has({ a: undefined }, 'a')).toBe(false);
    expect(has({}, 'toString')).toBe(false);
  });

  test.each<[value: unknown, text: string]>([
    ['x', '"x"'],
    [1e21, '1e+21'],
    [null, 'null'],
    [undefined, 'null'],
    [Infinity, 'Infinity'],
    [10n, '10'],
  ])('%s that is no container reads %s', (value, text) => {
    expect(scalarText(value)).toBe(text);
  });
});

describe('Equality', () => {
  test.each<[left: unknown, right: unknown, equal: boolean]>([
    [1, 1, true],
    [1, 2, false],
    [1, '1', false],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: 1 }, { a: 1, b: undefined }, true],
    [{ a: 1, b: null }, { a: 1 }, false],
    [[1, 2], [1, 2], true],
    [[1, 2], [2, 1], false],
    [[1, 2], [[1], 2], false],
    [[[1], 2], [[1, 2]], false],
    [{}, [], false],
    [[], '', false],
    [{ '"': ':' }, { '":"': '' }, false],
    [nested(200), nested(200), true],
    [nested(201), nested(201), false],
  ])('of %j and %j: %j', (left, right, equal) => {
    expect(equals(left, right)).toBe(equal);
  });

  test('holds for a value and itself, however deep', () => {
    const deep = nested(10_000);
    expect(equals(deep, deep)).toBe(true);
  });

  test('charges for every value, and for long texts', () => {
    const charged = (value: unknown) => {
      let steps = 0;
      canonicalText(value, (more) => ((steps += more), true));
      return steps;
    };
    expect(charged([1, { a: [] }])).toBe(4);
    expect(charged('x'.repeat(6400))).toBe(101);
  });

  test.each<[value: unknown, steps: number]>([
    [[1, 2, 3], 3],
    [{ a: { b: 1 } }, 2],
    ['x'.repeat(640), 10],
  ])('of %j is not decided with %i steps', (value, steps) => {
    const allowing = (limit: number) => canonicalText(value, (more) => (limit -= more) >= 0);
    expect(allowing(steps)).toBeUndefined();
    expect(allowing(steps + 1)).toBeTypeOf('string');
  });
});

describe('The size of a value', () => {
  test.each<[value: unknown, size: number]>([
    [1, 1],
    ['abc', 4],
    [[1, 2], 5],
    [{ abc: 1 }, 5],
    [{ abc: ['de', null] }, 11],
  ])('%j is %i', (value, size) => {
    expect(fits(value, size)).toBe(true);
    expect(fits(value, size - 1)).toBe(false);
  });

  test('is found out without going further than the limit', () => {
    const cyclic: unknown[] = [];
    cyclic.push(cyclic);
    expect(fits(cyclic, 1000)).toBe(false);
    let looked = 0;
    const list = new Proxy(Array(1000).fill(1), {
      get: (target, name) => {
        if (/^\d+$/.test(String(name))) looked++;
        return Reflect.get(target, name) as unknown;
      },
    });
    expect(fits(list, 1000)).toBe(false);
    expect(looked).toBe(0);
  });
});
