import { CancelledError } from './errors.js';

/**
 * Waits for something that others may be waiting for as well, and that one caller's signal must therefore not end.
 *
 * @throws CancelledError once the signal is aborted
 */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined, what: string): Promise<T> {
  if (!signal) return promise;
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new CancelledError(`${what} was cancelled by the caller.`));
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
  });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', onAbort!));
}
