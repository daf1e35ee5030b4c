import { beforeEach, expect, test, vi } from 'vitest';
import { McpError } from '../../../src/mcp/errors/errors.js';
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
  const { connection, sent, receive } = await listening();
  receive({ id: sent[0]!.message.id, result: {} });
  expect(connection.diagnostics()).toBeUndefined();
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
