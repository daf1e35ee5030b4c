import { isObject, type JsonObject } from '../../json/index.js';
import { ConnectionError, type McpError } from '../errors/errors.js';
import { changesSomething } from '../errors/explain.js';
import { Aborted, TimedOut } from '../errors/failures.js';
import { requestHeaders } from '../http/request-headers.js';
import { readMessages, type Message, type RequestId, type RpcError, type WireAnswer } from '../wire/envelope.js';
import { brokenAnswer } from '../errors/wire-problem.js';
import { messageText, type AnswerText } from '../wire/message-text.js';
import { PendingRequests, type Progress, type RawRequestOptions } from './pending-requests.js';
import { ServerRequests, type Origin, type ServerRequest } from './server-requests.js';
import type { Outgoing, ResponseEnd, Transport } from '../transport/transport.js';
import { anySignal } from '../runtime/node-runtime.js';
import { Deadline } from '../runtime/deadline.js';
import { background, settlesWithin } from '../runtime/timers.js';

/** Who hears what the server sends unasked. */
export interface ConnectionListener {
  onNotification: (method: string, params: JsonObject, origin: Origin) => void;
  /** Answers what the server asks. Without it, and where it rejects, the client knows no method but `ping`. */
  onRequest?: ((request: ServerRequest) => Promise<AnswerText>) | undefined;
  /** Is told that the server has ended the response to a request before its answer, to be asked again for it. */
  onPause?: ((context: unknown) => void) | undefined;
}

/** What a server said about itself when the connection was negotiated. */
export interface Handshake {
  protocolVersion: string;
  capabilities: JsonObject;
  serverInfo?: JsonObject;
  instructions?: string;
  /** All that it said, to the character. */
  text?: string | undefined;
}

/**
 * How often a server is asked to announce changes that ends the stream at once, and how long one lasts that it meant to
 * keep.
 */
const mostRefusals = 3;
const lastingMs = 5000;

/** Names the request to listen that a notification belongs to (2026-07-28, Subscriptions). */
const subscriptionKey = 'io.modelcontextprotocol/subscriptionId';

/** A request to listen. */
interface Listening {
  /** Aborted when nobody listens any more. */
  signal?: AbortSignal;
  /** Called when the server agrees, or with its error. */
  settled?: (error: RpcError | undefined) => void;
  /** Called with what keeps the server from hearing of it. */
  failed?: (error: unknown) => void;
}

/** How long a server may take to end its session; whether it does is its own affair. */
const terminateMs = 1000;

/**
 * JSON-RPC over a transport: requests go out with an id, a time limit and a way to cancel them, and their answers come
 * back as they stood on the wire. What is not an answer to a request of this connection never touches one.
 */
export class Connection {
  /** Set by whoever negotiates. */
  handshake: Handshake = { protocolVersion: '', capabilities: {} };
  /** What every request carries in revisions without a handshake (2026-07-28): the revision, and who asks. */
  envelope: JsonObject | undefined;
  /** True once the connection is of no more use. */
  ended = false;
  /** Why it ended, if it was not asked to. */
  failure: McpError | undefined;
  /** Set by whoever wants to know when it ends, and why if it was not asked to. */
  onEnd: ((failure: McpError | undefined) => void) | undefined;

  readonly #transport: Transport;
  readonly #listener: ConnectionListener;
  readonly #pending = new PendingRequests();
  readonly #serverRequests: ServerRequests;
  /** Requests to listen, which have no answer while they last. */
  readonly #listening = new Map<RequestId, Listening>();
  /** What is to be ended with the connection: requests, and responses that go on behind their answers. */
  readonly #exchanges = new Set<AbortController>();
  #listened: Promise<void> | undefined;
  #underWay = 0;
  /** How many requests have a response that is not over. */
  #responses = 0;
  #closesWhenIdle = false;

