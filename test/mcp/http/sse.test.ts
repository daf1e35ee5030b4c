import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { connect } from '../../../src/mcp/index.js';
import { startHttpServer, type Exchange, type HttpServer } from '../../../test-support/servers/http.js';
import { failureOf, textOf, toolNamed } from '../calling.js';

const running: { close(): unknown }[] = [];
afterEach(async () => {
  for (const resource of running.splice(0).reverse()) await resource.close();
});

/**
 * A server of 2024-11-05: answers come over the stream that a GET has opened, whatever the POSTs are answered.
 *
 * @param onPost may answer the POST of a call, which is accepted otherwise
 * @param greeting what comes over the stream before the address for messages
 * @param resets whether a GET on the socket of what it refused is not answered
 */
async function given(
  onCall: (answer: (result: object) => void, stream: ServerResponse) => void,
  onPost: (exchange: Exchange) => void = () => {},
  greeting = '',
  resets = false,
): Promise<HttpServer> {
  let stream: ServerResponse;
  const refused = new WeakSet<object>();
  const send = (event: string, data: string) => stream.write(`event: ${event}\ndata: ${data}\n\n`);
  const server = await startHttpServer((exchange: Exchange) => {
    const { verb, path, message, response } = exchange;
    if (resets && verb === 'GET' && refused.has(response.socket!)) {
      response.destroy();
      return;
    }
    if (verb === 'GET' && path === '/mcp') {
      stream = response;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(greeting || ': hello\n\n');
      return send('endpoint', '/messages');
    }
    if (path !== '/messages') {
      refused.add(response.socket!);
      exchange.status(405);
      return;
    }
    if (message.method === 'tools/call') onPost(exchange);
    if (response.writableEnded) return;
    exchange.status(202);
    const answer = (result: object) => send('message', JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
    if (message.method === 'initialize')
      answer({ protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } });
    if (message.method === 'tools/call') onCall(answer, stream);
  });
  running.push(server);
  return server;
}

const echo = { content: [{ type: 'text', text: 'hello' }] };

