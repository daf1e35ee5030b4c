import { expect, test } from 'vitest';
import { serverCode } from '../../test-support/servers/code.js';
import { startHttpServer } from '../../test-support/servers/http.js';
import { until } from '../../test-support/waiting.js';
import { start } from './built.js';
import { cli, containing, matching } from './run.js';

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

test('list --watch says what has changed, and ends when the server does', async () => {
  const code = serverCode({
    results: "'tools/list': { tools: [{ name: global.lists ? 'later' : 'only', inputSchema: { type: 'object' } }] }",
    otherwise: `if (method === 'tools/list') global.lists = (global.lists ?? 0) + 1;
      if (global.lists === 1) setImmediate(() => print({ method: 'notifications/tools/list_changed' }));
      if (global.lists === 2) setTimeout(() => process.exit(), 50);`,
    capabilities: 'tools: { listChanged: true }',
  });
  const ended = await cli(['list', '--watch', '--', process.execPath, '-e', code]);
  expect(ended).toMatchObject({ code: 4, stdout: 'only\t\t\nlater\t\t\n' });
  expect(ended.stderr).toMatch(/^new: later\ngone: only\n.*The server has ended/);
});

test('list --watch is refused if a server does not announce changes of its tools', async () => {
  await using server = await startHttpServer({});
  const ended = await cli(['list', '--watch', '--url', server.url]);
  expect(ended).toMatchObject({ code: 2, stderr: containing('does not announce changes') });
});
