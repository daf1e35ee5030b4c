import { randomUUID } from 'node:crypto';
import { isObject, memberText, parseJson, type JsonObject } from '../../json/index.js';
import type { AnswerText } from '../../mcp/index.js';
import { capabilitiesIn } from '../revisions.js';
import type { Caller, Question } from '../upstream/calls-under-way.js';

/** How many calls of a principal may wait for its clients, and for how long, in milliseconds. */
const maxSuspended = 100;
const maxSuspendedMs = 10 * 60_000;

/** The client is asked one question at a time, under this name. */
const inputKey = 'asked';

/** A question, and the way back to the server that asks it. */
interface PendingQuestion {
  readonly question: Question;
  readonly answer: (answer: AnswerText) => void;
}

/** The client's request that waits for a call: the first one, or one that brought an answer. */
interface SuspendableRequest extends Pick<Caller, 'notify' | 'signal' | 'envelope'> {
  readonly params: JsonObject;
  readonly paramsText: string;
}

/**
 * A call of a client of 2026-07-28 to a server with a handshake. Where the server asks in the middle of it, the client's
 * request is answered with the question, and the call goes on when another request brings the answer (Multi Round-Trip
 * Requests).
 */
class SuspendableCall implements Caller {
  readonly era = 'stateless';
  readonly #abort = new AbortController();
  readonly #done: Promise<string>;
  #waiting: SuspendableRequest | undefined;
  #questions: PendingQuestion[] = [];
  #wake: (() => void) | undefined;

  constructor(
    readonly envelope: JsonObject | undefined,
    work: (caller: Caller) => Promise<string>,
  ) {
    this.#done = work(this);
    this.#done.catch(() => {}); // reported by `next`
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  abort(reason?: unknown): void {
    this.#abort.abort(reason);
  }

  notify(method: string, paramsText: string): void {
    this.#waiting?.notify(method, paramsText);
  }

  /** The answer waits here: the client has no stream to take up again. */
  pause(): void {}

  ask(question: Question): Promise<AnswerText> {
    if (!this.#canAnswer(question)) return Promise.resolve({ result: '{"action":"decline"}' });
    return new Promise((resolve, reject) => {
      const pending = { question, answer: resolve };
      question.signal.addEventListener('abort', () => {
        this.#questions = this.#questions.filter((each) => each !== pending);
        reject(new Error('The server has taken its question back.'));
      });
      this.#questions.push(pending);
      this.#wake?.();
    });
  }

  /** Resolves with the result or the next question. The call ends with the request that waits for it. */
  async next(waiting: SuspendableRequest): Promise<string | PendingQuestion> {
    const onAbort = () => {
      this.abort(waiting.signal.reason);
    };
    this.#waiting = waiting;
    waiting.signal.addEventListener('abort', onAbort, { once: true });
    try {
      for (;;) {
        const question = this.#questions.shift();
        if (question) return question;
        const result = await Promise.race([this.#done, new Promise<void>((resolve) => (this.#wake = resolve))]);
        if (result !== undefined) return result;
      }
    } finally {
      this.#waiting = undefined;
      waiting.signal.removeEventListener('abort', onAbort);
    }
  }

  /** A client is asked only what it says that it can answer. */
  #canAnswer({ method, paramsText }: Question): boolean {
    const { elicitation } = capabilitiesIn(this.envelope);
    const params = parseJson(paramsText);
    const isPage = isObject(params) && params['mode'] === 'url';
    return method === 'elicitation/create' && isObject(elicitation) && (!isPage || 'url' in elicitation);
  }
}

/** The calls of one principal that wait for its clients, by the state that these were given. */
export class SuspendedCalls {
  readonly #calls = new Map<unknown, { call: SuspendableCall; pending: PendingQuestion; timer: NodeJS.Timeout }>();

  /**
   * Starts a call, or goes on with the one that a request brings the answer for.
   *
   * @returns the text of its result, or of one that asks the client
   */
  async run(request: SuspendableRequest, work: (caller: Caller) => Promise<string>): Promise<string> {
    const call = this.#resumed(request) ?? new SuspendableCall(request.envelope, work);
    const outcome = await call.next(request);
    return typeof outcome === 'string' ? outcome : this.#suspend(call, outcome);
  }

  #suspend(call: SuspendableCall, pending: PendingQuestion): string {
    const [oldest] = this.#calls.keys();
    if (oldest !== undefined && this.#calls.size >= maxSuspended) this.#drop(oldest);
    const state = `mcp-verbatim:${randomUUID()}`;
    const timer = setTimeout(() => {
      this.#drop(state);
    }, maxSuspendedMs);
    timer.unref();
    this.#calls.set(state, { call, pending, timer });
    const { method, paramsText } = pending.question;
    const request = `{"method":${JSON.stringify(method)},"params":${paramsText}}`;
    return `{"resultType":"input_required","inputRequests":{"${inputKey}":${request}},"requestState":"${state}"}`;
  }

  #resumed({ params, paramsText }: SuspendableRequest): SuspendableCall | undefined {
    const response = memberText(paramsText, ['inputResponses', inputKey]);
    const suspended = response === undefined ? undefined : this.#take(params['requestState']);
    if (response !== undefined) suspended?.pending.answer({ result: response });
    return suspended?.call;
  }

  close(): void {
    for (const state of this.#calls.keys()) this.#drop(state);
  }

  #take(state: unknown) {
    const suspended = this.#calls.get(state);
    clearTimeout(suspended?.timer);
    this.#calls.delete(state);
    return suspended;
  }

  #drop(state: unknown): void {
    this.#take(state)?.call.abort('The client did not answer.');
  }
}
