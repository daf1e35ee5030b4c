import { withMember, type JsonObject } from '../../json/index.js';
import type { McpError } from '../errors/errors.js';
import { changesSomething } from '../errors/outcome.js';
import { Aborted, Unauthorized } from '../errors/failures.js';
import { brokenAnswer, connectionEnded } from '../errors/wire-problem.js';
import { mirroredHeaders } from '../http/request-headers.js';
import { type Deadline, settlesWithin, unlessAborted, within } from '../runtime/timers.js';
import { nextTurn } from '../runtime/node-runtime.js';
import type { Outgoing, Receiver, ResponseEnd, Transport } from '../transport/transport.js';
import { messageText, readMessages } from '../wire/envelope.js';
import type { AnswerText, Message, RequestId, WireAnswer, WireText } from '../wire/envelope.js';
import { keepListening } from './listen-requests.js';
import { PendingRequests, type RawRequestOptions } from './pending-requests.js';
import { ServerRequests, type Origin, type ServerRequest } from './server-requests.js';

export interface ConnectionListener {
  onNotification: (method: string, params: JsonObject, origin: Origin) => void;
  onRequest?: ((request: ServerRequest) => Promise<AnswerText>) | undefined;
  /** Called when the server has ended a response before its answer, which will be fetched later. */
  onPause?: ((context: unknown) => void) | undefined;
}

export interface Handshake {
  protocolVersion: string;
  capabilities: JsonObject;
  serverInfo?: JsonObject;
  instructions?: string;
  wire?: WireText;
}

interface Waiting {
  readonly deadline: Deadline;
  wasSent?: boolean;
}

/** The differences between protocol revisions, so that other code need not compare revisions. */
export interface Revision {
  /** The server asks in its results and does not ping; other servers send requests for both. */
  readonly asksInResults: boolean;
  /** Changes are announced if `subscriptions/listen` asks for them, not on a channel of the session. */
  readonly announcesOnRequest: boolean;
  /** The server decides which calls become tasks, not the client. */
  readonly decidesOnTasks: boolean;
  /** HTTP headers repeat parts of requests, and the end of a request's stream cancels it. */
  readonly mirrorsHeaders: boolean;
}

/** How long the first call may wait for the channel: a question that comes before it is there is lost (SDK 1.32). */
const listenMs = 100;

const terminateMs = 1000;

/** JSON-RPC over a transport: answers keep their text on the wire, and belong only to requests of this connection. */
export class Connection {
  handshake: Handshake = { protocolVersion: '', capabilities: {} };
  /** In every request of the revision without a handshake (2026-07-28). Set by `negotiate`, like the handshake. */
  envelope: JsonObject | undefined;
  /** The client's own texts of entries of the envelope, with digits that JavaScript does not hold. */
  envelopeTexts: readonly (readonly [name: string, text: string | undefined])[] = [];
  ended = false;
  failure: McpError | undefined;
  onEnd: ((failure: McpError | undefined) => void) | undefined;
  /** Called when announcements may have been missed, if no new session would reveal it. */
  onMissed: (() => void) | undefined;

  readonly #listener: ConnectionListener;
  readonly #pending = new PendingRequests();
  readonly #serverRequests: ServerRequests;
  /** Everything that ends with the connection: sendings, and responses that continue after their answers. */
  readonly #exchanges = new Set<AbortController>();
  #listened: Promise<unknown> | undefined;

