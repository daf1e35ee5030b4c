import { AsyncResource } from 'node:async_hooks';
import { setMaxListeners } from 'node:events';

/*
 * What only Node wants or has, and other runtimes that are like it. A build for those that are not takes
 * `node-runtime.web.ts` in its place.
 */

/** Calls may share a signal: Node takes more than ten that listen to one for a leak, and says so on stderr. */
export function shareable<S extends AbortSignal | undefined>(signal: S): S {
  if (signal instanceof EventTarget) setMaxListeners(0, signal);
  return signal;
}

/** Makes a function that runs work in the context that is current now, as `AsyncLocalStorage` has it. */
export function contextOfNow(): <T>(work: () => T) => T {
  const context = new AsyncResource('mcp-verbatim:elicit');
  return (work) => context.runInAsyncScope(work);
}

/** A signal that is aborted with the first of these. */
export function anySignal(signals: AbortSignal[]): AbortSignal {
  return AbortSignal.any(signals);
}
