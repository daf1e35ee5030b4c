import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import type { ServerRequest } from '../../../src/mcp/connection/server-requests.js';
import { ConnectionError } from '../../../src/mcp/errors/errors.js';
import { Unauthorized } from '../../../src/mcp/errors/failures.js';
import type { Transport } from '../../../src/mcp/transport/transport.js';
import { settled } from '../../../test-support/waiting.js';
import { failureOf } from '../calling.js';
import { opened, type Sent } from '../scripted.js';

const result = { ok: true };

const messages = JSON.parse(readFileSync(new URL('./messages.json', import.meta.url), 'utf8')) as Messages;

interface Messages {
  answers: [title: string, answer: object, expected: object][];
  others: [title: string, message: object][];
  batch: object;
  sent: object;
  heard: object;
  asked: object;
}

describe('A request', () => {
  test.each(messages.answers)('A request is answered by %s', async (_, answer, expected) => {
    const { request, receive } = await opened();
    const asked = request();
    expect(receive(answer)).toBe(true);
    const wire = { text: JSON.stringify({ jsonrpc: '2.0', ...answer }) };
    expect(await asked).toEqual({ ...expected, wire });
  });

  test.each(messages.others)('A request is not answered by a message %s', async (_, answer) => {
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

test.each<['http' | 'stdio', object | undefined, string, unknown, object | undefined]>([
  ['stdio', undefined, 'tools/call', undefined, { requestId: 1 }],
  ['http', undefined, 'tools/call', 'changed my mind', { requestId: 1, reason: 'changed my mind' }],
  ['stdio', {}, 'tools/call', { not: 'text' }, { requestId: 1 }],
  // Closing the exchange cancels the request there.
  ['http', {}, 'tools/call', undefined, undefined],
  // A handshake must not be cancelled (2025-11-25, Cancellation).
  ['stdio', undefined, 'initialize', 'changed my mind', undefined],
])(
  'Over %s, with the envelope %j, an aborted %s ends its exchange, and the server is told for the reason %j: %j',
  async (kind, envelope, method, reason, params) => {
    const abort = new AbortController();
    const { connection, request, sent, told } = await opened({ kind });
    connection.envelope = envelope as Record<string, unknown> | undefined;
    const other = request({}, 'tools/list');
    const asked = failureOf(request({ signal: abort.signal }, method));
    abort.abort(reason);
    expect(await asked).toMatchObject({ name: 'Aborted' });
    expect(await failureOf(request({ signal: abort.signal }))).toMatchObject({ name: 'Aborted' });
    await settled();
    expect(told().slice(1)).toEqual([
      [method, { name: 'a' }],
      ...(params ? [['notifications/cancelled', params]] : []),
    ]);
    expect(sent.slice(0, 2).map(({ outgoing }) => outgoing.signal.aborted)).toEqual([false, true]);
    await connection.close();
    expect(await failureOf(other)).toMatchObject({ code: 'CONNECTION_LOST' });
  },
);

test('Each message is sent whole: its text, its headers, and whether it may be sent again', async () => {
  const { connection, request, sent } = await opened({ kind: 'http' });
  const mine = { headers: { 'mcp-method': 'mine', 'x-a': 'b' }, meta: { own: 1, client: 2 } };
  void request(mine);
  void connection.notify('notifications/custom', { a: 1 });
  connection.envelope = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', client: 1 };
  connection.envelopeTexts = [['client', '1.0']];
  void request({ ...mine, onProgress: () => {} });
  void request({ envelope: { 'io.modelcontextprotocol/protocolVersion': 'other', client: 3 } }, 'tools/list');
  void connection.notify('notifications/bare');
  const whole = sent.map(({ outgoing: { text, id, headers, mayRepeat } }) => ({ text, id, headers, mayRepeat }));
  expect(whole).toEqual(messages.sent);
  // A notification that is not taken would fail in a later test.
  await Promise.all(sent.map(({ end }) => end()));
  await connection.close();
  // An ended request is not ended once more.
  expect(sent.filter(({ outgoing }) => outgoing.signal.aborted)).toEqual([]);
});

test('What a server sends goes to the listener whole, with the request in whose response it came', async () => {
  const heard: unknown[] = [];
  const asked: ServerRequest[] = [];
  let answer!: () => void;
  const answered = new Promise<{ result: string }>(
    (resolve) => (answer = () => resolve({ result: '{\n"at":\r\n1.0}' })),
  );
  const onNotification = (...given: unknown[]) => heard.push(given);
  const onRequest = (given: ServerRequest) => (asked.push(given), answered);
  const onPause = (context: unknown) => heard.push(context);
  const { request, receive, receiver, sent } = await opened({}, { onNotification, onRequest, onPause });
  for (const context of ['first', 'second']) void request({ context });
  expect(['noise', JSON.stringify(messages.batch)].map((text) => receiver.receive(text, 1))).toEqual([false, true]);
  receive({ method: 'notifications/b' });
  receive({ id: 'q', method: 'roots/list' });
  receiver.receive('{"jsonrpc":"2.0","id":7.0,"method":"roots/list"}', 0);
  receive({ method: 'notifications/cancelled', params: { requestId: 'q', reason: 'late' } });
  receiver.paused?.(1);
  expect(heard).toEqual(messages.heard);
  expect(asked.map(({ signal, ...about }) => ({ ...about, taken: signal.reason as unknown }))).toEqual(messages.asked);
  answer();
  await settled();
  expect(sent.slice(2).map(({ outgoing }) => outgoing.text)).toEqual([
    '{"jsonrpc":"2.0","id":7.0,"result":{ "at":  1.0}}',
  ]);
});

test('A connection that ends leaves nothing open: every request has the reason, and so has whoever is told', async () => {
  const reason = new ConnectionError('It is gone.', { code: 'CONNECTION_LOST' });
  const signals: AbortSignal[] = [];
  const onRequest = ({ signal }: ServerRequest) => new Promise<never>(() => signals.push(signal));
  const terminate = vi.fn();
  const { connection, request, receive, receiver, sent, closes } = await opened({ terminate }, { onRequest });
  const onEnd = vi.fn();
  connection.onEnd = onEnd;
  const both = [failureOf(request()), failureOf(request())];
  receive({ id: 'q', method: 'roots/list' });
  receiver.ended(reason);
  receiver.ended(new ConnectionError('Later.', { code: 'CONNECTION_LOST' }));
  for (const asked of [...both, failureOf(request()), failureOf(connection.notify('notifications/a'))])
    expect(await asked).toBe(reason);
  await connection.close();
  expect(onEnd.mock.calls).toEqual([[reason]]);
  expect([signals, sent.map(({ outgoing }) => outgoing.signal)].flat().map(({ aborted }) => aborted)).toEqual(
    Array(3).fill(true),
  );
  expect([terminate.mock.calls.length, closes.mock.calls.length]).toEqual([0, 1]);
});

test('A connection that is to close when it is idle waits for every answer', async () => {
  const { connection, request, receive, closes } = await opened();
  const both = [request(), request()];
  void both[0]!.then(() => request({}, 'ping'));
  const closing = connection.closeWhenIdle();
  for (const id of [0, 1, 2]) {
    await settled();
    expect(closes).not.toHaveBeenCalled();
    receive({ id, result });
  }
  await closing;
  expect(closes).toHaveBeenCalledOnce();
});

test('A request waits for the consent of the user, whose time does not count, and is then sent once more', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  let agree!: () => void;
  const finishAuthorization = () => new Promise<void>((resolve) => (agree = resolve));
  const endpoint = { url: new URL('https://example.com'), request: vi.fn(), finishAuthorization };
  const texts: string[] = [];
  const send: Transport['send'] = async ({ text, onWritten }) => {
    onWritten?.();
    if (texts.push(text) === 1) throw new Unauthorized(undefined, true);
    return new Promise(() => {});
  };
  const { request } = await opened({ endpoint, send });
  const told: boolean[] = [];
  const asked = failureOf(request({ idleTimeoutMs: 100, onSent: (wasSent) => told.push(wasSent) }));
  await vi.advanceTimersByTimeAsync(1000);
  agree();
  await vi.advanceTimersByTimeAsync(99);
  expect([texts.length, told]).toEqual([2, [true, false, true]]);
  expect(texts[1]).toBe(texts[0]);
  await vi.advanceTimersByTimeAsync(1);
  expect(await asked).toMatchObject({ name: 'TimedOut' });
});

test('Missed announcements are reported unless a new session would reveal them, and are listened for again', async () => {
  const listen = vi.fn(() => Promise.resolve(true));
  const reported: unknown[] = [];
  for (const sessionId of [undefined, 's1']) {
    const { connection, receiver } = await opened({ listen, sessionId });
    connection.onMissed = () => reported.push(sessionId);
    connection.announceTools();
    await connection.listen();
    receiver.missed?.();
    await connection.listen();
  }
  expect(reported).toEqual([undefined]);
  expect(listen).toHaveBeenCalledTimes(4);
});

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
    ['other', undefined, { error: { code: -32601, message: 'This client does not know "other".' } }],
  ])(
    "The server's request %s with the envelope %j is answered with %j if the listener fails",
    async (method, envelope, answer) => {
      const { connection, receive, sent } = await opened({}, { onRequest: () => Promise.reject(new Error('no')) });
      connection.envelope = envelope as Record<string, unknown> | undefined;
      receive({ id: 'q', method });
      await settled();
      expect(sent.map(({ message }) => message)).toEqual([{ jsonrpc: '2.0', id: 'q', ...answer }]);
    },
  );

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

test('A notification or request that the transport does not take is given up in time, and the server is not told', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const signals: AbortSignal[] = [];
  const { connection, request } = await opened({
    send: ({ signal }) => (signals.push(signal), new Promise(() => {})),
  });
  const failures = [connection.notify('notifications/custom'), request({ idleTimeoutMs: 10_000 })].map(failureOf);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
  await vi.advanceTimersByTimeAsync(1);
  expect(await Promise.all(failures)).toMatchObject([{ name: 'TimedOut' }, { name: 'TimedOut', wasSent: false }]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
});
