/** The clock of the machine, whatever a test makes of timers. */
const { setTimeout: wait } = globalThis;

/** Waits until something is so; whether it ever is, the limit of the test tells. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => wait(resolve, 2));
}

/** Gives everything that can happen without the clock the time to happen. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/**
 * Tries with longer and longer limits until an attempt ends as expected: on a slow machine, what has to happen within the
 * limit may need a longer one.
 */
export async function withinSomeLimit<T>(
  attempt: (limitMs: number) => Promise<T>,
  expected: (end: T) => boolean,
): Promise<T> {
  let end = await attempt(500);
  for (const limitMs of [4000, 30_000]) if (!expected(end)) end = await attempt(limitMs);
  return end;
}
