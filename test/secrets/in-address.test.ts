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

describe('Secret of an address', () => {
  test.each<[headers: Record<string, string>, secrets: string[]]>([
    [{ Authorization: 'Bearer abc' }, ['Bearer abc', 'abc']],
    [{ 'X-Acme': 'abc: d=e; f=g' }, ['abc: d=e; f=g', 'd=e; f=g']],
    [{ Accept: 'text/plain', 'Content-Type': 'words', Host: 'b' }, []],
    [{ Cookie: 'a=b; c=d=e' }, ['a=b; c=d=e', 'b', 'c=d=e', 'd=e']],
    [
      { Authorization: `basic  ${base64('user:pass:word')}` },
      [base64('user:pass:word'), `basic  ${base64('user:pass:word')}`, 'pass:word', 'user:pass:word'],
    ],
    [{ Authorization: `Basic ${base64('me:')}` }, [base64('me:'), `Basic ${base64('me:')}`, 'me', 'me:']],
    [
      { Authorization: `Basic ${base64(`${token}:x`)}` },
      [base64(`${token}:x`), `Basic ${base64(`${token}:x`)}`, token, `${token}:x`, 'x'],
    ],
    [{ Authorization: `Digest ${base64('user:pass')}` }, [base64('user:pass'), `Digest ${base64('user:pass')}`]],
  ])('in the headers %j: %j', (headers, secrets) => {
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
    ['https://h/%E0%A4%A/a', []],
  ])('%s: %j', (url, secrets) => {
    expect(withUrl(url)).toEqual(secrets.sort());
  });

  test.each<[env: Record<string, string>, secrets: string[]]>([
    [{ LOG: 'debug', MODE: 'production' }, ['production']],
    [{ API_TOKEN: 'abc', DOOR_KEY: 'def' }, ['abc', 'def']],
    [{ ACME: token, PATH: `/opt/${token}` }, [token, `/opt/${token}`]],
    [
      { DB: 'postgres://me:pw@db/x?mode=rw&password=abc' },
      [base64('me:pw'), 'abc', 'me:pw', 'postgres://me:pw@db/x?mode=rw&password=abc', 'pw'],
    ],
    [
      { DB: `postgres://${token}@db/x?mode=${token}x` },
      [base64(`${token}:`), token, `${token}:`, `${token}x`, `postgres://${token}@db/x?mode=${token}x`],
    ],
    [{ DB: 'postgres://me@db/x' }, [base64('me:'), 'me:', 'postgres://me@db/x']],
    [{ TEXT: 'no url :// at all' }, ['no url :// at all']],
  ])('in the variables %j: %j', (env, secrets) => {
    expect(withEnv(env)).toEqual(secrets.sort());
  });

  test.each<[args: string[], secrets: string[]]>([
    [['start', '--port', '8080', '--verbose', '/srv'], []],
    [['--api-key', 'abc', 'def'], ['abc']],
    [
      ['--pin', '12', '--otp=34'],
      ['12', '34'],
    ],
    [['--port=8080', 'abc'], []],
    [['--token', '--odd'], ['--odd']],
    [
      ['--header', 'X-A: abc', '-H', 'X-B: Bearer def', '--headers=X-C: ghi', 'X-D: jkl'],
      ['Bearer def', 'abc', 'def', 'ghi'],
    ],
    [
      ['Authorization: Bearer abc', 'Cookie: a=b'],
      ['Bearer abc', 'a=b', 'abc', 'b'],
    ],
    [['--header', 'https://h/'], []],
    [['Secret://h/'], []],
    [
      ['API_KEY="abc"', "PIN='a;b'", 'Server=h;Password=c d;A=b'],
      ['"abc"', "'a;b'", 'a;b', 'abc', 'c'],
    ],
    [['https://h/?token=abc&x=y'], ['abc']],
    [
      ['{"a":{"key":["abc",7,true]},"b":"c","pin":1}', '[{"token":"def"}]', '{"key":'],
      ['1', '7', 'abc', 'def'],
    ],
    [
      [`[{"name":"Authorization","value":"abc"},{"name":"Accept","value":"b"}]`, `{"auth":{"ghi":1}}`],
      ['1', 'abc'],
    ],
    [
      [token, 'ghp_0123456789abcdefghijABCDEFGHIJ', `/opt/${token}`, `--x=${token}x`],
      [token, `${token}x`, 'ghp_0123456789abcdefghijABCDEFGHIJ'],
    ],
  ])('in the arguments %j: %j', (args, secrets) => {
    expect(withArgs(...args)).toEqual(secrets.sort());
  });
});

describe('The arguments of a command in a message', () => {
  test.each<[args: string[], shown: string[]]>([
    [
      ['--api-key', 'abcd', 'abcd', 'run'],
      ['--api-key', '[hidden]', 'abcd', 'run'],
    ],
    [['--token=abc'], ['--token=abc']],
    [['Authorization: Bearer abcd'], ['Authorization: Bearer [hidden]']],
    [
      ['-c', 'KEY=a;TOKEN=$(evil)'],
      ['-c', 'KEY=a;TOKEN=$(evil)'],
    ],
    [['Cookie: abcd=efgh; i=efghij'], ['Cookie: abcd=[hidden]; [hidden]']],
    [['postgres://user:pass@db/'], ['postgres://[hidden]@db/']],
    [['postgres://me:p%40ss@db/'], ['postgres://me:[hidden]@db/']],
    [['https://h/%65vil.tgz?token=evil.tgz'], ['https://h/%65vil.tgz?token=[hidden]']],
    [[token], ['[hidden]']],
  ])('%j: %j', (args, shown) => {
    expect(shownArguments(args)).toEqual(shown);
  });

  test('However many of them are secrets, the rest stays visible', () => {
    expect(shownArguments([`evil ${'token=abcdef '.repeat(3000)}`])).toEqual([
      `evil ${'token=[hidden] '.repeat(3000)}`,
    ]);
  });
});
