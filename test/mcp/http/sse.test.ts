import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { ConnectOptions } from '../../../src/mcp/index.js';
import type { Exchange, HttpServer } from '../../../test-support/servers/http.js';
import { until } from '../../../test-support/waiting.js';
import { failureOf, toolNamed } from '../calling.js';
import { closeAfterEach, connected, echo, given as serving } from '../serving.js';

closeAfterEach();

interface Scene {
  onCall?: (answer: (result: object) => void, stream: ServerResponse) => void;
  /** Answers a POST; by default it is accepted. */
  onPost?: (exchange: Exchange) => void;
  /** The bytes on the stream before the address for messages. */
  greeting?: string;
  /** True if the server resets a GET on a socket on which it rejected a request. */
  resets?: boolean;
  /** The path of the stream. */
  at?: string;
}

/** A server of 2024-11-05: answers arrive on the stream that a GET has opened, and POSTs get a status only. */
function given({ onCall = (answer) => answer(hello), onPost, greeting, resets, at = '/mcp' }: Scene = {}) {
  let stream: ServerResponse;
  const refused = new WeakSet<object>();
  const send = (event: string, data: string) => stream.write(`event: ${event}\ndata: ${data}\n\n`);
  return serving((exchange) => {
    const { verb, path, message, response } = exchange;
    if (resets && verb === 'GET' && refused.has(response.socket!)) {
      response.destroy();
      return;
    }
    if (verb === 'GET' && path === at) {
      stream = response;
      response.writeHead(200, eventStream).write(greeting ?? ': hello\n\n');
      return send('endpoint', '/messages');
    }
    if (path !== '/messages') {
      refused.add(response.socket!);
      exchange.status(405);
      return;
    }
    onPost?.(exchange);
    if (response.writableEnded) return;
    exchange.status(202);
    const answer = (result: object) => send('message', JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
    if (message.method === 'initialize')
      answer({ protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } });
    if (message.method === 'tools/call') onCall(answer, stream);
  });
}

const hello = { content: [{ type: 'text', text: 'hello' }] };
const eventStream = { 'content-type': 'text/event-stream' };

const bySse = (server: HttpServer, options?: ConnectOptions) => connected(server, options, { transport: 'sse' });

