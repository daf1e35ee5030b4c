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

interface PendingQuestion extends Question {
  readonly answer: (answer: AnswerText) => void;
}

/** The client's request that waits for a call: the first one, or one that brought an answer. */
interface SuspendableRequest extends Pick<Caller, 'notify' | 'signal' | 'envelope'> {
  readonly params: JsonObject;
  readonly paramsText: string;
}

/** A call as its server sees it, through all requests of the client that wait for it. */
class SuspendableCall implements Caller {
  readonly abort = new AbortController();
  readonly signal = this.abort.signal;
  readonly #done: Promise<string>;
  readonly #questions = new Set<PendingQuestion>();
  #waiting: SuspendableRequest | undefined;
  #wake = (): void => {};

  constructor(
    readonly envelope: JsonObject | undefined,
    work: (caller: Caller) => Promise<string>,
  ) {
    this.#done = work(this);
    this.#done.catch(() => {}); // reported by `next`
  }

  notify(method: string, paramsText: string): void {
    this.#waiting?.notify(method, paramsText);
  }

  /** The answer waits here: the client has no stream to take up again. */
  pause(): void {}

  ask(question: Question): Promise<AnswerText> {
    if (!canAnswer(this.envelope, question)) return Promise.resolve({ result: '{"action":"decline"}' });
    return new Promise((answer, reject) => {
      const pending = { ...question, answer };
      question.signal.addEventListener('abort', () => {
        this.#questions.delete(pending);
        reject(new Error('The server has taken its question back.'));
      });
      this.#questions.add(pending);
      this.#wake();
    });
  }

  /** Resolves with the result or the next question. The call ends with the request that waits for it. */
  async next(waiting: SuspendableRequest): Promise<string | PendingQuestion> {
    const onAbort = () => this.abort.abort(waiting.signal.reason);
    this.#waiting = waiting;
    waiting.signal.addEventListener('abort', onAbort, { once: true });
    try {
      for (;;) {
        const [question] = this.#questions;
        if (question && this.#questions.delete(question)) return question;
        const result = await Promise.race([this.#done, new Promise<void>((resolve) => (this.#wake = resolve))]);
        if (result !== undefined) return result;
      }
    } finally {
      this.#waiting = undefined;
      waiting.signal.removeEventListener('abort', onAbort);
    }
  }
}

function canAnswer(envelope: JsonObject | undefined, { method, paramsText }: Question): boolean {
  const { elicitation } = capabilitiesIn(envelope);
  const params = parseJson(paramsText);
  const isPage = isObject(params) && params['mode'] === 'url';
  return method === 'elicitation/create' && isObject(elicitation) && (!isPage || 'url' in elicitation);
}

/**
 * Calls of clients of 2026-07-28 to servers with a handshake. A question that the server asks in the middle of one is the
 * answer to the client's request; the call goes on when another request brings its answer (Multi Round-Trip Requests).
 */
export class SuspendedCalls {
  readonly #calls = new Map<unknown, { call: SuspendableCall; pending: PendingQuestion; timer: NodeJS.Timeout }>();

  /** Starts a call, or goes on with that whose answer the request brings. @returns its result, or a question */
  async run(request: SuspendableRequest, work: (caller: Caller) => Promise<string>): Promise<string> {
    const response = memberText(request.paramsText, ['inputResponses', inputKey]);
    const suspended = response === undefined ? undefined : this.#take(request.params['requestState']);
    if (response !== undefined) suspended?.pending.answer({ result: response });
    const call = suspended?.call ?? new SuspendableCall(request.envelope, work);
    const outcome = await call.next(request);
    return typeof outcome === 'string' ? outcome : this.#suspend(call, outcome);
  }

  close(): void {
    for (const state of this.#calls.keys()) this.#drop(state);
  }

  #suspend(call: SuspendableCall, pending: PendingQuestion): string {
    const [oldest] = this.#calls.keys();
    if (this.#calls.size >= maxSuspended) this.#drop(oldest);
    const state = `mcp-verbatim:${randomUUID()}`;
    const timer = setTimeout(() => this.#drop(state), maxSuspendedMs);
    this.#calls.set(state, { call, pending, timer: timer.unref() });
    const request = `{"method":${JSON.stringify(pending.method)},"params":${pending.paramsText}}`;
    return `{"resultType":"input_required","inputRequests":{"${inputKey}":${request}},"requestState":"${state}"}`;
  }

  #take(state: unknown) {
    const suspended = this.#calls.get(state);
    clearTimeout(suspended?.timer);
    this.#calls.delete(state);
    return suspended;
  }

  #drop(state: unknown): void {
    this.#take(state)?.call.abort.abort('The client did not answer.');
  }
}
