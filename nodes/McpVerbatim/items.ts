import type { GenericValue, IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
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

/** Puts base64 data onto the item as binary data: `data`, then `data_1`, `data_2`, ... */
export async function attach(
  context: IExecuteFunctions,
  item: INodeExecutionData,
  base64: string,
  mimeType: unknown,
  uri?: string,
): Promise<string> {
  const binary = (item.binary ??= {});
  const count = Object.keys(binary).length;
  const property = count === 0 ? 'data' : `data_${count}`;
  const type = typeof mimeType === 'string' && mimeType !== '' ? mimeType : undefined;
  const fileName = uri === undefined ? `${property}${extension(type)}` : lastSegment(uri);
  binary[property] = await context.helpers.prepareBinaryData(Buffer.from(base64, 'base64'), fileName, type);
  return property;
}

function extension(mimeType: string | undefined): string {
  const subtype = mimeType?.split(/[/;+]/)[1];
  if (subtype === undefined || !/^[\w-]+(\.[\w-]+)*$/.test(subtype)) return '';
  return `.${subtype === 'mpeg' ? 'mp3' : subtype}`;
}

function lastSegment(uri: string): string {
  const segment = uri.split(/[?#]/)[0]?.split(/[/\\]/).filter(Boolean).at(-1) ?? '';
  // A file's name only, whoever uses it as a path: no control characters, no leading dots.
  return segment.replace(/\p{Cc}/gu, '').replace(/^\.+/, '') || 'data';
}
