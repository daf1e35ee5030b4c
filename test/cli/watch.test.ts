import { expect, test } from 'vitest';
import { serverCode } from '../../test-support/servers/code.js';
import { startHttpServer } from '../../test-support/servers/http.js';
import { until } from '../../test-support/waiting.js';
import { built, start } from './built.js';
import { containing, matching } from './run.js';

test('list --watch lists again when the server says so, and ends by Ctrl-C', async () => {
  let names = ['first', 'passing'];
  const streams: ((message: object) => void)[] = [];
  await using server = await startHttpServer({
    initialize: ({ introduce }) => introduce({ capabilities: { tools: { listChanged: true } } }),
    'tools/list': ({ result }) => result({ tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) }),
    GET: ({ stream }) => streams.push(stream()),
  });
  const running = start(['list', '--watch', '--url', server.url]);
  await until(() => running.written.stdout.includes('passing') && streams.length > 0);
  expect(running.written).toMatchObject({ stdout: 'first\t\t\npassing\t\t\n', stderr: '' });
  names = ['first', 'later'];
  streams[0]?.({ method: 'notifications/tools/list_changed' });
  await until(() => /later\t\t\n$/.test(running.written.stdout));
  expect(running.written.stderr).toMatch(/^new: later$/m);
  expect(running.written.stderr).toMatch(/^gone: passing$/m);
  running.kill('SIGINT');
  expect(await running.ended).toMatchObject({ code: 130, stdout: matching(/first\t\t\nlater\t\t\n$/) });
});

test('list --watch ends when the server does', async () => {
  const code = serverCode({
    results: "'tools/list': { tools: [{ name: 'only', inputSchema: { type: 'object' } }] }",
    otherwise: "if (method === 'tools/list') setTimeout(() => process.exit(), 50);",
    capabilities: 'tools: { listChanged: true }',
  });
  const ended = await built(['list', '--watch', '--', process.execPath, '-e', code]);
  expect(ended).toMatchObject({ code: 4, stdout: 'only\t\t\n', stderr: containing('The server has ended') });
});

test('list --watch is refused if a server does not announce changes of its tools', async () => {
  await using server = await startHttpServer({});
  const ended = await built(['list', '--watch', '--url', server.url]);
  expect(ended).toMatchObject({ code: 2, stderr: containing('does not announce changes') });
});
