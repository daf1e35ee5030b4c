import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ServerAddress } from '../../src/mcp/index.js';
import { addressSecrets, secretMask as maskOf } from '../../src/secrets/index.js';

const { masked } = JSON.parse(readFileSync(new URL('./masks.json', import.meta.url), 'utf8')) as {
  masked: [secrets: string[], text: string, shown: string][];
};

const program = (...args: string[]): ServerAddress => ({ transport: 'stdio', command: 'x', args });
const secretMask = (address: ServerAddress) => maskOf(addressSecrets(address));

const http = (url: string, headers: Record<string, string> = {}): ServerAddress => ({ url, headers });
const env = (env: Record<string, string>): ServerAddress => ({ transport: 'stdio', command: 'x', env });
const query = http('http://h/?a=x1y2&b=blue');

test.each<[string, ServerAddress, string, string]>([
  ['the longer of two secrets', env({ A: 'abcdef', B: 'abcdefghi' }), 'abcdefghi', '[hidden]'],
  ['a short value that stands alone', env({ PIN: '1234' }), 'pin 1234, 12345, x1234', 'pin [hidden], 12345, x1234'],
  ['a short value in quotes', env({ DOOR_KEY: 'ab$cd' }), 'the key "ab$cd"', 'the key "[hidden]"'],
  ['a short value of the query with its name', query, 'x1y2 of a=x1y2', '[hidden] of [hidden]'],
  ['a word of the query with its name alone', query, 'b=blue, or blue', '[hidden], or blue'],
  ['a number in an argument of JSON', program('{"pin":123456}'), 'pin 123456', 'pin [hidden]'],
  ['a password that is not in the address', http('http://h/'), 'mysql://u:hunter2@db/', 'mysql://u:[hidden]@db/'],
])('A mask covers %s', (_, address, text, shown) => {
  expect(secretMask(address)(text)).toBe(shown);
});

test.each<[string, ServerAddress, string]>([
  ['a word that a value ends in', env({ DIR: '/srv/application' }), 'application failed'],
  ['a value of three characters', env({ PIN: '123' }), 'pin 123'],
  ['an argument that says something', program('Prompt: Tell me about tokens'), 'Tell me about tokens'],
])('A mask leaves %s readable', (_, address, text) => {
  expect(secretMask(address)(text)).toBe(text);
});

test('A secret that was added after the first use of a mask is hidden', () => {
  const mask = maskOf(['given-at-first']);
  expect(mask('given-at-first, renewed-token')).toBe('[hidden], renewed-token');
  mask.add(['renewed-token']);
  expect(mask('given-at-first, renewed-token')).toBe('[hidden], [hidden]');
});

test('An added secret is hidden until many others were added', () => {
  const mask = maskOf(['given-at-first']);
  mask.add(['added-early', 'added-often']);
  for (let call = 0; call < 500; call++) mask.add([`${call}`.padStart(1000, 'x-'), 'added-often']);
  expect(mask('given-at-first, added-early, added-often')).toBe('[hidden], added-early, [hidden]');
});

test('An added secret is hidden even if one that is too long to be kept was added with it', () => {
  const mask = maskOf();
  mask.add(['added-early']);
  mask.add(['hunter22', 'x'.repeat(60_000)]);
  expect(mask('added-early hunter22')).toBe('[hidden] [hidden]');
});

test('A mask hides its own secrets in a JSON text, and keeps all else as it is written', () => {
  const mask = maskOf(['1234567', 'a"bc', '1e400']);
  const text =
    '{ "1234567": 1234567, "n": [1.234567e6, 12345678, -1234567, 1.50, true, 1e400],"s": "x a\\"bc \\u0061" }';
  const shown =
    '{ "[hidden]": "[hidden]", "n": ["[hidden]", 12345678, -1234567, 1.50, true, "[hidden]"],"s": "x [hidden] a" }';
  expect(mask.knownInJson(text)).toBe(shown);
  expect(mask.known([1234567, 12345678, '12345678', '1234567', true])).toEqual([
    ...['[hidden]', 12345678, '[hidden]8', '[hidden]', true],
  ]);
});

test('A mask with further secrets hides those that it was given and those that were added, and is one of its own', () => {
  const mask = maskOf(['given-at-first']);
  mask.add(['added-later']);
  const more = mask.with(['of-another']);
  const text = 'given-at-first added-later of-another';
  expect([more(text), mask(text)]).toEqual(['[hidden] [hidden] [hidden]', '[hidden] [hidden] of-another']);
});

test('A long text stays readable beside many values', () => {
  const mask = maskOf(Array.from({ length: 100 }, (_, i) => `secret-value-${i}`));
  const text = 'word '.repeat(60_000);
  expect(mask.known([`${text}secret-value-7`])).toEqual([`${text}[hidden]`]);
});

test('Many texts stay readable beside many values', () => {
  const mask = maskOf(Array.from({ length: 50 }, (_, i) => `secret-value-${i}`));
  const rows = Array.from({ length: 5000 }, (_, i) => ({ name: `row ${i}` }));
  expect(mask.known([...rows, 'secret-value-7'])).toEqual([...rows, '[hidden]']);
});

