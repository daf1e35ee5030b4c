import type { GenericValue, IDataObject, INodeExecutionData } from 'n8n-workflow';
import { isObject, nestsDeeper, parseJson } from '../../src/json/index.js';
import { serverName } from '../connection/session.js';
import { hintNone } from '../hints.js';
import { deepest, toJson } from '../items.js';
import type { OperationInput } from './operation.js';

/** One item for each entry of a list, as it came; nobody has checked that it is an object. */
export function listed(
  { context, session }: OperationInput,
  what: string,
  entries: readonly unknown[],
): INodeExecutionData[] {
  if (entries.length === 0) hintNone(context, serverName(session), what);
  // They came as JSON.
  return entries.map((entry) => ({ json: toJson(isObject(entry) ? entry : { data: entry }) }));
}

/** Text as n8n people expect it: JSON objects and lists parsed as far as an item can hold them, all else as it stands. */
export function parsedText(text: string, mimeType?: unknown): GenericValue | IDataObject | IDataObject[] {
  const looksLikeJson = /^\s*[[{]/.test(text) || (typeof mimeType === 'string' && /\bjson\b/.test(mimeType));
  const parsed = looksLikeJson ? parseJson(text) : undefined;
  const isText =
    parsed === undefined || (typeof parsed === 'object' && parsed !== null && nestsDeeper(parsed, deepest));
  return isText ? text : parsed; // of JSON
}
