import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { connect, type ConnectOptions, type HttpAddress, type Session } from '../../src/mcp/index.js';
import { startHttpServer, type Exchange, type HttpServer } from '../servers/http.js';
import { failureOf, textOf, toolNamed } from './calling.js';

const running: { close(): unknown }[] = [];
afterEach(async () => {
  for (const resource of running.splice(0).reverse()) await resource.close();
});

async function given(handle: (exchange: Exchange, server: HttpServer) => unknown): Promise<HttpServer> {
  const server = await startHttpServer(handle);
  running.push(server);
  return server;
}

async function connected(server: HttpServer, options?: ConnectOptions, address: Partial<HttpAddress> = {}): Promise<Session> {
  const session = await connect({ url: server.url, ...address }, options);
  running.push(session);
  return session;
}

const echo = (session: Session, args = { a: 1 }) => session.callTool(toolNamed('echo'), args).then(textOf);

/** A server whose sessions can be made to end. */
function withSessions(refuse: (exchange: Exchange) => void) {
  let count = 0;
  const known = new Set<string>();
  return {
    forget: () => known.clear(),
    handle: (exchange: Exchange) => {
      const id = exchange.headers['mcp-session-id'] as string | undefined;
      if (exchange.message.method === 'initialize') {
        const fresh = `session-${++count}`;
        known.add(fresh);
        return exchange.result({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }, { 'mcp-session-id': fresh });
      }
      if (id === undefined || !known.has(id)) return refuse(exchange);
      if (exchange.verb === 'DELETE') known.delete(id);
      exchange.plain();
    },
  };
}

describe('an HTTP session', () => {
  it('takes one round trip to open, and one for each request', async () => {
    const server = await given(({ plain }) => plain());
    const session = await connected(server);
    await session.listTools();
    await session.listTools();
    expect(await echo(session)).toBe('{"a":1}');
    expect(server.methods()).toEqual(['initialize', 'notifications/initialized', 'tools/list', 'tools/call']);
    expect(session).toMatchObject({ transport: 'http', protocolVersion: '2025-11-25' });
  });

  it('is ended at the server when it is closed', async () => {
    const { handle } = withSessions(({ status }) => status(404));
    const server = await given(handle);
    const session = await connected(server);
    await session.close();
    const last = server.seen.filter(({ verb }) => verb === 'DELETE');
    expect(last.map(({ headers }) => headers['mcp-session-id'])).toEqual(['session-1']);
  });

  it.each<[string, (exchange: Exchange) => void]>([
    ['404', ({ status }) => status(404, '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}')],
    ['400', ({ status }) => status(400, '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":null}')],
  ])('that the server has forgotten (%s) is opened anew, once for all who notice', async (_, refuse) => {
    const { handle, forget } = withSessions(refuse);
    const server = await given(handle);
    const session = await connected(server);
    forget();
    expect(await Promise.all([echo(session), echo(session), echo(session)])).toEqual(['{"a":1}', '{"a":1}', '{"a":1}']);
    expect(server.methods().filter((method) => method === 'initialize')).toHaveLength(2);
    expect(server.methods().filter((method) => method === 'tools/call')).toHaveLength(6);
  });

  it('that the server always forgets ends in an error', async () => {
    let count = 0;
    const server = await given((exchange) => {
      if (exchange.message.method === 'tools/call') return exchange.status(404, 'no such session');
      if (exchange.message.method !== 'initialize') return exchange.plain();
      exchange.result({ protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } }, { 'mcp-session-id': String(++count) });
    });
    const session = await connected(server);
    expect(await failureOf(echo(session))).toMatchObject({ status: 404 });
    expect(count).toBe(2);
  });

  it('is closed even if the server does not want to end it', async () => {
    const { handle } = withSessions(({ status }) => status(404));
    const server = await given((exchange) => (exchange.verb === 'DELETE' ? undefined : handle(exchange)));
    const session = await connected(server);
    await session.close();
    expect(session.ended).toBe(true);
  });

  it('that is opened anew for one who gives up is there for the others', async () => {
    const { handle, forget } = withSessions(({ status }) => status(404));
    const server = await given(handle);
    const session = await connected(server);
    forget();
    const cancel = new AbortController();
    const first = failureOf(session.callTool(toolNamed('echo'), {}, { signal: cancel.signal }));
    const second = echo(session);
    await vi.waitUntil(() => server.methods().filter((method) => method === 'initialize').length === 2);
    cancel.abort();
    expect(await first).toMatchObject({ code: 'CANCELLED' });
    expect(await second).toBe('{"a":1}');
  });

  it('sends a call once, even if the answer is lost', async () => {
    const server = await given((exchange) => (exchange.message.method === 'tools/call' ? exchange.response.destroy() : exchange.plain()));
    const session = await connected(server);
    expect(await failureOf(echo(session))).toMatchObject({ code: 'CONNECTION_FAILED', message: expect.stringContaining('closed the connection') });
    expect(server.methods().filter((method) => method === 'tools/call')).toHaveLength(1);
  });
});