  constructor(
    readonly transport: Transport,
    listener: ConnectionListener,
  ) {
    this.#listener = listener;
    this.#serverRequests = new ServerRequests({
      revision: () => this.revision,
      pending: this.#pending,
      onRequest: listener.onRequest,
      send: (text, exchange) => this.#send({ text, method: '', signal: exchange.signal, exchange }),
    });
  }

  get revision(): Revision {
    const isStateless = this.envelope !== undefined; // 2026-07-28
    return {
      asksInResults: isStateless,
      announcesOnRequest: isStateless,
      decidesOnTasks: isStateless,
      mirrorsHeaders: isStateless && this.transport.kind === 'http',
    };
  }

  diagnostics(): string | undefined {
    const { unmatched } = this.#pending;
    return unmatched === undefined ? this.transport.diagnostics?.() : `It sent ${unmatched}.`;
  }

  start(signal: AbortSignal): Promise<void> {
    const receiver: Receiver = {
      receive: (text, within) => {
        const messages = readMessages(text);
        for (const message of messages ?? []) this.#take(message, within);
        return messages !== undefined;
      },
      isPending: (id) => this.#pending.has(id),
      paused: (id) => this.#listener.onPause?.(this.#pending.find(id)?.options.context),
      missed: () => {
        this.#listened = undefined;
        if (this.transport.sessionId === undefined) this.onMissed?.();
      },
      ended: (failure) => this.#end(failure),
    };
    return this.#authorized(() => this.transport.start(receiver), { signal });
  }

  /** @throws the transport's error, TimedOut, Aborted, or the reason for the connection's end */
  async request(method: string, params: JsonObject, options: RawRequestOptions): Promise<WireAnswer> {
    if (options.signal?.aborted) throw new Aborted();
    const id = this.#pending.newId();
    const outgoing = this.#outgoing(method, params, options, id, () => {
      pending.wasSent = true;
    });
    const pending = this.#pending.add(id, method, options, (reason) => {
      outgoing.exchange.abort();
      if (pending.wasSent) this.#cancel(id, method, reason);
    });
    const sending = this.#send(outgoing, pending).then((end) => {
      if (end && !end.mayComeElsewhere && !pending.isMixedUp && this.#pending.has(id)) throw end.failure();
    });
    sending.catch((error: unknown) => pending.fail(error));
    return pending.answer;
  }

  async notify(method: string, params?: JsonObject, idleTimeoutMs = 10_000): Promise<void> {
    const outgoing = this.#outgoing(method, params ?? {}, {});
    // A process that reads nothing keeps it waiting, whatever becomes of the signal.
    await within(idleTimeoutMs, undefined, (deadline) => {
      deadline.addEventListener('abort', () => outgoing.exchange.abort());
      return this.#send(outgoing, { deadline });
    });
  }

  /** Resolves once the server can send notifications, or after a while; never rejects. */
  async listen(): Promise<void> {
    if (!this.revision.announcesOnRequest)
      await (this.#listened ??= settlesWithin(listenMs, this.transport.listen?.() ?? Promise.resolve()));
  }

  /** Has the server announce that its tools have changed. */
  announceTools(): void {
    if (this.revision.announcesOnRequest)
      this.#listened ??= keepListening(this, { toolsListChanged: true }).catch(() => (this.#listened = undefined));
    else void this.listen();
  }

  /** Never rejects. */
  async close(): Promise<void> {
    if (!this.ended && this.transport.terminate) await settlesWithin(terminateMs, this.transport.terminate());
    for (const exchange of this.#exchanges) exchange.abort();
    await this.transport.close();
    this.#end(undefined);
  }

  async closeWhenIdle(): Promise<void> {
    while (this.#pending.all().length > 0) {
      await Promise.allSettled(this.#pending.all().map(({ answer }) => answer));
      await nextTurn(); // a request that was refused is followed by a ping
    }
    await this.close();
  }

  #outgoing(
    method: string,
    params: JsonObject,
    { headers, meta: further, argumentsText, written, onProgress, ...own }: Partial<RawRequestOptions>,
    id?: RequestId,
    onWritten?: () => void,
  ): Outgoing & { exchange: AbortController } {
    const envelope = this.envelope && (own.envelope ?? this.envelope);
    const meta = { ...further, ...envelope, ...(onProgress && { progressToken: id }) };
    const exchange = new AbortController();
    const ofEnvelope = this.envelope && !own.envelope ? this.envelopeTexts : [];
    const texts = ofEnvelope.reduce((all, [name, text]) => withMember(all ?? '{}', ['_meta', name], text), written);
    const mirrored = envelope && id !== undefined ? mirroredHeaders(method, params, envelope) : undefined;
    return {
      text: messageText(method, params, meta, id, { argumentsText, written: texts }),
      method,
      id,
      headers: mirrored ? { ...headers, ...mirrored } : headers,
      mayRepeat: id !== undefined && !changesSomething(method),
      onWritten,
      // Making it takes longer than anything else here, and a process needs none.
      get signal() {
        return exchange.signal;
      },
      exchange,
    };
  }

  async #send(outgoing: Outgoing & { exchange: AbortController }, waiting?: Waiting): Promise<ResponseEnd | undefined> {
    if (this.ended) throw this.failure ?? connectionEnded();
    this.#exchanges.add(outgoing.exchange);
    try {
      return await this.#authorized(() => this.transport.send(outgoing), outgoing, waiting);
    } finally {
      this.#exchanges.delete(outgoing.exchange);
    }
  }

  /**
   * Does work, and once more after the user has given the consent that the server requires. The deadline stands still
   * until then, and begins anew.
   */
  async #authorized<T>(
    work: () => Promise<T> | T,
    exchange: { readonly signal: AbortSignal },
    waiting?: Waiting,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const { finishAuthorization } = this.transport.endpoint ?? {};
      if (!(error instanceof Unauthorized && error.awaitsUser) || !finishAuthorization) throw error;
      if (waiting) waiting.wasSent = false;
      waiting?.deadline.pause();
      try {
        await unlessAborted(finishAuthorization(), exchange.signal);
      } finally {
        waiting?.deadline.restart();
        waiting?.deadline.resume();
      }
      return work();
    }
  }

  #cancel(requestId: RequestId, method: string, reason: unknown): void {
    if (method === 'initialize' || this.revision.mirrorsHeaders) return;
    const params = { requestId, ...(typeof reason === 'string' && { reason }) };
    this.notify('notifications/cancelled', params).catch(() => undefined);
  }

  #take(message: Message, within: RequestId | undefined): void {
    if (message.kind === 'notification') {
      const { context } = this.#pending.find(within)?.options ?? {};
      this.#notified(message, { wire: message.wire, within, context });
    } else if (message.kind === 'request') {
      void this.#serverRequests.answer(message, within);
    } else if (message.kind === 'answer') {
      this.#pending.settle(message, within);
    } else {
      const pending = this.#pending.find(message.id);
      pending?.fail(brokenAnswer(pending.method, message.message));
    }
  }

  #notified({ method, params }: { method: string; params: JsonObject }, origin: Origin): void {
    try {
      if (method === 'notifications/progress') this.#pending.progressed(params, origin.wire);
      if (method === 'notifications/subscriptions/acknowledged') this.#pending.acknowledged(params, origin.within);
      if (method === 'notifications/cancelled')
        this.#serverRequests.takenBack(params['requestId'] as RequestId, params['reason']); // it is only looked up
      this.#listener.onNotification(method, params, origin);
    } catch {
      // The called function belongs to the host; its failure must not break the connection.
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
