import { AsyncResource } from 'node:async_hooks';

/** Makes a function that runs work in the context that is current now, as `AsyncLocalStorage` has it. */
export function contextOfNow(): <T>(work: () => T) => T {
  const context = new AsyncResource('mcp-verbatim:elicit');
  return (work) => context.runInAsyncScope(work);
}
