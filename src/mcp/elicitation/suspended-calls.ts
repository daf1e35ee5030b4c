import { McpError } from '../errors/errors.js';
import { judged } from '../errors/explain.js';
import { background } from '../runtime/timers.js';

/** How many calls may wait for people. */
const mostSuspended = 100;

/** A question that its call waits at. */
export class OpenQuestion<Question, Answer> {
  constructor(
    readonly question: Question,
    readonly answer: (given: Answer) => void,
  ) {}
}

/** A call that its server holds open while somebody is asked, through all that wait for it in turn. */
export class SuspendableCall<Question, Answer, Result> {
  readonly #abort = new AbortController();
  readonly signal: AbortSignal = this.#abort.signal;
  readonly #done: Promise<{ result: Result }>;
  readonly #questions = new Set<OpenQuestion<Question, Answer>>();
  #wake = (): void => {};

  constructor(work: (call: SuspendableCall<Question, Answer, Result>) => Promise<Result>) {
    this.#done = work(this).then((result) => ({ result }));
    this.#done.catch(() => {}); // reported by `next`
  }

  /** @param signal aborted when the answer is of no use any more */
  readonly ask = (question: Question, signal: AbortSignal): Promise<Answer> =>
    new Promise((answer, reject) => {
      const open = new OpenQuestion(question, answer);
      signal.addEventListener('abort', () => {
        this.#questions.delete(open);
        reject(new Error('The server has taken its question back.'));
      });
      this.#questions.add(open);
      this.#wake();
    });

  /** Resolves with the result or the next question. If the waiting request ends, so does the call. */
  async next(waiting?: AbortSignal): Promise<{ result: Result } | OpenQuestion<Question, Answer>> {
    const onAbort = () => this.end(waiting?.reason);
    waiting?.addEventListener('abort', onAbort, { once: true });
    try {
      for (;;) {
        const [question] = this.#questions;
        if (question && this.#questions.delete(question)) return question;
        const done = await Promise.race([this.#done, new Promise<void>((resolve) => (this.#wake = resolve))]);
        if (done) return done;
      }
    } finally {
      waiting?.removeEventListener('abort', onAbort);
    }
  }

  end(reason: unknown): void {
    this.#abort.abort(reason);
  }
}

interface Suspended<Question, Answer, Result> {
  readonly call: SuspendableCall<Question, Answer, Result>;
  readonly open: OpenQuestion<Question, Answer>;
  readonly timer: ReturnType<typeof background>;
}

/**
 * The calls of one server or principal that wait for a person's answer: a hundred at most, each for a limited time. If
 * there are more, the oldest is dropped.
 */
export class SuspendedCalls<Question, Answer, Result> {
  readonly #calls = new Map<unknown, Suspended<Question, Answer, Result>>();
  #isClosed = false;

  constructor(readonly maxMs: number) {}

  /** @returns the question that waits under this id */
  find(id: unknown): Question | undefined {
    return this.#calls.get(id)?.open.question;
  }

  /** @returns the result of the call, or its first question with the id to answer it by */
  start(
    work: (call: SuspendableCall<Question, Answer, Result>) => Promise<Result>,
    waiting?: AbortSignal,
  ): Promise<{ result: Result } | { question: Question; id: string }> {
    return this.#next(new SuspendableCall(work), waiting);
  }

  /** @throws McpError if no question waits under this id any more */
  async answer(id: unknown, given: Answer, waiting?: AbortSignal) {
    const suspended = this.#take(id);
    if (!suspended) throw callIsOver();
    suspended.open.answer(given);
    return this.#next(suspended.call, waiting);
  }

  /** Ends the calls that wait, and those under way as soon as they ask. */
  close(): void {
    this.#isClosed = true;
    for (const id of this.#calls.keys()) this.#drop(id);
  }

  async #next(call: SuspendableCall<Question, Answer, Result>, waiting?: AbortSignal) {
    const open = await call.next(waiting);
    if ('result' in open) return open;
    const [oldest] = this.#calls.keys();
    if (this.#calls.size >= mostSuspended) this.#drop(oldest);
    // Each question has an id of its own: no answer reaches a later question.
    const id = crypto.randomUUID();
    this.#calls.set(id, { call, open, timer: background(() => this.#drop(id), this.maxMs) });
    if (this.#isClosed) this.#drop(id);
    return { question: open.question, id };
  }

  #take(id: unknown): Suspended<Question, Answer, Result> | undefined {
    const suspended = this.#calls.get(id);
    clearTimeout(suspended?.timer);
    this.#calls.delete(id);
    return suspended;
  }

  #drop(id: unknown): void {
    this.#take(id)?.call.end('The question was not answered.');
  }
}

function callIsOver(): McpError {
  const title = 'The call that asked this is over, so its question cannot be answered any more.';
  const hint =
    'Before revision 2026-07-28 a call waits for its answer in the process, and with the tools, that it was made with, for a limited time.';
  const error = new McpError(title, { code: 'CONNECTION_LOST', hint });
  return judged(error, { method: 'tools/call', isUnderWay: true });
}
