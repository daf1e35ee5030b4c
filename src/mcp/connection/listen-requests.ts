import type { JsonObject } from '../../json/index.js';
import { connectionEnded } from '../errors/wire-problem.js';
import { Deadline } from '../runtime/deadline.js';
import { anySignal } from '../runtime/node-runtime.js';
import { background, unlimitedMs } from '../runtime/timers.js';
import type { RpcError, WireAnswer } from '../wire/envelope.js';
import type { RawRequestOptions } from './pending-requests.js';

interface Connection {
  readonly transport: { readonly kind: string };
  readonly ended: boolean;
  request(method: string, params: JsonObject, options: RawRequestOptions): Promise<WireAnswer>;
}

/** How often a server is asked to announce changes that ends the stream at once. */
const mostRefusals = 3;

/** A stream that lasts so long was not ended at once. */
const lastingMs = 5000;

/**
 * Has a server without a handshake announce something until the signal is aborted.
 *
 * @returns once the server has acknowledged it: undefined, or the error that it answers instead
 * @throws what the transport throws, Aborted or TimedOut
 */
export async function subscribe(
  connection: Connection,
  notifications: JsonObject,
  { signal, idleTimeoutMs }: { signal: AbortSignal; idleTimeoutMs: number },
): Promise<RpcError | undefined> {
  const over = new AbortController();
  const deadline = new Deadline(idleTimeoutMs, signal);
  try {
    return await deadline.wait(
      new Promise((resolve, reject) => {
        const both = anySignal([signal, over.signal]);
        void keepListening(connection, notifications, both, resolve, reject);
      }),
    );
  } catch (error) {
    over.abort();
    throw error;
  } finally {
    deadline.clear();
  }
}

/**
 * The same for as long as the connection lasts (2026-07-28, Subscriptions): the request has no answer while the server
 * announces. Over HTTP it is sent again where its stream breaks off.
 *
 * @param settled called when the server agrees, or with its error
 * @param failed called with what keeps the request from the server
 */
export async function keepListening(
  connection: Connection,
  notifications: JsonObject,
  signal?: AbortSignal,
  settled: (error?: RpcError) => void = () => {},
  failed: (error: unknown) => void = () => {},
): Promise<void> {
  for (let failures = 0; failures < mostRefusals && !connection.ended && !signal?.aborted; failures++) {
    if (failures > 0) await new Promise<void>((resolve) => background(resolve, 500 * 2 ** failures));
    const began = performance.now();
    const options = { signal, idleTimeoutMs: unlimitedMs, onAcknowledged: settled };
    const answer = await connection.request('subscriptions/listen', { notifications }, options).catch(failed);
    if (answer && 'error' in answer) {
      settled(answer.error);
      return;
    }
    if (connection.transport.kind !== 'http') return;
    if (performance.now() - began > lastingMs) failures = 0;
  }
  failed(connectionEnded());
}
