import { describe, expect, test } from 'vitest';
import { shownText, shownValue } from '../../src/secrets/index.js';

describe('A value on one line', () => {
  test.each<[value: unknown, text: string]>([
    [null, 'null'],
    [1.5, '1.5'],
    ['a "b"\n', '"a \\"b\\"\\n"'],
    [[1, [true]], '[1,[true]]'],
    [{ a: 1, b: { c: [] } }, '{"a":1,"b":{"c":[]}}'],
    [[[[[[1]]]]], '[[[[[...]]]]]'],
    [undefined, 'null'],
    [Infinity, 'Infinity'],
  ])('%j is %s', (value, text) => {
    expect(shownText(value)).toBe(text);
  });

  test.each<[what: string, value: unknown]>([
    ['a long string', 'x'.repeat(1_000_000)],
    ['a long array', Array.from({ length: 100_000 }, (_, i) => i)],
    ['a wide object', Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`name${i}`, i]))],
    ['a long name', { ['x'.repeat(100_000)]: 1 }],
  ])('%s is cut to 80 characters or so', (_, value) => {
    expect(shownText(value).length).toBeLessThanOrEqual(90);
    expect(shownText(value)).toContain('...');
  });

  test('is never cut within a surrogate pair', () => {
    // encodeURIComponent throws for half a pair
    for (const before of ['', 'x']) expect(encodeURIComponent(shownText(before + '😀'.repeat(100)))).not.toBe('');
  });
});

describe('A value for a log', () => {
  test.each<[value: unknown, path: string[], shown: unknown]>([
    [{ a: [1, null] }, [], { a: [1, null] }],
    [{ user: 'me', password: 'hunter2' }, [], { user: 'me', password: '[hidden]' }],
    ['hunter2', ['login', 'password'], '[hidden]'],
    ['postgres://u:hunter2@h/', ['dsn'], 'postgres://u:[hidden]@h/'],
    ['x'.repeat(300), [], `${'x'.repeat(199)}…`],
  ])('%j at %j is shown as %j', (value, path, shown) => {
    expect(shownValue(value, path)).toEqual(shown);
  });

  test('is its beginning where it is large, and nothing beyond is looked at', () => {
    let looks = 0;
    const list = new Proxy(
      Array.from({ length: 1_000_000 }, (_, i) => i),
      { get: (target, key) => (looks++, Reflect.get(target, key) as unknown) },
    );
    expect(shownValue(list)).toMatch(/^\[0,1,2,.*\.\.\.$/);
    expect(looks).toBeLessThan(1000);
  });

  test.each([70, 80, 90, 150, 190, 250])('hides a secret that the cut at %d characters goes through', (before) => {
    const text = `${' '.repeat(before)}postgres://user:hunter2-hunter2-hunter2@host/db`;
    expect(shownText(text)).not.toContain('hunter');
    expect(shownValue(text)).not.toContain('hunter');
  });
});
