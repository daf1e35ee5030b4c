import { createServer } from 'node:net';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, test, vi } from 'vitest';
import { connect, type ClientTransport, type McpError, type Session } from '../../src/mcp/index.js';
import type { Exchange } from '../../test-support/servers/http.js';
import { settled, until } from '../../test-support/waiting.js';
import { openSession } from '../../src/mcp/session/connect.js';
import { failureOf, textOf, toolNamed } from './calling.js';
import { given, begun, closeAfterEach, closeLater, connected, echo, forgetful, listening } from './serving.js';

closeAfterEach();

describe('A subscription', () => {
  test('Subscriptions that have not ended are made again in a new session, once the host has done what comes before', async () => {
    const taken = ({ result }: Exchange) => result({});
    const { server, forget } = await forgetful({ 'resources/subscribe': taken, 'resources/unsubscribe': taken });
    let finish = () => {};
    const onForgotten = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
    const opening = new AbortController();
    const { session } = await openSession({ url: server.url }, { signal: opening.signal }, { onForgotten });
    closeLater(session);
    opening.abort();
    for (const uri of ['a:1', 'a:2', 'a:3', 'a:3']) await session.subscribe(uri);
    await session.unsubscribe('a:1');
    forget();
    await echo(session);
    const asked = () =>
      server.seen
        .filter(({ message: { method } }) => /subscribe/.test(method))
        .map(({ message: { method, params }, headers }) => [method, params!['uri'], headers['mcp-session-id']]);
    const before = ['a:1', 'a:2', 'a:3'].map((uri) => ['resources/subscribe', uri, 's1']);
    before.push(['resources/unsubscribe', 'a:1', 's1']);
    await settled();
    expect([asked(), onForgotten.mock.calls.length]).toEqual([before, 1]);
    finish();
    await until(() => asked().length > before.length + 1);
    expect(asked()).toEqual([...before, ...['a:2', 'a:3'].map((uri) => ['resources/subscribe', uri, 's3'])]);
  });

  test('A subscription at a server of 2026-07-28 ends with its request, unless the server has agreed to it', async () => {
    const open = new Map<Exchange, string>();
    const opened = (uri: string) => [...open.values()].includes(uri);
    let agreed = 'a:agreed';
    const server = await given({
      'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { resources: { subscribe: true } } },
      'subscriptions/listen': (exchange) => {
        const send = exchange.stream();
        const [uri] = (exchange.message.params as { notifications: { resourceSubscriptions: [string] } }).notifications
          .resourceSubscriptions;
        open.set(exchange, uri);
        exchange.response.once('close', () => open.delete(exchange));
        if (uri === agreed) send({ method: 'notifications/subscriptions/acknowledged', params: {} });
      },
    });
    const session = await connected(server, { revisions: 'stateless-first' });
    session.onListChanged(() => {}); // nothing is announced
    const caller = new AbortController();
    await session.subscribe('a:agreed', { signal: caller.signal });
    const givenUp = failureOf(session.subscribe('a:b', { signal: caller.signal }));
    await until(() => opened('a:b'));
    caller.abort();
    expect(await givenUp).toMatchObject({ code: 'CANCELLED' });
    const ended = failureOf(session.subscribe('a:d'));
    await until(() => opened('a:d'));
    agreed = 'a:d';
    await Promise.all([session.unsubscribe('a:d'), session.subscribe('a:d')]);
    expect(await ended).toMatchObject({ code: 'CANCELLED' });
    await session.unsubscribe('a:d');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const late = failureOf(session.subscribe('a:c', { idleTimeoutMs: 20_000 }));
    await until(() => opened('a:c'));
    await vi.advanceTimersByTimeAsync(20_000);
    const message = `${server.url} did not answer subscriptions/listen within 20000 ms.`;
    expect(await late).toMatchObject({ code: 'TIMEOUT', idleTimeoutMs: 20_000, message });
    await until(() => open.size === 1);
    expect([[...open.values()], server.methods().length]).toEqual([['a:agreed'], 6]);
  });

  describe('with a server of 2026-07-28, built with its SDK', () => {
    const announced = { listChanged: true };
    const capabilities = { tools: announced, prompts: announced, resources: { subscribe: true, ...announced } };

    /** A session with the server, and the events that the session reports. */
    async function stateless() {
      const made = () => {
        const server = new McpServer({ name: 'latest', version: '1' }, { capabilities });
        server.server.setRequestHandler('resources/list', () => ({ resources: [] }));
        server.server.setRequestHandler('tools/list', () => ({ tools: [] }));
        return server;
      };
      const handler = createMcpHandler(made, { legacy: 'reject' });
      const open = new Set<string>();
      const fetch: typeof globalThis.fetch = async (input, init) => {
        const { method, params } = JSON.parse(init!.body as string) as Exchange['message'];
        const key = JSON.stringify(params!['notifications']);
        const response = await handler.fetch(new Request(input, init));
        if (method === 'subscriptions/listen') open.add(key);
        init!.signal!.addEventListener('abort', () => open.delete(key));
        return response;
      };
      const session = await connect({ url: 'http://localhost/mcp', fetch });
      closeLater(session);
      expect(session.protocolVersion).toBe('2026-07-28');
      return { handler, session, open };
    }

    test('A subscription at a server of 2026-07-28 gets updates until it is ended', async () => {
      const { handler, session, open } = await stateless();
      const updates: unknown[] = [];
      session.onNotification((method, { uri }) => {
        if (method === 'notifications/resources/updated') updates.push(uri);
      });
      const asking = new AbortController();
      await session.subscribe('a:b', { signal: asking.signal });
      asking.abort(); // the request is over, the subscription is not
      handler.notify.resourceUpdated('a:b');
      handler.notify.resourceUpdated('c:d');
      await until(() => updates.length === 1);
      await session.unsubscribe('a:b');
      await until(() => open.size === 0);
      expect(updates).toEqual(['a:b']);
    });

    test('A subscription of lists tells which one has changed', async () => {
      const { handler, session, open } = await stateless();
      const lists: string[] = [];
      const stop = session.onListChanged((list) => lists.push(list));
      await until(() => open.size === 1);
      handler.notify.toolsChanged();
      handler.notify.promptsChanged();
      handler.notify.resourcesChanged();
      await until(() => lists.length === 3);
      expect(lists.sort()).toEqual(['prompts', 'resources', 'tools']);
      stop();
      await until(() => open.size === 0);
    });
  });

  test('A subscription of lists gets the notifications of a server with a handshake until it ends', async () => {
    let send: ReturnType<Exchange['stream']> | undefined;
    const session = await connected(await given({ GET: ({ stream }) => (send = stream()) }));
    const [first, second] = [vi.fn(), vi.fn()];
    const stop = session.onListChanged(first);
    session.onListChanged(second);
    await until(() => send !== undefined);
    for (const list of ['prompts', 'others', 'tools', 'resources']) {
      send!({ method: `notifications/${list}/list_changed` });
      if (list === 'prompts') await until(() => second.mock.calls.length === 1);
      if (list === 'prompts') stop();
    }
    await until(() => second.mock.calls.length === 3);
    expect([first.mock.calls, second.mock.calls]).toEqual([[['prompts']], [['prompts'], ['tools'], ['resources']]]);
  });
});

