import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../test-support/servers/http.js';
import { until } from '../../../test-support/waiting.js';
import { failureOf } from '../calling.js';
import { closeAfterEach, connected, echo, given } from '../serving.js';

closeAfterEach();

/** Plain answers to everything but the calls, which are answered in turn as the list says, and plainly after that. */
function answeringCalls(...answers: ((exchange: Exchange) => unknown)[]) {
  return given((exchange) =>
    exchange.message.method === 'tools/call' ? (answers.shift() ?? exchange.plain)(exchange) : exchange.plain(),
  );
}

const json = { 'content-type': 'application/json' };

describe('an answer that is not the plain one', () => {
  test.each<[string, (exchange: Exchange) => unknown, object]>([
    [
      'half of its JSON',
      ({ response }) => response.writeHead(200, json).end('{"jsonrpc":"2.0","id":'),
      { code: 'PROTOCOL_VIOLATION' },
    ],
    [
      'a body cut off',
      ({ response }) => (
        response.writeHead(200, { ...json, 'content-length': '100' }).write('{'),
        setImmediate(() => response.destroy())
      ),
      { code: 'CONNECTION_LOST' },
    ],
    [
      'an error of JSON-RPC',
      ({ response, message }) =>
        response
          .writeHead(200, json)
          .end(`{"jsonrpc":"2.0","id":${message.id},"error":{"code":-32000,"message":"no"}}`),
      { code: 'SERVER_ERROR', rpcCode: -32000 },
    ],
    ['an HTTP error', ({ status }) => status(500, 'down'), { code: 'HTTP_STATUS', status: 500 }],
  ])('%s: is an error of its kind, and the next call works', async (_, answer, error) => {
    const session = await connected(await answeringCalls(answer));
    expect(await failureOf(echo(session))).toMatchObject(error);
    expect(await echo(session)).toBe('{"a":1}');
  });

  test("responses that are not of Node's own class: are read all the same", async () => {
    const foreign: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      const get = (target: Response, key: keyof Response) =>
        typeof target[key] === 'function' ? (target[key] as () => unknown).bind(target) : target[key];
      return new Proxy(response, { get, getPrototypeOf: () => Object.prototype });
    };
    const inStream = ({ stream, message, response }: Exchange) => (
      stream()({ id: message.id, result: { content: [{ type: 'text', text: 'streamed' }] } }),
      response.end()
    );
    const session = await connected(
      await answeringCalls(({ status }) => status(500, 'down'), inStream),
      {},
      { fetch: foreign },
    );
    expect(await failureOf(echo(session))).toMatchObject({ code: 'HTTP_STATUS', status: 500 });
    expect([await echo(session), await echo(session)]).toEqual(['streamed', '{"a":1}']);
  });

  test('an event stream with notifications and a request of the server around the answer: all of them arrive', async () => {
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

  test('an event stream that stays open: ends with the session', async () => {
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
});

describe('a session that is closed', () => {
  test('ends the requests that are under way, and their sockets', async () => {
    const heard = { calls: 0, ended: 0 };
    const session = await connected(
      await answeringCalls(({ response }) => {
        heard.calls++;
        response.on('close', () => heard.ended++);
      }),
    );
    const call = failureOf(echo(session));
    await until(() => heard.calls === 1);
    await session.close();
    expect(await call).toMatchObject({ code: 'SESSION_CLOSED' });
    await until(() => heard.ended === 1);
  });
});