describe('credentials', () => {
  const needsToken = (valid: () => string) => (exchange: Exchange) =>
    exchange.headers.authorization === `Bearer ${valid()}` ? exchange.plain() : exchange.status(401, '', { 'www-authenticate': 'Bearer' });

  it('are sent as headers with every request', async () => {
    const server = await given(({ plain }) => plain());
    const session = await connected(server, {}, { headers: { Authorization: 'Basic abc', 'X-Tenant': 'one' } });
    await session.listTools();
    for (const { headers } of server.seen) expect(headers).toMatchObject({ authorization: 'Basic abc', 'x-tenant': 'one' });
  });

  it('that are missing give an error that says so, and shows none', async () => {
    const server = await given(needsToken(() => 'right-token'));
    const error = await failureOf(connect({ url: server.url, headers: { Authorization: 'Bearer wrong-token-value' } }));
    expect(error).toMatchObject({ code: 'AUTHORIZATION_REQUIRED', status: 401, hint: expect.any(String) });
    expect(server.methods()).toEqual(['initialize']);
  });

  it('that do not suffice give another error', async () => {
    const server = await given(({ status }) => status(403, 'nope'));
    expect(await failureOf(connect({ url: server.url }))).toMatchObject({ code: 'FORBIDDEN', status: 403 });
  });

  it('are renewed once when the server refuses them in the middle', async () => {
    let valid = 'first';
    let current = 'first';
    const server = await given(needsToken(() => valid));
    const renew = vi.fn(async () => {
      current = valid;
    });
    const session = await connected(server, {}, { authProvider: { token: async () => current, onUnauthorized: renew } });
    valid = 'second';
    expect(await echo(session)).toBe('{"a":1}');
    expect(renew).toHaveBeenCalledTimes(1);
  });

  it('that stay wrong after renewal give an error', async () => {
    const server = await given(needsToken(() => 'never'));
    const renew = vi.fn(async () => {});
    const error = await failureOf(connect({ url: server.url, authProvider: { token: async () => 'the-current-token', onUnauthorized: renew } }));
    expect(error).toMatchObject({ code: 'AUTHORIZATION_REQUIRED' });
    expect(renew).toHaveBeenCalledTimes(1);
  });

  it('never get into an error, even if the server repeats them', async () => {
    const server = await given((exchange) =>
      exchange.status(500, JSON.stringify({ error: { message: `bad ${exchange.headers.authorization} and ${exchange.headers['x-token'] as string} on ${exchange.path}` } })),
    );
    const url = `${server.url.replace('http://', 'http://user:pass-word-1@')}?api_key=key-in-query`;
    const error = await failureOf(connect({ url, headers: { 'X-Token': 'header-token' } }));
    expect(error).toMatchObject({ code: 'HTTP_STATUS', status: 500, message: expect.stringContaining('***') });
    expect(JSON.stringify(error) + error.message + error.stack).not.toMatch(/header-token|key-in-query|pass-word-1|dXNlcjpwYXNzLXdvcmQtMQ/);
  });

  it('in the URL are sent as a header', async () => {
    const server = await given(({ plain }) => plain());
    await connected(server, {}, { url: server.url.replace('http://', 'http://us%C3%A9r:p%40ss@') });
    expect(server.seen[0]?.headers.authorization).toBe(`Basic ${Buffer.from('usér:p@ss').toString('base64')}`);
    expect(server.seen[0]?.path).toBe('/mcp');
  });
});

