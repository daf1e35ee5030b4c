import { afterEach, describe, expect, test, vi } from 'vitest';
import { Connection } from '../../../src/mcp/connection/connection.js';
import { McpError } from '../../../src/mcp/errors/errors.js';
import type { Outgoing, Receiver, Transport } from '../../../src/mcp/transport/transport.js';
import { opened } from '../scripted.js';

afterEach(() => {
  vi.useRealTimers();
});

/** A connection of 2026-07-28 over a transport of whose streams the test decides when they end. */
async function listening(kind: 'http' | 'stdio') {
  const sent: Outgoing[] = [];
  const ends: (() => void)[] = [];
  let receiver: Receiver | undefined;
  const transport: Transport = {
    kind,
    start: (given) => {
      receiver = given;
      return Promise.resolve();
    },
    send: (message) => {
      sent.push(message);
      return new Promise((resolve) =>
        ends.push(() => resolve({ failure: () => new McpError('x', { code: 'CONNECTION_LOST' }) })),
      );
    },
    close: () => Promise.resolve(),
  };
  const connection = new Connection(transport, { onNotification: () => {} });
  connection.envelope = {};
  await connection.start(new AbortController().signal);
  await connection.listen();
  return { connection, sent, end: () => ends.at(-1)!(), isPending: () => receiver!.isPending(sent.at(-1)!.id!) };
}

describe('the stream on which a server of 2026-07-28 announces changes', () => {
  test('is waited for as long as it lasts: a transport that thinks it is over ends it', async () => {
    const { isPending, connection } = await listening('http');
    expect(isPending()).toBe(true);
    await connection.close();
  });

  test('may be ended by a result, which is no answer to what was never sent', async () => {
    const { connection, sent, receive } = await opened({ kind: 'http' });
    connection.envelope = {};
    await connection.listen();
    receive({ id: sent[0]!.message.id, result: {} });
    expect(connection.diagnostics()).toBeUndefined();
    await connection.close();
  });

  test('is asked for again when it breaks off, and not for ever where the server ends it at once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const { sent, end, connection } = await listening('http');
    vi.advanceTimersByTime(60_000);
    for (const count of [2, 3]) {
      end();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(sent).toHaveLength(count);
    }
    for (let at = 0; at < 10; at++) {
      end();
      await vi.advanceTimersByTimeAsync(4000);
    }
    expect(sent).toHaveLength(5);
    await connection.close();
  });

  test('is asked for three times where the server ends it at once: again after one second, and after two', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const { sent, end, connection } = await listening('http');
    for (const [ms, count] of [
      [1000, 1],
      [2000, 2],
    ] as const) {
      // Five seconds are not lasting yet.
      vi.advanceTimersByTime(5000);
      end();
      await vi.advanceTimersByTimeAsync(ms - 1);
      expect(sent).toHaveLength(count);
      await vi.advanceTimersByTimeAsync(1);
      expect(sent).toHaveLength(count + 1);
    }
    end();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent).toHaveLength(3);
    await connection.close();
  });

  test('is not asked for again over stdio, where a message that is written is over, or after the end', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const stdio = await listening('stdio');
    stdio.end();
    const closed = await listening('http');
    await closed.connection.close();
    closed.end();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([stdio.sent.length, closed.sent.length]).toEqual([1, 1]);
  });
});
