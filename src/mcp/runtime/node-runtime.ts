import { AsyncResource } from 'node:async_hooks';
import { setMaxListeners } from 'node:events';

/** Calls may share a signal: Node takes more than ten that listen to one for a leak, and says so on stderr. */
export function shareable<S extends AbortSignal | undefined>(signal: S): S {
  if (signal instanceof EventTarget) setMaxListeners(0, signal);
  return signal;
}

/** A function that runs work in the present context of `AsyncLocalStorage`. */
export function contextOfNow(): <T>(work: () => T) => T {
  const context = new AsyncResource('mcp-verbatim:elicit');
  return (work) => context.runInAsyncScope(work);
}

export function anySignal(signals: AbortSignal[]): AbortSignal {
  return AbortSignal.any(signals);
}