describe('a redirect', () => {
  it('within the origin is followed', async () => {
    const server = await given((exchange) => (exchange.path === '/mcp' ? exchange.status(307, '', { location: '/elsewhere' }) : exchange.plain()));
    expect(await echo(await connected(server))).toBe('{"a":1}');
  });

  it('to another origin is refused, and nothing is sent there', async () => {
    const other = await given(({ plain }) => plain());
    const server = await given(({ status }) => status(307, '', { location: `${other.url}?token=secret-of-server` }));
    const error = await failureOf(connect({ url: server.url, headers: { Authorization: 'Bearer abcdefgh' } }));
    expect(error).toMatchObject({ code: 'HTTP_STATUS', status: 307, message: expect.stringContaining(other.url), hint: expect.stringContaining('another origin') });
    expect(error.message).not.toContain('secret-of-server');
    expect(other.seen).toEqual([]);
  });

  it('in a loop ends in an error', async () => {
    const server = await given(({ status }) => status(307, '', { location: '/mcp' }));
    expect(await failureOf(connect({ url: server.url }))).toMatchObject({ code: 'HTTP_STATUS', status: 307 });
    expect(server.seen.length).toBeLessThan(20);
  });
});

describe('a busy server', () => {
  it.each([
    [429, { 'retry-after': '0' }],
    [503, { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }],
  ])('that answers %i to a list is asked again when it says', async (status, headers) => {
    let lists = 0;
    const server = await given((exchange) => (exchange.message.method === 'tools/list' && lists++ < 2 ? exchange.status(status, '', headers) : exchange.plain()));
    expect((await (await connected(server)).listTools()).tools).toHaveLength(1);
    expect(lists).toBe(3);
  });

  it('that wants more patience than there is time for gives an error at once', async () => {
    const server = await given((exchange) => (exchange.message.method === 'tools/list' ? exchange.status(429, '', { 'retry-after': '3600' }) : exchange.plain()));
    const session = await connected(server, { timeoutMs: 5000 });
    expect(await failureOf(session.listTools())).toMatchObject({ status: 429, hint: expect.stringContaining('later') });
  });

  it('is not asked again to carry out a call', async () => {
    const server = await given((exchange) => (exchange.message.method === 'tools/call' ? exchange.status(503, '', { 'retry-after': '0' }) : exchange.plain()));
    const session = await connected(server);
    expect(await failureOf(echo(session))).toMatchObject({ status: 503 });
    expect(server.methods().filter((method) => method === 'tools/call')).toHaveLength(1);
  });
});

