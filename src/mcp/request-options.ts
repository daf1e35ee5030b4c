import { aFunction, anObject, checkOptions, isObject, milliseconds, type Option, signal, text } from '../json/index.js';
import type { CallOptions, CompleteOptions, RequestOptions } from './session/session.js';

const ofRequest: Record<keyof RequestOptions, Option> = { signal, timeoutMs: milliseconds };
const ofCompletion: Record<keyof CompleteOptions, Option> = { ...ofRequest, context: anObject };

/** What a call of a tool may be given. */
export const callOptions: Record<keyof CallOptions, Option> = {
  ...ofRequest,
  argumentsText: text,
  continuation: anObject,
  elicit: aFunction,
  headers: anObject,
  hidden: anObject,
  meta: anObject,
  onProgress: aFunction,
  totalTimeoutMs: milliseconds,
};

/**
 * Checks the options of one request. A host may have one set of options for all that it sends: what only a call heeds
 * is no mistake elsewhere.
 *
 * @throws TypeError where an option does not exist or is wrong
 */
export function checkRequest(method: string, options: unknown): void {
  if (method === 'callTool') {
    checkOptions(method, options, callOptions);
    return;
  }
  const table = method === 'complete' ? ofCompletion : ofRequest;
  const own = isObject(options)
    ? Object.fromEntries(Object.entries(options).filter(([name]) => name in table || !(name in callOptions)))
    : options;
  checkOptions(method, own, table);
}
