import { beforeEach, describe, expect, test, vi } from 'vitest';
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

describe('the stream on which a server of 2026-07-28 announces changes', () => {
  test('may be ended by a result, which is no answer to what was never sent', async () => {
    const { connection, sent, receive } = await listening();
    receive({ id: sent[0]!.message.id, result: {} });
    expect(connection.diagnostics()).toBeUndefined();
  });

  test('is asked for again when it breaks off, and not for ever if the server ends it at once', async () => {
    const { sent, end } = await listening();
    vi.advanceTimersByTime(60_000);
    for (const count of [2, 3]) {
      await end();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(sent).toHaveLength(count);
    }
    for (let at = 0; at < 10; at++) {
      await end();
      await vi.advanceTimersByTimeAsync(4000);
    }
    expect(sent).toHaveLength(5);
  });

  test('is asked for three times if the server ends it at once: again after one second, and after two', async () => {
    const { sent, end } = await listening();
    for (const [ms, count] of [
      [1000, 1],
      [2000, 2],
    ] as const) {
      // A stream of five seconds counts as short.
      vi.advanceTimersByTime(5000);
      await end();
      await vi.advanceTimersByTimeAsync(ms - 1);
      expect(sent).toHaveLength(count);
      await vi.advanceTimersByTimeAsync(1);
      expect(sent).toHaveLength(count + 1);
    }
    await end();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent).toHaveLength(3);
  });

  test('is not asked for again over stdio, if a message that is written is over, or after the end', async () => {
    const stdio = await listening('stdio');
    await stdio.end();
    const closed = await listening();
    await closed.connection.close();
    await closed.end();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([stdio.sent.length, closed.sent.length]).toEqual([1, 1]);
  });
});
