import { describe, expect, test, vi } from 'vitest';
import type { ServerRequest } from '../../../src/mcp/connection/server-requests.js';
import { ConnectionError } from '../../../src/mcp/errors/errors.js';
import { settled } from '../../../test-support/waiting.js';
import { failureOf } from '../calling.js';
import { opened, type Sent } from '../scripted.js';

const result = { ok: true };

describe('A request', () => {
  test.each<[string, object, object]>([
    ['an answer whose id comes back as text', { id: '0', result }, { result }],
    ['an error of its own', { id: 0, error: { code: 1, message: 'no' } }, { error: { code: 1 } }],
    ['an error to what could not be read', { error: { code: -32700, message: 'no' } }, { error: { code: -32700 } }],
  ])('A request is answered by %s', async (_, answer, expected) => {
    const { request, receive } = await opened();
    const asked = request();
    expect(receive(answer)).toBe(true);
    expect(await asked).toMatchObject(expected);
  });

  test.each<[string, object]>([
    ['with another id', { id: 1, result }],
    ['with an id written otherwise', { id: '00', result }],
    ['with an id that is none', { id: '', result }],
    ['without an id', { result }],
    ['with an error to something else', { error: { code: -32601, message: 'no' } }],
    ['with a broken answer to another', { id: 7 }],
  ])('A request is not answered by a message %s', async (_, answer) => {
    const { request, receive } = await opened();
    const asked = request();
    receive(answer);
    receive({ id: 0, result: { own: 1 } });
    expect(await asked).toMatchObject({ result: { own: 1 } });
  });

  test('A request is not answered by an error without an id if it is not the only one', async () => {
    const { request, receive } = await opened();
    const both = [request(), request()];
    receive({ error: { code: -32700, message: 'no' } });
    receive({ id: 0, result });
    receive({ id: 1, result });
    expect(await Promise.all(both)).toMatchObject([{ result }, { result }]);
  });

  test('A request is answered by an error without an id even if a request to listen is open', async () => {
    const { request, receive } = await opened();
    void request({ onAcknowledged: () => {} }, 'subscriptions/listen');
    const asked = request();
    receive({ error: { code: -32700, message: 'no' } });
    expect(await asked).toMatchObject({ error: { code: -32700 } });
  });

  test('A request is answered by any error without an id in its own response', async () => {
    const { request, receive, receiver } = await opened();
    const [first, second] = [request(), request()];
    expect([0, 1, 2].map((id) => receiver.isPending(id))).toEqual([true, true, false]);
    // The id decides which request an answer belongs to.
    receive({ result }, 1);
    receive({ error: { code: -32601, message: 'no' } }, 1);
    expect(await second).toMatchObject({ error: { code: -32601 } });
    receive({ id: 0, result });
    expect(await first).toMatchObject({ result });
  });

  test('A request fails at an invalid answer', async () => {
    const { request, receive } = await opened();
    const asked = failureOf(request());
    receive({ id: 0, surprise: 1 });
    expect(await asked).toMatchObject({ code: 'PROTOCOL_VIOLATION', message: expect.stringContaining('tools/call') });
  });

  test('An answer to no request is reported, unless it is late or repeated', async () => {
    const { connection, request, receive } = await opened({ diagnostics: () => 'It printed noise.' });
    const asked = request();
    receive({ id: 0, result });
    await asked;
    receive({ id: 0, result });
    receive({ result });
    expect(connection.diagnostics()).toBe('It printed noise.');
    receive({ id: 1, result });
    expect(connection.diagnostics()).toBe('It sent an answer to a request with the id 1, which was never sent.');
    receive({ id: '17', result });
    expect(connection.diagnostics()).toContain('the id "17"');
  });
});

test.each<[string, unknown, object]>([
  ['without a reason', undefined, { requestId: 0 }],
  ['with a reason', 'changed my mind', { requestId: 0, reason: 'changed my mind' }],
  ['with a reason that is no text', { not: 'text' }, { requestId: 0 }],
])('An aborted request is cancelled %s, and its exchange ended', async (_, reason, params) => {
  const abort = new AbortController();
  const { request, sent, told } = await opened();
  const asked = failureOf(request({ signal: abort.signal }));
  abort.abort(reason);
  expect(await asked).toMatchObject({ name: 'Aborted' });
  expect(told()[1]).toEqual(['notifications/cancelled', params]);
  expect(sent[0]!.outgoing.signal.aborted).toBe(true);
});

