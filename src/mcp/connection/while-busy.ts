import { HttpFailure } from '../errors/failures.js';
import { pause } from '../runtime/timers.js';

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