test.each<[who: string, close: (session: Session, theirs: InMemoryTransport) => Promise<void>, reason: unknown]>([
  ['the server', (_session, theirs) => theirs.close(), expect.objectContaining({ code: 'CONNECTION_LOST' })],
  ['the program', (session) => session.close(), undefined],
])('The end of a session by %s is reported with its reason, or none', async (_who, close, reason) => {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await new Server({ name: 'memory', version: '1' }, { capabilities: { tools: {} } }).connect(theirs);
  const session = await connect(ours);
  const ends = vi.fn<(reason: McpError | undefined) => void>();
  session.onEnd(() => {
    throw new Error('a fault of the host');
  });
  session.onEnd(ends);
  session.onEnd(() => expect.fail('taken back'))();
  await close(session, theirs);
  expect(ends.mock.calls).toEqual([[reason]]);
  expect(session.ended).toBe(true);
});

describe('a transport of the program', () => {
  /** A server of the SDK in this process. */
  const inMemory = async () => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const server = new Server({ name: 'memory', version: '1' }, { capabilities: { tools: {} } });
    const tools = [{ name: 'echo', inputSchema: { type: 'object' as const } }];
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
    const said = (args: unknown) => [{ type: 'text', text: JSON.stringify(args) }];
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({ content: said(params.arguments) }));
    await server.connect(theirs);
    return ours;
  };

  test('A program may pass a transport of the SDK', async () => {
    await using session = await connect(await inMemory());
    expect(session).toMatchObject({ transport: 'custom', serverInfo: { name: 'memory' } });
    expect(session.address).toBeUndefined();
    const { tools } = await session.listTools();
    expect(textOf(await session.callTool(tools[0]!, { a: 1 }))).toBe('{"a":1}');
  });

  test("A program's transport that delivers text keeps it to the character", async () => {
    const sent: string[] = [];
    const transport: ClientTransport = {
      start: () => Promise.resolve(),
      close: () => Promise.resolve(),
      send(message: { id?: number; method: string }, about) {
        sent.push(about!.text);
        const results: Record<string, string> = {
          initialize: '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{}}',
          'tools/list': '{"tools":[{"name":"n","inputSchema":{"type":"object","maximum":1152921504606846977}}]}',
          'tools/call': '{"content":[]}',
        };
        const answer = `{"jsonrpc":"2.0","id":${message.id},"result":${results[message.method]}}`;
        if (message.id !== undefined) queueMicrotask(() => this.onmessage?.(answer as never));
        return Promise.resolve();
      },
    };
    await using session = await connect(transport);
    const { tools } = await session.listTools();
    expect(tools[0]?.text?.inputSchema).toContain('1152921504606846977');
    await session.callTool(tools[0]!, { n: 2 ** 60 }, { argumentsText: '{"n": 1152921504606846976}' });
    expect(sent.at(-1)).toContain('"arguments":{"n": 1152921504606846976}');
  });
});

