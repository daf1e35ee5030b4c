import {
  aFunction,
  anObject,
  checkOptions,
  isObject,
  milliseconds,
  type Option,
  signal,
  text,
} from '../../json/index.js';
import type { CallOptions, CompleteOptions, ReadOptions, RequestOptions } from './session.js';

const ofRequest: Record<keyof RequestOptions, Option> = { signal, idleTimeoutMs: milliseconds };
const ofReading: Record<keyof ReadOptions, Option> = {
  ...ofRequest,
  meta: anObject,
  onProgress: aFunction,
  maxDurationMs: milliseconds,
};
const ofCompletion: Record<keyof CompleteOptions, Option> = { ...ofRequest, context: anObject };

/** What a call of a tool may be given. */
export const callOptions: Record<keyof CallOptions, Option> = {
  ...ofReading,
  argumentsText: text,
  continuation: anObject,
  elicit: aFunction,
  headers: anObject,
  hidden: anObject,
};

const tables: Readonly<Record<string, Readonly<Record<string, Option>>>> = {
  complete: ofCompletion,
  getPrompt: ofReading,
  readResource: ofReading,
  request: ofReading,
};

/** Of options for everything, those that a request that reads heeds. */
export function readOptions({ signal, idleTimeoutMs, maxDurationMs, meta, onProgress }: ReadOptions): ReadOptions {
  return { signal, idleTimeoutMs, maxDurationMs, meta, onProgress };
}

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
  const table = tables[method] ?? ofRequest;
  const own = isObject(options)
    ? Object.fromEntries(Object.entries(options).filter(([name]) => name in table || !(name in callOptions)))
    : options;
  checkOptions(method, own, table);
}
