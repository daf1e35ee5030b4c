import { expect, test, vi } from 'vitest';
import { unflattened } from '../../src/repair/candidates/paths.js';

const paths = (count: number, path: (index: number) => string) =>
  unflattened(Object.fromEntries(Array.from({ length: count }, (_, index) => [path(index), index])), () => true);

test('lists of thousands are put in order, and no more than tens of thousands of steps', () => {
  expect(paths(9_000, (index) => `a[${index}].b`)).toEqual({ a: Array.from({ length: 9_000 }, (_, b) => ({ b })) });
  expect(paths(300, (index) => `a[${index}]${'.b'.repeat(90)}`)).toBeDefined();
  expect(paths(900, (index) => `a[${index}]${'.b'.repeat(90)}`)).toBeUndefined();
});

test('nothing is asked of the names behind those that hold too many steps', () => {
  const isKnown = vi.fn(() => true);
  const names = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`a.b${index}`, index]));
  expect(unflattened(names, isKnown)).toBeUndefined();
  expect(isKnown.mock.calls.length).toBeLessThan(30_000);
});

test('a name of more than 200 characters is no path', () => {
  expect(unflattened({ [`a.${'b'.repeat(198)}`]: 1 }, () => true)).toEqual({ a: { ['b'.repeat(198)]: 1 } });
  expect(unflattened({ [`a.${'b'.repeat(199)}`]: 1 }, () => true)).toBeUndefined();
});

test('no path reaches a prototype', () => {
  const nested = unflattened({ 'a.__proto__.polluted': true }, () => true);
  expect(JSON.stringify(nested)).toBe('{"a":{"__proto__":{"polluted":true}}}');
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});
