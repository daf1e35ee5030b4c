import type { AnswerText, Origin } from '../../mcp/index.js';
import { jsonText, type JsonObject } from '../../json/index.js';
import type { CallRecord } from '../log.js';
import { clientInfoKey } from '../revisions.js';

export interface Question {
  readonly method: string;
  readonly paramsText: string;
  /** Aborted when the answer is of no use any more. */
  readonly signal: AbortSignal;
}

/** A client's request in flight. It alone receives the server's messages about it. */
export interface Caller {
  readonly signal: AbortSignal;
  /** The envelope of 2026-07-28. */
  readonly envelope: JsonObject | undefined;
  readonly record: CallRecord;
  notify(method: string, paramsText: string): void;
  /** Present if the client wants progress. */
  readonly onProgress?: ((report: object) => void) | undefined;
  ask(question: Question): Promise<AnswerText>;
  /** The server has ended the response before its answer, which is to be asked for again. */
  pause(): void;
}

/**
 * The requests in flight at one server, and the request that a server's message belongs to. Over HTTP the response
 * tells. Over stdio nothing does: with requests of several clients, a message cannot be attributed.
 */
export class CallsUnderWay {
  readonly #callers = new Set<Caller>();
  readonly #running = new Set<Promise<unknown>>();
  /** Settles with the last request, once they are made one after the other. */
  #last: Promise<void> | undefined;
  /** Clients whose cancelled request the server may still be at, so that its next message may belong to that one. */
  readonly #cancelled = new Map<string, number>();

  constructor(readonly isOneClient: boolean) {}

  /** True if a new request would have to wait for another. */
  get isWaiting(): boolean {
    return this.#last !== undefined && this.#running.size > 0;
  }

  /** From now on requests are made one after the other, so that each message has one request to belong to. */
  runOneAtATime(): void {
    this.#last ??= settled(this.#running);
  }

  /** @param open connects to the server, before the request counts as under way */
  async run<O, T>(caller: Caller, open: () => Promise<O>, request: (open: O) => Promise<T>): Promise<T> {
    const before = this.#last;
    const running = (async () => {
      await before;
      const opened = await open();
      this.#callers.add(caller);
      try {
        return await request(opened);
      } finally {
        this.#callers.delete(caller);
        if (caller.signal.aborted) this.#cancelled.set(clientOf(caller), performance.now() + lingeringMs);
      }
    })();
    // Not of all requests so far: one that never ends would keep the results of all later ones.
    if (before) this.#last = settled([running]);
    this.#running.add(running);
    return running.finally(() => this.#running.delete(running));
  }

  callerOf({ within, context }: Origin, isStdio: boolean): Caller | undefined {
    if (within !== undefined || !isStdio) {
      const caller = context as Caller; // given with each request; undefined is not under way
      return this.#callers.has(caller) ? caller : undefined;
    }
    const last = [...this.#callers].at(-1);
    const isOfOthers = (until: number, client: string) =>
      last !== undefined && client !== clientOf(last) && until > performance.now();
    const isCertain =
      this.isOneClient ||
      (this.#callers.size === 1 && ![...this.#cancelled].some(([of, until]) => isOfOthers(until, of)));
    return isCertain ? last : undefined;
  }

  /** The server was started anew, and knows of no request from before. */
  forgetCancelled(): void {
    this.#cancelled.clear();
  }
}

/** The time for which a server may continue with cancelled work, in milliseconds. */
const lingeringMs = 60_000;

/** Clients without sessions are told apart by their names for themselves: all of them belong to one user. */
function clientOf({ envelope }: Caller): string {
  return jsonText(envelope?.[clientInfoKey]);
}

/** Without their results, which would be kept as long as the promise. */
const settled = (requests: Iterable<Promise<unknown>>) => Promise.allSettled(requests).then(() => {});