describe('a server of 2024-11-05 over SSE', () => {
  test.each([
    ['by choice', {}, { transport: 'sse' as const }],
    ['by fallback', {}, {}],
    ['by fallback, though it closes the socket of what it refused', { resets: true }, {}],
    ['by fallback, beside an address that ends in /mcp', { at: '/sse' }, {}],
  ])('A server over SSE is reached %s', async (_, scene, transport) => {
    const session = await connected(await given(scene), {}, transport);
    expect(session).toMatchObject({ transport: 'sse', protocolVersion: '2024-11-05' });
    expect(await echo(session)).toBe('hello');
  });

  test('A server over SSE whose stream breaks off ends the session, and the call in flight at once', async () => {
    const server = await given({ onCall: (_, stream) => stream.destroy() });
    const session = await bySse(server);
    expect(await failureOf(echo(session))).toMatchObject({
      code: 'CONNECTION_LOST',
      message: expect.stringContaining('has ended'),
      outcomeUnknown: true,
    });
    expect(session.ended).toBe(true);
    // It must not be sent any more.
    const failure = await failureOf(echo(session));
    expect(failure).toMatchObject({ code: 'CONNECTION_LOST', outcomeUnknown: false });
  });

  const names =
    (address: string) =>
    ({ response }: Exchange) =>
      response.end(`event: endpoint\ndata: ${address}\n\n`);
  const foreign =
    'The server gives an address for messages on another origin, http://example.com; nothing is sent there.';
  const unnamed = "The server's event stream has ended without naming an address for messages.";
  test.each<[string, (exchange: Exchange) => unknown, string, idleTimeoutMs?: number]>([
    ['names an endpoint of another origin', names('http://u:p@example.com/messages?a=b'), foreign],
    ['names an endpoint that is none', names('http://'), 'The server gives no valid address for messages.'],
    ['ends without an endpoint', ({ response }) => response.end(': bye\n\n'), unnamed],
    ['never names an endpoint', ({ response }) => response.flushHeaders(), 'within 300 ms', 300],
    ['answers with anything but an event stream', ({ json }) => json({}), 'event stream'],
    ['sends too long an event', names('/'.repeat(3000)), 'more than 2000 bytes'],
    ['answers with another status', ({ status }) => status(202, 'Later.'), 'HTTP 202: Later.'],
  ])('A server that %s does not count as one over SSE', async (_, answer, words, idleTimeoutMs) => {
    const server = await serving((exchange) => {
      exchange.response.setHeader('content-type', 'text/event-stream');
      return answer(exchange);
    });
    const { message, hint } = await failureOf(bySse(server, { idleTimeoutMs, maxMessageBytes: 2000 }));
    expect(message).toContain(words);
    if (words.endsWith('.')) expect(hint).toContain('the URL');
  });

  test('A server over SSE that answers with an endless text of another type is given up', async () => {
    let isLeft = false;
    const server = await serving(({ response }) => {
      response.on('close', () => (isLeft = true)).writeHead(200, { 'content-type': 'text/plain' });
      response.write('Welcome!');
    });
    expect((await failureOf(bySse(server))).message).toContain('event stream');
    await until(() => isLeft);
  });

  test.each([
    [500, 'HTTP_STATUS', 'HTTP 500: boom'],
    [404, 'HTTP_STATUS', 'HTTP 404: boom'],
    [401, 'AUTHORIZATION_REQUIRED', 'HTTP 401'],
  ])(
    'A server over SSE that rejects a call with %i gives an error that says so, and stays usable',
    async (status, code, words) => {
      let calls = 0;
      const onPost = ({ message, status: refuse }: Exchange) => {
        if (message.method === 'tools/call' && calls++ === 0) refuse(status, 'boom');
      };
      const session = await bySse(await given({ onPost }));
      expect(await failureOf(echo(session))).toMatchObject({ code, status, message: expect.stringContaining(words) });
      expect(await echo(session)).toBe('hello');
    },
  );

  test('Every request but the handshake tells a server over SSE the agreed revision, and has what the address and the call give', async () => {
    const server = await given();
    const session = await connected(server, {}, { transport: 'sse', headers: { 'X-Key': 'k', Accept: 'a/b' } });
    await session.callTool(toolNamed('echo'), {}, { headers: { 'X-Key': 'of the call', 'X-Own': 'o' } });
    const requests = server.seen.map(({ verb, path, headers, message: { method } }) => {
      const own = Object.entries(headers).filter(([name]) => !/^(host|connection|content-length)$/.test(name));
      return [verb, path, method, Object.fromEntries(own)];
    });
    const all = { 'x-key': 'k', 'accept-encoding': 'gzip' };
    const post = { ...all, accept: 'a/b', 'content-type': 'application/json' };
    const agreed = { ...post, 'mcp-protocol-version': '2024-11-05' };
    expect(requests).toEqual([
      ['GET', '/mcp', '', { ...all, accept: 'text/event-stream' }],
      ['POST', '/messages', 'initialize', post],
      ['POST', '/messages', 'notifications/initialized', agreed],
      ['POST', '/messages', 'tools/call', { ...agreed, 'x-key': 'of the call', 'x-own': 'o' }],
    ]);
    expect(server.seen[1]?.message.params).toMatchObject({ protocolVersion: '2025-11-25' });
  });

  test('A server over SSE that sends too long a message ends the session, which says so', async () => {
    const onCall = (answer: (result: object) => void) =>
      answer({ content: [{ type: 'text', text: 'x'.repeat(3000) }] });
    const session = await bySse(await given({ onCall }), { maxMessageBytes: 2000 });
    expect(await failureOf(echo(session))).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(session.ended).toBe(true);
  });

  test('A server over SSE may answer a call in the body of a failed response', async () => {
    const refusal = { jsonrpc: '2.0', error: { code: -32000, message: 'not today' } };
    const onPost = ({ message: { id, method }, status }: Exchange) => {
      const batch = ['another', id].map((each) => ({ ...refusal, id: each }));
      if (method === 'tools/call') status(422, JSON.stringify(batch));
    };
    const session = await bySse(await given({ onPost }));
    const error = await failureOf(echo(session));
    expect(error).toMatchObject({ code: 'SERVER_ERROR', message: expect.stringContaining('not today') as string });
  });

  test('The error for a rejected notification is not taken for an answer over SSE', async () => {
    const refusal = { jsonrpc: '2.0', id: 'undefined', error: { code: 1, message: 'no' } };
    const onPost = ({ message, status }: Exchange) => {
      if (message.method === 'notifications/initialized') status(501, JSON.stringify(refusal));
    };
    expect(await failureOf(bySse(await given({ onPost })))).toMatchObject({ status: 501 });
  });

  test('A server over SSE may send events before the address, which it names once', async () => {
    const methods: string[] = [];
    const server = await given({
      onCall: (answer, stream) => {
        stream.write('event: endpoint\ndata: http://example.com/elsewhere\n\n');
        answer(hello);
      },
      greeting: 'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/message"}\n\n',
    });
    const session = await bySse(server, { onNotification: (method) => methods.push(method) });
    expect(methods).toEqual(['notifications/message']);
    expect(await echo(session)).toBe('hello');
    expect(await echo(session)).toBe('hello');
  });

  test('Only message events of a server over SSE are read as answers', async () => {
    const server: HttpServer = await given({
      onCall: (answer, stream) => {
        const { message } = server.seen.at(-1)!;
        const wrong = { jsonrpc: '2.0', id: message.id, result: { content: [{ type: 'text', text: 'wrong' }] } };
        stream.write(`event: trace\ndata: ${JSON.stringify(wrong)}\n\n`);
        answer(hello);
      },
    });
    const session = await bySse(server);
    expect(await echo(session)).toBe('hello');
  });
});
