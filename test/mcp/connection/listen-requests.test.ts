import { beforeEach, expect, test, vi } from 'vitest';
import { McpError } from '../../../src/mcp/errors/errors.js';
import { keepListening } from '../../../src/mcp/connection/listen-requests.js';
import { failureOf } from '../calling.js';
import { opened } from '../scripted.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));

/** A connection of 2026-07-28. The test decides when its streams end. */
async function listening(kind: 'http' | 'stdio' = 'http') {
  const server = await opened({ kind });
  server.connection.envelope = {};
  server.connection.announceTools();
  const end = () => server.sent.at(-1)!.end({ failure: () => new McpError('x', { code: 'CONNECTION_LOST' }) });
  return { ...server, end };
}

test('A result that ends the stream of announcements is not reported as an answer to no request', async () => {
  const { connection, sent, receive, told } = await listening();
  expect(told()).toEqual([['subscriptions/listen', { notifications: { toolsListChanged: true } }]]);
  receive({ id: sent[0]!.message.id, result: {} });
  expect(connection.diagnostics()).toBeUndefined();
});

test('A request to listen has the consent, the refusal or the end as its outcome, and what was missed is reported', async () => {
  const { connection, sent, receive, told } = await opened({ kind: 'http' });
  connection.envelope = {};
  const onMissed = vi.fn();
  connection.onMissed = onMissed;
  const [agreed, refused, cut] = ['a', 'b', 'c'].map((what) => keepListening(connection, { what }));
  const method = 'notifications/subscriptions/acknowledged';
  receive({ method, params: { _meta: { 'io.modelcontextprotocol/subscriptionId': 0 } } }, 2);
  expect(await agreed).toBeUndefined();
  receive({ id: 1, error: { code: 1, message: 'no' } });
  expect(await refused).toEqual({ code: 1, message: 'no' });
  expect(onMissed).not.toHaveBeenCalled();
  await sent[0]!.end({ failure: () => new McpError('x', { code: 'CONNECTION_LOST' }) });
  expect(onMissed).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1000);
  receive({ method }, 3);
  expect(onMissed).toHaveBeenCalledTimes(2);
  const asked = ['a', 'b', 'c', 'a'].map((what) => ['subscriptions/listen', { notifications: { what } }]);
  expect(told()).toEqual(asked);
  const ends = [failureOf(cut!), failureOf(keepListening(connection, {}, AbortSignal.abort()))];
  await connection.close();
  ends.push(failureOf(keepListening(connection, {})));
  for (const end of await Promise.all(ends))
    expect(end).toMatchObject({ code: 'CONNECTION_LOST', hint: 'Connect again.' });
  expect(told()).toEqual(asked);
});

test('A request to listen that is refused, or ended by whoever made it, has missed nothing', async () => {
  const { connection, sent, receive, told } = await opened({ kind: 'http' });
  connection.envelope = {};
  const onMissed = vi.fn();
  connection.onMissed = onMissed;
  const over = new AbortController();
  const agreed = keepListening(connection, { what: 'a' }, over.signal);
  receive({ method: 'notifications/subscriptions/acknowledged' }, 0);
  await agreed;
  const refused = failureOf(keepListening(connection, { what: 'b' }));
  await sent[1]!.refuse(new Error('no'));
  over.abort();
  expect(await refused).toMatchObject({ message: 'no' });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(onMissed).not.toHaveBeenCalled();
  expect(told()).toEqual(['a', 'b', 'b'].map((what) => ['subscriptions/listen', { notifications: { what } }]));
});

test('The stream of announcements is opened again when it breaks off, and three times if it ends at once', async () => {
  const { sent, end } = await listening();
  // A stream of five seconds counts as short.
  for (const [lasted, wait, count] of [
    [5000, 1000, 1],
    [60_000, 1000, 2],
    [5000, 2000, 3],
  ] as const) {
    vi.advanceTimersByTime(lasted);
    await end();
    await vi.advanceTimersByTimeAsync(wait - 1);
    expect(sent).toHaveLength(count);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toHaveLength(count + 1);
  }
  await end();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveLength(4);
});

test('The stream of announcements is not opened again over stdio, or after the end of the session', async () => {
  const stdio = await listening('stdio');
  await stdio.end();
  const closed = await listening();
  await closed.connection.close();
  await closed.end();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([stdio.sent.length, closed.sent.length]).toEqual([1, 1]);
});
