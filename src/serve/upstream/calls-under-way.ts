import { createHash } from 'node:crypto';
import type { AnswerText, Origin, WireText } from '../../mcp/index.js';
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
  /** The envelope of a request of 2026-07-28. */
  readonly envelope: JsonObject | undefined;
  readonly record: CallRecord;
  notify(method: string, paramsText: string): void;
  /** Set if the client wants to know of progress. */
  readonly onProgress?: ((report: object, wire?: WireText) => void) | undefined;
  /** The params as the client wrote them; undefined if a name stands in them twice. */
  readonly written?: string | undefined;
  ask(question: Question): Promise<AnswerText>;
  /** The server has ended the response before its answer, which is to be asked for again. */
  pause(): void;
}

/**
 * The requests that one server has not answered, and which of them a message of the server belongs to. Over HTTP the
 * response says so. Over stdio nothing does: if several clients have requests, only a single request is certain.
 */
export class CallsUnderWay {
  readonly #callers = new Set<Caller>();
  readonly #running = new Set<Promise<unknown>>();
  /** Settles with the last request, once they are made one after the other. */
  #last: Promise<void> | undefined;
  /** Clients whose cancelled request the server may still be at, so that its next message may belong to that one. */
  readonly #cancelled = new Map<string, number>();

  constructor(readonly isOneClient: boolean) {}

  get isWaiting(): boolean {
    return this.#last !== undefined && this.#running.size > 0;
  }

  runOneAtATime(): void {
    this.#last ??= settled(this.#running);
  }

  /** @param open connects to the server, before the request counts as under way */
  async run<O, T>(caller: Caller, open: () => Promise<O>, request: (open: O) => Promise<T>): Promise<T> {
    const before = this.#last;
    const running = (async () => {
      await before;
      const opened = await open();
      const { aborted: wasCancelled } = caller.signal; // in the queue, so that it is never sent
      this.#callers.add(caller);
      try {
        return await request(opened);
      } finally {
        this.#callers.delete(caller);
        if (caller.signal.aborted && !wasCancelled) this.#remember(clientOf(caller));
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

  #remember(client: string): void {
    const now = performance.now();
    for (const [known, until] of this.#cancelled) if (until < now) this.#cancelled.delete(known);
    this.#cancelled.set(client, now + lingeringMs);
  }

  forgetCancelled(): void {
    this.#cancelled.clear();
  }
}

/** A server may go on with a cancelled request for so many milliseconds. */
const lingeringMs = 60_000;

/** Clients without sessions are told apart by their names for themselves: all of them belong to one user. */
function clientOf({ envelope }: Caller): string {
  // Its digest, as the names may be long.
  return createHash('sha256').update(jsonText(envelope?.[clientInfoKey])).digest('base64');
}

/** Without their results, which would be kept as long as the promise. */
const settled = (requests: Iterable<Promise<unknown>>) => Promise.allSettled(requests).then(() => undefined);