  constructor(transport: Transport, listener: ConnectionListener) {
    this.#transport = transport;
    this.#listener = listener;
    this.#serverRequests = new ServerRequests({
      isStateless: () => this.envelope !== undefined,
      pending: this.#pending,
      onRequest: listener.onRequest,
      send: (text, exchange) => this.#send({ text, method: '', signal: exchange.signal, exchange }),
    });
  }

  get kind(): Transport['kind'] {
    return this.#transport.kind;
  }

  /** Whether requests repeat in HTTP headers what they say (2026-07-28, Streamable HTTP). */
  get mirrorsHeaders(): boolean {
    return this.kind === 'http' && this.envelope !== undefined;
  }

  get sessionId(): string | undefined {
    return this.#transport.sessionId;
  }

  /** Waits for the user to agree to what the server wants authorization for; absent where there is nobody to wait for. */
  get finishAuthorization(): (() => Promise<void>) | undefined {
    return this.#transport.finishAuthorization;
  }

  /** What came that is no answer to anything, for the message of a request that waits in vain. */
  remark(): string | undefined {
    const { stray } = this.#pending;
    return stray === undefined ? this.#transport.remark?.() : `It sent ${stray}.`;
  }

  start(): Promise<void> {
    return this.#transport.start({
      receive: (text, within) => this.#receive(text, within),
      isPending: (id) => this.#pending.has(id) || this.#listening.has(id),
      paused: (id) => this.#listener.onPause?.(this.#pending.find(id)?.context),
      ended: (failure) => {
        this.#end(failure);
      },
    });
  }

  /**
   * Sends a request and resolves with what the server answered.
   *
   * @throws what the transport throws, TimedOut, Aborted, or the reason for which the connection has ended
   */
  async request(method: string, params: JsonObject, options: RawRequestOptions): Promise<WireAnswer> {
    if (options.signal?.aborted) throw new Aborted();
    this.#underWay++;
    try {
      return await this.#exchange(method, params, options);
    } finally {
      if (--this.#underWay === 0 && this.#closesWhenIdle) void this.close();
    }
  }

  #exchange(method: string, params: JsonObject, options: RawRequestOptions): Promise<WireAnswer> {
    const { signal, idleTimeoutMs, onProgress, onAsked, context } = options;
    const id = this.#pending.newId();
    let wasSent = false;
    const onWritten = () => {
      wasSent = true;
    };
    const outgoing = {
      ...this.#outgoing(method, params, options, id),
      mayRepeat: !changesSomething(method),
      onWritten,
    };
    return new Promise((resolve, reject) => {
      const deadline = new Deadline(idleTimeoutMs, signal);
      const over = new AbortController();
      const release = () => {
        over.abort();
        this.#pending.delete(id);
        deadline.clear();
      };
      const fail = (error: unknown) => {
        release();
        reject(error); // eslint-disable-line @typescript-eslint/prefer-promise-reject-errors -- whatever was thrown is thrown on
      };
      const giveUp = (error: unknown, reason?: unknown) => {
        fail(error);
        if (wasSent) void this.#cancel(id, outgoing, reason);
        else outgoing.exchange.abort();
      };
      deadline.signal.addEventListener('abort', () => {
        if (deadline.isOver) giveUp(new TimedOut(wasSent));
        else giveUp(new Aborted(), deadline.signal.reason);
      });
      this.#pending.add(id, {
        method,
        fail,
        giveUp,
        onAsked,
        context,
        deadline,
        over: over.signal,
        settle: (answer) => {
          release();
          options.onAnswer?.(answer, id);
          resolve(answer);
        },
        onProgress,
      });
      this.#responses++;
      void this.#send(outgoing)
        .then((end) => {
          const pending = this.#pending.find(id);
          if (pending && end) pending.end = end;
        }, fail)
        .then(() => {
          this.#responses--;
          this.#pending.failUnanswered(this.#responses > 0);
        });
    });
  }

  /** Has a function called with the progress of a request that is answered, but goes on as a task; the result ends it. */
  hearProgress(id: RequestId, onProgress: (report: Progress) => void): () => void {
    return this.#pending.hearProgress(id, onProgress);
  }

  /** Tells the server something. Bounded in time; rejects when the server refused it. */
  async notify(method: string, params?: JsonObject, idleTimeoutMs = 10_000): Promise<void> {
    const outgoing = this.#outgoing(method, params ?? {}, {});
    const deadline = new Deadline(idleTimeoutMs);
    deadline.signal.addEventListener('abort', () => {
      outgoing.exchange.abort();
    });
    try {
      await this.#send(outgoing);
    } finally {
      deadline.clear();
    }
  }

  /**
   * Has the server announce changes, in the way of its revision. Resolves once it has been asked to; never
   * rejects.
   *
   * @param notifications what to announce, where that can be chosen (2026-07-28, Subscriptions)
   */
  async listen(notifications: JsonObject = { toolsListChanged: true }): Promise<void> {
    if (!this.envelope) {
      await (this.#listened ??= this.#transport.listen?.() ?? Promise.resolve());
      return;
    }
    void this.#keepListening(notifications);
  }

  /**
   * Has a server without a handshake announce something (2026-07-28, Subscriptions), until the signal is aborted.
   *
   * @returns once the server has acknowledged it: undefined, or the error that it answers instead
   * @throws what the transport throws, or TimedOut
   */
  async subscribe(
    notifications: JsonObject,
    { signal, idleTimeoutMs }: { signal: AbortSignal; idleTimeoutMs: number },
  ): Promise<RpcError | undefined> {
    const over = new AbortController();
    const both = anySignal([signal, over.signal]);
    const deadline = new Deadline(idleTimeoutMs, signal);
    try {
      return await deadline.wait(
        new Promise((resolve, reject) => {
          void this.#keepListening(notifications, { signal: both, settled: resolve, failed: reject });
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
   * What comes of it are notifications, for as long as the connection lasts; over HTTP in a stream that may break off.
   */
  async #keepListening(notifications: JsonObject, how: Listening = {}): Promise<void> {
    const { signal, failed } = how;
    for (let failures = 0; failures < mostRefusals && !this.ended && !signal?.aborted; failures++) {
      if (failures > 0) await pauseBeforeListening(failures);
      const id = `listen:${this.#pending.newId()}`;
      const outgoing = this.#outgoing('subscriptions/listen', { notifications }, {}, id);
      const stop = () => {
        this.#listening.delete(id);
        void this.#cancel(id, outgoing, undefined);
      };
      signal?.addEventListener('abort', stop);
      this.#listening.set(id, how);
      const began = performance.now();
      await this.#send(outgoing).catch((error: unknown) => failed?.(error));
      if (this.kind !== 'http') return;
      this.#listening.delete(id);
      signal?.removeEventListener('abort', stop);
      // A server that will not be listened to is asked a few times; without its word a list stays as it is.
      if (performance.now() - began > lastingMs) failures = 0;
    }
    failed?.(connectionEnded());
  }

  /** The revision agreed upon, once it is. */
  set protocolVersion(revision: string | undefined) {
    this.#transport.protocolVersion = revision;
  }

  /** Ends the session at the server, if it has one, and the transport. Never rejects. */
  async close(): Promise<void> {
    if (!this.ended && this.#transport.terminate) await settlesWithin(terminateMs, this.#transport.terminate());
    for (const exchange of this.#exchanges) exchange.abort();
    await this.#transport.close();
    this.#end(undefined);
  }

  /** Closes once nothing is under way any more. */
  async closeWhenIdle(): Promise<void> {
    this.#closesWhenIdle = true;
    if (this.#underWay === 0) await this.close();
  }

  #outgoing(
    method: string,
    params: JsonObject,
    { headers, meta: further, argumentsText, onProgress, ...own }: Partial<RawRequestOptions>,
    id?: RequestId,
  ): Outgoing & { exchange: AbortController } {
    const envelope = this.envelope && (own.envelope ?? this.envelope);
    const meta = { ...further, ...envelope, ...(onProgress && { progressToken: id }) };
    const exchange = new AbortController();
    const statelessHeaders = envelope && id !== undefined ? requestHeaders(method, params, envelope) : undefined;
    return {
      text: messageText({ method, params, meta, id, argumentsText }),
      method,
      ...(id !== undefined && { id }),
      ...((headers ?? statelessHeaders) && { headers: { ...headers, ...statelessHeaders } }),
      signal: exchange.signal,
      exchange,
    };
  }

  async #send(outgoing: Outgoing & { exchange: AbortController }): Promise<ResponseEnd | undefined> {
    if (this.ended) throw this.failure ?? connectionEnded();
    this.#exchanges.add(outgoing.exchange);
    try {
      return await this.#transport.send(outgoing);
    } finally {
      this.#exchanges.delete(outgoing.exchange);
    }
  }

  /** Tells the server that nobody waits any more, and frees what the exchange holds. */
  async #cancel(
    id: RequestId,
    { method, exchange }: { method: string; exchange: AbortController },
    reason: unknown,
  ): Promise<void> {
    // In the stateless revision the end of its stream says so, where a request has one (2026-07-28, Cancellation).
    const isTold = method !== 'initialize' && !(this.envelope && this.kind === 'http');
    const params = { requestId: id, ...(typeof reason === 'string' && { reason }) };
    if (isTold) await this.notify('notifications/cancelled', params).catch(() => {});
    exchange.abort();
  }

  #receive(text: string, within: RequestId | undefined): boolean {
    const messages = readMessages(text);
    for (const message of messages ?? []) this.#take(message, within);
    return messages !== undefined;
  }

  #take(message: Message, within: RequestId | undefined): void {
    switch (message.kind) {
      case 'notification':
        this.#notified(message, { wire: message.wire, within, context: this.#pending.find(within)?.context });
        break;
      case 'request':
        void this.#serverRequests.answer(message, within);
        break;
      case 'answer': {
        const listening = message.id === undefined ? undefined : this.#listening.get(message.id);
        if (listening && 'error' in message.answer) listening.settled?.(message.answer.error);
        else this.#pending.settle(message, within);
        break;
      }
      case 'broken': {
        const pending = this.#pending.find(message.id);
        pending?.fail(brokenAnswer(pending.method, message.message));
      }
    }
  }

  #notified({ method, params }: { method: string; params: JsonObject }, origin: Origin): void {
    try {
      if (method === 'notifications/progress') this.#pending.progressed(params);
      if (method === 'notifications/subscriptions/acknowledged') this.#acknowledged(params, origin);
      if (method === 'notifications/cancelled')
        this.#serverRequests.takenBack(params['requestId'] as RequestId, params['reason']); // it is only looked up
      this.#listener.onNotification(method, params, origin);
    } catch {
      // What is called here belongs to the host; its failure must not break the connection.
    }
  }

  #acknowledged({ _meta: meta }: JsonObject, { within }: Origin): void {
    const id = isObject(meta) ? meta[subscriptionKey] : undefined;
    this.#listening.get((id ?? within) as RequestId)?.settled?.(undefined); // whatever it is, it is only looked up
  }

  #end(failure: McpError | undefined): void {
    if (this.ended) return;
    this.ended = true;
    this.failure = failure;
    for (const exchange of this.#exchanges) exchange.abort();
    this.#serverRequests.end();
    for (const { fail } of this.#pending.all()) fail(failure ?? connectionEnded());
    this.onEnd?.(failure);
  }
}

/** The error for whatever comes after the end of a connection that gave no other reason. */
export function connectionEnded(): ConnectionError {
  return new ConnectionError('The connection to the server has ended.', {
    code: 'CONNECTION_LOST',
    hint: 'Connect again.',
  });
}

function pauseBeforeListening(failures: number): Promise<void> {
  return new Promise((resolve) => background(resolve, 500 * 2 ** failures));
}
