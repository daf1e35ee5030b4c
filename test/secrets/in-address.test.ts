import { describe, expect, test } from 'vitest';
import type { ServerAddress } from '../../src/mcp/index.js';
import { addressSecrets, shownArguments } from '../../src/secrets/index.js';

/** The secrets that are found; empty ones are left out. */
function secretsOf(address: ServerAddress): string[] {
  return [...new Set(addressSecrets(address))].filter((value) => value !== '').sort();
}

const withHeaders = (headers: Record<string, string>) => secretsOf({ url: 'https://h/', headers });
const withUrl = (url: string) => secretsOf({ url });
const withEnv = (env: Record<string, string>) => secretsOf({ transport: 'stdio', command: 'x', env });
const withArgs = (...args: string[]) => secretsOf({ transport: 'stdio', command: 'x', args });
const base64 = (text: string) => Buffer.from(text).toString('base64');
const token = 'a1b2c3d4e5f6a7b8c9d0';

describe('Secrets of an address', () => {
  const [userPass, mePw] = [base64('user:pass'), base64('me:pw')];
  const withWord = base64('user:pass:word');
  const ofToken = base64(`${token}:x`);
  const query = 'postgres://me:pw@db/x?mode=rw&password=abc';
  const user = `postgres://${token}@db/x?mode=${token}x`;

  test.each<{ headers: Record<string, string>; secrets: string[] }>([
    { headers: { Authorization: 'Bearer abc' }, secrets: ['Bearer abc', 'abc'] },
    { headers: { 'X-Acme': 'abc: d=e; f=g' }, secrets: ['abc: d=e; f=g', 'd=e; f=g'] },
    { headers: { Accept: 'text/plain', 'Content-Type': 'words', Host: 'b' }, secrets: [] },
    { headers: { Cookie: 'a=b; c=d=e' }, secrets: ['a=b; c=d=e', 'b', 'c=d=e', 'd=e'] },
    {
      headers: { Authorization: `basic  ${withWord}` },
      secrets: [withWord, `basic  ${withWord}`, 'pass:word', 'user:pass:word'],
    },
    {
      headers: { Authorization: `Basic ${base64('me:')}` },
      secrets: [base64('me:'), `Basic ${base64('me:')}`, 'me', 'me:'],
    },
    {
      headers: { Authorization: `Basic ${ofToken}` },
      secrets: [ofToken, `Basic ${ofToken}`, token, `${token}:x`, 'x'],
    },
    { headers: { Authorization: `Digest ${userPass}` }, secrets: [userPass, `Digest ${userPass}`] },
  ])('The secrets of the headers $headers are $secrets', ({ headers, secrets }) => {
    expect(withHeaders(headers)).toEqual(secrets.sort());
  });

  test.each<[url: string, secrets: string[]]>([
    ['https://h/v1/mcp', []],
    ['https://me@h/', [base64('me:'), 'me', 'me:']],
    ['https://:p%20w@h/', [':p w', base64(':p w'), 'p w', 'p%20w']],
    ['https://h/?key=a%20b&c+d=e+f+g+h&g', ['a b', 'a%20b', 'c+d=e+f+g+h', 'e f g h', 'e+f+g+h', 'key=a%20b']],
    [`https://h/?x=${token}`, [token, `x=${token}`]],
    ['https://h/?key=abc%FCdef', ['abc%FCdef', 'abc\ufffddef', 'key=abc%FCdef']],
    ['https://h/?a=ab1&b=1234&mode=blue', ['a=ab1', 'ab1', 'b=1234', 'mode=blue']],
    [`https://h/a/${token}/b#${token}x`, [token, `${token}x`]],
    [`https://h/%41${token}`, [`A${token}`]],
    ['https://h/ABCDEF01-ABCD-EF01-ABCD-ABCDEF012345', ['ABCDEF01-ABCD-EF01-ABCD-ABCDEF012345']],
    ['https://h/%E0%A4%A/a', []],
  ])('The secrets of the address %s are %j', (url, secrets) => {
    expect(withUrl(url)).toEqual(secrets.sort());
  });

  test.each<{ env: Record<string, string>; secrets: string[] }>([
    { env: { LOG: 'debug', MODE: 'production' }, secrets: ['production'] },
    { env: { API_TOKEN: 'abc', DOOR_KEY: 'def' }, secrets: ['abc', 'def'] },
    { env: { ACME: token, PATH: `/opt/${token}` }, secrets: [token, `/opt/${token}`] },
    { env: { DB: query }, secrets: [mePw, 'abc', 'me:pw', query, 'pw'] },
    { env: { DB: user }, secrets: [base64(`${token}:`), token, `${token}:`, `${token}x`, user] },
    { env: { DB: 'postgres://me@db/x' }, secrets: [base64('me:'), 'me:', 'postgres://me@db/x'] },
    { env: { TEXT: 'no url :// at all' }, secrets: ['no url :// at all'] },
  ])('The secrets of the variables $env are $secrets', ({ env, secrets }) => {
    expect(withEnv(env)).toEqual(secrets.sort());
  });

  const github = 'ghp_0123456789abcdefghijABCDEFGHIJ';
  const headers = ['--header', 'X-A: abc', '-H', 'X-B: Bearer def', '--headers=X-C: ghi', 'X-D: jkl'];
  const pairs = `[{"name":"Authorization","value":"abc"},{"name":"Accept","value":"b"}]`;
  test.each<{ args: string[]; secrets: string[] }>([
    { args: ['start', '--port', '8080', '--verbose', '/srv'], secrets: [] },
    { args: ['--api-key', 'abc', 'def'], secrets: ['abc'] },
    { args: ['--pin', '12', '--otp=34'], secrets: ['12', '34'] },
    { args: ['--port=8080', 'abc'], secrets: [] },
    { args: ['--token', '--odd'], secrets: ['--odd'] },
    { args: headers, secrets: ['Bearer def', 'abc', 'def', 'ghi'] },
    { args: ['Authorization: Bearer abc', 'Cookie: a=b'], secrets: ['Bearer abc', 'a=b', 'abc', 'b'] },
    { args: ['--header', 'https://h/'], secrets: [] },
    { args: ['Secret://h/'], secrets: [] },
    { args: ['API_KEY="abc"', "PIN='a;b'"], secrets: ['"abc"', "'a;b'", 'a;b', 'abc'] },
    { args: ['Server=h;Password=c d;A=b'], secrets: ['c'] },
    { args: ['https://h/?token=abc&x=y'], secrets: ['abc'] },
    { args: ['{"a":{"key":["abc",7,true]},"b":"c","pin":1}'], secrets: ['1', '7', 'abc'] },
    { args: ['[{"token":"def"}]', '{"key":'], secrets: ['def'] },
    { args: [pairs, `{"auth":{"ghi":1}}`], secrets: ['1', 'abc'] },
    { args: [token, github, `/opt/${token}`, `--x=${token}x`], secrets: [token, `${token}x`, github] },
  ])('The secrets of the arguments $args are $secrets', ({ args, secrets }) => {
    expect(withArgs(...args)).toEqual(secrets.sort());
  });
});