describe('a response', () => {
  const onCall = (answer: (exchange: Exchange) => unknown) => (exchange: Exchange) => (exchange.message.method === 'tools/call' ? answer(exchange) : exchange.plain());

  it('may come as an event stream, with notifications before it', async () => {
    const heard: string[] = [];
    const server = await given(
      onCall(({ stream, message, response }) => {
        const send = stream();
        send({ method: 'notifications/message', params: { level: 'info', data: 'working' } });
        send({ id: message.id, result: { content: [{ type: 'text', text: 'streamed' }] } });
        response.end();
      }),
    );
    const session = await connected(server, { onNotification: (method) => heard.push(method) });
    expect(await echo(session)).toBe('streamed');
    expect(heard).toEqual(['notifications/message']);
  });

  it('stream that is cut off without event ids gives an error at once', async () => {
    const server = await given(
      onCall(({ stream, response }) => {
        stream()({ method: 'notifications/message', params: { data: 1 } });
        setImmediate(() => response.destroy());
      }),
    );
    expect(await failureOf(echo(await connected(server)))).toMatchObject({ code: 'CONNECTION_LOST' });
  });

  it('stream that ends without an answer gives an error at once', async () => {
    const server = await given(onCall(({ stream, response }) => (stream(), response.end())));
    expect(await failureOf(echo(await connected(server)))).toMatchObject({ code: 'CONNECTION_LOST' });
  });

  it('stream that is cut off with event ids is taken up again where it was', async () => {
    let asked: unknown;
    const server = await given((exchange) => {
      if (exchange.verb === 'GET' && exchange.headers['last-event-id']) {
        const send = exchange.stream();
        send({ id: asked, result: { content: [{ type: 'text', text: `after ${exchange.headers['last-event-id'] as string}` }] } });
        return exchange.response.end();
      }
      if (exchange.message.method !== 'tools/call') return exchange.plain();
      asked = exchange.message.id;
      exchange.stream();
      exchange.response.write('id: event-7\nretry: 10\ndata:\n\n');
      setImmediate(() => exchange.response.destroy());
    });
    expect(await echo(await connected(server))).toBe('after event-7');
  });

  it('of more than the bound is cut off', async () => {
    const server = await given(onCall(({ result }) => result({ content: [{ type: 'text', text: 'x'.repeat(200_000) }] })));
    const session = await connected(server, { maxMessageBytes: 100_000 });
    expect(await failureOf(echo(session))).toMatchObject({ code: 'LIMIT_EXCEEDED', message: expect.stringContaining('100000 bytes') });
  });

  it('that only its compression keeps below the bound is cut off', async () => {
    const server = await given(
      onCall(({ response, message }) => {
        const body = JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { content: [{ type: 'text', text: 'x'.repeat(10_000_000) }] } });
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(gzipSync(body));
      }),
    );
    const session = await connected(server, { maxMessageBytes: 100_000 });
    expect(await failureOf(echo(session))).toMatchObject({ code: 'LIMIT_EXCEEDED' });
  });

  it('stream with a message of more than the bound is cut off', async () => {
    const server = await given(
      onCall(({ stream, message, response }) => {
        stream()({ id: message.id, result: { content: [{ type: 'text', text: 'x'.repeat(200_000) }] } });
        response.end();
      }),
    );
    const session = await connected(server, { maxMessageBytes: 100_000 });
    expect(await failureOf(echo(session))).toMatchObject({ code: 'LIMIT_EXCEEDED' });
  });

  it('stream may be longer than the bound, as long as no message is', async () => {
    const server = await given(
      onCall(async ({ stream, message, response }) => {
        const send = stream();
        for (let n = 0; n < 40; n++) {
          send({ method: 'notifications/message', params: { data: 'x'.repeat(10_000) } });
          await new Promise((resolve) => setImmediate(resolve));
        }
        send({ id: message.id, result: { content: [{ type: 'text', text: 'done' }] } });
        response.end();
      }),
    );
    expect(await echo(await connected(server, { maxMessageBytes: 100_000 }))).toBe('done');
  });

  it.each([
    ['JSON', (exchange: Exchange, text: string) => exchange.result({ content: [{ type: 'text', text }] })],
    ['an event stream', ({ stream, message, response }: Exchange, text: string) => {
      stream()({ id: message.id, result: { content: [{ type: 'text', text }] } });
      response.end();
    }],
  ])('may have 50 MB, as %s', async (_, send) => {
    const server = await given(onCall((exchange) => send(exchange, 'x'.repeat(50_000_000))));
    expect(await echo(await connected(server))).toHaveLength(50_000_000);
  });

  it('whose body never ends is given up after the time limit, and its socket with it', async () => {
    let gone = false;
    const server = await given(
      onCall(({ response, message }) => {
        response.on('close', () => (gone = true));
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write(`{"jsonrpc":"2.0","id":${message.id},"result":{`);
      }),
    );
    const session = await connected(server, { timeoutMs: 300 });
    expect(await failureOf(echo(session))).toMatchObject({ code: 'TIMEOUT' });
    await vi.waitUntil(() => gone, { timeout: 20_000 });
  });

  it('that is a web page gives an error that says so', async () => {
    const server = await given(({ response }) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'));
    expect(await failureOf(connect({ url: server.url }))).toMatchObject({ code: 'PROTOCOL_VIOLATION', message: expect.stringContaining('text/html') });
  });

  it('that is not JSON, but says so, gives an error', async () => {
    const server = await given(({ response }) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc":'));
    expect(await failureOf(connect({ url: server.url }))).toMatchObject({ code: 'PROTOCOL_VIOLATION' });
  });

  it('of HTTP 404 everywhere gives an error with a hint at the path', async () => {
    const server = await given(({ status }) => status(404, '<html>Not found</html>'));
    const error = await failureOf(connect({ url: server.url }));
    expect(error).toMatchObject({ code: 'HTTP_STATUS', status: 404, hint: expect.stringContaining('path') });
    expect(error.message).not.toContain('<');
  });
});

