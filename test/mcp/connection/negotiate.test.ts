import { describe, expect, test, vi } from 'vitest';
import { version } from '../../../package.json';
import { connect, type ConnectOptions } from '../../../src/mcp/index.js';
import type { Exchange, HttpServer } from '../../../test-support/servers/http.js';
import { timerOf, until } from '../../../test-support/waiting.js';
import { failureOf } from '../calling.js';
import { closeAfterEach, given as serving } from '../serving.js';

closeAfterEach();

/** A server with these answers; all others are those of a server of 2025-11-25. */
const given = (answer: (exchange: Exchange) => unknown) =>
  serving((exchange) => {
    answer(exchange);
    if (!exchange.response.headersSent && !exchange.response.destroyed) exchange.plain();
  });

/** In order of arrival. */
function requests({ seen }: HttpServer): string[] {
  return seen.map(({ verb, path, message }) => `${verb} ${path} ${message.method}`.trim());
}

const eventStream = { 'content-type': 'text/event-stream' };
const hang = ({ response }: Exchange) => response.writeHead(200, eventStream).flushHeaders();

const failing = (server: HttpServer, options?: ConnectOptions) => failureOf(connect({ url: server.url }, options));

const refuse = ({ json, message: { id } }: Exchange, data?: unknown, code = -32600) =>
  json({ jsonrpc: '2.0', id, error: { code, message: 'Not like this', data } });

describe('a server that rejects the first request', () => {
  test.each([400, 405, 499])(
    'A server that rejects the first request with HTTP %i is tried in every other way, and the first error is reported',
    async (status) => {
      const server = await given((exchange) => exchange.status(status));
      expect(await failing(server)).toMatchObject({ code: 'HTTP_STATUS', status });
      expect(requests(server)).toEqual(['POST /mcp initialize', 'GET /mcp', 'GET /sse', 'POST /mcp server/discover']);
    },
  );

  test('A server that answers the first request with an error is asked for discovery, and then tried with the transport of 2024-11-05', async () => {
    const server = await given((exchange) => (exchange.verb === 'POST' ? refuse(exchange) : exchange.status(405)));
    expect(await failing(server)).toMatchObject({ message: expect.stringContaining('Not like this') as string });
    expect(requests(server)).toEqual(['POST /mcp initialize', 'POST /mcp server/discover', 'GET /mcp', 'GET /sse']);
  });

  test.each([304, 401, 403, 407, 408, 429, 500, 503])(
    'A server that rejects the first request with HTTP %i is not tried in another way',
    async (status) => {
      const server = await given((exchange) => exchange.status(status));
      expect(await failing(server)).toMatchObject({ status });
      expect(requests(server)).toEqual(['POST /mcp initialize']);
    },
  );

  test('A server that ends its first answer at once is tried with the transport of 2024-11-05', async () => {
    const server = await given(({ verb, response, status }) =>
      verb === 'GET' ? status(404) : void response.writeHead(200, eventStream).end(': nothing\n\n'),
    );
    expect(await failing(server)).toMatchObject({ code: 'CONNECTION_LOST' });
    expect(requests(server).slice(0, 3)).toEqual(['POST /mcp initialize', 'GET /mcp', 'GET /sse']);
  });

  test('A server whose stream names another origin gets no more requests', async () => {
    const elsewhere = 'event: endpoint\ndata: http://example.com/messages\n\n';
    const server = await given(({ verb, response, status }) =>
      verb === 'GET' ? void response.writeHead(200, eventStream).write(elsewhere) : status(405),
    );
    expect(await failing(server)).toMatchObject({ message: expect.stringContaining('http://example.com') as string });
    expect(requests(server)).toEqual(['POST /mcp initialize', 'GET /mcp']);
  });

  test.each([
    ['/mcp/', {}, ['GET /mcp/', 'GET /sse']],
    ['/mcp/tools', { automaticSSEFallback: true }, ['GET /mcp/tools']],
    ['/mcp', { automaticSSEFallback: false }, []],
  ])('A server at %s, with %j, that rejects the first request is then tried with %j', async (path, more, looked) => {
    const server = await given((exchange) => exchange.status(405));
    await failureOf(connect({ url: `${server.origin}${path}`, ...more }));
    const all = [`POST ${path} initialize`, ...looked, `POST ${path} server/discover`];
    expect(requests(server)).toEqual(all);
  });

  // Decides which of two refusals is reported: the first POST's, or the following GET's.
  test.each([
    [400, 401, 401],
    [400, 403, 403],
    [400, 500, 400],
    [404, 500, 500],
    [405, 500, 500],
  ])('A server that answers with HTTP %i and then %i is reported with %i', async (first, later, told) => {
    const server = await given(({ verb, status }) => status(verb === 'POST' ? first : later));
    expect(await failing(server)).toMatchObject({ status: told });
    expect(requests(server)).toEqual(['POST /mcp initialize', 'GET /mcp']);
  });

  test('A server that sends an error and then breaks down is reported with that error', async () => {
    const server = await given((exchange) =>
      exchange.message.method === 'initialize' ? refuse(exchange) : exchange.status(500),
    );
    expect(await failing(server)).toMatchObject({ message: expect.stringContaining('Not like this') as string });
  });
});

