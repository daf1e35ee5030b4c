import { Aborted, TimedOut } from '../errors/failures.js';
import { shareable } from './node-runtime.js';
import { timerMs } from './timers.js';

/**
 * The end of what a caller waits for: when a time is up, or when the caller's own signal is aborted. The time can stand
 * still and begin anew. A deadline that is of no more use has to be cleared.
 */
export class Deadline {
  /** Whether the time is up. */
  isOver = false;

  readonly #ms: number;
  readonly #caller: AbortSignal | undefined;
  readonly #end = new AbortController();
  #pauses = 0;
  #left: number;
  #since = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ms: number, signal?: AbortSignal) {
    this.#ms = this.#left = timerMs(ms);
    this.#caller = shareable(signal);
    this.#run();
    if (signal?.aborted) this.#onAbort();
    else signal?.addEventListener('abort', this.#onAbort);
  }

  /** Aborted at the end, with the caller's reason or a {@link TimedOut}. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** Lets the time stand still, as while the user is asked. */
  pause(): void {
    if (this.#pauses++ > 0 || this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#left = Math.max(0, this.#left - (performance.now() - this.#since));
  }

  /** Has to be called once for each pause; the last one lets the rest of the time run. */
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

  /**
   * Waits for something that may go on for others.
   *
   * @throws Aborted or TimedOut
   */
  wait<T>(work: Promise<T>): Promise<T> {
    return unlessAborted(work, this.signal);
  }

  readonly #onAbort = (): void => {
    this.clear();
    this.#end.abort(this.#caller?.reason);
  };

  #run(): void {
    clearTimeout(this.#timer);
    this.#since = performance.now();
    this.#timer = setTimeout(() => {
      this.isOver = true;
      this.clear();
      this.#end.abort(new TimedOut());
    }, this.#left);
  }
}

/**
 * Waits for something that others may be waiting for as well, and that one caller's signal must therefore not end.
 *
 * @throws Aborted once the signal is aborted, or TimedOut where that is the reason
 */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => {
      reject(signal.reason instanceof TimedOut ? signal.reason : new Aborted());
    };
    if (signal.aborted) onAbort();
    else shareable(signal).addEventListener('abort', onAbort);
  });
  return Promise.race([work, aborted]).finally(() => {
    signal.removeEventListener('abort', onAbort);
  });
}