test.each<['http' | 'stdio', object | undefined, string, boolean]>([
  ['stdio', undefined, 'tools/call', true],
  ['http', undefined, 'tools/call', true],
  ['stdio', {}, 'tools/call', true],
  // Closing the exchange cancels the request there.
  ['http', {}, 'tools/call', false],
  // A handshake must not be cancelled (2025-11-25, Cancellation).
  ['stdio', undefined, 'initialize', false],
])(
  'The server is told of an aborted request over %s, with the envelope %j and the method %s: %s',
  async (kind, envelope, method, isTold) => {
    const abort = new AbortController();
    const { connection, request, sent, told } = await opened({ kind });
    connection.envelope = envelope as Record<string, unknown> | undefined;
    const asked = failureOf(request({ signal: abort.signal }, method));
    abort.abort();
    await asked;
    await settled();
    expect(told().some(([name]) => name === 'notifications/cancelled')).toBe(isTold);
    expect(sent[0]!.outgoing.signal.aborted).toBe(true);
  },
);

test('An answer is waited for if its response held the answer to another request', async () => {
  const { request, sent, receive } = await opened();
  const both = [request(), request()];
  receive({ id: 1, result: { second: 1 } }, 0);
  await sent[0]!.end({ failure: () => new ConnectionError('no answer', { code: 'CONNECTION_LOST' }) });
  receive({ id: 0, result }, 1);
  expect(await Promise.all(both)).toMatchObject([{ result }, { result: { second: 1 } }]);
});

describe('Progress', () => {
  test('The progress token is the id of the request, and progress restarts its time limit', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const reports: unknown[] = [];
    const { request, receive, sent } = await opened();
    const asked = failureOf(request({ idleTimeoutMs: 100, onProgress: (report) => reports.push(report) }));
    expect(sent[0]!.message.params).toEqual({ name: 'a', _meta: { progressToken: 0 } });
    void request({ meta: { a: 1 } });
    expect(sent[1]!.message.params).toEqual({ name: 'a', _meta: { a: 1 } });
    await vi.advanceTimersByTimeAsync(90);
    receive({ method: 'notifications/progress', params: { progressToken: 0, progress: 1, total: 3, message: 'm' } });
    receive({ method: 'notifications/progress', params: { progressToken: 0, progress: 'x', total: 'x', message: 1 } });
    receive({ method: 'notifications/progress', params: { progressToken: 1, progress: 2 } });
    receive({ method: 'notifications/other', params: { progressToken: 0, progress: 2 } });
    expect(reports).toEqual([{ progress: 1, total: 3, message: 'm' }, { progress: 0 }]);
    await vi.advanceTimersByTimeAsync(99);
    expect(sent).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(await asked).toMatchObject({ name: 'TimedOut' });
  });

  test('A host that throws on progress does not break the connection', async () => {
    const fails = () => {
      throw new Error('of the host');
    };
    const { request, receive } = await opened({}, { onNotification: fails });
    const asked = request({ onProgress: fails });
    receive({ method: 'notifications/progress', params: { progressToken: 0, progress: 1 } });
    receive({ id: 0, result });
    expect(await asked).toMatchObject({ result });
  });
});

