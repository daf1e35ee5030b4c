import { beforeEach, describe, expect, test, vi } from 'vitest';
import { isObject, parseJson } from '../../../src/json/index.js';
import type { Outgoing } from '../../../src/mcp/transport/transport.js';
import { HttpFailure } from '../../../src/mcp/errors/failures.js';
import { fetchClient, type HttpResponse } from '../../../src/mcp/http-client/http-client.js';
import { streamableHttp } from '../../../src/mcp/http/streamable-http.js';
import { settled } from '../../../test-support/waiting.js';
import { failureOf } from '../calling.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));

interface Asked {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly body?: string;
  readonly mayRepeat?: boolean | undefined;
}

/** A transport whose server is a function. */
async function opened(serve: (request: Asked, count: number) => Response | Promise<Response>, maxMessageBytes = 1000) {
  const asked: Asked[] = [];
  const cancelled = vi.fn();
  const url = new URL('https://example.com/mcp');
  const request = async (given: Asked): Promise<HttpResponse> => {
    asked.push(given);
    const exchange = fetchClient(async () => serve(given, asked.length));
    const response = await exchange({ ...given, url, method: 'GET' });
    const cancel = () => {
      cancelled();
      response.cancel();
    };
    return { ...response, cancel };
  };
  const transport = streamableHttp({ url, request, finishAuthorization: undefined }, maxMessageBytes);
  const received: [text: string, within: unknown][] = [];
  const paused: unknown[] = [];
  const pending = new Set<unknown>([1]);
  const [ended, missed] = [vi.fn(), vi.fn()];
  await transport.start({
    receive: (text, within) => {
      received.push([text, within]);
      const message = parseJson(text);
      if (isObject(message)) pending.delete(message['id']);
      return isObject(message);
    },
    isPending: (id) => pending.has(id),
    paused: (id) => paused.push(id),
    ...{ ended, missed },
  });
  const abort = new AbortController();
  const message = { text: '{"id":1}', method: 'tools/call', signal: abort.signal };
  /** Sends a request, or with `id: null` a notification. */
  const send = ({ id = 1, ...others }: Partial<Omit<Outgoing, 'id'>> & { id?: number | null } = {}) =>
    transport.send({ ...message, ...others, ...(id !== null && { id }) });
  return { transport, asked, received, paused, pending, abort, send, cancelled, missed };
}

const answer = '{"jsonrpc":"2.0","id":1,"result":{}}';
const json = (body: string, status = 200, headers: Record<string, string> = {}) =>
  new Response(body, { status, headers: { 'content-type': 'application/json', ...headers } });
const event = (data: string, fields = '') => `${fields}data: ${data}\n\n`;
const stream = (...events: string[]) =>
  new Response(events.join(''), { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
/** A stream to which the test can add events. */
function endless(first = '') {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) });
  const write = (text: string) => controller.enqueue(new TextEncoder().encode(text));
  write(first || ': hello\n');
  const response = new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  return { response, write, fail: () => controller.error(new Error('reset')) };
}

