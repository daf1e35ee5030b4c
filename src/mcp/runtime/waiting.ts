import { CancelledError } from '../errors/errors.js';
import { HttpFailure } from '../errors/failures.js';
import { shareable } from './node-runtime.js';

/** Node's timers hold 31 bits: with more they fire at once. Somewhat under 25 days stands for "without limit". */
export const unlimitedMs = 2 ** 31 - 1;

/** A time limit as a timer can keep it. */
export function timerMs(limitMs: number): number {
  return Math.min(limitMs, unlimitedMs);
}

/** Calls back once the time is up that was not spent in pauses. Can be begun anew and taken away. */
export class TimeLimit {
  readonly #ms: number;
  readonly #onExceeded: () => void;
  #pauses = 0;
  #left: number;
  #since = performance.now();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ms: number, onExceeded: () => void) {
    this.#ms = this.#left = timerMs(ms);
    this.#onExceeded = onExceeded;
    this.#timer = setTimeout(onExceeded, this.#left);
  }

  /** Stands still from here on, as while somebody is asked. */
  pause(): void {
    if (this.#pauses++ > 0 || this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#left = Math.max(0, this.#left - (performance.now() - this.#since));
  }

  /** Once for each pause; the last one lets the rest of the time run. */
  resume(): void {
    if (--this.#pauses === 0 && this.#timer !== undefined) this.#run();
  }

  restart(): void {
    if (this.#timer === undefined) return;
    this.#left = this.#ms;
    if (this.#pauses === 0) this.#run();
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #run(): void {
    clearTimeout(this.#timer);
    this.#since = performance.now();
    this.#timer = setTimeout(this.#onExceeded, this.#left);
  }
}

/** A timer that does not keep the process alive. */
export function background(work: () => void, ms: number): NodeJS.Timeout {
  const timer = setTimeout(work, ms);
  // Elsewhere than in Node a timer is a number, and keeps nothing alive.
  (timer as Partial<NodeJS.Timeout>).unref?.();
  return timer;
}

/** Gives others their turn. */
export function nextTurn(): Promise<void> {
  // Elsewhere than in Node there may be no `setImmediate`.
  const { setImmediate: soon = setTimeout } = globalThis as { setImmediate?: (work: () => void) => unknown };
  return new Promise((resolve) => void soon(resolve));
}

/** Waits, at most until the signal is aborted. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
  });
}

/** Waits for something, but no longer than that; whether it came, or failed, does not matter. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.catch(() => {}), late]).finally(() => {
    clearTimeout(timer);
  });
}

/**
 * Waits for something that others may be waiting for as well, and that one caller's signal must therefore not end.
 *
 * @throws CancelledError once the signal is aborted
 */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined, what: string): Promise<T> {
  if (!signal) return promise;
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => {
      reject(new CancelledError(`${what} was cancelled by the caller.`));
    };
    if (signal.aborted) onAbort();
    shareable(signal).addEventListener('abort', onAbort, { once: true });
  });
  return Promise.race([promise, aborted]).finally(() => {
    signal.removeEventListener('abort', onAbort);
  });
}

/** How often a busy server is asked again. */
const busyRetries = 3;
/** How long to wait for a busy server that does not say. */
const busyWaitMs = 1000;

/**
 * Does something, and again after the time that the server asks for where it is too busy (HTTP 429 or 503): a few times,
 * and as long as there is time. Only for what changes nothing at the server.
 */
export async function whileBusy<T>(
  work: () => Promise<T>,
  { idleTimeoutMs, signal }: { idleTimeoutMs: number; signal?: AbortSignal | undefined },
): Promise<T> {
  const deadline = Date.now() + idleTimeoutMs;
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof HttpFailure) || (error.status !== 429 && error.status !== 503)) throw error;
      const wait = error.retryAfterMs ?? busyWaitMs;
      if (attempt >= busyRetries || Date.now() + wait >= deadline) throw error;
      await pause(wait, signal);
      if (signal?.aborted) throw error;
    }
  }
}
