import { Socket } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { connect } from '../../src/mcp/index.js';
import type { Exchange } from '../../test-support/servers/http.js';
import { settled, until } from '../../test-support/waiting.js';
import { failureOf } from './calling.js';
import { answering, closeAfterEach, connected, echo, given } from './serving.js';

closeAfterEach();

describe('a connection over HTTP', () => {
  test('uses one socket for one call after the other, and as many as there are calls at once', async () => {
    const sockets = new Set<number | undefined>();
    const held: Exchange[] = [];
    let holds = false;
    const server = await answering({
      'tools/call': (exchange) => {
        sockets.add(exchange.response.socket?.remotePort);
        if (holds) held.push(exchange);
        else exchange.plain();
      },
    });
    const session = await connected(server);
    for (let n = 0; n < 5; n++) await echo(session);
    expect(sockets.size).toBeLessThanOrEqual(2);
    holds = true;
    const calls = Array.from({ length: 300 }, () => echo(session));
    await until(() => held.length === 300);
    holds = false;
    for (const exchange of held) exchange.plain();
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['{"a":1}']));
    expect(sockets.size).toBeLessThanOrEqual(302);
  });

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
      // So that Node's server does not add how long it keeps its own sockets.
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
    const server = await given((exchange) => (exchange.verb === 'GET' ? exchange.stream() : exchange.plain()));
    const listening = { onNotification: () => {} };
    const sessions = await Promise.all(Array.from({ length: 260 }, () => connected(server, listening)));
    await until(() => server.seen.filter(({ verb }) => verb === 'GET').length === 260);
    expect(await Promise.all(sessions.slice(0, 3).map((session) => echo(session)))).toEqual(Array(3).fill('{"a":1}'));
  });
});

describe('a stdio server', () => {
  test('that cuts a secret with the end of what is kept does not show half of it', async () => {
    const secret = 'sk-live-0123456789abcdef0123456789abcdef';
    // No line end, and the secret across the place where the text is cut.
    const program = `process.stderr.write(process.env.API + '-'.repeat(4096 - 20)); process.exitCode = 1`;
    const error = await failureOf(
      connect({ transport: 'stdio', command: process.execPath, args: ['-e', program], env: { API: secret } }),
    );
    expect(error.code).toBe('SERVER_EXITED');
    for (let at = 0; at + 12 <= secret.length; at++) expect(error.message).not.toContain(secret.slice(at, at + 12));
  });
});