describe('Requests of the server', () => {
  const answers = (sent: readonly Sent[]) => sent.filter(({ message }) => message.method === undefined);

  test.each<[string, object | undefined, object]>([
    ['ping', undefined, { result: {} }],
    // The revision without a handshake has no pings.
    ['ping', {}, { error: { code: -32601, message: 'This client does not know "ping".' } }],
    ['sampling/createMessage', undefined, { error: { code: -32601 } }],
  ])("The server's request %s with the envelope %j is answered with %j", async (method, envelope, answer) => {
    const { connection, receive, sent } = await opened();
    connection.envelope = envelope as Record<string, unknown> | undefined;
    receive({ id: 'q', method });
    await settled();
    expect(sent.map(({ message }) => message)).toMatchObject([{ id: 'q', ...answer }]);
  });

  test('Requests of the server are answered by the listener on one line, or as unknown methods if it fails', async () => {
    const onRequest = ({ method }: ServerRequest) =>
      method === 'roots/list' ? Promise.resolve({ result: '{\n"roots":\r\n[]}' }) : Promise.reject(new Error('no'));
    const { receive, sent } = await opened({}, { onRequest });
    receive({ id: 1, method: 'roots/list' });
    receive({ id: 2, method: 'ping' });
    receive({ id: 3, method: 'other' });
    await settled();
    expect(sent.every(({ outgoing }) => !/[\r\n]/.test(outgoing.text))).toBe(true);
    const given = Object.fromEntries(sent.map(({ message }) => [message.id, message.result ?? message.error]));
    const unknown = { code: -32601, message: 'This client does not know "other".' };
    expect(given).toEqual({ 1: { roots: [] }, 2: {}, 3: unknown });
  });

  test('Requests of the server are answered 128 at a time', async () => {
    const { receive, sent } = await opened();
    for (let id = 0; id < 140; id++) receive({ id, method: 'ping' });
    await settled();
    expect(sent).toHaveLength(128);
    await sent[0]!.end();
    receive({ id: 'again', method: 'ping' });
    await settled();
    expect(sent.at(-1)!.message.id).toBe('again');
  });

  const elicitation = { id: 'q', method: 'elicitation/create', params: { message: 'Which?' } };
  const accepted = () => Promise.resolve({ action: 'accept' });

  test('A question of the server belongs to the request in whose response it came, or else to the latest', async () => {
    const asked: string[] = [];
    const { request, receive, sent } = await opened();
    for (const who of ['first', 'second']) {
      const onElicitation = (params: object, { isOurs }: { isOurs: boolean }) => {
        asked.push(`${who} ${JSON.stringify(params)} ${isOurs}`);
        return accepted();
      };
      void request({ onElicitation });
    }
    void request();
    receive(elicitation, 0);
    await settled();
    await answers(sent)[0]!.end();
    receive(elicitation);
    await settled();
    await answers(sent)[1]!.end();
    receive(elicitation, 2);
    await settled();
    expect(asked).toEqual(['first {"message":"Which?"} true', 'second {"message":"Which?"} false']);
    const answered = answers(sent).map(({ message }) => message.result ?? message.error);
    expect(answered).toMatchObject([{ action: 'accept' }, { action: 'accept' }, { code: -32601 }]);
  });

  test.each<[string, object, object | undefined, object]>([
    ['is no question for the user', { id: 'q', method: 'roots/list' }, undefined, { result: { roots: [] } }],
    ['comes in the revision whose results ask', elicitation, {}, { result: { roots: [] } }],
  ])('A request of the server that %s is not passed to a pending request', async (_, message, envelope, answer) => {
    const onElicitation = vi.fn(accepted);
    const onRequest = vi.fn(() => Promise.resolve({ result: '{"roots":[]}' }));
    const { connection, request, receive, sent } = await opened({}, { onRequest });
    connection.envelope = envelope as Record<string, unknown> | undefined;
    void request({ onElicitation });
    receive(message);
    await settled();
    expect(onElicitation).not.toHaveBeenCalled();
    expect(answers(sent)).toMatchObject([{ message: answer }]);
  });
});

test('Closing a connection first ends its session at the server, and waits at most a second', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const terminate = vi.fn(() => new Promise<void>(() => {}));
  const { connection, request, closes } = await opened({ terminate });
  const asked = failureOf(request());
  const closing = connection.close();
  await vi.advanceTimersByTimeAsync(999);
  expect([terminate.mock.calls.length, closes.mock.calls.length]).toEqual([1, 0]);
  await vi.advanceTimersByTimeAsync(1);
  await closing;
  expect(await asked).toMatchObject({ code: 'CONNECTION_LOST' });
  await connection.close();
  expect(terminate).toHaveBeenCalledOnce();
  expect(await failureOf(request())).toMatchObject({ code: 'CONNECTION_LOST', hint: 'Connect again.' });
});

test('A notification that the transport does not take is given up after ten seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { connection } = await opened({ send: () => new Promise(() => {}) });
  const failure = failureOf(connection.notify('notifications/custom'));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await failure).toMatchObject({ name: 'TimedOut' });
});
