import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { connect, type ServerAddress } from '../../src/mcp/index.js';
import { stdioServer } from '../../test-support/servers/stdio.js';
import { settled, until } from '../../test-support/waiting.js';
import { toolNamed } from './calling.js';
import { given, begun, closeAfterEach, connected, echo } from './serving.js';

closeAfterEach();

const listeners = () => ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP'].map((event) => process.listenerCount(event));
/** The number of resources of these kinds that keep this process alive. */
const busyWith = (kinds: RegExp) => process.getActiveResourcesInfo().filter((kind) => kinds.test(kind)).length;
const children = () =>
  spawnSync('ps', ['--ppid', String(process.pid), '-o', 'pid='], { encoding: 'utf8' })
    .stdout.trim()
    .split('\n')
    .filter(Boolean).length;

async function openAndClose(address: ServerAddress, count: number): Promise<void> {
  const sessions = await Promise.all(Array.from({ length: count }, () => connect(address)));
  await Promise.all(sessions.map((session) => session.callTool(toolNamed('echo'), {})));
  await Promise.all(sessions.map((session) => session.close()));
}

test('Sessions, opened and closed, leave no process, pipe, timer or listener behind over stdio', async () => {
  const before = { listeners: listeners(), pipes: busyWith(/Pipe|Process/), timers: busyWith(/Timeout/) };
  for (let round = 0; round < 2; round++) await openAndClose(stdioServer(), 3);
  await until(() => busyWith(/Pipe|Process/) <= before.pipes);
  // The timer that waits for an ended process ends with the process's pipes.
  await settled();
  expect(busyWith(/Timeout/)).toBeLessThanOrEqual(before.timers);
  expect(listeners()).toEqual(before.listeners);
  // `ps` is a child process, too.
  await until(() => children() <= 1);
});

test('Sessions, opened and closed, leave no request, timer or session behind over HTTP', async () => {
  let open = 0;
  let sessions = 0;
  const server = await given((exchange) => {
    open++;
    exchange.response.on('close', () => open--);
    if (exchange.verb === 'DELETE') sessions--;
    if (exchange.verb === 'GET') return exchange.stream();
    if (exchange.message.method !== 'initialize') {
      exchange.plain();
      return;
    }
    sessions++;
    exchange.result(begun, { 'mcp-session-id': `s${sessions}` });
  });
  const timers = busyWith(/Timeout/);
  await openAndClose({ url: server.url }, 50);
  expect(busyWith(/Timeout/)).toBeLessThanOrEqual(timers);
  await until(() => open === 0);
  expect(sessions).toBe(0);
});

test('The streams for notifications over HTTP do not take the sockets of calls', async () => {
  const server = await given({ GET: ({ stream }) => stream() });
  const listening = { onNotification: () => {} };
  const sessions = await Promise.all(Array.from({ length: 260 }, () => connected(server, listening)));
  await until(() => server.seen.filter(({ verb }) => verb === 'GET').length === 260);
  expect(await Promise.all(sessions.slice(0, 3).map((session) => echo(session)))).toEqual(Array(3).fill('{"a":1}'));
});
