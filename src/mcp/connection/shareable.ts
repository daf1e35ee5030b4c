import { setMaxListeners } from 'node:events';

/** Calls may share a signal: Node takes more than ten that listen to one for a leak, and says so on stderr. */
export function shareable<S extends AbortSignal | undefined>(signal: S): S {
  if (signal instanceof EventTarget) setMaxListeners(0, signal);
  return signal;
}
