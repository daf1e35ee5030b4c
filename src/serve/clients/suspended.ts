import { randomUUID } from 'node:crypto';
import { isObject, memberText, parseJson, type JsonObject } from '../../json/index.js';
import type { AnswerText } from '../../mcp/index.js';
import { failed } from '../answers.js';
import { capabilitiesIn } from '../revisions.js';
import type { Caller, Question } from '../upstream/upstream.js';

/** How many calls of a principal may wait for its clients, and for how long, in milliseconds. */
const mostWaiting = 100;
const longestWaitMs = 10 * 60_000;

/** A question, and the way back to the server that asks it. */
interface Asked {
  readonly question: Question;
  readonly answer: (answer: AnswerText) => void;
}

/** The client's request that waits for a call now: the first one, or one that brought answers. */
type Front = Pick<Caller, 'notify' | 'signal'>;

/**
 * A call of a client of 2026-07-28. Where its server asks in the middle of it, the client's request is answered with the
 * question, and the call goes on when another request brings the answer (Multi Round-Trip Requests).
 */
export class SuspendableCall implements Caller {
  readonly era = 'stateless';
  readonly envelope: JsonObject | undefined;
  readonly #abort = new AbortController();
  #front: Front | undefined;
  #asked: Asked[] = [];
  #answer: AnswerText | undefined;
  #wake: (() => void) | undefined;

  constructor(envelope: JsonObject | undefined, work: (caller: Caller) => Promise<string>) {
    this.envelope = envelope;
    void work(this)
      .then(
        (result): AnswerText => ({ result }),
        (error: unknown) => failed(error, true),
      )
      .then((answer) => {
        this.#answer = answer;
        this.#wake?.();
      });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  abort(reason?: unknown): void {
    this.#abort.abort(reason);
  }

  notify(method: string, paramsText: string): void {
    this.#front?.notify(method, paramsText);
  }

  /** There is nothing to ask for again: the answer waits here. */
  pause(): void {}

  ask(question: Question): Promise<AnswerText> {
    if (!this.#canAnswer(question)) return Promise.resolve({ result: '{"action":"decline"}' });
    return new Promise((resolve, reject) => {
      const asked = { question, answer: resolve };
      question.signal.addEventListener('abort', () => {
        this.#asked = this.#asked.filter((each) => each !== asked);
        reject(new Error('taken back'));
      });
      this.#asked.push(asked);
      this.#wake?.();
    });
  }

  /** Resolves with what comes next: the answer, or a question. Ends with the request that waits for it. */
  async next(front: Front): Promise<AnswerText | Asked> {
    const onAbort = () => {
      this.abort(front.signal.reason);
    };
    this.#front = front;
    front.signal.addEventListener('abort', onAbort, { once: true });
    try {
      for (;;) {
        const outcome = this.#answer ?? this.#asked.shift();
        if (outcome) return outcome;
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      this.#front = undefined;
      front.signal.removeEventListener('abort', onAbort);
    }
  }

  /** A client is asked what it says that it can answer. */
  #canAnswer({ method, paramsText }: Question): boolean {
    const { elicitation } = capabilitiesIn(this.envelope);
    const params = parseJson(paramsText);
    const isPage = isObject(params) && params['mode'] === 'url';
    return method === 'elicitation/create' && isObject(elicitation) && (!isPage || 'url' in elicitation);
  }
}

/** The calls of one principal that wait for its clients, by the state that these were given. */
export class SuspendedCalls {
  readonly #calls = new Map<string, { call: SuspendableCall; asked: Asked; timer: NodeJS.Timeout }>();

  /** @returns the result that asks the client */
  suspend(call: SuspendableCall, asked: Asked): string {
    if (this.#calls.size >= mostWaiting) this.#drop([...this.#calls.keys()][0] ?? '');
    const state = `mcp-verbatim:${randomUUID()}`;
    const timer = setTimeout(() => {
      this.#drop(state);
    }, longestWaitMs);
    timer.unref();
    this.#calls.set(state, { call, asked, timer });
    const { method, paramsText } = asked.question;
    const request = `{"method":${JSON.stringify(method)},"params":${paramsText}}`;
    return `{"resultType":"input_required","inputRequests":{"${inputKey}":${request}},"requestState":"${state}"}`;
  }

  /** Gives a call what its client was asked for. @returns undefined where no such call waits */
  resume({ requestState: state }: JsonObject, paramsText: string): SuspendableCall | undefined {
    const suspended = typeof state === 'string' ? this.#calls.get(state) : undefined;
    const response = memberText(paramsText, ['inputResponses', inputKey]);
    if (!suspended || response === undefined) return undefined;
    clearTimeout(suspended.timer);
    this.#calls.delete(String(state));
    suspended.asked.answer({ result: response });
    return suspended.call;
  }

  close(): void {
    for (const state of [...this.#calls.keys()]) this.#drop(state);
  }

  #drop(state: string): void {
    const suspended = this.#calls.get(state);
    clearTimeout(suspended?.timer);
    this.#calls.delete(state);
    suspended?.call.abort('The client did not answer.');
  }
}

const inputKey = 'asked';
