import type { GenericValue, IDataObject, INodeExecutionData } from 'n8n-workflow';
import { isObject } from '../../src/json/index.js';
import { serverName } from '../connection/session.js';
import { hintNone } from '../hints.js';
import { toJson } from '../items.js';
import type { OperationInput } from './operation.js';

/** One item for each entry of a list, as it came; nobody has checked that it is an object. */
export function listed(
  { context, session }: OperationInput,
  what: string,
  entries: readonly unknown[],
): INodeExecutionData[] {
  if (entries.length === 0) hintNone(context, serverName(session), what);
  // They came as JSON.
  return entries.map((entry) => ({ json: isObject(entry) ? toJson(entry) : { data: entry as GenericValue } }));
}

/** Text as n8n people expect it: JSON objects and lists parsed, everything else as it stands. */
export function parsedText(text: string, mimeType?: unknown): GenericValue | IDataObject | IDataObject[] {
  const looksLikeJson = /^\s*[[{]/.test(text) || (typeof mimeType === 'string' && /\bjson\b/.test(mimeType));
  if (!looksLikeJson) return text;
  try {
    return JSON.parse(text) as IDataObject; // of a text that looks like an object or a list
  } catch {
    return text;
  }
}
