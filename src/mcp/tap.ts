import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { ConnectionError, McpError, ProtocolError, unknownOutcome } from './errors.js';
import { PendingRequests, type Pending } from './pending-requests.js';
import type { Progress } from './session.js';
import { standIn } from './stand-in.js';
import { beginning, brokenHint, readWireAnswer, type WireAnswer } from './wire-answer.js';

export interface TapOptions {
  onNotification(method: string, params: Record<string, unknown>): void;
  /** Whether an error that belongs to no request means that the connection is of no more use. */
  isFatal?: ((error: Error) => boolean) | undefined;
  /** Why a response stream was cut off on this side, if it was; given once. */
  takeStreamFailure?: (() => Error | undefined) | undefined;
  keep?: boolean;
}

/** A request that is about to be sent, for the caller that wants to see its answer. */
interface Slot {
  id?: string | number;
  pending?: Pending;
  onProgress: ((report: Progress) => void) | undefined;
}

/**
 * Stands between the SDK's client and a transport, and takes every result off the wire before the client parses it.
 *
 * The client checks results against its own types: it reorders the keys of tools, drops fields it does not know and
 * refuses a whole list for one odd tool (typescript-sdk#1175). So it is given an empty stand-in of the right kind, which it
 * needs to settle the request, its timer and its progress handler; what the server really sent is kept here. The
 * client still does what it is good at: handshake, ids, time limits, cancellation, envelopes, authorization.
 */
