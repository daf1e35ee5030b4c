import { vi } from 'vitest';
import { timerOf } from '../../../test-support/waiting.js';

/** Closes a server that does not end by itself, and lets the two seconds pass that it has for that. */
export async function byForce(close: () => unknown): Promise<void> {
  const isWaitedFor = timerOf(2000);
  const closing = close();
  await isWaitedFor();
  await vi.advanceTimersByTimeAsync(2000);
  await closing;
}
