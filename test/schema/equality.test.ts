import { expect, test } from 'vitest';
import { isMultipleOf } from '../../src/schema/keywords/numbers.js';
import { texts } from '../../test-support/schemas/short.js';
import { outcome } from './decide.js';

test.each<[left: unknown, right: unknown, equal: boolean]>([
  [0, -0, true],
  [1, true, false],
  [[], {}, false],
  [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
  [{ a: [0] }, { a: [false] }, false],
  ['{"a":1,}', { a: 1 }, false],
  ['\u0000{"a":1,}', { a: 1 }, false],
  ['\u0000[]', [], false],
  [[['']], [[null]], false],
  [1e21, 1000000000000000000000, true],
])('%j and %j are equal as JSON: %s, in const, enum and uniqueItems alike', (left, right, equal) => {
  const matched = equal ? 'valid' : 'invalid';
  expect(outcome({ const: left }, right)).toBe(matched);
  expect(outcome({ enum: ['other', left, ...texts(20, 'v')] }, right)).toBe(matched);
  expect(outcome({ uniqueItems: true }, [left, right])).toBe(equal ? 'invalid' : 'valid');
});

test.each<[value: number, divisor: number, multiple: boolean]>([
  [1.1, 0.1, true],
  [0.0075, 0.0001, true],
  [0.00751, 0.0001, false],
  [4.5, 1.5, true],
  [1e308, 0.123456789, false],
  [12391239123, 1e-8, true],
  [9007199254740993, 2, true], // JavaScript reads this as 9007199254740992
  [Number.MAX_VALUE, 5e-324, true],
  [5e-324, Number.MAX_VALUE, false],
])('%d is a multiple of %d: %s, in decimal arithmetic', (value, divisor, multiple) => {
  expect(isMultipleOf(value, divisor)).toBe(multiple);
});
