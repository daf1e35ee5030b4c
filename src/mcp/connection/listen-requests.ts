import type { JsonObject } from '../../json/index.js';
import { connectionEnded } from '../errors/wire-problem.js';
import { background, unlimitedMs } from '../runtime/timers.js';
import type { RpcError, WireAnswer } from '../wire/envelope.js';
import type { RawRequestOptions } from './pending-requests.js';

interface Connection {
  readonly transport: { readonly kind: string };
  readonly ended: boolean;
  readonly onMissed?: (() => void) | undefined;
  request(method: string, params: JsonObject, options: RawRequestOptions): Promise<WireAnswer>;
}

const mostRefusals = 3;

/** A stream that lasts so long was not ended at once. */
const lastingMs = 5000;

/**
 * Subscribes to announcements of a server without a handshake until the signal is aborted or the connection ends
 * (2026-07-28, Subscriptions). Over HTTP, subscribes again if the stream breaks off.
 *
 * @returns once the server has agreed: undefined, or the error that it answers instead
 * @throws the error that keeps the request from reaching the server
 */
export function keepListening(
  connection: Connection,
  notifications: JsonObject,
  signal?: AbortSignal,
): Promise<RpcError | undefined> {
  return new Promise((resolve, reject) => {
    let wasAgreed = false;
    let wasBroken = false;
    const onAcknowledged = () => {
      resolve(undefined);
      if (wasBroken) connection.onMissed?.();
      wasAgreed = true;
    };
    const listen = async () => {
      for (let failures = 0; failures < mostRefusals && !connection.ended && !signal?.aborted; failures++) {
        if (failures > 0) await new Promise<void>((again) => background(again, 500 * 2 ** failures));
        const began = performance.now();
        const options = { signal, idleTimeoutMs: unlimitedMs, onAcknowledged };
        const answer = await connection.request('subscriptions/listen', { notifications }, options).catch(reject);
        if (answer && 'error' in answer) {
          resolve(answer.error);
          return;
        }
        if (connection.transport.kind !== 'http' || signal?.aborted) return;
        wasBroken = true;
        if (wasAgreed) connection.onMissed?.();
        if (performance.now() - began > lastingMs) failures = 0;
      }
      reject(connectionEnded());
    };
    void listen();
  });
}
