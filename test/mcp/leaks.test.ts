import { spawnSync } from 'node:child_process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { connect, type ServerAddress } from '../../src/mcp/index.js';
import { startHttpServer } from '../../test-support/servers/http.js';
import { stdioServer } from '../../test-support/servers/stdio.js';
import { settled, until } from '../../test-support/waiting.js';
import { toolNamed } from './calling.js';
import { begun } from './serving.js';

const listeners = () => ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP'].map((event) => process.listenerCount(event));
/** How many resources of these kinds keep this process busy. */
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

describe('50 sessions, opened and closed', () => {
  test('leave no process, pipe, timer or listener behind over stdio', async () => {
    const before = { listeners: listeners(), pipes: busyWith(/Pipe|Process/), timers: busyWith(/Timeout/) };
    for (let round = 0; round < 5; round++) await openAndClose(stdioServer(), 10);
    await until(() => busyWith(/Pipe|Process/) <= before.pipes);
    // What a process that has ended is waited for by a timer is over with its pipes.
    await settled();
    expect(busyWith(/Timeout/)).toBeLessThanOrEqual(before.timers);
    expect(listeners()).toEqual(before.listeners);
    // `ps` is a child of its own.
    await until(() => children() <= 1);
  });

  test('leave no request, timer or session behind over HTTP', async () => {
    let open = 0;
    let sessions = 0;
    const server = await startHttpServer((exchange) => {
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
    await server.close();
  });
});

test('A session that its server forgets again and again lets go of what it had before', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const connections: WeakRef<AbortSignal>[] = [];
  let forgotten = true;
  const json = (value: object, headers = {}) => Response.json({ jsonrpc: '2.0', ...value }, { headers });
  const fetch = (_: unknown, { method, body, signal }: RequestInit = {}) => {
    // Of the stream that a connection listens to for as long as it lasts.
    if (method === 'GET') connections.push(new WeakRef(signal!));
    if (method !== 'POST') return Promise.resolve(new Response(null, { status: 405 }));
    const message = JSON.parse(body as string) as { id?: number; method: string };
    const { id } = message;
    if (message.method === 'initialize') return Promise.resolve(json({ id, result: begun }, { 'mcp-session-id': 's' }));
    if (id === undefined) return Promise.resolve(new Response(null, { status: 202 }));
    forgotten = !forgotten;
    return Promise.resolve(forgotten ? json({ id, result: { content: [] } }) : new Response('', { status: 404 }));
  };
  await using session = await connect({ url: 'http://127.0.0.1/mcp', fetch }, { onNotification: () => {} });
  for (let call = 1; call <= 20; call++) {
    await session.callTool(toolNamed('echo'), {});
    // Listened to a turn after it is opened.
    await until(() => connections.length > call);
  }
  expect(connections).toHaveLength(21);
  await until(() => {
    collect();
    return connections.filter((connection) => connection.deref()).length < 5;
  });
});
