import { spawnSync } from 'node:child_process';
import { Socket } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { connect, type ServerAddress } from '../../src/mcp/index.js';
import type { Exchange } from '../../test-support/servers/http.js';
import { stdioServer } from '../../test-support/servers/stdio.js';
import { settled, until } from '../../test-support/waiting.js';
import { failureOf, toolNamed } from './calling.js';
import { answering, begun, closeAfterEach, connected, echo, given } from './serving.js';

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

describe('Sessions, opened and closed', () => {
  test('leave no process, pipe, timer or listener behind over stdio', async () => {
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

  test('leave no request, timer or session behind over HTTP', async () => {
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
});

describe('a connection over HTTP', () => {
  test('keeps a few sockets while they are idle, each for four seconds', async () => {
    const idle = new Map<Socket, number>();
    const setTimeout = vi.spyOn(Socket.prototype, 'setTimeout').mockImplementation(function (this: Socket, ms) {
      idle.set(this, ms);
      return this;
    });
    onTestFinished(() => {
      setTimeout.mockRestore();
    });
    const held: Exchange[] = [];
    const server = await answering({ 'tools/call': (exchange) => held.push(exchange) });
    const port = Number(new URL(server.url).port);
    const session = await connected(server);
    const calls = Array.from({ length: 60 }, () => echo(session));
    await until(() => held.length === 60);
    const toServer = () => [...idle.keys()].filter(({ remotePort, destroyed }) => remotePort === port && !destroyed);
    expect(toServer()).toHaveLength(60);
    for (const exchange of held) {
      // Otherwise Node's server adds the time for which it keeps its own sockets.
      exchange.response.setHeader('connection', 'keep-alive');
      exchange.plain();
    }
    await Promise.all(calls);
    await settled();
    const kept = toServer();
    expect(kept).toHaveLength(32);
    expect(new Set(kept.map((socket) => idle.get(socket)))).toEqual(new Set([4000]));
    for (const socket of kept) socket.emit('timeout');
    expect(toServer()).toEqual([]);
    held.length = 0;
    const next = echo(session);
    await until(() => held.length === 1);
    held[0]?.plain();
    expect(await next).toBe('{"a":1}');
  });

  test('keeps no socket from calls for the streams of what servers send unasked', async () => {
    const server = await answering({ GET: ({ stream }) => stream() });
    const listening = { onNotification: () => {} };
    const sessions = await Promise.all(Array.from({ length: 260 }, () => connected(server, listening)));
    await until(() => server.seen.filter(({ verb }) => verb === 'GET').length === 260);
    expect(await Promise.all(sessions.slice(0, 3).map((session) => echo(session)))).toEqual(Array(3).fill('{"a":1}'));
  });
});

describe('a stdio server', () => {
  test('that cuts a secret with the end of what is kept does not show half of it', async () => {
    const secret = 'sk-live-0123456789abcdef0123456789abcdef';
    // The text has no line end, and is cut in the middle of the secret.
    const program = `process.stderr.write(process.env.API + '-'.repeat(4096 - 20)); process.exitCode = 1`;
    const error = await failureOf(
      connect({ transport: 'stdio', command: process.execPath, args: ['-e', program], env: { API: secret } }),
    );
    expect(error.code).toBe('SERVER_EXITED');
    for (let at = 0; at + 12 <= secret.length; at++) expect(error.message).not.toContain(secret.slice(at, at + 12));
  });
});
