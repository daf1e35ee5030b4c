import { nextTurn, shareable } from './node-runtime.js';
import { Aborted, TimedOut } from '../errors/failures.js';

/** Node's timers hold 31 bits: larger ones fire at once. Somewhat under 25 days means "without limit". */
export const unlimitedMs = 2 ** 31 - 1;

export function timerMs(limitMs: number): number {
  return Math.min(limitMs, unlimitedMs);
}

export function background(work: () => void, ms: number): NodeJS.Timeout {
  const timer = setTimeout(work, ms);
  // Elsewhere than in Node a timer is a number, and keeps nothing alive.
  (timer as Partial<NodeJS.Timeout>).unref?.();
  return timer;
}

export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, timerMs(ms));
    signal?.addEventListener('abort', done);
  });
}

/** True if the work has settled by then; a failure counts. */
export async function settlesWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => {
      // Events that arrived while this process was busy are handled first.
      void nextTurn().then(() => resolve(false));
    }, ms);
  });
  const settled = () => true;
  return Promise.race([work.then(settled, settled), late]).finally(() => clearTimeout(timer));
}

/** What can end a wait: an AbortSignal, or a {@link Deadline}. */
export interface Ending {
  readonly aborted: boolean;
  /** Signals of older libraries have none. */
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * Ends a wait when its time is up, or the caller's signal is aborted. Has to be cleared once nobody waits. Each call of a
 * tool has one, and an AbortSignal would take as long to make as everything else about it.
 */
export class Deadline implements Ending {
  isOver = false;
  aborted = false;
  /** The caller's reason, or {@link TimedOut}. */
  reason: unknown;
  readonly #ms: number;
  readonly #caller: Ending | undefined;
  readonly #onEnd: ((reason: unknown) => void) | undefined;
  readonly #listeners = new Set<() => void>();
  #end: AbortController | undefined;
  #pauses = 0;
  #left: number;
  #since = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ms: number, signal?: Ending, onEnd?: (reason: unknown) => void) {
    this.#ms = this.#left = timerMs(ms);
    this.#caller = shareable(signal);
    this.#onEnd = onEnd;
    this.#run();
    if (signal?.aborted) this.#onAbort();
    else signal?.addEventListener('abort', this.#onAbort);
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener);
  }

  /** The same as an AbortSignal, for other code. */
  get signal(): AbortSignal {
    this.#end ??= new AbortController();
    if (this.aborted) this.#end.abort(this.reason);
    return this.#end.signal;
  }

  pause(): void {
    if (this.#pauses++ > 0 || this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#left = Math.max(0, this.#left - (performance.now() - this.#since));
  }

  resume(): void {
    if (--this.#pauses === 0 && this.#timer !== undefined) this.#run();
  }

  restart(): void {
    this.#left = this.#ms;
    if (this.#pauses === 0 && this.#timer !== undefined) this.#run();
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#caller?.removeEventListener('abort', this.#onAbort);
  }

  wait<T>(work: Promise<T>): Promise<T> {
    return unlessAborted(work, this);
  }

  readonly #onAbort = (): void => {
    this.#over(this.#caller?.reason);
  };

  #over(reason: unknown): void {
    this.clear();
    this.aborted = true;
    this.reason = reason;
    for (const listener of this.#listeners) listener();
    this.#end?.abort(reason);
    this.#onEnd?.(reason);
  }

  #run(): void {
    clearTimeout(this.#timer);
    this.#since = performance.now();
    this.#timer = setTimeout(() => {
      this.isOver = true;
      this.#over(new TimedOut());
    }, this.#left);
  }
}

/** @throws Aborted or TimedOut */
export async function within<T>(
  ms: number,
  signal: Ending | undefined,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const deadline = new Deadline(ms, signal);
  return deadline.wait(work(deadline)).finally(() => deadline.clear());
}

/** Waits for something that others wait for, too, so that one's signal must not end it. @throws Aborted or TimedOut */
export async function unlessAborted<T>(work: Promise<T>, signal: Ending | undefined): Promise<T> {
  if (!signal) return work;
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason instanceof TimedOut ? signal.reason : new Aborted());
    if (signal.aborted) onAbort();
    else shareable(signal).addEventListener('abort', onAbort);
  });
  return Promise.race([aborted, work]).finally(() => signal.removeEventListener('abort', onAbort));
}