describe('notifications/initialized', () => {
  const answering = (status: number) =>
    given((exchange) => exchange.message.method === 'notifications/initialized' && exchange.status(status));

  test.each([400, 403, 499])('A server may reject the end of the handshake with HTTP %i', async (status) => {
    const server = await answering(status);
    await using session = await connect({ url: server.url });
    expect((await session.listTools()).tools).toHaveLength(1);
  });

  test.each([401, 500])('A server that answers the end of the handshake with HTTP %i fails', async (status) => {
    expect(await failing(await answering(status))).toMatchObject({ status });
  });

  test('A server that breaks off the end of the handshake fails', async () => {
    const server = await given(
      ({ message, response }) => message.method === 'notifications/initialized' && response.destroy(),
    );
    expect(await failing(server)).toMatchObject({ code: expect.stringMatching(/^CONNECTION_/) as string });
  });
});

test.each([
  ['no revision', undefined, 'agrees upon none in'],
  ['an unknown revision', '1999-01-01', 'agrees upon "1999-01-01" in'],
  ['a number for a revision', 20251125, 'agrees upon 20251125 in'],
  ['an endless revision', '2'.repeat(100), `agrees upon "${'2'.repeat(39)} in`],
])('A handshake that agrees on %s fails', async (_, protocolVersion, words) => {
  const server = await given(
    ({ message, result }) => message.method === 'initialize' && result({ protocolVersion, capabilities: {} }),
  );
  const error = { code: 'UNSUPPORTED_PROTOCOL_VERSION', message: expect.stringContaining(words) as string };
  expect(await failing(server)).toMatchObject(error);
});

describe('a handshake that agrees on 2026-07-28', () => {
  const agreed = { protocolVersion: '2026-07-28', capabilities: {}, serverInfo: { name: 'a', version: '1' } };

  test('A server whose handshake agrees on 2026-07-28 is spoken to without a handshake from then on', async () => {
    const found = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {} };
    const server = await given(({ message: { method }, result }) =>
      method === 'initialize' ? result(agreed) : method === 'server/discover' && result(found),
    );
    await using session = await connect({ url: server.url });
    expect(session.protocolVersion).toBe('2026-07-28');
    expect(requests(server)).toEqual(['POST /mcp initialize', 'POST /mcp server/discover']);
  });

  test('A server that agrees on a revision that it does not know is reported as such', async () => {
    const server = await given((exchange) =>
      exchange.message.method === 'initialize' ? exchange.result(agreed) : exchange.status(405),
    );
    const details = 'it agrees upon "2026-07-28" in a handshake';
    expect(await failing(server)).toMatchObject({ code: 'UNSUPPORTED_PROTOCOL_VERSION', details });
  });
});

describe('a server that is asked for discovery first', () => {
  const stateless = { revisions: 'stateless-first' } as const;
  const found = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } };

  test('A revision that a server rejects at discovery, yet names as supported, is used', async () => {
    let asked = 0;
    const server = await given((exchange) =>
      asked++ === 0 ? refuse(exchange, { supported: ['2026-07-28'] }) : exchange.result(found),
    );
    await using session = await connect({ url: server.url }, stateless);
    expect(session.protocolVersion).toBe('2026-07-28');
    expect(requests(server)).toEqual(['POST /mcp server/discover', 'POST /mcp server/discover']);
  });

  test.each([
    ['rejects it', (exchange: Exchange) => refuse(exchange)],
    ['names other revisions', ({ result }: Exchange) => result({ ...found, supportedVersions: ['2027-01-01'] })],
    ['names revisions in one text', ({ result }: Exchange) => result({ ...found, supportedVersions: '2026-07-28' })],
    ['names none', ({ result }: Exchange) => result({ capabilities: {} })],
  ])('A server that is asked for discovery and %s is offered a handshake', async (_, answer) => {
    const server = await given((exchange) => exchange.message.method === 'server/discover' && answer(exchange));
    await using session = await connect({ url: server.url }, stateless);
    const methods = ['server/discover', 'initialize', 'notifications/initialized'];
    const revisions = server.seen.map(({ headers }) => headers['mcp-protocol-version']);
    expect([server.methods(), revisions]).toEqual([methods, ['2026-07-28', undefined, '2025-11-25']]);
    const clientInfo = { name: 'mcp-verbatim', version };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    expect(server.seen[1]!.message.params).toEqual(params);
    expect(session.protocolVersion).toBe('2025-11-25');
  });

  const soon = { ...stateless, idleTimeoutMs: 200 };

  test('A server that is silent at discovery is offered a handshake', async () => {
    const server = await given((exchange) => exchange.message.method === 'server/discover' && hang(exchange));
    const limited = timerOf(5000);
    const opening = connect({ url: server.url }, stateless);
    await limited();
    await until(() => server.seen.length === 1);
    await vi.advanceTimersByTimeAsync(5000);
    await using session = await opening;
    expect(session.protocolVersion).toBe('2025-11-25');
  });

  test('A slow server that is silent at discovery and rejects a handshake is asked once more', async () => {
    let asked = 0;
    const server = await given((exchange) => {
      if (exchange.message.method === 'initialize') refuse(exchange);
      else if (asked++ === 0) hang(exchange);
      else exchange.result(found);
    });
    await using session = await connect({ url: server.url }, soon);
    expect(session.protocolVersion).toBe('2026-07-28');
  });
});

test.each(['before', 'during'])('Aborting the signal %s a start that would wait ends it', async (when) => {
  const abort = new AbortController();
  if (when === 'before') abort.abort();
  const server = await given((exchange) => {
    hang(exchange);
    abort.abort();
  });
  const error = failureOf(connect({ url: server.url, transport: 'sse' }, { signal: abort.signal }));
  expect(await error).toMatchObject({ code: 'CANCELLED' });
});
