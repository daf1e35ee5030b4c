import { expect, test } from 'vitest';
import { serverCode } from '../../test-support/servers/code.js';
import { startHttpServer } from '../../test-support/servers/http.js';
import { built } from './built.js';

/** A server whose only tool is named after its process. */
const results = "'tools/list': { tools: [{ name: String(process.pid), inputSchema: { type: 'object' } }] }";
const naming = ['--', process.execPath, '-e', serverCode({ results })];

test.each([
  ['--idle-timeout', 'within 200 ms', false],
  ['--max-duration', 'within 200 ms in all', true],
])('The option %s ends a call that is not answered', async (option, said, reports) => {
  await using server = await startHttpServer({ 'tools/call': ({ progress }) => reports && progress() });
  const { code, stderr } = await built(['call', 'echo', option, '0.2', '--url', server.url]);
  expect([code, stderr]).toEqual([4, expect.stringContaining(said)]);
});

test.each([
  [[], 'POST'],
  [['--sse'], 'GET'],
])('With the options %j, the first request is a %s', async (options, verb) => {
  await using server = await startHttpServer(({ status }) => status(400));
  await built(['list', ...options, '--url', server.url]);
  expect(server.seen[0]?.verb).toBe(verb);
});

test('--header reaches the server with the value of a variable', async () => {
  await using server = await startHttpServer({});
  const env = { KEY: 'the-value', X_OTHER: 'another' };
  const headers = ['--header', 'X-Key: ${KEY}', '--header', 'X-Other'];
  const { code } = await built(['list', ...headers, '--url', server.url], { env });
  expect(code).toBe(0);
  expect(server.seen[0]?.headers).toMatchObject({ 'x-key': 'the-value', 'x-other': 'another' });
});

test('A command leaves no session or process behind', async () => {
  await using server = await startHttpServer({
    initialize: ({ introduce }) => introduce({}, { 'mcp-session-id': 's1' }),
  });
  expect((await built(['list', '--url', server.url])).code).toBe(0);
  expect(server.seen.filter(({ verb }) => verb === 'DELETE')).toMatchObject([{ headers: { 'mcp-session-id': 's1' } }]);
  const { code, stdout } = await built(['list', ...naming]);
  expect(code).toBe(0);
  const pid = Number(/^\d+/.exec(stdout)?.[0]);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});