describe('a server of 2024-11-05 over SSE', () => {
  test.each([
    ['by choice', { transport: 'sse' as const }, false],
    ['by fallback', {}, false],
    ['by fallback, though it closes the socket of what it refused', {}, true],
  ])('is reached %s', async (_, transport, resets) => {
    const server = await given((answer) => answer(echo), undefined, '', resets);
    await using session = await connect({ ...transport, url: server.url });
    expect(session).toMatchObject({ transport: 'sse', protocolVersion: '2024-11-05' });
    expect(textOf(await session.callTool(toolNamed('echo'), {}))).toBe('hello');
  });

  test('whose stream breaks off ends the session, and the call in flight at once', async () => {
    const server = await given((_, stream) => stream.destroy());
    await using session = await connect({ url: server.url, transport: 'sse' });
    expect(await failureOf(session.callTool(toolNamed('echo'), {}))).toMatchObject({
      code: 'CONNECTION_LOST',
      message: expect.stringContaining('has ended'),
      outcomeUnknown: true,
    });
    expect(session.ended).toBe(true);
    // Not sent any more.
    expect(await failureOf(session.callTool(toolNamed('echo'), {}))).toMatchObject({
      code: 'CONNECTION_LOST',
      outcomeUnknown: false,
    });
  });

  test('that names an endpoint of another origin is refused', async () => {
    const server = await startHttpServer(({ response }) => {
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write('event: endpoint\ndata: http://example.com/messages\n\n');
    });
    running.push(server);
    const error = await failureOf(
      connect({ url: server.url, transport: 'sse', headers: { Authorization: 'Bearer abcdefgh' } }),
    );
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED', message: expect.stringContaining('origin') });
  });

  test('that never names an endpoint is given up after the time limit', async () => {
    const server = await startHttpServer(({ response }) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders(),
    );
    running.push(server);
    expect(await failureOf(connect({ url: server.url, transport: 'sse' }, { idleTimeoutMs: 300 }))).toMatchObject({
      code: 'TIMEOUT',
    });
  });

  test.each([
    [500, 'HTTP_STATUS', 'HTTP 500: boom'],
    [404, 'HTTP_STATUS', 'HTTP 404: boom'],
    [401, 'AUTHORIZATION_REQUIRED', 'HTTP 401'],
  ])('that refuses a call with %i gives an error that says so, and goes on', async (status, code, words) => {
    let calls = 0;
    const server = await given(
      (answer) => answer(echo),
      ({ status: refuse }) => (calls++ === 0 ? refuse(status, 'boom') : undefined),
    );
    await using session = await connect({ url: server.url, transport: 'sse' });
    expect(await failureOf(session.callTool(toolNamed('echo'), {}))).toMatchObject({
      code,
      status,
      message: expect.stringContaining(words),
    });
    expect(textOf(await session.callTool(toolNamed('echo'), {}))).toBe('hello');
  });

  test('is told the agreed revision, but for the request that agrees upon it', async () => {
    const server = await given((answer) => answer(echo));
    await using session = await connect({ url: server.url, transport: 'sse' });
    await session.callTool(toolNamed('echo'), {});
    const told = server.seen
      .filter(({ verb }) => verb === 'POST')
      .map(({ message, headers }) => [message.method, headers['mcp-protocol-version']]);
    expect(told).toEqual([
      ['initialize', undefined],
      ['notifications/initialized', '2024-11-05'],
      ['tools/call', '2024-11-05'],
    ]);
    expect(server.seen.find(({ message }) => message.method === 'initialize')?.body['params']).toMatchObject({
      protocolVersion: '2025-11-25',
    });
  });

  test('that answers with anything but an event stream is none', async () => {
    const server = await startHttpServer((exchange) => exchange.json({}));
    running.push(server);
    expect(await failureOf(connect({ url: server.url, transport: 'sse' }))).toMatchObject({
      message: expect.stringContaining('event stream') as string,
    });
  });

  test('may answer a call in the body of a refusal', async () => {
    const refusal = { jsonrpc: '2.0', error: { code: -32000, message: 'not today' } };
    const server = await given(
      (answer) => answer(echo),
      ({ message: { id }, status }) =>
        status(
          422,
          JSON.stringify([
            { ...refusal, id: 'another' },
            { ...refusal, id },
          ]),
        ),
    );
    await using session = await connect({ url: server.url, transport: 'sse' });
    const error = await failureOf(session.callTool(toolNamed('echo'), {}));
    expect(error).toMatchObject({ code: 'SERVER_ERROR', message: expect.stringContaining('not today') as string });
  });

  test('does not answer a notification by what it refuses it with', async () => {
    const server = await given((answer) => answer(echo));
    const { seen } = server;
    const push = seen.push.bind(seen);
    seen.push = (exchange) => {
      if (exchange.message.method === 'notifications/initialized')
        exchange.status(501, JSON.stringify({ jsonrpc: '2.0', id: 'undefined', error: { code: 1, message: 'no' } }));
      return push(exchange);
    };
    expect(await failureOf(connect({ url: server.url, transport: 'sse' }))).toMatchObject({ status: 501 });
  });

  test('may say something before it names the address, which is named once', async () => {
    const methods: string[] = [];
    const server = await given(
      (answer, stream) => {
        stream.write('event: endpoint\ndata: http://example.com/elsewhere\n\n');
        answer(echo);
      },
      undefined,
      'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/message"}\n\n',
    );
    await using session = await connect(
      { url: server.url, transport: 'sse' },
      { onNotification: (method) => methods.push(method) },
    );
    expect(methods).toEqual(['notifications/message']);
    expect(textOf(await session.callTool(toolNamed('echo'), {}))).toBe('hello');
    expect(textOf(await session.callTool(toolNamed('echo'), {}))).toBe('hello');
  });

  test('answers with events that are messages, and with no others', async () => {
    const server = await given((answer, stream) => {
      const { message } = server.seen.at(-1)!;
      const wrong = { jsonrpc: '2.0', id: message.id, result: { content: [{ type: 'text', text: 'wrong' }] } };
      stream.write(`event: trace\ndata: ${JSON.stringify(wrong)}\n\n`);
      answer(echo);
    });
    await using session = await connect({ url: server.url, transport: 'sse' });
    expect(textOf(await session.callTool(toolNamed('echo'), {}))).toBe('hello');
  });
});
