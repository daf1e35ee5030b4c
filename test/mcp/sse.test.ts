import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { connect } from '../../src/mcp/index.js';
import { startHttpServer, type Exchange, type HttpServer } from '../../test-support/servers/http.js';
import { failureOf, textOf, toolNamed } from './calling.js';

const running: { close(): unknown }[] = [];
afterEach(async () => {
  for (const resource of running.splice(0).reverse()) await resource.close();
});

/**
 * A server of 2024-11-05: answers come over the stream that a GET has opened, whatever the POSTs are answered.
 *
 * @param onPost may answer the POST of a call, which is accepted otherwise
 */
async function given(
  onCall: (answer: (result: object) => void, stream: ServerResponse) => void,
  onPost: (exchange: Exchange) => void = () => {},
): Promise<HttpServer> {
  let stream: ServerResponse;
  const send = (event: string, data: string) => stream.write(`event: ${event}\ndata: ${data}\n\n`);
  const server = await startHttpServer((exchange: Exchange) => {
    const { verb, path, message, response } = exchange;
    if (verb === 'GET' && path === '/mcp') {
      stream = response;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return send('endpoint', '/messages');
    }
    if (path !== '/messages') {
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
    ['by choice', { transport: 'sse' as const }],
    ['by fallback', {}],
  ])('is reached %s', async (_, transport) => {
    const server = await given((answer) => answer(echo));
    await using session = await connect({ ...transport, url: server.url });
    expect(session).toMatchObject({ transport: 'sse', protocolVersion: '2024-11-05' });
    expect(textOf(await session.callTool(toolNamed('echo'), {}))).toBe('hello');
  });

  test('whose stream breaks off ends the session, and the call in flight at once', async () => {
    const server = await given((_, stream) => stream.destroy());
    await using session = await connect({ url: server.url, transport: 'sse' });
    expect(await failureOf(session.callTool(toolNamed('echo'), {}))).toMatchObject({
      code: 'CONNECTION_LOST',
      message: expect.stringContaining('broken off'),
    });
    expect(session.ended).toBe(true);
    expect(await failureOf(session.callTool(toolNamed('echo'), {}))).toMatchObject({ code: 'CONNECTION_LOST' });
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
    expect(await failureOf(connect({ url: server.url, transport: 'sse' }, { timeoutMs: 300 }))).toMatchObject({
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

  test.each([
    [404, 'HTTP_STATUS'],
    [401, 'AUTHORIZATION_REQUIRED'],
    [403, 'FORBIDDEN'],
  ])('that answers %i gives an error that says so', async (status, code) => {
    const server = await startHttpServer((exchange) => exchange.status(status));
    running.push(server);
    expect(await failureOf(connect({ url: server.url, transport: 'sse' }))).toMatchObject({ code, status });
  });
});