test.each(masked)('A mask of %j hides the whole secrets in "%s": %s', (secrets, text, shown) => {
  expect(maskOf(secrets)(text)).toBe(shown);
  expect(maskOf(secrets.toReversed())(text)).toBe(shown);
});

test.each<[what: string, secret: string, echo: string]>([
  ['without the spaces around it', ' abcdef ', 'abcdef'],
  ['as XML', `a'b"c<d`, 'a&apos;b&#34;c&lt;d'],
  ['with what is no character', 'abc\uffffdef', 'abc\\uffffdef'],
  ['with half a pair', 'abc\ud800def', 'abc\ud800def'],
  ['of six characters, within a word', 'ab$def', 'xab$defx'],
  ['of five characters, alone', 'ab$de', '-ab$de-'],
])('A mask recognises a secret %s', (_, secret, echo) => {
  const shown = maskOf([secret])(echo);
  expect(shown.replace(/^[x1-]|[x-]$/g, '')).toBe('[hidden]');
});

test.each(['xab$de', 'ab$deé', '1ab$de'])('A mask does not hide a short secret inside a word: %s', (text) => {
  expect(maskOf(['ab$de'])(text)).toBe(text);
});

test('A mask cuts a text after masking it, and reads no more of it than needed', () => {
  const mask = maskOf(['abcdef123']);
  expect(mask(`abcdef123 ${'x'.repeat(100_000)} abcdef123`, 12)).toBe('[hidden] xxx');
  expect(mask(`${'x'.repeat(10)}abcdef123`, 12)).toBe('xxxxxxxxxx[h');
  expect(mask('x '.repeat(100_000))).toHaveLength(100_000);
  const asked: unknown[] = [];
  const text = { slice: (from: number, to: number) => (asked.push(to), 'abc'.slice(from, to)) };
  expect(mask(text as unknown as string, 12)).toBe('abc'); // only the beginning of a text is read
  expect(asked).toEqual([20_012]);
});

test('A mask covers values of any length', () => {
  const long = Array.from({ length: 60_000 }, (_, i) => `${i}:`).join('');
  expect(maskOf([`${long}!`, long])(`no ${long}. ${long}!.`, Infinity)).toBe('no [hidden]. [hidden].');
});

test.each([40, 500])('A mask shows no part of a secret at the cut: ab12, %i times', (times) => {
  const secret = 'ab12'.repeat(times);
  const shown = maskOf([secret])(`${secret} `.repeat(1000));
  expect(shown.replaceAll('[hidden]', '').trim()).toBe('');
});

test.each(['a', 'ab', '%41', '\\\\', '&amp;'])('A mask takes linear time for any secrets: in %j', (part) => {
  const secrets = Array.from({ length: 20 }, (_, i) => `${part.repeat(20 + i)}b`);
  const text = part.repeat(100_000);
  expect(maskOf(secrets)(text)).toBe(text.slice(0, 100_000));
});

test('A mask hides a text that it cannot search in time', () => {
  const mask = maskOf(Array.from({ length: 10_000 }, (_, i) => `secret-${i}`));
  expect(mask('x '.repeat(50_000))).toBe('[hidden]');
  expect(mask.known(['x', 'x '.repeat(50_000), 'x'])).toEqual(['x', '[hidden]', '[hidden]']);
  expect(maskOf(['abcdef123']).known('x '.repeat(12_000_000))).toBe('[hidden]');
});

test('A mask hides only its own secrets in a JSON value, also in names and at any depth', () => {
  const mask = maskOf(['abcdef123']);
  const value = { abcdef123: ['abcdef123', 1, null, { url: 'https://h/?token=other' }], token: 'other' };
  const shown = { '[hidden]': ['[hidden]', 1, null, { url: 'https://h/?token=other' }], token: 'other' };
  expect(mask.known(value)).toEqual(shown);
  const deep: unknown = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
  expect(mask.known(deep)).toBeInstanceOf(Array);
});

const secret = 'schlüssel-€uro-😀-0815';
const written = (write: (code: number) => string) =>
  Array.from(secret, (character) => write(character.codePointAt(0) ?? 0)).join('');

test.each([
  ['in a URL, every byte', Buffer.from(secret).toString('hex').replace(/../g, '%$&')],
  ['in HTML', written((code) => `&#${code};`)],
  ['in HTML, in hexadecimal', written((code) => `&#x${code.toString(16)};`)],
])('A mask finds a secret that is written in character codes: %s', (_, echo) => {
  expect(maskOf([secret])(`wrong: ${echo}.`)).toBe('wrong: [hidden].');
});

test.each(['&#x110000; and &#9999999;', '\\u{ffffff} a', '%ff%fe %80', 'a\\'])(
  'A mask does not change codes of no character: %s',
  (text) => {
    expect(maskOf([secret])(text)).toBe(text);
  },
);
