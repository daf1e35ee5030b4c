import { vi } from 'vitest';
import { Connection, type ConnectionListener } from '../../src/mcp/connection/connection.js';
import type { RawRequestOptions } from '../../src/mcp/connection/pending-requests.js';
import type { Outgoing, Receiver, ResponseEnd, Transport } from '../../src/mcp/transport/transport.js';
import { settled } from '../../test-support/waiting.js';

export interface Sent {
  readonly outgoing: Outgoing;
  readonly message: {
    readonly id?: number | string;
    readonly method?: string;
    readonly params?: Record<string, unknown>;
    readonly result?: unknown;
    readonly error?: unknown;
  };
  /** Ends the response. */
  end(end?: ResponseEnd): Promise<void>;
  refuse(error: Error): Promise<void>;
}

/** A connection whose transport leads to the test. */
export async function opened(transport: Partial<Transport> = {}, listener: Partial<ConnectionListener> = {}) {
  const sent: Sent[] = [];
  let receiver!: Receiver;
  const closes = vi.fn(() => Promise.resolve());
  const connection = new Connection(
    {
      kind: 'stdio',
      start: (given) => {
        receiver = given;
        return Promise.resolve();
      },
      send: (outgoing) =>
        new Promise((resolve, reject) => {
          outgoing.onWritten?.();
          const message = JSON.parse(outgoing.text) as Sent['message'];
          const end = (how?: ResponseEnd) => (resolve(how), settled());
          sent.push({ outgoing, message, end, refuse: (error) => (reject(error), settled()) });
        }),
      close: closes,
      ...transport,
    },
    { onNotification: () => {}, ...listener },
  );
  await connection.start(new AbortController().signal);
  const request = (options: Partial<RawRequestOptions> = {}, method = 'tools/call') => {
    const answer = connection.request(method, { name: 'a' }, { idleTimeoutMs: 60_000, ...options });
    answer.catch(() => {}); // a test may end earlier
    return answer;
  };
  const receive = (message: object, within?: number | string) =>
    receiver.receive(JSON.stringify({ jsonrpc: '2.0', ...message }), within);
  const told = () => sent.map(({ message: { method, params } }) => [method, params]);
  return { connection, sent, receiver, request, receive, closes, told };
}
