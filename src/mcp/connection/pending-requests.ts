import { isObject, quote, type JsonObject } from '../../json/index.js';
import { Aborted, TimedOut } from '../errors/failures.js';
import { Deadline, type Ending } from '../runtime/timers.js';
import { answersUnread } from '../wire/envelope.js';
import type { Message, ParamsTexts, RequestId, WireAnswer, WireText } from '../wire/envelope.js';

/** One report of progress (MCP, Progress). */
export interface Progress {
  /** How far the request is; grows with each report. */
  progress: number;
  /** The `progress` at which the request is done; absent if the server does not know. */
  total?: number;
  message?: string;
}

export interface RawRequestOptions extends ParamsTexts {
  signal?: Ending | undefined;
  idleTimeoutMs: number;
  headers?: Readonly<Record<string, string>> | undefined;
  meta?: JsonObject | undefined;
  envelope?: JsonObject | undefined;
  onProgress?: ((report: Progress, wire?: WireText) => void) | undefined;
  context?: unknown;
  /** Called with whether the request may have reached the server by now. */
  onSent?: ((wasSent: boolean) => void) | undefined;
  onAcknowledged?: (() => void) | undefined;
  /** An error that it throws ends the request. */
  onElicitation?:
    ((params: JsonObject, about: { signal: AbortSignal; isOurs: boolean }) => Promise<JsonObject>) | undefined;
}

class PendingRequest {
  readonly answer: Promise<WireAnswer>;
  /** The limit for silence: it stands still while the user is asked, and begins anew with each progress report. */
  readonly deadline: Deadline;
  #wasSent = false;
  /** True if its response held the answer to another request: then its own answer is likely in another response. */
  isMixedUp = false;
  settle!: (answer: WireAnswer) => void;
  fail!: (error: unknown) => void;
  #over: AbortController | undefined;

  constructor(
    readonly method: string,
    readonly options: RawRequestOptions,
    release: () => void,
    readonly onGivenUp: (reason?: unknown) => void,
  ) {
    const end = () => {
      this.#over?.abort();
      this.deadline.clear();
      release();
    };
    this.answer = new Promise((resolve, reject) => {
      this.settle = (answer) => {
        end();
        resolve(answer);
      };
      this.fail = (error) => {
        end();
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- whatever was thrown
        reject(error);
      };
    });
    this.deadline = new Deadline(options.idleTimeoutMs, options.signal, (reason) => {
      if (this.deadline.isOver) this.giveUp(new TimedOut(this.wasSent));
      else this.giveUp(new Aborted(), reason);
    });
  }

  /** Aborted once the request ends, however it does. Few are asked for it, and none that has ended. */
  get over(): AbortSignal {
    return (this.#over ??= new AbortController()).signal;
  }

  get wasSent(): boolean {
    return this.#wasSent;
  }

  set wasSent(wasSent: boolean) {
    this.#wasSent = wasSent;
    this.options.onSent?.(wasSent);
  }

  giveUp(error: unknown, reason?: unknown): void {
    this.fail(error);
    this.onGivenUp(reason);
  }
}

type Answer = Extract<Message, { kind: 'answer' }>;

export class PendingRequests {
  readonly #byId = new Map<RequestId, PendingRequest>();
  #nextId = 0;
  /** The last response to a request that was never sent, in words. */
  unmatched: string | undefined;

  newId(): number {
    return this.#nextId++;
  }

  add(
    id: RequestId,
    method: string,
    options: RawRequestOptions,
    onGivenUp: (reason?: unknown) => void,
  ): PendingRequest {
    const request = new PendingRequest(method, options, () => this.#byId.delete(id), onGivenUp);
    this.#byId.set(id, request);
    return request;
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

  settle(message: Answer, within: RequestId | undefined): void {
    const request = this.#answered(message, within);
    const own = this.find(within);
    if (own && request && own !== request) own.isMixedUp = true;
    request?.settle(message.answer);
    // A second answer, or one after a cancellation, is nothing to speak of.
    const { id } = message;
    if (!request && id !== undefined && !(Number(id) < this.#nextId))
      this.unmatched = `an answer to a request with the id ${typeof id === 'number' ? id : quote(id)}, which was never sent`;
  }

  /**
   * An error without an id belongs to the request whose response contained it, or else, if the server could not read
   * it, to the only request in flight.
   */
  #answered({ id, answer }: Answer, within: RequestId | undefined): PendingRequest | undefined {
    if (id !== undefined) return this.find(id);
    if (!('error' in answer)) return undefined;
    if (within !== undefined) return this.find(within);
    // A request to listen waits as long as the connection lasts.
    const [only, ...others] = this.all().filter(({ options }) => !options.onAcknowledged);
    return answersUnread(answer) && others.length === 0 ? only : undefined;
  }

  progressed({ progressToken, progress, total, message }: JsonObject, wire: WireText): void {
    const waiting = this.#byId.get(progressToken as RequestId); // whatever it is, it is only looked up
    if (!waiting?.options.onProgress) return;
    waiting.deadline.restart();
    const report = {
      progress: typeof progress === 'number' ? progress : 0,
      ...(typeof total === 'number' && { total }),
      ...(typeof message === 'string' && { message }),
    };
    waiting.options.onProgress(report, wire);
  }

  /** The consent names the request to listen, or comes in the response to it. */
  acknowledged({ _meta: meta }: JsonObject, within: RequestId | undefined): void {
    const id = isObject(meta) ? meta['io.modelcontextprotocol/subscriptionId'] : undefined;
    this.find((id ?? within) as RequestId)?.options.onAcknowledged?.(); // whatever it is, it is only looked up
  }
}
