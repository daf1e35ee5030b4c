import { aFunction, anObject, checkOptions, milliseconds, type Option, signal, text } from '../../json/index.js';
import type { CallOptions, CompleteOptions, ReadOptions } from './session.js';

/** What a call of a tool may be given. */
export const callOptions: Record<keyof CallOptions, Option> = {
  argumentsText: text,
  continuation: anObject,
  elicit: aFunction,
  headers: anObject,
  hidden: anObject,
  idleTimeoutMs: milliseconds,
  maxDurationMs: milliseconds,
  meta: anObject,
  onProgress: aFunction,
  signal,
};
const completeOptions: Record<keyof (CallOptions & CompleteOptions), Option> = { ...callOptions, context: anObject };

/** Of options for everything, those that apply to a request that reads. */
export function readOptions({ signal, idleTimeoutMs, maxDurationMs, meta, onProgress }: ReadOptions): ReadOptions {
  return { signal, idleTimeoutMs, maxDurationMs, meta, onProgress };
}

/**
 * Checks the options of one request. A host may have one set of options for all that it sends, so that every request
 * accepts what only a call uses.
 *
 * @throws TypeError where an option does not exist or is wrong
 */
export function checkRequest(method: string, options: unknown): void {
  checkOptions(method, options, method === 'complete' ? completeOptions : callOptions);
}