test.each<[string, (exchange: Exchange) => unknown]>([
  ['HTTP 202 whose body is left open', ({ response }) => response.writeHead(202).flushHeaders()],
  ['HTTP 204', ({ status }) => status(204)],
  ['an empty body', ({ status }) => status(200, '', { 'content-type': 'application/json' })],
])('An answer may come on the other stream after %s', async (_, respond) => {
  let send: ((message: object) => void) | undefined;
  const server = await given({
    GET: ({ stream }) => (send = stream()),
    'tools/call': async (exchange) => {
      respond(exchange);
      await until(() => send !== undefined);
      send?.({ id: exchange.message.id, result: { content: [{ type: 'text', text: 'elsewhere' }] } });
    },
  });
  expect(await echo(await connected(server, { idleTimeoutMs: 600_000 }))).toBe('elsewhere');
});

test('The error of a call that was never written says so', async () => {
  // A connection beyond the backlog waits; here a provider's token stands for that wait.
  let tokens = 0;
  const authProvider = { token: () => (++tokens > 2 ? new Promise<string>(() => {}) : Promise.resolve('t')) };
  const server = await given({});
  const session = await connected(server, {}, { authProvider });
  const error = await failureOf(session.callTool(toolNamed('echo'), {}, { idleTimeoutMs: 50 }));
  expect(error).toMatchObject({ code: 'TIMEOUT', outcomeUnknown: false });
  expect(error.message).toContain('could not be sent');
  expect(server.methods()).not.toContain('tools/call');
  expect(server.methods()).not.toContain('notifications/cancelled');
});

test('A reused connection that the server has closed does not fail the handshake', async () => {
  // A restarted server answers on old connections with a reset.
  let connections = 0;
  const listener = createServer((socket) => {
    let requests = 0;
    const isFirst = ++connections === 1;
    socket.on('error', () => {});
    socket.on('data', (data) => {
      const text = data.toString();
      if (!/"method"/.test(text)) return;
      if (isFirst && ++requests > 2) {
        socket.resetAndDestroy();
        return;
      }
      const { id, method } = JSON.parse(text.slice(text.indexOf('{'))) as { id?: number; method: string };
      const result = method === 'initialize' ? begun : { content: [{ type: 'text', text: 'answered' }] };
      const body = id === undefined ? '' : JSON.stringify({ jsonrpc: '2.0', id, result });
      const head = `HTTP/1.1 ${id === undefined ? 202 : 200} OK\r\ncontent-type: application/json\r\n`;
      socket.write(`${head}content-length: ${body.length}\r\n\r\n${body}`);
    });
  });
  const url = `http://127.0.0.1:${await listening(listener)}/mcp`;
  await (await connect({ url })).close();
  const session = await connect({ url });
  expect(connections).toBeGreaterThan(1);
  expect(await echo(session)).toBe('answered');
  await session.close();
});
