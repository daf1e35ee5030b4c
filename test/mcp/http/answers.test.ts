import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { freePort } from '../../../test-support/free-port.js';
import type { Exchange, HttpServer } from '../../../test-support/servers/http.js';
import { until } from '../../../test-support/waiting.js';
import { connect } from '../../../src/mcp/index.js';
import { failureOf, toolNamed } from '../calling.js';
import { begun, given, closeAfterEach, connected, echo, listening } from '../serving.js';

closeAfterEach();

/** Answers everything but calls as usual. Calls get the answers of the list in turn, and the usual one after that. */
function answeringCalls(...answers: ((exchange: Exchange) => unknown)[]) {
  return given((exchange) =>
    exchange.message.method === 'tools/call' ? (answers.shift() ?? exchange.plain)(exchange) : exchange.plain(),
  );
}

const inStream = ({ stream, message, response }: Exchange, text: string) => {
  stream()({ id: message.id, result: { content: [{ type: 'text', text }] } });
  response.end();
};

describe('an answer', () => {
  test("An answer in a response of another class than Node's is read", async () => {
    const foreign: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      const get = (target: Response, key: keyof Response) =>
        typeof target[key] === 'function' ? (target[key] as () => unknown).bind(target) : target[key];
      return new Proxy(response, { get, getPrototypeOf: () => Object.prototype });
    };
    const server = await answeringCalls(
      ({ status }) => status(500, 'down'),
      (exchange) => inStream(exchange, 'streamed'),
    );
    const session = await connected(server, {}, { fetch: foreign });
    expect(await failureOf(echo(session))).toMatchObject({ code: 'HTTP_STATUS', status: 500 });
    expect([await echo(session), await echo(session)]).toEqual(['streamed', '{"a":1}']);
  });

  test('An answer in an event stream arrives, as do notifications and a request of the server around it', async () => {
    const heard: unknown[] = [];
    const note = (data: string) => ({ method: 'notifications/message', params: { level: 'info', data } });
    const around = ({ stream, response, message }: Exchange) => {
      const send = stream();
      send(note('before'));
      send({ id: 'server-1', method: 'ping' });
      send({ id: message.id, result: { content: [{ type: 'text', text: 'between' }] } });
      send(note('after'));
      response.end();
    };
    const behind = ({ stream, response, message }: Exchange) => {
      const send = stream();
      send({ id: message.id, result: { content: [{ type: 'text', text: 'first' }] } });
      setImmediate(() => (send(note('behind')), response.end()));
    };
    const server = await answeringCalls(around, behind);
    const session = await connected(server, { onNotification: (_, { data }) => heard.push(data) });
    expect([await echo(session), await echo(session)]).toEqual(['between', 'first']);
    await until(() => heard.length === 3);
    expect(heard).toEqual(['before', 'after', 'behind']);
    await until(() => server.seen.some(({ body }) => body['id'] === 'server-1' && body['result']));
  });

  test('An answer in an event stream that stays open ends with the session', async () => {
    let open = 0;
    const session = await connected(
      await answeringCalls(({ stream, response, message }) => {
        open++;
        response.on('close', () => open--);
        stream()({ id: message.id, result: { content: [{ type: 'text', text: 'open' }] } });
      }),
    );
    expect(await echo(session)).toBe('open');
    expect(open).toBe(1);
    await session.close();
    await until(() => open === 0);
  });

  test.each([
    ['JSON', ({ result }: Exchange, text: string) => result({ content: [{ type: 'text', text }] })],
    ['an event stream', inStream],
  ])('An answer may have 20 MB, as %s', async (_, send) => {
    const server = await answeringCalls((exchange) => send(exchange, 'x'.repeat(20_000_000)));
    expect(await echo(await connected(server))).toHaveLength(20_000_000);
  });

  test('An answer whose body never ends is given up after the time limit, and its socket with it', async () => {
    let gone = false;
    const server = await answeringCalls(({ response, message }) => {
      response.on('close', () => (gone = true));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(`{"jsonrpc":"2.0","id":${message.id},"result":{`);
    });
    const session = await connected(server);
    const failure = await failureOf(session.callTool(toolNamed('echo'), {}, { idleTimeoutMs: 300 }));
    expect(failure).toMatchObject({ code: 'TIMEOUT' });
    await until(() => gone);
  });

  test('A server that answers HTTP 404 everywhere gives an error with a hint about the path', async () => {
    const server = await given(({ status }) => status(404, '<html>Not found</html>'));
    const error = await failureOf(connect({ url: server.url }));
    expect(error).toMatchObject({ code: 'HTTP_STATUS', status: 404, hint: expect.stringContaining('path') });
    expect(error.message).not.toContain('<');
  });
});

test('A server that cannot be reached because nothing listens gives an error with that hint', async () => {
  const { code, message, hint } = await failureOf(connect({ url: `http://127.0.0.1:${await freePort()}/mcp` }));
  expect(code).toBe('CONNECTION_FAILED');
  expect(message).toContain('ECONNREFUSED');
  expect(hint).toContain('Start the server');
});

test('A server whose name does not resolve gives an error without the query', async () => {
  const error = await failureOf(connect({ url: 'http://no-such-host.invalid/mcp?token=hidden-in-query' }));
  expect(error).toMatchObject({ code: 'CONNECTION_FAILED', message: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/) });
  expect(error.message).not.toContain('hidden-in-query');
});

test('A server that does not speak TLS gives an error that says so', async () => {
  const server = await given(({ plain }) => plain());
  const failure = await failureOf(connect({ url: server.url.replace('http:', 'https:') }));
  expect(failure).toMatchObject({ code: 'CONNECTION_FAILED', message: expect.stringContaining('TLS') });
});

test('A server that accepts a connection and never answers is given up after the time limit', async () => {
  const url = `http://127.0.0.1:${await listening(createServer(() => {}))}/mcp`;
  expect(await failureOf(connect({ url }, { idleTimeoutMs: 300 }))).toMatchObject({ code: 'TIMEOUT' });
});

const capable = (capabilities: object) =>
  given({ initialize: { ...begun, capabilities }, GET: ({ stream }) => stream() });
const opened = ({ seen }: HttpServer) => seen.filter(({ verb }) => verb === 'GET').length;

test.each<[string, object, boolean, number]>([
  ['says that its tools may change', { tools: { listChanged: true } }, false, 1],
  ['says nothing of the kind', { tools: {} }, false, 0],
  ['says nothing of the kind to somebody who listens', { tools: {} }, true, 1],
])('The stream for unasked messages is opened if the server %s', async (_, capabilities, listens, count) => {
  const server = await capable(capabilities);
  const session = await connected(server, listens ? { onNotification: () => {} } : {});
  await session.listTools();
  await echo(session);
  if (count > 0) await until(() => opened(server) === count);
  expect(opened(server)).toBe(count);
});
