import { Socket } from 'node:net';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { connect, type ConnectionError } from '../../src/mcp/index.js';
import type { Exchange } from '../../test-support/servers/http.js';
import { stdioServer } from '../../test-support/servers/stdio.js';
import { settled, until } from '../../test-support/waiting.js';
import { failureOf, textOf, toolNamed } from './calling.js';
import { answering, begun, closeAfterEach, connected, echo, given } from './serving.js';

closeAfterEach();
afterEach(() => {
  vi.useRealTimers();
});

const json = { 'content-type': 'application/json' };

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

  test('reads on for a while after an answer whose stream stays open, and ends that then', async () => {
    let open = 0;
    const server = await answering({
      'tools/call': ({ message, stream, response }) => {
        open++;
        response.on('close', () => open--);
        stream()({ id: message.id, result: { content: [] } });
      },
    });
    const session = await connected(server);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await session.callTool(toolNamed('echo'), {});
    vi.advanceTimersByTime(9000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(open).toBe(1);
    vi.advanceTimersByTime(2000);
    await until(() => open === 0);
  });

  test('gives up waiting for a busy server that asks for more time than there is', async () => {
    const server = await given(({ status }) => status(503, '', { 'retry-after': '3600' }));
    expect(await failureOf(connected(server))).toMatchObject({ status: 503 });
    expect(server.seen).toHaveLength(1);
  });

  test('takes up a stream that breaks off a few times only where that brings nothing', async () => {
    let resumed = 0;
    const server = await given((exchange) => {
      if (exchange.verb === 'GET') {
        resumed++;
        exchange.status(500);
      } else if (exchange.message.method === 'tools/call') {
        exchange.stream();
        exchange.response.end('id: 7\nretry: 1\n\n');
      } else exchange.plain();
    });
    expect(await failureOf(echo(await connected(server)))).toMatchObject({ code: 'CONNECTION_LOST' });
    expect(resumed).toBe(3);
  });

  test('reads a message up to its bound, and not one byte more', async () => {
    const server = await answering({
      'tools/call': ({ message, response }) => {
        const [start, end] = [`{"jsonrpc":"2.0","id":${message.id},"result":{"content":[],"x":"`, '"}}'];
        const { bytes } = message.params?.['arguments'] as { bytes: number };
        // Without its length, so that it has to be counted.
        response.writeHead(200, { ...json, 'transfer-encoding': 'chunked' });
        response.end(start + 'x'.repeat(bytes - start.length - end.length) + end);
      },
    });
    const session = await connected(server, { maxMessageBytes: 50_000 });
    expect((await session.callTool(toolNamed('echo'), { bytes: 50_000 })).content).toEqual([]);
    expect(await failureOf(session.callTool(toolNamed('echo'), { bytes: 50_001 }))).toMatchObject({
      code: 'LIMIT_EXCEEDED',
    });
  });
});

describe('the headers of an address', () => {
  const redirecting = (seen: [string, Headers][], location?: string): typeof fetch => {
    return (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      seen.push([url.href, new Headers(init?.headers)]);
      if (location !== undefined && url.href !== location) {
        return Promise.resolve(new Response(null, { status: 308, headers: { location } }));
      }
      const { id } = JSON.parse(typeof init?.body === 'string' ? init.body : '{}') as { id?: number };
      const answer = { jsonrpc: '2.0', id, result: { ...begun, content: [] } };
      return Promise.resolve(id === undefined ? new Response(null, { status: 202 }) : Response.json(answer));
    };
  };
  const headers = { 'X-Key': 'for the server alone' };

  test('go along when a server moves its visitors from http to https', async () => {
    const seen: [string, Headers][] = [];
    const fetch = redirecting(seen, 'https://mcp.example/mcp');
    await using session = await connect({ url: 'http://mcp.example/mcp', headers, fetch });
    expect(session.protocolVersion).toBe('2025-11-25');
    expect(seen.map(([url, sent]) => [url, sent.get('x-key')]).slice(0, 2)).toEqual([
      ['http://mcp.example/mcp', 'for the server alone'],
      ['https://mcp.example/mcp', 'for the server alone'],
    ]);
  });

  test.each([
    ['http://mcp.example/mcp', 'https://mcp.example:8443/mcp'],
    ['http://mcp.example:8080/mcp', 'https://mcp.example/mcp'],
    ['https://mcp.example/mcp', 'http://mcp.example/mcp'],
    ['https://mcp.example/mcp', 'https://mcp.example.org/mcp'],
    ['http://mcp.example/mcp', 'https://mcp.example.org/mcp'],
    ['https://mcp.example/mcp', 'https://user:pass@mcp.example/mcp'],
  ])('of %s do not go to %s', async (url, location) => {
    const seen: [string, Headers][] = [];
    const error = await failureOf(connect({ url, headers, fetch: redirecting(seen, location) }));
    expect(error).toMatchObject({ code: 'HTTP_STATUS', status: 308 });
    expect(error.message).not.toContain('pass');
    expect(seen.map(([asked]) => asked)).toEqual([url]);
  });
});

describe('a stdio server', () => {
  test('that floods stderr and dies is reported with the end of it, from a whole line on', async () => {
    const error = (await failureOf(connect(stdioServer('floods stderr and dies')))) as unknown as ConnectionError; // as its code says
    expect(error.code).toBe('SERVER_EXITED');
    expect(error.stderr).toMatch(/^…\ncomplaint\n/);
    expect(error.stderr).toMatch(/the last word$/);
    expect(error.stderr?.length).toBeLessThanOrEqual(4098);
  });

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

  test('that wants its state back for ever is asked ten times', async () => {
    await using session = await connect(stdioServer('knows only discovery'));
    expect(await failureOf(session.callTool(toolNamed('odd'), { ask: 'state for ever' }))).toMatchObject({
      code: 'INPUT_REQUIRED',
      wanted: [],
    });
    expect(textOf(await session.callTool(toolNamed('odd'), { ask: 'state' }))).toBe('');
  });
});
