import { expect, test } from 'vitest';
import { startHttpServer } from '../../test-support/servers/http.js';
import { until } from '../../test-support/waiting.js';
import { start } from './built.js';

const unknown = 'Whether the server has carried out the request is unknown';

test('a call that is interrupted after the server received it is called unknown', async () => {
  await using server = await startHttpServer({ 'tools/call': () => {} });
  const command = start(['call', 'echo', '--url', server.url]);
  await until(() => server.methods().includes('tools/call'));
  command.kill('SIGINT');
  const { code, stderr } = await command.ended;
  expect([code, stderr]).toEqual([130, expect.stringContaining(unknown)]);
});

test('a call that is answered with HTTP 502 is called unknown, and one with 429 is not', async () => {
  let code = 502;
  await using server = await startHttpServer({ 'tools/call': ({ status }) => status(code) });
  const called = async () => (await start(['call', 'echo', '--url', server.url]).ended).stderr;
  expect(await called()).toContain(unknown);
  code = 429;
  expect(await called()).not.toContain(unknown);
});