test.each<{ args: string[]; shown: string[] }>([
  { args: ['--api-key', 'abcd', 'abcd', 'run'], shown: ['--api-key', '[hidden]', 'abcd', 'run'] },
  { args: ['--token=abc'], shown: ['--token=abc'] },
  { args: ['Authorization: Bearer abcd'], shown: ['Authorization: Bearer [hidden]'] },
  { args: ['-c', 'KEY=a;TOKEN=$(evil)'], shown: ['-c', 'KEY=a;TOKEN=$(evil)'] },
  { args: ['Cookie: abcd=efgh; i=efghij'], shown: ['Cookie: abcd=[hidden]; [hidden]'] },
  { args: ['postgres://user:pass@db/'], shown: ['postgres://[hidden]@db/'] },
  { args: ['postgres://me:p%40ss@db/'], shown: ['postgres://me:[hidden]@db/'] },
  { args: ['https://h/%65vil.tgz?token=evil.tgz'], shown: ['https://h/%65vil.tgz?token=[hidden]'] },
  { args: [token], shown: ['[hidden]'] },
])('The arguments $args are shown as $shown', ({ args, shown }) => {
  expect(shownArguments(args)).toEqual(shown);
});

test('Arguments that are not secrets stay visible beside any number of secrets', () => {
  const shown = shownArguments([`evil ${'token=abcdef '.repeat(3000)}`]);
  expect(shown).toEqual([`evil ${'token=[hidden] '.repeat(3000)}`]);
});
