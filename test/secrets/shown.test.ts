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

  test.each<[value: unknown, limit: number, text: string]>([
    ['abcdefgh', 10, '"abcdefgh"'],
    ['abcdefghi', 10, '"abcdef...'],
    [[1, 2, 3, 4, 5], 10, '[1,2,3,...'],
    [[12, 34, 56], 10, '[12,34,56]'],
    [{ password: 'abc', b: 1 }, 30, '{"password":[hidden],"b":1}'],
    ['ghp_0123456789abcdefghijABCDEFGHIJ', 80, '[hidden]'],
    [['ghp_0123456789abcdefghijABCDEFGHIJ'], 80, '[[hidden]]'],
    [{ name: 'Authorization', value: 'abc' }, 80, '{"name":"Authorization","value":[hidden]}'],
    [{ key: 'api_key', values: ['abc'] }, 80, '{"key":"api_key","values":[hidden]}'],
    [{ name: 'Accept', value: 'abc' }, 80, '{"name":"Accept","value":"abc"}'],
    [{ name: 'token', type: 'string' }, 80, '{"name":"token","type":"string"}'],
    [['authorization', 'abc'], 80, '["authorization","abc"]'],
    [{ ghp_0123456789abcdefghijABCDEFGHIJ: 1 }, 80, '{[hidden]:1}'],
    [[[[[]]]], 80, '[[[[]]]]'],
    [[[[[[]]]]], 80, '[[[[[]]]]]'],
    [{ a: { b: { c: { d: { e: 1 } } } } }, 80, '{"a":{"b":{"c":{"d":{...}}}}}'],
    [{}, 80, '{}'],
  ])('%j within %i characters is %s', (value, limit, text) => {
    expect(shownText(value, limit)).toBe(text);
  });

  test('is looked at no further than it is shown', () => {
    const looked: string[] = [];
    const list = new Proxy(Array(100).fill(123), {
      get: (target, name) => {
        if (/^\d+$/.test(String(name))) looked.push(String(name));
        return Reflect.get(target, name) as unknown;
      },
    });
    shownText([list, list], 20);
    expect(looked.length).toBeLessThanOrEqual(7);
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
    ['x'.repeat(200), [], 'x'.repeat(200)],
    ['x'.repeat(201), [], `${'x'.repeat(199)}…`],
    ['x'.repeat(5000), [], `${'x'.repeat(199)}…`],
    [7, [], 7],
    [null, [], null],
    [undefined, [], undefined],
    [['x'.repeat(196)], [], ['x'.repeat(196)]],
    [['x'.repeat(197)], [], `["${'x'.repeat(195)}...`],
    [['ghp_0123456789abcdefghijABCDEFGHIJ', 'a password=b'], [], ['[hidden]', 'a password=[hidden]']],
    [{ headers: [{ name: 'Cookie', value: 'a=b' }] }, [], { headers: [{ name: 'Cookie', value: '[hidden]' }] }],
    [{ ghp_0123456789abcdefghijABCDEFGHIJ: 1 }, [], { '[hidden]': 1 }],
    [{ ['n'.repeat(190)]: 'abc' }, [], { ['n'.repeat(190)]: 'abc' }],
    [{ ['n'.repeat(192)]: 'abc' }, [], `{"${'n'.repeat(192)}":"...`],
    [{ a: ['x'.repeat(100), { b: 'x'.repeat(100) }] }, [], expect.stringMatching(/^\{"a":\["x.*\.\.\.$/)],
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

  // The cut at 80 characters of the one, or at 200 of the other.
  test.each([41, 48, 54, 161, 170, 176])(
    'hides a secret behind %d characters, which the cut goes through',
    (before) => {
      const text = `${' '.repeat(before)}postgres://user:hunter2-hunter2-hunter2@host/db`;
      expect(shownText(text)).not.toContain('hunter');
      expect(shownValue(text)).not.toContain('hunter');
    },
  );
});
