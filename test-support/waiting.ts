import { vi } from 'vitest';

/** The machine's clock, even if a test replaces timers. */
const { setTimeout: wait } = globalThis;

/** Waits until a condition holds; the test's own limit ends an endless wait. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => wait(resolve, 2));
}

/** Lets everything happen that needs no clock. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/**
 * Replaces timers, so that none ends by itself.
 *
 * @returns a function that waits until one of so many milliseconds was set
 */
export function timerOf(ms: number): () => Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const replaced = globalThis.setTimeout;
  let isSet = false;
  // A spy would be restored after the machine's timers, and bring these back.
  globalThis.setTimeout = Object.assign((...timer: Parameters<typeof setTimeout>) => {
    isSet ||= timer[1] === ms;
    return replaced(...timer);
  }, replaced);
  return () => until(() => isSet);
}

/** Tries with longer and longer limits until an attempt ends as expected: a slow machine may need a longer one. */
export async function withinSomeLimit<T>(
  attempt: (limitMs: number) => Promise<T>,
  expected: (end: T) => boolean,
): Promise<T> {
  let end = await attempt(500);
  for (const limitMs of [4000, 30_000]) if (!expected(end)) end = await attempt(limitMs);
  return end;
}
