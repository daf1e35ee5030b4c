import { describe, expect, test, vi } from 'vitest';
import type { ServerAddress } from '../../src/mcp/index.js';
import { addressSecrets, secretMask as maskOf } from '../../src/secrets/index.js';

const program = (...args: string[]): ServerAddress => ({ transport: 'stdio', command: 'x', args });
const secretMask = (address: ServerAddress) => maskOf(addressSecrets(address));

describe('the mask over what must not be shown', () => {
  test.each<[string, ServerAddress, string, string]>([
    [
      'a header',
      { url: 'http://h/', headers: { 'X-Key': 'abcdef123' } },
      'key abcdef123 is wrong',
      'key [hidden] is wrong',
    ],
    [
      'a token without its scheme',
      { url: 'http://h/', headers: { Authorization: 'Bearer abcdef123' } },
      'no such token: abcdef123',
      'no such token: [hidden]',
    ],
    ['a value of the query', { url: 'http://h/?key=abc%2Fdef' }, 'abc/def or abc%2Fdef', '[hidden] or [hidden]'],
    ['a password of the URL', { url: 'http://user:p%40ssword@h/' }, 'p@ssword, p%40ssword', '[hidden], [hidden]'],
    [
      'the pair that is sent for it',
      { url: 'http://user:password@h/' },
      'Basic dXNlcjpwYXNzd29yZA==',
      'Basic [hidden]',
    ],
    [
      'an environment variable',
      { transport: 'stdio', command: 'x', env: { A: 'abcdef123' } },
      'A=abcdef123',
      'A=[hidden]',
    ],
    [
      'an argument after an option',
      { transport: 'stdio', command: 'x', args: ['--api-key', 'abcdef123'] },
      'abcdef123!',
      '[hidden]!',
    ],
    [
      'an argument within an option',
      { transport: 'stdio', command: 'x', args: ['--token=abcdef123'] },
      'abcdef123!',
      '[hidden]!',
    ],
    [
      'the longer of two secrets',
      { transport: 'stdio', command: 'x', env: { A: 'abcdef', B: 'abcdefghi' } },
      'abcdefghi',
      '[hidden]',
    ],
    [
      'a header that is an argument',
      {
        transport: 'stdio',
        command: 'npx',
        args: ['mcp-remote', 'https://h/', '--header', 'Authorization: Bearer abcdef123'],
      },
      'Authorization: Bearer abcdef123 or abcdef123',
      'Authorization: [hidden] or [hidden]',
    ],
    [
      'a variable that is an argument',
      { transport: 'stdio', command: 'docker', args: ['run', '-e', 'API_KEY=abcdef123', '-i'] },
      'no abcdef123',
      'no [hidden]',
    ],
    [
      'the password of a connection string',
      { transport: 'stdio', command: 'x', args: ['postgres://me:abc%2Fdef1@db/x', 'Server=h;Password=uvwxyz9;A=b'] },
      'abc/def1 abc%2Fdef1 uvwxyz9 Server=h',
      '[hidden] [hidden] [hidden] Server=h',
    ],
    [
      'the password of a connection string in a variable',
      { transport: 'stdio', command: 'x', env: { DB: 'postgres://me:abcdef1@db/x' } },
      'for abcdef1',
      'for [hidden]',
    ],
    [
      'a value in an argument of JSON',
      { transport: 'stdio', command: 'x', args: ['{"port":8080,"auth":{"key":["abcdef123"]}}'] },
      'abcdef123 at port 8080',
      '[hidden] at port 8080',
    ],
    [
      'a token in the path of a URL',
      { url: 'https://h/s/0123456789abcdef0123/mcp' },
      'https://h/s/0123456789abcdef0123/mcp is gone',
      'https://h/s/[hidden]/mcp is gone',
    ],
    ['a token as the user', { url: 'https://abcdef123@h/' }, 'user abcdef123', 'user [hidden]'],
    ['a cookie', { url: 'http://h/', headers: { Cookie: 'a=b; sid=abcdef123' } }, 'sid abcdef123', 'sid [hidden]'],
    [
      'decoded basic credentials',
      { url: 'http://h/', headers: { Authorization: 'Basic dXNlcjpwYXNzd29yZA==' } },
      'user:password, password, dXNlcjpwYXNzd29yZA==',
      '[hidden], [hidden], [hidden]',
    ],
    [
      'one line of several',
      { transport: 'stdio', command: 'x', env: { A: 'first-line-1\nsecond-line-2\n' } },
      'bad: second-line-2',
      'bad: [hidden]',
    ],
    [
      'an echo in JSON',
      { transport: 'stdio', command: 'x', env: { A: 'abc"def\\1' } },
      `${JSON.stringify({ a: 'abc"def\\1' })} ${JSON.stringify(JSON.stringify('abc"def\\1'))}`,
      '{"a":"[hidden]"} "\\"[hidden]\\""',
    ],
    [
      'what a cut left of it',
      { transport: 'stdio', command: 'x', env: { A: 'abcdefgh-ijklmnop-1' } },
      '…\nijklmnop-1 and abcdefgh-ijklmnop',
      '…\n[hidden] and [hidden]',
    ],
    [
      'a part in the middle of a credential',
      { url: 'http://h/', headers: { Authorization: 'Bearer horse-battery-staple' } },
      'no rse-batt here',
      'no [hidden] here',
    ],
    [
      'a short value that stands alone',
      { transport: 'stdio', command: 'x', env: { PIN: '1234', DOOR_KEY: 'ab$cd' } },
      'pin 1234, "ab$cd", 12345 and x1234',
      'pin [hidden], "[hidden]", 12345 and x1234',
    ],
    [
      'base64 and its part',
      { transport: 'stdio', command: 'x', env: { TOKEN: 'abcdefghijk' } },
      'YWJjZGVmZ2hpams= YWJjZGVmZ2hpamtsbW4=',
      '[hidden] [hidden]sbW4=',
    ],
    [
      'a value of the query as it is written',
      { url: 'http://h/?key=ab%7Ecdef+g' },
      'ab%7Ecdef+g, ab~cdef g',
      '[hidden], [hidden]',
    ],
    [
      'a short value of the query, alone and with its name',
      { url: 'http://h/?a=x1y2&b=blue' },
      'x1y2 of POST /?a=x1y2&b=blue',
      '[hidden] of POST /?[hidden]&[hidden]',
    ],
    [
      'a user without a password',
      { url: 'http://h/', headers: { Authorization: `Basic ${btoa('key-of-mine:')}` } },
      'user key-of-mine',
      'user [hidden]',
    ],
    ['a number in an argument of JSON', program('{"pin":123456}'), 'pin 123456', 'pin [hidden]'],
    ['all that is assigned', program('API_KEY=p;ssw0rd'), 'ssw0rd of p;ssw0rd', 'ssw0rd of [hidden]'],
    ['a token as an argument', program('a1b2c3d4e5f6a7b8c9'), 'no a1b2c3d4e5f6a7b8c9', 'no [hidden]'],
    ['what nobody told', { url: 'http://h/' }, 'mysql://u:hunter2@db/', 'mysql://u:[hidden]@db/'],
  ])('covers %s', (_, address, text, shown) => {
    expect(secretMask(address)(text)).toBe(shown);
  });

  test.each<[string, ServerAddress, string]>([
    [
      'an ordinary argument',
      { transport: 'stdio', command: 'x', args: ['--folder', '/data/shared'] },
      'cannot read /data/shared',
    ],
    [
      'the way to a server',
      { url: 'https://h/v1/my-project-2024-prod/mcp' },
      'https://h/v1/my-project-2024-prod/mcp answered',
    ],
    [
      'a word that a value ends in',
      { transport: 'stdio', command: 'x', env: { DIR: '/srv/application' } },
      'application failed',
    ],
    [
      'a word within a value that is no credential',
      { url: 'http://h/', headers: { Accept: 'application/json' } },
      'application/xml',
    ],
    ['a value of three characters', { transport: 'stdio', command: 'x', env: { PIN: '123' } }, 'pin 123'],
    ['an argument that says something', program('Prompt: Tell me about tokens'), 'Tell me about tokens'],
    ['the path of a program', program('/opt/a1b2c3d4e5f6a7b8c9/run'), '/opt/a1b2c3d4e5f6a7b8c9/run'],
    ['a short word of the query', { url: 'http://h/?mode=fast&v=2024' }, 'fast since 2024'],
    ['a value that is rather a word', { transport: 'stdio', command: 'x', env: { LOG: 'debug' } }, 'debug output'],
  ])('leaves %s readable', (_, address, text) => {
    expect(secretMask(address)(text)).toBe(text);
  });

  test('covers what it learns later', () => {
    const mask = secretMask({ url: 'http://h/' });
    mask.add('renewed-token');
    expect(mask('renewed-token expired')).toBe('[hidden] expired');
  });

  test('that was added is hidden until much was added after it', () => {
    const mask = maskOf(['given-at-first']);
    mask.add('added-early', 'added-often');
    for (let call = 0; call < 500; call++) mask.add(`${call}`.padStart(1000, 'x-'), 'added-often');
    expect(mask('given-at-first, added-early, added-often')).toBe('[hidden], added-early, [hidden]');
  });

  test('that is added with every request is looked for once', () => {
    const mask = secretMask({ url: 'http://h/' });
    for (let request = 0; request < 1000; request++) mask.add('renewed-token');
    const work = vi.spyOn(String.prototype, 'slice');
    const shown = mask('a renewed-token');
    const { length } = work.mock.calls;
    work.mockRestore();
    expect(shown).toBe('a [hidden]');
    expect(length).toBeLessThan(1000);
  });

  test.each<[text: string, shown: string]>([
    ['XYab12cd34ef56YX', 'XY[hidden]YX'],
    ['ab12cd3', 'ab12cd3'],
    ['ab12cd34ef56', '[hidden]'],
    ['b12cd34e', '[hidden]'],
    ['b12cd34e and c34ef567', '[hidden] and c34ef567'],
    ['b12cd34eb12cd34e', '[hidden]'],
    ['b12cd34e b12cd34e', '[hidden] [hidden]'],
    ['-b12cd34e', '-[hidden]'],
  ])('of a credential hides in "%s" what is of it: %s', (text, shown) => {
    expect(maskOf(['ab12cd34ef56'])(text)).toBe(shown);
  });

  const plain = (value: string) => maskOf([{ value, isCredential: false }]);
  test.each<[value: string, text: string, shown: string]>([
    ['some-long-words-without-end', 'e-long-words-wit', '[hidden]'],
    ['some-long-words-without-end', 'e-long-words-wi', 'e-long-words-wi'],
    ['some-long-words-without-end', 'x1 e-long-words-wi 1', 'x1 e-long-words-wi 1'],
    ['some-long-1-word', 'me-long-1', '[hidden]'],
    ['some-long-1-word', 'me-long- 1', 'me-long- 1'],
    ['abcde', 'abcde', 'abcde'],
    ['abcdef', 'xabcdefx', 'x[hidden]x'],
    ['one line\n\tabcdef \nabcde', 'x abcdef x abcde', 'x [hidden] x abcde'],
  ])('of what is no credential, "%s", hides in "%s" the whole and long parts: %s', (value, text, shown) => {
    expect(plain(value)(text)).toBe(shown);
  });

  test('takes a value for a credential that is one anywhere', () => {
    const isOne = { value: 'abcdefghijklm', isCredential: true };
    const isNone = { value: 'abcdefghijklm', isCredential: false };
    expect([maskOf([isOne, isNone])('cdefghijk'), maskOf([isNone, isOne])('cdefghijk')]).toEqual([
      '[hidden]',
      '[hidden]',
    ]);
  });

  test.each<[what: string, secret: string, echo: string]>([
    ['in a URL in small letters', 'a/b?c&d', 'a%2fb%3fc%26d'],
    ['in a form', 'a b/c d', 'a+b%2Fc+d'],
    ['as JSON in ASCII', 'äöüßé!', '\\u00e4\\u00f6\\u00fc\\u00df\\u00e9!'],
    ['without the spaces around it', ' abcdef ', 'abcdef'],
    ['as base64 for URLs', '???>>>???', 'Pz8_Pj4-Pz8_'],
    ['as JSON in JSON in HTML', 'a"b&cdef', 'a\\\\\\&quot;b&amp;cdef'],
    ['as escapes of bytes', 'äöüß', '\\xc3\\xa4\\xc3\\xb6\\xc3\\xbc\\xc3\\x9f'],
    ['as escapes of Latin-1', 'äöüß!!', '\\xe4\\xf6\\xfc\\xdf!!'],
    ['as escapes of code points', 'ab😀cd', 'ab\\u{1F600}cd'],
    ['as XML', `a'b"c<d`, 'a&apos;b&#34;c&lt;d'],
    ['as bytes', 'abcdef', '97, 98,99, 100, 101, 102'],
    ['as a dump', 'abcdefg', '61 62 63 64 65 66 67'],
    ['behind half a byte', 'abcdef', '1616263646566'],
    ['with half a pair', 'abc\ud800def', 'abc\ud800def'],
    ['of six characters, within a word', 'ab$def', 'xab$defx'],
    ['of five characters, alone', 'ab$de', '-ab$de-'],
  ])('knows a secret %s', (_, secret, echo) => {
    const shown = maskOf([secret])(echo);
    expect(shown.replace(/^[x1-]|[x-]$/g, '')).toBe('[hidden]');
  });

  test.each(['xab$de', 'ab$deé', '1ab$de'])('leaves a short secret in a word: %s', (text) => {
    expect(maskOf(['ab$de'])(text)).toBe(text);
  });

  test('cuts what it has masked, and looks no further than it has to', () => {
    const mask = maskOf(['abcdef123']);
    expect(mask(`abcdef123 ${'x'.repeat(100_000)} abcdef123`, 12)).toBe('[hidden] xxx');
    expect(mask(`${'x'.repeat(10)}abcdef123`, 12)).toBe('xxxxxxxxxx[h');
    const asked: unknown[] = [];
    const text = { slice: (from: number, to: number) => (asked.push(to), 'abc'.slice(from, to)) };
    expect(mask(text as unknown as string, 12)).toBe('abc'); // of a text, only its beginning is taken
    expect(asked).toEqual([20_012]);
  });

  test('covers values of any length', () => {
    const long = Array.from({ length: 60_000 }, (_, i) => `${i}:`).join('');
    const mask = maskOf([`${long}\n${long}`, `${long}!`.repeat(3), { value: long, isCredential: false }]);
    expect(mask(`no ${long}.`, Infinity)).toBe('no [hidden].');
  });

  test('reads encodings within one another to three levels', () => {
    const mask = maskOf(['abcde%fg']);
    const encoded = ['abcde%25fg', 'abcde%2525fg', 'abcde%252525fg', 'abcde%25252525fg'];
    expect(encoded.map((text) => mask(text))).toEqual(['[hidden]', '[hidden]', '[hidden]', 'abcde%25252525fg']);
  });

  test('hides the whole of a text that says too much in too many ways', () => {
    const mask = maskOf(['abcdef123']);
    expect(mask(String.raw`\\\\u0041%252541&amp;amp;amp;`.repeat(50))).toBe('[hidden]');
    expect(mask(String.raw`{\"a\": \"x\"}`.repeat(50))).toMatch(/^\{/);
  });

  test('leaves of a text no more than 100,000 characters, or what is asked for', () => {
    const mask = maskOf(['abcdef123']);
    expect(mask('x '.repeat(100_000))).toHaveLength(100_000);
    expect(mask('x '.repeat(100_000), 10)).toHaveLength(10);
  });

  test('leaves of a JSON value no more than 200,000 characters: each is looked at in many ways', () => {
    const [mask, text] = [maskOf(['abcdef123']), 'x '.repeat(50_000)];
    expect(mask.known([text, { a: text.slice(1) }, 'b'])).toEqual([text, { a: text.slice(1) }, '…']);
  });

  test('hides in a JSON value only what it was told, in names as well, however deep it is', () => {
    const mask = maskOf(['abcdef123']);
    const value = { abcdef123: ['abcdef123', 1, null, { url: 'https://h/?token=other' }], token: 'other' };
    expect(mask.known(value)).toEqual({
      '[hidden]': ['[hidden]', 1, null, { url: 'https://h/?token=other' }],
      token: 'other',
    });
    const deep: unknown = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    expect(mask.known(deep)).toBeInstanceOf(Array);
  });

  describe('finds what a server repeats in bytes or characters by their numbers', () => {
    const secret = 'schlüssel-€uro-😀-0815';
    const mask = maskOf([secret]);
    const bytes = [...Buffer.from(secret)];
    const hex = (byte: number) => byte.toString(16).padStart(2, '0');

    test.each([
      ['of a URL', encodeURIComponent(secret)],
      ['of a URL, each of them', bytes.map((byte) => `%${hex(byte)}`).join('')],
      ['of a language', bytes.map((byte) => `\\x${hex(byte)}`).join('')],
      ['of Latin-1', secret.replace('ü', '%fc').replace('€', '%e2%82%ac')],
      ['in hexadecimal', bytes.map(hex).join(' ')],
      ['in a list', bytes.join(', ')],
      ['in Base64', Buffer.from(secret).toString('base64')],
      ['of HTML', Array.from(secret, (character) => `&#${character.codePointAt(0)};`).join('')],
      [
        'of HTML, in hexadecimal',
        Array.from(secret, (character) => `&#x${character.codePointAt(0)?.toString(16)};`).join(''),
      ],
      ['of JSON', Array.from(secret, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`).join('')],
    ])('%s', (_, echo) => {
      expect(mask(`wrong: ${echo}.`)).toBe('wrong: [hidden].');
    });

    test.each(['&#x110000; and &#9999999;', '\\u{ffffff} a', '%ff%fe %80', '255,254,253,252,251,250'])(
      'and leaves what is no character as it is: %s',
      (text) => {
        expect(mask(text)).toBe(text);
      },
    );
  });
});
