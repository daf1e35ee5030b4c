import { describe, expect, test } from 'vitest';
import { inline } from '../../../src/schema/violations/received.js';

describe('A value on one line', () => {
  test.each<[value: unknown, text: string]>([
    [null, 'null'],
    [1.5, '1.5'],
    ['a "b"\n', '"a \\"b\\"\\n"'],
    [[1, [true]], '[1,[true]]'],
    [{ a: 1, b: { c: [] } }, '{"a":1,"b":{"c":[]}}'],
    [[[[[[1]]]]], '[[[[[...]]]]]'],
    [undefined, 'null'],
    [Number.NaN, 'null'],
  ])('%j is %s', (value, text) => {
    expect(inline(value)).toBe(text);
  });

  test.each<[what: string, value: unknown]>([
    ['a long string', 'x'.repeat(1_000_000)],
    ['a long array', Array.from({ length: 100_000 }, (_, i) => i)],
    ['a wide object', Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`name${i}`, i]))],
    ['a long name', { ['x'.repeat(100_000)]: 1 }],
  ])('%s is cut to 80 characters or so', (_, value) => {
    expect(inline(value).length).toBeLessThanOrEqual(90);
    expect(inline(value)).toContain('...');
  });

  test('is never cut within a surrogate pair', () => {
    // encodeURIComponent throws for half a pair
    for (const before of ['', 'x']) expect(encodeURIComponent(inline(before + '😀'.repeat(100)))).not.toBe('');
  });
});