export class WireTap implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  setProtocolVersion?: (version: string) => void;
  setSupportedProtocolVersions?: (versions: string[]) => void;

  /** What the server said about itself, in the answer to `initialize` or `server/discover`. */
  handshake?: { result: Record<string, unknown> };
  /** Why there is none, where what came was no answer. */
  handshakeFailure?: McpError;
  /** The last thing that went wrong outside a request. */
  failure?: Error;
  /** True once the transport is closed. */
  ended = false;
  /** The last answer that came to a request that was never made. */
  stray?: string;

  readonly #pending = new PendingRequests();
  #nextSlot?: Slot | undefined;

  /** While true, `close` leaves the transport open for another attempt at negotiation. */
  keep: boolean;

  constructor(
    private readonly inner: Transport,
    private readonly options: TapOptions,
  ) {
    this.keep = options.keep ?? false;
    if (inner.setProtocolVersion) this.setProtocolVersion = (version) => inner.setProtocolVersion!(version);
    if (inner.setSupportedProtocolVersions) {
      this.setSupportedProtocolVersions = (versions) => inner.setSupportedProtocolVersions!(versions);
    }
  }

  get sessionId(): string | undefined {
    return this.inner.sessionId;
  }

  get hasPerRequestStream(): boolean {
    return this.inner.hasPerRequestStream === true;
  }

  async start(): Promise<void> {
    this.inner.onmessage = (message, extra) => this.#receive(message, extra);
    this.inner.onerror = (error) => {
      this.failure = error;
      this.onerror?.(error);
      if (this.options.isFatal?.(error)) void this.inner.close();
    };
    this.inner.onclose = () => {
      this.ended = true;
      this.onclose?.();
      for (const { exchange } of this.#pending.all()) exchange.abort();
    };
    if (started.has(this.inner)) return;
    started.add(this.inner);
    await this.inner.start();
  }

  async close(): Promise<void> {
    if (!this.keep) return this.inner.close();
    this.onclose?.();
  }

  /**
   * Runs `send`, which must hand its request to {@link send} before it returns, and gives back what the server
   * answered: a function that is called once the client considers the request settled.
   *
   * @param onProgress called with each report of progress as it comes in. The client calls its own handlers a moment
   *   later, when the answer may have come and removed them.
   */
  capture<T>(send: () => T, onProgress?: (report: Progress) => void): { sent: T; answer(): WireAnswer | undefined } {
    const slot: Slot = { onProgress };
    this.#nextSlot = slot;
    try {
      return {
        sent: send(),
        answer: () => {
          if (slot.id !== undefined) this.#pending.delete(slot.id);
          return slot.pending?.answer;
        },
      };
    } finally {
      this.#nextSlot = undefined;
    }
  }

  async send(message: JSONRPCMessage, options: Parameters<Transport['send']>[1] = {}): Promise<void> {
    if (!('method' in message)) return this.inner.send(message, options);
    if (!('id' in message)) return this.#sendNotification(message, options);
    const { id, method } = message;
    const pending: Pending = { method, exchange: new AbortController() };
    this.#pending.add(id, pending);
    if (this.#nextSlot) {
      Object.assign(this.#nextSlot, { id, pending });
      pending.onProgress = this.#nextSlot.onProgress;
    }
    options.requestSignal?.addEventListener('abort', () => pending.exchange.abort(), { once: true });
    const earlierFailure = this.failure;
    try {
      await this.inner.send(message, {
        ...options,
        requestSignal: pending.exchange.signal,
        // Without this, a response stream that was cut off would hang until the time limit.
        onRequestStreamEnd: () => {
          options.onRequestStreamEnd?.();
          if (this.#pending.get(id)) this.#fail(id, this.#cutOff(method));
        },
      });
    } catch (error) {
      // The transport has reported it as an error of its own as well, but it is this request's.
      if (this.failure === error) this.failure = earlierFailure;
      throw error;
    }
  }

  async #sendNotification(message: JSONRPCMessage, options: Parameters<Transport['send']>[1]): Promise<void> {
    const cancelled = 'method' in message && message.method === 'notifications/cancelled' ? message.params : undefined;
    const pending = this.#pending.get((cancelled as { requestId?: string | number } | undefined)?.requestId ?? '');
    try {
      await this.inner.send(message, options);
    } finally {
      // The server was told; now its answer may no longer take up a socket.
      pending?.exchange.abort();
    }
  }

  #receive(message: JSONRPCMessage, extra: Parameters<NonNullable<Transport['onmessage']>>[1]): void {
    if ('method' in message) {
      if (!('id' in message)) this.#notify(message.method, message.params ?? {});
      this.onmessage?.(message, extra);
      return;
    }
    const id = this.#pending.idFor(message);
    const pending = id === undefined ? undefined : this.#pending.get(id);
    if (id === undefined || !pending) {
      this.#strayed(message);
      return;
    }
    const answer = readWireAnswer(pending.method, message);
    if ('failure' in answer) {
      this.#fail(id, answer.failure);
      return;
    }
    this.#pending.delete(id);
    pending.answer = answer;
    if (isHandshake(pending.method) && 'result' in answer) this.handshake = answer;
    this.onmessage?.({ jsonrpc: '2.0', id, ...standIn(pending.method, answer) }, extra);
  }

  #notify(method: string, params: Record<string, unknown>): void {
    try {
      if (method === 'notifications/progress')
        this.#pending.get(params['progressToken'] as number)?.onProgress?.(readProgress(params));
      this.options.onNotification(method, params);
    } catch {
      // What is called here belongs to the host; its failure must not break the connection.
    }
  }

  /**
   * An answer that no request waits for: a second one, one after a cancellation, or one to a request that was never
   * made. Where every request has a stream of its own, the latter can only be meant for the request under way.
   */
  #strayed(message: { id?: unknown }): void {
    if (this.#pending.wasMade(message.id)) return;
    this.stray = `an answer to a request with the id ${beginning(JSON.stringify(message.id))}, which was never sent`;
    const id = this.hasPerRequestStream ? this.#pending.onlyId() : undefined;
    if (id !== undefined) this.#fail(id, wrongAnswer(this.#pending.get(id)!.method, this.stray));
  }

  /** Why the response stream of a request is over without an answer. */
  #cutOff(method: string): McpError {
    const cause = this.options.takeStreamFailure?.() ?? this.failure;
    if (cause instanceof McpError) return cause;
    return new ConnectionError(`The server ended its response to ${method} without an answer.`, {
      code: 'CONNECTION_LOST',
      hint: unknownOutcome,
    });
  }

  #fail(id: string | number, failure: McpError): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    this.#pending.delete(id);
    pending.answer = { failure };
    if (isHandshake(pending.method)) this.handshakeFailure = failure;
    this.onmessage?.({ jsonrpc: '2.0', id, error: { code: 1, message: failure.message } });
  }
}

/** Transports that are already running when a second attempt at negotiation takes them over. */
const started = new WeakSet<Transport>();

function wrongAnswer(method: string, what: string): ProtocolError {
  return new ProtocolError(`The server answered ${method} with ${what}.`, { hint: brokenHint });
}

function readProgress({ progress, total, message }: Record<string, unknown>): Progress {
  return {
    progress: typeof progress === 'number' ? progress : 0,
    ...(typeof total === 'number' && { total }),
    ...(typeof message === 'string' && { message }),
  };
}

function isHandshake(method: string): boolean {
  return method === 'initialize' || method === 'server/discover';
}
