import { isObject, type JsonObject } from '../../json/index.js';
import { Deadline } from '../runtime/deadline.js';
import { anySignal } from '../runtime/node-runtime.js';
import { background } from '../runtime/timers.js';
import type { RequestId, RpcError, WireAnswer } from '../wire/envelope.js';

/** A request to listen, ready to be sent. */
interface Prepared {
  readonly id: RequestId;
  /** Resolves once the message is written, over HTTP once the stream in response is over. */
  send(): Promise<unknown>;
  cancel(): void;
}

/** What requests to listen need of their connection. */
interface ListenOptions {
  readonly connection: { readonly kind: string; readonly ended: boolean };
  prepare: (notifications: JsonObject) => Prepared;
  /** The error for a connection that has ended. */
  endedError: () => Error;
}

/** One announcement that was asked for, over all its requests. */
interface Listening {
  /** Aborted when nobody listens any more. */
  signal?: AbortSignal;
  /** Called when the server agrees, or with its error. */
  settled?: (error: RpcError | undefined) => void;
  /** Called with what keeps the request from the server. */
  failed?: (error: unknown) => void;
}

/** How often a server is asked to announce changes that ends the stream at once. */
const mostRefusals = 3;

/** A stream that lasts so long was not ended at once. */
const lastingMs = 5000;

/** Names the request to listen that a notification belongs to. */
const subscriptionKey = 'io.modelcontextprotocol/subscriptionId';

/**
 * Requests to listen of a server without a handshake (2026-07-28, Subscriptions), which have no answer while they last.
 * What comes of them are notifications; over HTTP in a stream, which is asked for again where it breaks off.
 */
export class ListenRequests {
  readonly #options: ListenOptions;
  readonly #open = new Map<RequestId, Listening>();

  constructor(options: ListenOptions) {
    this.#options = options;
  }

  has(id: RequestId): boolean {
    return this.#open.has(id);
  }

  /** Takes an answer: an error is a refusal, a result the end. Returns whether it was one to a request to listen. */
  answered(id: RequestId | undefined, answer: WireAnswer): boolean {
    const listening = id === undefined ? undefined : this.#open.get(id);
    if ('error' in answer) listening?.settled?.(answer.error);
    return listening !== undefined;
  }

  /** Takes the server's consent, which names the request, or comes in the response to it. */
  acknowledged({ _meta: meta }: JsonObject, within: RequestId | undefined): void {
    const id = isObject(meta) ? meta[subscriptionKey] : undefined;
    this.#open.get((id ?? within) as RequestId)?.settled?.(undefined); // whatever it is, it is only looked up
  }

  /**
   * Has the server announce something until the signal is aborted.
   *
   * @returns once the server has acknowledged it: undefined, or the error that it answers instead
   * @throws what the transport throws, Aborted or TimedOut
   */
  async subscribe(
    notifications: JsonObject,
    { signal, idleTimeoutMs }: { signal: AbortSignal; idleTimeoutMs: number },
  ): Promise<RpcError | undefined> {
    const over = new AbortController();
    const deadline = new Deadline(idleTimeoutMs, signal);
    try {
      return await deadline.wait(
        new Promise((resolve, reject) => {
          const both = anySignal([signal, over.signal]);
          void this.keepListening(notifications, { signal: both, settled: resolve, failed: reject });
        }),
      );
    } catch (error) {
      over.abort();
      throw error;
    } finally {
      deadline.clear();
    }
  }

  /** Has the server announce something for as long as the connection lasts. */
  async keepListening(notifications: JsonObject, how: Listening = {}): Promise<void> {
    const { signal, failed } = how;
    const { connection, prepare, endedError } = this.#options;
    for (let failures = 0; failures < mostRefusals && !connection.ended && !signal?.aborted; failures++) {
      if (failures > 0) await backgroundPause(500 * 2 ** failures);
      const request = prepare(notifications);
      const stop = () => {
        this.#open.delete(request.id);
        request.cancel();
      };
      signal?.addEventListener('abort', stop);
      this.#open.set(request.id, how);
      const began = performance.now();
      await request.send().catch((error: unknown) => failed?.(error));
      if (connection.kind !== 'http') return;
      this.#open.delete(request.id);
      signal?.removeEventListener('abort', stop);
      if (performance.now() - began > lastingMs) failures = 0;
    }
    failed?.(endedError());
  }
}

function backgroundPause(ms: number): Promise<void> {
  return new Promise((resolve) => background(resolve, ms));
}
