import { nextTurn } from './node-runtime.js';

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
