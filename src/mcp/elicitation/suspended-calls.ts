import { McpError } from '../errors/errors.js';
import { judged } from '../errors/explain.js';
import { background } from '../runtime/timers.js';

/** How many calls may wait for people. */
const mostSuspended = 100;

/** A question that its call waits at. */
interface OpenQuestion<Question, Answer> {
  readonly question: Question;
  readonly answer: (given: Answer) => void;
}

/** A call that its server holds open while somebody is asked, through all that wait for it in turn. */
export interface SuspendableCall<Question, Answer> {
  readonly signal: AbortSignal;
  /** @param signal aborted when the answer is of no use any more */
  readonly ask: (question: Question, signal: AbortSignal) => Promise<Answer>;
}

type Work<Question, Answer, Result> = (call: SuspendableCall<Question, Answer>) => Promise<Result>;

function begun<Question, Answer, Result>(work: Work<Question, Answer, Result>) {
  const over = new AbortController();
  const questions = new Set<OpenQuestion<Question, Answer>>();
  let wake = (): void => {};
  const ask = (question: Question, signal: AbortSignal) =>
    new Promise<Answer>((answer, reject) => {
      const open = { question, answer };
      signal.addEventListener('abort', () => {
        questions.delete(open);
        reject(new Error('The server has taken its question back.'));
      });
      questions.add(open);
      wake();
    });
  const ended = work({ signal: over.signal, ask }).then((result) => ({ result }));
  ended.catch(() => undefined); // reported by `next`
  const end = (reason: unknown) => over.abort(reason);
  return { next, end };

  /** Resolves with the result or the next question. If the waiting request ends, so does the call. */
  async function next(waiting?: AbortSignal): Promise<{ result: Result } | OpenQuestion<Question, Answer>> {
    const onAbort = () => end(waiting?.reason);
    waiting?.addEventListener('abort', onAbort, { once: true });
    try {
      for (;;) {
        const [question] = questions;
        if (question && questions.delete(question)) return question;
        const done = await Promise.race([ended, new Promise<void>((resolve) => (wake = resolve))]);
        if (done) return done;
      }
    } finally {
      waiting?.removeEventListener('abort', onAbort);
    }
  }
}

/**
 * The calls of one server or principal that wait for a person's answer: a hundred at most, each for a limited time. If
 * there are more, the oldest is dropped.
 */
export interface SuspendedCalls<Question, Answer, Result> {
  /** @returns the question that waits under this id */
  find(id: unknown): Question | undefined;
  /** @returns the result of the call, or its first question with the id to answer it by */
  start(work: Work<Question, Answer, Result>, waiting?: AbortSignal): Promise<Step<Question, Result>>;
  /** @throws McpError if no question waits under this id any more */
  answer(id: unknown, given: Answer, waiting?: AbortSignal): Promise<Step<Question, Result>>;
  /** Ends the calls that wait, and those under way as soon as they ask. */
  close(): void;
}

type Step<Question, Result> = { result: Result } | { question: Question; id: string };

export function suspendedCalls<Question, Answer, Result>(maxMs: number): SuspendedCalls<Question, Answer, Result> {
  type Call = ReturnType<typeof begun<Question, Answer, Result>>;
  const calls = new Map<unknown, { call: Call; open: OpenQuestion<Question, Answer>; timer: NodeJS.Timeout }>();
  let isClosed = false;
  return {
    find: (id) => calls.get(id)?.open.question,
    start: (work, waiting) => next(begun(work), waiting),
    async answer(id, given, waiting) {
      const suspended = taken(id);
      if (!suspended) throw callIsOver();
      suspended.open.answer(given);
      return next(suspended.call, waiting);
    },
    close() {
      isClosed = true;
      for (const id of calls.keys()) drop(id);
    },
  };

  async function next(call: Call, waiting?: AbortSignal): Promise<Step<Question, Result>> {
    const open = await call.next(waiting);
    if ('result' in open) return open;
    const [oldest] = calls.keys();
    if (calls.size >= mostSuspended) drop(oldest);
    // Each question has an id of its own: no answer reaches a later question.
    const id = crypto.randomUUID();
    calls.set(id, { call, open, timer: background(() => drop(id), maxMs) });
    if (isClosed) drop(id);
    return { question: open.question, id };
  }

  function taken(id: unknown) {
    const suspended = calls.get(id);
    clearTimeout(suspended?.timer);
    calls.delete(id);
    return suspended;
  }

  function drop(id: unknown): void {
    taken(id)?.call.end('The question was not answered.');
  }
}

function callIsOver(): McpError {
  const title = 'The call that asked this is over, so its question cannot be answered any more.';
  const hint =
    'Before revision 2026-07-28 a call waits for its answer in the process, and with the tools, that it was made with, for a limited time.';
  const error = new McpError(title, { code: 'CONNECTION_LOST', hint });
  return judged(error, { method: 'tools/call', isUnderWay: true });
}
