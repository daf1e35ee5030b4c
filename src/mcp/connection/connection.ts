import { quote, type JsonObject } from '../../json/index.js';
import { ConnectionError, type McpError } from '../errors/errors.js';
import { requestHeaders } from '../http/request-headers.js';
import { Aborted, TimedOut } from '../errors/failures.js';
import {
  answersUnread,
  brokenAnswer,
  readMessages,
  type Message,
  type RequestId,
  type WireAnswer,
  type WireText,
} from './envelope.js';
import type { Outgoing, ResponseEnd, Transport } from './transport.js';
import { atMost, timeLimit, type TimeLimit } from './waiting.js';

/** One report of progress (MCP, Progress). */
export interface Progress {
  /** How far it is; grows with each report of the server's. */
  progress: number;
  /** At which `progress` it will be done, where the server knows. */
  total?: number;
  message?: string;
}

export interface RawRequestOptions {
  signal?: AbortSignal | undefined;
  timeoutMs: number;
  /** HTTP headers of this request. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Further entries of `_meta`. */
  meta?: JsonObject | undefined;
  onProgress?: ((report: Progress) => void) | undefined;
  /** The JSON text of `params.arguments`, to be sent as it is written. */
  argumentsText?: string | undefined;
  /** The JSON text of all params, to be sent as it is written: nothing is added to it, no envelope and no token. */
  paramsText?: string | undefined;
  /** Called with the id that the request goes out with, before it does. */
  onId?: ((id: RequestId) => void) | undefined;
  /** Called with the answer before anything that came after it is looked at, for whoever has to keep their order. */
  onAnswer?: ((answer: WireAnswer) => void) | undefined;
  /** Answers what the server asks the user in the middle of this request. What it throws ends the request. */
  onAsked?: ((params: JsonObject, about: { signal: AbortSignal; isOurs: boolean }) => Promise<JsonObject>) | undefined;
}

/** Where something that the server sent unasked stood, and the request in whose response it came, where that is known. */
export interface Origin {
  readonly wire: WireText;
  readonly within?: RequestId | undefined;
}

/** What the server asks of the client. */
export interface ServerRequest extends Origin {
  readonly method: string;
  readonly params: JsonObject;
  /** Aborted when the server takes its question back, with what it says about that as the reason. */
  readonly signal: AbortSignal;
}

/** An answer to the server, as JSON text. */
export type AnswerText = { readonly result: string } | { readonly error: string };

/** Who hears what the server sends unasked. */
export interface ConnectionListener {
  onNotification: (method: string, params: JsonObject, origin: Origin) => void;
  /** Answers what the server asks. Without it, and where it rejects, the client knows no method but `ping`. */
  onRequest?: ((request: ServerRequest) => Promise<AnswerText>) | undefined;
  /** Is told that the server has ended the response to a request before its answer, to be asked again for it. */
  onPause?: ((id: RequestId) => void) | undefined;
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

/** How often a server is asked to announce changes that ends the stream at once, and how long one lasts that it meant to keep. */
const mostRefusals = 3;
const lastingMs = 5000;

interface Pending {
  readonly method: string;
  readonly settle: (answer: WireAnswer) => void;
  readonly fail: (error: unknown) => void;
  /** Fails, and tells the server that nobody waits any more. */
  readonly giveUp: (error: unknown) => void;
  readonly onProgress: ((params: JsonObject) => void) | undefined;
  readonly onAsked: RawRequestOptions['onAsked'];
  /** Stands still while the user is asked. */
  readonly limit: TimeLimit;
  /** Aborted with the request. */
  readonly over: AbortController;
  /** Set once the response is over, without the answer: what to fail with when no other way is left. */
  end?: ResponseEnd;
  /** Whether the response held the answer to another request: then its own may be in the response to another one. */
  mixedUp?: boolean;
}

/** So many answers to a server's own requests may be on their way; what it asks beyond that is not answered. */
const mostAnswersAtOnce = 32;

/** How long a server may take to end its session; whether it does is its own affair. */
const terminateMs = 1000;

const methodNotFound = -32601;

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
  readonly #pending = new Map<RequestId, Pending>();
  /** Who hears of the progress of requests that are answered, but not done. */
  readonly #hearing = new Map<RequestId, (params: JsonObject) => void>();
  /** Requests to listen, which have no answer while they last. */
  readonly #listening = new Set<RequestId>();
  /** What is to be ended with the connection: requests, and responses that go on behind their answers. */
  readonly #exchanges = new Set<AbortController>();
  #nextId = 0;
  #underWay = 0;
  /** How many requests have a response that is not over. */
  #responses = 0;
  #closesWhenIdle = false;
  /** The server's own requests that are being answered. */
  readonly #asked = new Map<RequestId, AbortController>();
  /** The last answer that came to a request that was never made. */
  #stray: string | undefined;

