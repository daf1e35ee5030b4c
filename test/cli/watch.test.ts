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

test('list --watch says what has changed each time, and ends when the server does', async () => {
  const tools = ['early', 'later', 'later'].map((name, at) => {
    return { name, description: `Of list ${at}.`, inputSchema: { type: 'object' } };
  });
  const code = serverCode({
    results: `'tools/list': { tools: [${JSON.stringify(tools)}[global.lists ?? 0]] }`,
    otherwise: `if (method === 'tools/list') {
      global.lists = (global.lists ?? 0) + 1;
      setImmediate(() => print({ method: 'notifications/' + (lists < 3 ? 'tools' : 'prompts') + '/list_changed' }));
      if (lists === 3) setTimeout(() => process.exit(), 50);
    }`,
    capabilities: 'tools: { listChanged: true }',
    name: "'watched'",
  });
  const argv = ['list', '--watch', '--', process.execPath, '-e', code];
  const shown = await cli(argv, { columns: 60, only: 'stdout', env: { NO_COLOR: '1' } });
  const list = (name: string, at: number) =>
    `watched 1 · 1 tool · MCP 2025-11-25\n\n  ${name}  (no arguments)\n         Of list ${at}.\n`;
  expect(shown).toEqual({
    code: 4,
    stdout: [list('early', 0), list('later', 1), list('later', 2)].join('\n'),
    stderr: 'new: later\ngone: early\nchanged: later\nerror: The server has ended.\n',
  });
});

test('list --watch is refused if a server does not announce changes of its tools', async () => {
  await using server = await startHttpServer({});
  const ended = await cli(['list', '--watch', '--url', server.url]);
  expect(ended).toMatchObject({ code: 2, stderr: containing('does not announce changes') });
});