describe('a call over HTTP', () => {
  it('that is cancelled is heard of by the server and frees its socket', async () => {
    let gone = false;
    const server = await given((exchange) => {
      if (exchange.message.method !== 'tools/call') return exchange.plain();
      exchange.response.on('close', () => (gone = true));
      exchange.stream();
    });
    const session = await connected(server);
    const cancel = new AbortController();
    const call = failureOf(session.callTool(toolNamed('echo'), {}, { signal: cancel.signal }));
    await vi.waitUntil(() => server.methods().includes('tools/call'));
    cancel.abort();
    expect(await call).toMatchObject({ code: 'CANCELLED' });
    await vi.waitUntil(() => gone && server.methods().includes('notifications/cancelled'), { timeout: 20_000 });
  });
});

describe('a server that cannot be reached', () => {
  it('because nothing listens there', async () => {
    const unused = createServer();
    await new Promise<void>((resolve) => unused.listen(0, '127.0.0.1', resolve));
    const { port } = unused.address() as AddressInfo;
    await new Promise((resolve) => unused.close(resolve));
    expect(await failureOf(connect({ url: `http://127.0.0.1:${port}/mcp` }))).toMatchObject({
      code: 'CONNECTION_FAILED',
      message: expect.stringContaining('ECONNREFUSED'),
      hint: expect.stringContaining('Start the server'),
    });
  });

  it('because its name does not resolve', async () => {
    const error = await failureOf(connect({ url: 'http://no-such-host.invalid/mcp?token=hidden-in-query' }));
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED', message: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/) });
    expect(error.message).not.toContain('hidden-in-query');
  });

  it('because it does not speak TLS', async () => {
    const server = await given(({ plain }) => plain());
    expect(await failureOf(connect({ url: server.url.replace('http:', 'https:') }))).toMatchObject({ code: 'CONNECTION_FAILED', message: expect.stringContaining('TLS') });
  });

  it('because its TLS handshake fails', async () => {
    const server = createTlsServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    running.push(server);
    const { port } = server.address() as AddressInfo;
    expect(await failureOf(connect({ url: `https://127.0.0.1:${port}/mcp` }))).toMatchObject({ code: 'CONNECTION_FAILED' });
  });

  it('because it accepts connections and says nothing', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    running.push(silent);
    const { port } = silent.address() as AddressInfo;
    expect(await failureOf(connect({ url: `http://127.0.0.1:${port}/mcp` }, { timeoutMs: 300 }))).toMatchObject({ code: 'TIMEOUT' });
  });

  it.each([['not a url'], ['ftp://example.com/'], ['']])('because its address is "%s"', async (url) => {
    expect(await failureOf(connect({ url }))).toMatchObject({ code: 'INVALID_ADDRESS' });
  });
});

describe("the host's own fetch", () => {
  it('makes every request', async () => {
    const server = await given((exchange) => (exchange.path === '/mcp' ? exchange.status(307, '', { location: '/hop' }) : exchange.plain()));
    const asked: string[] = [];
    const session = await connected(server, {}, {
      fetch: (input, init) => {
        asked.push(new URL(String(input)).pathname);
        expect(init?.redirect).toBe('manual');
        return fetch(input, init);
      },
    });
    await session.listTools();
    expect(asked).toHaveLength(server.seen.length);
    expect(asked).toContain('/hop');
  });
});
