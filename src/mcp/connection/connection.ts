import type { JsonObject } from '../../json/index.js';
import type { McpError } from '../errors/errors.js';
import { changesSomething } from '../errors/explain.js';
import { Aborted } from '../errors/failures.js';
import { requestHeaders } from '../http/request-headers.js';
import { readMessages, type Message, type RequestId, type WireAnswer } from '../wire/envelope.js';
import { brokenAnswer, connectionEnded } from '../errors/wire-problem.js';
import { keepListening } from './listen-requests.js';
import { messageText, type AnswerText } from '../wire/message-text.js';
import { PendingRequests, type RawRequestOptions } from './pending-requests.js';
import { ServerRequests, type Origin, type ServerRequest } from './server-requests.js';
import type { Outgoing, ResponseEnd, Transport } from '../transport/transport.js';
import { Deadline } from '../runtime/deadline.js';
import { settlesWithin } from '../runtime/timers.js';

/** Gets what the server sends on its own account. */
export interface ConnectionListener {
  onNotification: (method: string, params: JsonObject, origin: Origin) => void;
  /** Answers what the server asks. Without it, and where it rejects, the client knows no method but `ping`. */
  onRequest?: ((request: ServerRequest) => Promise<AnswerText>) | undefined;
  /** Called when the server has ended the response to a request before its answer, which will be fetched later. */
  onPause?: ((context: unknown) => void) | undefined;
}

/** What a server says about itself when the connection is negotiated. */
export interface Handshake {
  protocolVersion: string;
  capabilities: JsonObject;
  serverInfo?: JsonObject;
  instructions?: string;
  /** The whole result, to the character. */
  text?: string | undefined;
}

/**
 * How long after connecting the first call may wait for the channel for what the server sends unasked: a question that
 * comes before it is there is lost (seen with the SDK's server), and the call with it.
 */
const listenMs = 100;

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
  /** What is to be ended with the connection: requests, and responses that go on behind their answers. */
  readonly #exchanges = new Set<AbortController>();
  #listened: Promise<unknown> | undefined;
  #underWay = 0;
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
  diagnostics(): string | undefined {
    const { unmatched } = this.#pending;
    return unmatched === undefined ? this.#transport.diagnostics?.() : `It sent ${unmatched}.`;
  }

  start(): Promise<void> {
    return this.#transport.start({
      receive: (text, within) => this.#receive(text, within),
      isPending: (id) => this.#pending.has(id),
      paused: (id) => this.#listener.onPause?.(this.#pending.find(id)?.options.context),
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
    const id = this.#pending.newId();
    const outgoing = {
      ...this.#outgoing(method, params, options, id),
      mayRepeat: !changesSomething(method),
      onWritten: () => {
        pending.wasSent = true;
      },
    };
    const pending = this.#pending.add(id, method, options, (reason) => {
      if (pending.wasSent) void this.#cancel(id, outgoing, reason);
      else outgoing.exchange.abort();
    });
    this.#send(outgoing).then(
      (end) => {
        if (end && !end.mayComeElsewhere && !pending.isMixedUp && this.#pending.has(id)) pending.fail(end.failure());
      },
      (error: unknown) => {
        pending.fail(error);
      },
    );
    return pending.answer;
  }

  /** Tells the server something. Bounded in time; rejects when the server refused it. */
  async notify(method: string, params?: JsonObject, idleTimeoutMs = 10_000): Promise<void> {
    const outgoing = this.#outgoing(method, params ?? {}, {});
    const deadline = new Deadline(idleTimeoutMs);
    deadline.signal.addEventListener('abort', () => {
      outgoing.exchange.abort();
    });
    try {
      // A process that reads nothing keeps it waiting, whatever becomes of the signal.
      await deadline.wait(this.#send(outgoing));
    } finally {
      deadline.clear();
    }
  }

  /** Has the server announce changes, in the way of its revision. Resolves once it can, or after a while; never rejects. */
  async listen(): Promise<void> {
    if (this.envelope) void keepListening(this, { toolsListChanged: true });
    else await (this.#listened ??= settlesWithin(listenMs, this.#transport.listen?.() ?? Promise.resolve()));
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
        this.#notified(message, { wire: message.wire, within, context: this.#pending.find(within)?.options.context });
        break;
      case 'request':
        void this.#serverRequests.answer(message, within);
        break;
      case 'answer':
        this.#pending.settle(message, within);
        break;
      case 'broken': {
        const pending = this.#pending.find(message.id);
        pending?.fail(brokenAnswer(pending.method, message.message));
      }
    }
  }

  #notified({ method, params }: { method: string; params: JsonObject }, origin: Origin): void {
    try {
      if (method === 'notifications/progress') this.#pending.progressed(params);
      if (method === 'notifications/subscriptions/acknowledged') this.#pending.acknowledged(params, origin.within);
      if (method === 'notifications/cancelled')
        this.#serverRequests.takenBack(params['requestId'] as RequestId, params['reason']); // it is only looked up
      this.#listener.onNotification(method, params, origin);
    } catch {
      // What is called here belongs to the host; its failure must not break the connection.
    }
  }

  #end(failure: McpError | undefined): void {
    if (this.ended) return;
    this.ended = true;
    this.failure = failure;
    for (const exchange of this.#exchanges) exchange.abort();
    this.#serverRequests.end();
    for (const request of this.#pending.all()) request.fail(failure ?? connectionEnded());
    this.onEnd?.(failure);
  }
}
