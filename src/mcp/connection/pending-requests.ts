import { quote, type JsonObject } from '../../json/index.js';
import { answersUnread, type Message, type RequestId, type WireAnswer } from '../wire/envelope.js';
import type { ResponseEnd } from '../transport/transport.js';
import type { Deadline } from '../runtime/deadline.js';

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
  idleTimeoutMs: number;
  /** HTTP headers of this request. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Further entries of `_meta`. */
  meta?: JsonObject | undefined;
  /** Stands in for the connection's envelope (2026-07-28). */
  envelope?: JsonObject | undefined;
  onProgress?: ((report: Progress) => void) | undefined;
  /** The JSON text of `params.arguments`, to be sent as it is written. */
  argumentsText?: string | undefined;
  /** Given with everything that comes in response to the request. */
  context?: unknown;
  /** Called with the answer before anything that came after it is looked at, for whoever has to keep their order. */
  onAnswer?: ((answer: WireAnswer, id: RequestId) => void) | undefined;
  /** Answers what the server asks the user in the middle of this request. What it throws ends the request. */
  onAsked?: ((params: JsonObject, about: { signal: AbortSignal; isOurs: boolean }) => Promise<JsonObject>) | undefined;
}

/** A request that waits for its answer. */
interface PendingRequest extends Pick<RawRequestOptions, 'onProgress' | 'onAsked' | 'context'> {
  readonly method: string;
  readonly settle: (answer: WireAnswer) => void;
  readonly fail: (error: unknown) => void;
  /** Fails, and tells the server that nobody waits any more. */
  readonly giveUp: (error: unknown) => void;
  /** On silence: stands still while the user is asked, and begins anew with each report of progress. */
  readonly deadline: Deadline;
  /** Aborted once the request is over. */
  readonly over: AbortSignal;
  /** Set once the response is over, without the answer: what to fail with when no other way is left. */
  end?: ResponseEnd;
  /** Whether the response held the answer to another request: then its own may be in the response to another one. */
  mixedUp?: boolean;
}

/** The requests that wait for their answers, found by what servers make of their ids. */
export class PendingRequests {
  readonly #byId = new Map<RequestId, PendingRequest>();
  /** Who hears of the progress of requests that are answered, but not done. */
  readonly #hearing = new Map<RequestId, (report: Progress) => void>();
  #nextId = 0;
  /** The last answer that came to a request that was never made, in words. */
  stray: string | undefined;

  newId(): number {
    return this.#nextId++;
  }

  add(id: RequestId, request: PendingRequest): void {
    this.#byId.set(id, request);
  }

  delete(id: RequestId): void {
    this.#byId.delete(id);
  }

  has(id: RequestId): boolean {
    return this.#byId.has(id);
  }

  all(): PendingRequest[] {
    return [...this.#byId.values()];
  }

  /** Ids may come back as strings. */
  find(id: RequestId | undefined): PendingRequest | undefined {
    if (id === undefined) return undefined;
    const same = this.#byId.get(id);
    return same ?? (/^(?:0|[1-9]\d*)$/.test(String(id)) ? this.#byId.get(Number(id)) : undefined);
  }

  /** Gives an answer to whoever waits for it. What is no answer to any of these touches none. */
  settle(message: Extract<Message, { kind: 'answer' }>, within: RequestId | undefined): void {
    const request = this.#answered(message, within);
    const own = within === undefined ? undefined : this.#byId.get(within);
    if (request) request.settle(message.answer);
    else this.#strayed(message.id);
    if (own && request) own.mixedUp = true;
  }

  /**
   * Which request an answer is for. An error without an id belongs to the request in whose response it came, or else to
   * the only request there is, if the server could not read it.
   */
  #answered(
    { id, answer }: Extract<Message, { kind: 'answer' }>,
    within: RequestId | undefined,
  ): PendingRequest | undefined {
    if (id !== undefined) return this.find(id);
    if (!('error' in answer)) return undefined;
    if (within !== undefined) return this.find(within);
    return answersUnread(answer) && this.#byId.size === 1 ? this.all()[0] : undefined;
  }

  /** A second answer, or one after a cancellation, is nothing to speak of; one to a request that was never made is. */
  #strayed(id: RequestId | undefined): void {
    if (id === undefined || Number(id) < this.#nextId) return;
    const shown = typeof id === 'number' ? String(id) : quote(id);
    this.stray = `an answer to a request with the id ${shown}, which was never sent`;
  }

  /** Has a function called with the progress of a request that is answered, but goes on as a task; the result ends it. */
  hearProgress(id: RequestId, onProgress: (report: Progress) => void): () => void {
    this.#hearing.set(id, onProgress);
    return () => this.#hearing.delete(id);
  }

  progressed(params: JsonObject): void {
    const token = params['progressToken'] as RequestId; // whatever it is, it is only looked up
    const waiting = this.#byId.get(token);
    if (waiting?.onProgress) waiting.deadline.restart();
    (waiting?.onProgress ?? this.#hearing.get(token))?.(readProgress(params));
  }

  /**
   * Fails those whose responses are over without an answer, unless there is hope: servers that mix up their responses,
   * or answer on the stream for what they send unasked.
   */
  failUnanswered(areResponsesOpen: boolean): void {
    for (const { end, mixedUp, fail } of this.#byId.values()) {
      if (end && !end.mayComeElsewhere && !(mixedUp && areResponsesOpen)) fail(end.failure());
    }
  }
}

function readProgress({ progress, total, message }: JsonObject): Progress {
  return {
    progress: typeof progress === 'number' ? progress : 0,
    ...(typeof total === 'number' && { total }),
    ...(typeof message === 'string' && { message }),
  };
}