  constructor(transport: Transport, listener: ConnectionListener) {
    this.#transport = transport;
    this.#listener = listener;
  }

  get kind(): Transport['kind'] {
    return this.#transport.kind;
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
    return this.#stray === undefined ? this.#transport.remark?.() : `It sent ${this.#stray}.`;
  }

  start(): Promise<void> {
    return this.#transport.start({
      receive: (text, within) => this.#receive(text, within),
      isPending: (id) => this.#pending.has(id) || this.#listening.has(id),
      paused: (id) => this.#listener.onPause?.(id),
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
    const { signal, timeoutMs, onProgress, onAsked } = options;
    const id = this.#nextId++;
    const outgoing = this.#outgoing(method, params, options, id);
    options.onId?.(id);
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        giveUp(new Aborted(), signal?.reason);
      };
      const onTimeout = () => {
        giveUp(new TimedOut());
      };
      const release = () => {
        this.#pending.delete(id);
        limit.clear();
        over.abort();
        signal?.removeEventListener('abort', onAbort);
      };
      const fail = (error: unknown) => {
        release();
        reject(error); // eslint-disable-line @typescript-eslint/prefer-promise-reject-errors -- whatever was thrown is thrown on
      };
      const giveUp = (error: unknown, reason?: unknown) => {
        fail(error);
        void this.#cancel(id, outgoing, reason);
      };
      const limit = timeLimit(timeoutMs, onTimeout);
      const over = new AbortController();
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#pending.set(id, {
        method,
        fail,
        giveUp,
        onAsked,
        limit,
        over,
        settle: (answer) => {
          release();
          options.onAnswer?.(answer);
          resolve(answer);
        },
        onProgress:
          onProgress &&
          ((report) => {
            // The limit is on silence.
            limit.restart();
            onProgress(readProgress(report));
          }),
      });
      this.#responses++;
      void this.#send(outgoing)
        .then(
          (end) => {
            const pending = this.#pending.get(id);
            if (pending && end) pending.end = end;
          },
          (error: unknown) => {
            if (this.#pending.has(id)) fail(error);
          },
        )
        .finally(() => {
          this.#responses--;
          this.#failUnanswered();
        });
    });
  }

  /** Has a function called with the progress of a request that is answered, but goes on as a task; the result ends it. */
  hearProgress(id: RequestId, onProgress: (report: Progress) => void): () => void {
    this.#hearing.set(id, (report) => {
      onProgress(readProgress(report));
    });
    return () => this.#hearing.delete(id);
  }

  /** Tells the server something. Bounded in time; rejects when the server refused it. */
  async notify(method: string, params?: JsonObject, timeoutMs = 10_000, paramsText?: string): Promise<void> {
    const outgoing = this.#outgoing(method, params ?? {}, { paramsText });
    const timer = setTimeout(() => {
      outgoing.exchange.abort();
    }, timeoutMs);
    try {
      await this.#send(outgoing);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Has the server announce changes, in the way of its revision. Resolves once it can; never rejects.
   *
   * @param notifications what to announce, where that can be chosen (2026-07-28, Subscriptions)
   */
  async listen(notifications: JsonObject = { toolsListChanged: true }): Promise<void> {
    if (!this.envelope) {
      await this.#transport.listen?.();
      return;
    }
    void this.#keepListening(notifications);
  }

  /** What comes of it are notifications, for as long as the connection lasts; over HTTP in a stream that may break off. */
  async #keepListening(notifications: JsonObject): Promise<void> {
    for (let failures = 0; failures < mostRefusals && !this.ended; failures++) {
      if (failures > 0) await pauseBeforeListening(failures);
      const id = `listen:${this.#nextId++}`;
      this.#listening.add(id);
      const began = performance.now();
      await this.#send(this.#outgoing('subscriptions/listen', { notifications }, {}, id)).catch(() => {});
      if (this.kind !== 'http') return;
      this.#listening.delete(id);
      // A server that will not be listened to is asked a few times; without its word a list stays as it is.
      if (performance.now() - began > lastingMs) failures = 0;
    }
  }

  /** The revision agreed upon, once it is. */
  set protocolVersion(revision: string | undefined) {
    this.#transport.protocolVersion = revision;
  }

  /** Ends the session at the server, if it has one, and the transport. Never rejects. */
  async close(): Promise<void> {
    if (!this.ended && this.#transport.terminate) await atMost(terminateMs, this.#transport.terminate());
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
    { headers, meta: further, argumentsText, paramsText, onProgress }: Partial<RawRequestOptions>,
    id?: RequestId,
  ): Outgoing & { exchange: AbortController } {
    const meta = { ...further, ...this.envelope, ...(onProgress && { progressToken: id }) };
    const all = Object.keys(meta).length > 0 ? { ...params, _meta: meta } : params;
    const exchange = new AbortController();
    const statelessHeaders =
      this.envelope && id !== undefined ? requestHeaders(method, params, this.envelope) : undefined;
    const head = { jsonrpc: '2.0', ...(id !== undefined && { id }), method };
    return {
      text:
        paramsText === undefined
          ? withArguments(
              JSON.stringify({ ...head, ...(Object.keys(all).length > 0 && { params: all }) }),
              params,
              argumentsText,
            )
          : `${JSON.stringify(head).slice(0, -1)},"params":${oneLine(paramsText)}}`,
      method,
      ...(id !== undefined && { id }),
      ...((headers ?? statelessHeaders) && { headers: { ...headers, ...statelessHeaders } }),
      signal: exchange.signal,
      exchange,
    };
  }

  async #send(outgoing: Outgoing & { exchange: AbortController }): Promise<ResponseEnd | undefined> {
    if (this.ended) throw this.failure ?? closed();
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
        this.#notified(message, { wire: message.wire, within });
        break;
      case 'request':
        void this.#respond(message, within);
        break;
      case 'answer': {
        const id = this.#idFor(message, within);
        if (id === undefined) this.#strayed(message.id);
        else this.#pending.get(id)?.settle(message.answer);
        const own = within === undefined ? undefined : this.#pending.get(within);
        if (own && id !== undefined) own.mixedUp = true;
        break;
      }
      case 'broken': {
        const id = this.#known(message.id);
        const pending = id === undefined ? undefined : this.#pending.get(id);
        pending?.fail(brokenAnswer(pending.method, message.message));
      }
    }
  }

  /**
   * Which request an answer is for. Ids may come back as strings. An error without an id belongs to the request in whose
   * response it came, or else to the only request there is, if the server could not read it.
   */
  #idFor({ id, answer }: Extract<Message, { kind: 'answer' }>, within: RequestId | undefined): RequestId | undefined {
    if (id !== undefined) return this.#known(id);
    if (!('error' in answer)) return undefined;
    if (within !== undefined) return this.#known(within);
    return answersUnread(answer) && this.#pending.size === 1 ? [...this.#pending.keys()][0] : undefined;
  }

  #known(id: RequestId): RequestId | undefined {
    if (this.#pending.has(id)) return id;
    const number = /^(?:0|[1-9]\d*)$/.test(String(id)) ? Number(id) : undefined;
    return number !== undefined && this.#pending.has(number) ? number : undefined;
  }

  /** A second answer, or one after a cancellation, is nothing to speak of; one to a request that was never made is. */
  #strayed(id: RequestId | undefined): void {
    if (id === undefined || Number(id) < this.#nextId) return;
    const shown = typeof id === 'number' ? String(id) : quote(id);
    this.#stray = `an answer to a request with the id ${shown}, which was never sent`;
  }

  #notified({ method, params }: { method: string; params: JsonObject }, origin: Origin): void {
    try {
      if (method === 'notifications/progress') {
        const token = params['progressToken'] as RequestId; // whatever it is, it is only looked up
        (this.#pending.get(token)?.onProgress ?? this.#hearing.get(token))?.(params);
      }
      if (method === 'notifications/cancelled')
        this.#asked.get(params['requestId'] as RequestId)?.abort(params['reason']); // likewise
      this.#listener.onNotification(method, params, origin);
    } catch {
      // What is called here belongs to the host; its failure must not break the connection.
    }
  }

  async #respond(
    { id, method, params, wire }: Extract<Message, { kind: 'request' }>,
    within: RequestId | undefined,
  ): Promise<void> {
    // An id that is under way already would not count.
    if (this.#asked.size >= mostAnswersAtOnce || this.#asked.has(id)) return;
    const exchange = new AbortController();
    const isPing = method === 'ping' && !this.envelope;
    const unknown = { code: methodNotFound, message: `This client does not know ${quote(method)}.` };
    let answer: AnswerText = isPing ? { result: '{}' } : { error: JSON.stringify(unknown) };
    this.#asked.set(id, exchange);
    try {
      const asked = { method, params, wire, within, signal: exchange.signal };
      const question = method === 'elicitation/create' && !this.envelope ? this.#answerFor(asked) : undefined;
      if (!isPing) answer = (await (question ?? this.#listener.onRequest?.(asked))) ?? answer;
    } catch {
      // The host could not answer; the server hears that rather than nothing.
    }
    try {
      // What the server has taken back is answered no more.
      if (exchange.signal.aborted) return;
      const body = 'result' in answer ? `"result":${oneLine(answer.result)}` : `"error":${oneLine(answer.error)}`;
      const text = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${body}}`;
      await this.#send({ text, method: '', signal: exchange.signal, exchange });
    } catch {
      // Whoever asked is gone.
    } finally {
      this.#asked.delete(id);
    }
  }

  /**
   * The answer to a question for the user, if a request is under way in whose middle the server may ask: the one in whose
   * response the question came, or else the latest. Where it may be any, all of them wait.
   */
  #answerFor({ params, within, signal: taken }: ServerRequest): Promise<AnswerText> | undefined {
    const own = within === undefined ? undefined : this.#pending.get(this.#known(within) ?? within);
    const waiting = (own ? [own] : [...this.#pending.values()]).filter(({ onAsked }) => onAsked);
    const asking = waiting.at(-1);
    if (!asking?.onAsked) return undefined;
    for (const { limit } of waiting) limit.pause();
    const signal = AbortSignal.any([taken, asking.over.signal]);
    return asking
      .onAsked(params, { signal, isOurs: waiting.length === 1 })
      .catch((error: unknown) => {
        asking.giveUp(error);
        return { action: 'cancel' };
      })
      .then((result) => ({ result: JSON.stringify(result) }))
      .finally(() => {
        for (const { limit } of waiting) limit.resume();
      });
  }

  /**
   * Fails the requests whose responses are over without an answer, unless there is hope: servers that mix up their
   * responses, or answer on the stream for what they send unasked.
   */
  #failUnanswered(): void {
    for (const { end, mixedUp, fail } of [...this.#pending.values()]) {
      if (end && !end.mayComeElsewhere && !(mixedUp && this.#responses > 0)) fail(end.failure());
    }
  }

  #end(failure: McpError | undefined): void {
    if (this.ended) return;
    this.ended = true;
    this.failure = failure;
    for (const exchange of [...this.#exchanges, ...this.#asked.values()]) exchange.abort();
    for (const { fail } of [...this.#pending.values()]) fail(failure ?? closed());
    this.onEnd?.(failure);
  }
}

function closed(): ConnectionError {
  return new ConnectionError('The connection to the server has ended.', {
    code: 'CONNECTION_LOST',
    hint: 'Connect again.',
  });
}

function readProgress({ progress, total, message }: JsonObject): Progress {
  return {
    progress: typeof progress === 'number' ? progress : 0,
    ...(typeof total === 'number' && { total }),
    ...(typeof message === 'string' && { message }),
  };
}

/** Replaces the arguments of a serialised request by their own text. */
function withArguments(request: string, params: JsonObject, argumentsText: string | undefined): string {
  if (argumentsText === undefined) return request;
  const written = `"arguments":${JSON.stringify(params['arguments'])}`;
  // It follows the name of the tool, whose text cannot hold it: the quotation marks in there are escaped.
  const at = request.indexOf(written);
  return `${request.slice(0, at)}"arguments":${oneLine(argumentsText)}${request.slice(at + written.length)}`;
}

/** Line breaks in JSON are between tokens only, and would end the message where messages are lines. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]/g, ' ');
}

function pauseBeforeListening(failures: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 500 * 2 ** failures).unref());
}
