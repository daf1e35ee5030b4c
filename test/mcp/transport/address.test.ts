import { expect, test } from 'vitest';
import { ConfigurationError } from '../../../src/json/index.js';
import { connect, type ServerAddress } from '../../../src/mcp/index.js';
import { failureOf } from '../calling.js';

const url = 'http://localhost/';
const stdio = { transport: 'stdio', command: 'node' };
test.each<[string, object, RegExp]>([
  ['no URL', {}, /URL/],
  ['a URL of another kind', { url: 'ftp://example.com/' }, /URL/],
  ['a header with a line break', { url, headers: { 'X-Key': 'secret-1\nsecret-2' } }, /header "X-Key"/],
  ['a header with a name that is none', { url, headers: { 'X Key': 'secret-1' } }, /header "X Key"/],
  ['a header that would get lost', { url, headers: JSON.parse('{"__proto__":"secret-1"}') }, /"__proto__" .*HTTP/],
  ['headers in one text', { url, headers: 'X-Key: secret-1' }, /headers .*an object of texts/],
  ['headers that are null', { url, headers: null }, /headers .*an object of texts/],
  ['headers in a list', { url, headers: ['secret-1'] }, /headers .*an object of texts/],
  ['a header that is a number', { url, headers: { 'X-Key': 1 } }, /header "X-Key" must be a text/],
  ['an environment that is null', { ...stdio, env: null }, /must be strings/],
  ['an environment in a list', { ...stdio, env: ['A=secret-1'] }, /must be strings/],
  ['a folder that is a number', { ...stdio, cwd: 1 }, /working folder/],
  ['no command', { transport: 'stdio' }, /command/],
  ['a command without a transport', { command: 'node secret-1' }, /needs its transport/],
  ['a blank command', { transport: 'stdio', command: ' ' }, /command/],
  ['arguments in one text', { ...stdio, args: '--key secret-1' }, /list of strings/],
  ['an environment variable that is a number', { ...stdio, env: { A: 1 } }, /must be strings/],
  ['a null character', { ...stdio, env: { A: 'secret-1\0' } }, /null character/],
])('An address with %s gives an error that says so without the value', async (_, address, words) => {
  // JSON that a user writes may have other types.
  const error = await failureOf(connect(address as ServerAddress));
  expect(error).toBeInstanceOf(TypeError);
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(error).toMatchObject({ code: 'INVALID_CONFIGURATION' });
  expect(error.message).toMatch(words);
  expect(error.message).not.toContain('secret');
});