describe('A message over streamable HTTP', () => {
  test('A message belongs to the session of the last handshake, which is ended once', async () => {
    const { transport, send, asked } = await opened((_, count) => json('{}', 200, { 'mcp-session-id': `s${count}` }));
    await transport.terminate!();
    transport.protocolVersion = '2025-03-26';
    await transport.terminate!();
    await send({ method: 'initialize', mayRepeat: true });
    await send({ method: 'initialize' });
    transport.protocolVersion = '2025-11-25';
    await send({ headers: { 'mcp-param-a': 'b', accept: 'a/b', 'content-type': 'a/b', 'mcp-session-id': 'own' } });
    await send({ text: '{"method":"a"}', method: 'notifications/a', id: null });
    await transport.listen!();
    for (let times = 0; times < 2; times++) await transport.terminate!();
    const posted = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const old = { 'mcp-protocol-version': '2025-03-26' };
    const agreed = { 'mcp-protocol-version': '2025-11-25', 'mcp-session-id': 's2' };
    const body = '{"id":1}';
    expect(asked.map(({ signal: _, ...request }) => request)).toEqual([
      { method: 'POST', headers: { ...posted, ...old }, body, mayRepeat: true },
      { method: 'POST', headers: { ...posted, ...old }, body },
      { method: 'POST', headers: { ...posted, ...agreed, 'mcp-session-id': 'own', 'mcp-param-a': 'b' }, body },
      { method: 'POST', headers: { ...posted, ...agreed }, body: '{"method":"a"}' },
      { method: 'GET', headers: { ...agreed, accept: 'text/event-stream' }, mayRepeat: true },
      { method: 'DELETE', headers: agreed },
    ]);
  });

  test('A message that is not a request needs no answer, and does not wait for a stream', async () => {
    const note = { id: null, method: 'notifications/a' };
    const { send, received } = await opened(() => new Response('<html>', { status: 202 }));
    expect(await send(note)).toBeUndefined();
    await settled();
    expect([received, vi.getTimerCount()]).toEqual([[], 0]);
    const streaming = await opened(() => endless().response);
    expect(await streaming.send(note)).toBeUndefined();
    expect(streaming.cancelled).toHaveBeenCalledOnce();
  });

  test.each([
    ['a notification', { id: null, method: 'notifications/a' }],
    ['a request that is accepted', {}],
  ])('A message frees its socket if the response to %s never ends', async (_, message) => {
    const open = () => new Response(endless().response.body, { status: 202 });
    const { send, cancelled, pending } = await opened(({ method }) => (method === 'GET' ? stream() : open()));
    void send(message);
    pending.clear();
    await settled();
    await vi.advanceTimersByTimeAsync(9_999);
    expect(cancelled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(cancelled).toHaveBeenCalledOnce();
  });

  test.each([
    ['no such stream', () => new Response('', { status: 405 })],
    ['a page in its place', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
    ['a stream with another status', () => new Response('x', { status: 201 })],
  ])('A message with an empty response has no answer if there is %s', async (_, other) => {
    const { send, asked, pending } = await opened(({ method }) => (method === 'GET' ? other() : json(' \n', 202)));
    pending.clear();
    // Nobody listens for an answer that has come already.
    expect([await send(), asked.length]).toMatchObject([{ mayComeElsewhere: false }, 1]);
    pending.add(1);
    const end = await send();
    expect([end?.mayComeElsewhere, end?.failure().details, asked.length]).toEqual([
      false,
      'HTTP 202 and an empty body.',
      3,
    ]);
  });

  test.each([
    ['of another type', 'text/plain', 202],
    ['in capitals, with a character set', 'Application/JSON ; charset=utf-8', 200],
  ])('A message is answered by JSON %s with HTTP %3$i', async (_, type, status) => {
    const { send, received } = await opened(() => json(answer, status, { 'content-type': type }));
    await send();
    expect(received).toEqual([[answer, 1]]);
  });

  const gone = '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"Session not found"}}';
  test.each<[number, string, boolean, sessionId?: string]>([
    [404, gone, true],
    [404, gone, false, 's1'],
    [404, answer, true, 's1'],
    [500, gone, true, 's1'],
    [400, answer, true],
    [500, '{"jsonrpc":"2.0","id":"1","error":{"code":1,"message":"no"}}', true],
    [400, '{"jsonrpc":"2.0","id":2,"result":{}}', false],
    [400, '{"jsonrpc":"2.0","id":1,"method":"ping"}', false],
    [400, 'no JSON', false],
    [401, answer, false],
    [403, answer, false],
    [300, answer, true],
  ])(
    'A message that is rejected with HTTP %i and %s is answered: %s (session %s)',
    async (status, body, isAnswered, sessionId) => {
      const { transport, send, received } = await opened(() => json(body, status, { 'retry-after': '2' }));
      Object.assign(transport, { sessionId, protocolVersion: '2025-11-25' });
      const sent = send();
      if (isAnswered) expect(await sent).toBeUndefined();
      else expect(await failureOf(sent)).toEqual(new HttpFailure(status, body, undefined, 2000, body === gone));
      expect(received).toEqual(isAnswered ? [[body, 1]] : []);
    },
  );

  const longest = 64 * 1024;
  const long = `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"${'x'.repeat(longest)}"}}`;

  test.each<[string, string, string, number]>([
    ['in JSON', 'application/json', long, 1],
    ['in a batch', 'application/json', `[{"jsonrpc":"2.0","method":"notifications/a"},${long}]`, 1],
    ['in an event stream', 'text/event-stream', event('{"first":1}') + event(long), 2],
    ['in an event that nothing ends', 'text/event-stream', `data: ${long}`, 1],
  ])(
    'A message that is rejected with HTTP 404 is answered %s, however long the answer is',
    async (_, type, body, count) => {
      const { send, received } = await opened(() => json(body, 404, { 'content-type': type }), 3 * longest);
      expect(await send()).toBeUndefined();
      expect(received).toHaveLength(count);
      expect(received.at(-1)![1]).toBe(1);
    },
  );

  test.each<[string, string, number | null]>([
    ['is of another type', 'text/html', 1],
    ['belongs to no request', 'application/json', null],
    ['is a stream, and belongs to none', 'text/event-stream', null],
  ])('The error of a rejected message has the beginning of a text that %s', async (_, type, id) => {
    const { send, received } = await opened(() => json(long, 404, { 'content-type': type }), 3 * longest);
    const failure: unknown = await failureOf(send({ id }));
    expect(failure).toMatchObject({ status: 404 });
    expect(failure instanceof HttpFailure && failure.body).toHaveLength(longest);
    expect(received).toEqual([]);
  });
});

describe('An answer in an event stream', () => {
  /** A transport whose server answers in a second stream if the first one ends without an answer. */
  const continued = (first: Response) => opened((_, count) => (count === 1 ? first : stream(event(answer))));

  test('An answer in an event stream is waited for, and its stream is read for ten seconds more', async () => {
    const { response, write } = endless(event('{"first":1}'));
    const { send, received, cancelled } = await opened(() => response);
    void send();
    await settled();
    await vi.advanceTimersByTimeAsync(100_000);
    write(event(answer, 'event: trace\n') + event('', 'event: message\n'));
    await settled();
    expect(vi.getTimerCount()).toBe(0);
    write(event(answer));
    await settled();
    write(event('{"late":1}'));
    await settled();
    await vi.advanceTimersByTimeAsync(9_999);
    expect(cancelled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(cancelled).toHaveBeenCalledOnce();
    expect(received).toEqual([
      ['{"first":1}', 1],
      [answer, 1],
      ['{"late":1}', 1],
    ]);
  });

  test('An answer whose stream breaks off behind it has arrived, and one whose stream breaks off before fails', async () => {
    for (const [first, end] of [
      [event(answer), expect.objectContaining({ failure: expect.any(Function) as unknown })],
      [event('{"first":1}'), new Error('reset')],
    ] as const) {
      const { response, fail } = endless(first);
      const { send, missed, paused } = await opened(() => response);
      const sent = send().catch((error: unknown) => error);
      await settled();
      fail();
      expect(await sent).toEqual(end);
      expect([vi.getTimerCount(), missed.mock.calls, paused]).toEqual([0, [], []]);
    }
  });

  test('An answer in an event stream that is too long is not requested again', async () => {
    const { send, asked } = await opened(() => stream(event('{}', 'id: 1\n'), event('x'.repeat(1001))));
    expect(await failureOf(send())).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(asked).toHaveLength(1);
  });

  test.each([
    ['7', [undefined, '7']],
    ['é😀', [undefined, Buffer.from('é😀').toString('latin1')]],
    ['', [undefined]],
  ])(
    'An answer whose stream ends after an event with the id "%s" is requested after a second, by the ids %j',
    async (id, ids) => {
      const { send, asked, paused, pending } = await continued(
        stream(event('{"first":1}', `id: 6\nid: ${id}\n`), event('{"second":1}')),
      );
      const sent = send();
      await settled();
      // The pause is reported.
      expect(paused).toEqual(id === '' ? [] : [1]);
      await vi.advanceTimersByTimeAsync(999);
      expect(asked).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(1);
      await sent;
      expect(asked.map(({ headers }) => headers['last-event-id'])).toEqual(ids);
      expect(pending.has(1)).toBe(id === '');
    },
  );

  test('An answer whose stream broke off is resumed, and the wait does not count as silence of the server', async () => {
    const broken = endless(event('{"first":1}', 'id: 7\n'));
    const { send, paused, received } = await continued(broken.response);
    const sent = send();
    await settled();
    broken.fail();
    await settled();
    await vi.advanceTimersByTimeAsync(1000);
    await sent;
    expect(paused).toEqual([]);
    expect(received.at(-1)).toEqual([answer, 1]);
  });

  const growing = [100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000];
  test.each([
    ['nothing', '', growing],
    ['no message', 'noise', growing],
    ['other messages, at equal ones', '{"other":1}', growing.map(() => 100)],
  ])(
    'An answer is requested at growing intervals of up to thirty seconds, or if that brings %s',
    async (_, data, expected) => {
      const { send, asked, abort } = await opened(() => stream(event(data, 'retry: 1\nid: 7\n')));
      void send().catch(() => {});
      const waits: number[] = [];
      for (let count = 1; count <= 11; count++) {
        let waited = 0;
        while (asked.length === count && waited < 40_000) {
          await settled();
          if (asked.length > count) break;
          await vi.advanceTimersByTimeAsync(100);
          waited += 100;
        }
        waits.push(waited);
      }
      expect(waits).toEqual(expected);
      abort.abort();
    },
  );

  test('An answer is requested three times if the stream cannot be opened', async () => {
    const { send, asked } = await opened((_, count) =>
      count === 1 ? stream(event('{"first":1}', 'id: 7\n')) : new Response('', { status: 503 }),
    );
    const sent = send();
    await settled();
    for (let at = 0; at < 10; at++) {
      await vi.advanceTimersByTimeAsync(10_000);
      await settled();
    }
    const message = 'The server ended its response to tools/call without an answer.';
    expect((await sent)!.failure()).toMatchObject({ code: 'CONNECTION_LOST', message });
    expect(asked).toHaveLength(4);
  });

  test('An answer is not requested again once the call has ended, or is answered elsewhere', async () => {
    for (const isElsewhere of [false, true]) {
      const { send, asked, abort, pending } = await opened(() => stream(event('{"first":1}', 'id: 7\n')));
      const sent = send();
      await settled();
      if (isElsewhere) pending.clear();
      else abort.abort();
      await vi.advanceTimersByTimeAsync(1000);
      await sent;
      expect(asked).toHaveLength(1);
    }
  });
});

test('The stream of notifications is opened again after a second, from the last event, until the connection is closed', async () => {
  const { transport, asked, missed, paused } = await opened((_, count) =>
    count === 1 ? stream(event('{"news":1}', 'id: 3\n')) : endless().response,
  );
  await Promise.all([transport.listen!(), transport.listen!()]);
  await settled();
  expect(missed).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(999);
  expect(asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  await settled();
  expect(asked[1]).toMatchObject({ method: 'GET', headers: { 'last-event-id': '3' } });
  // Until then, and from then on, something may have happened.
  expect(missed).toHaveBeenCalledTimes(2);
  expect(paused).toEqual([]);
  await transport.close();
  await vi.advanceTimersByTimeAsync(100_000);
  expect(asked).toHaveLength(2);
});

test('The stream of notifications is given up after three failures in a row', async () => {
  const { transport, asked, missed } = await opened((_, count) =>
    [1, 3].includes(count) ? stream(event('{"news":1}')) : new Response('', { status: 503 }),
  );
  await transport.listen!();
  for (let at = 0; at < 20; at++) {
    await settled();
    await vi.advanceTimersByTimeAsync(30_000);
  }
  expect(asked).toHaveLength(6);
  expect(missed).toHaveBeenCalledTimes(3);
  // Whoever listens then begins anew.
  await transport.listen!();
  expect(asked).toHaveLength(7);
});
