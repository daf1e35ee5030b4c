import type { GenericValue, IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Session } from '../../src/internal.js';
import { isObject, nestsDeeper, parseJson } from '../../src/json/index.js';
import { type Server, serverName } from '../connection/session.js';
import { hintText } from '../hints.js';
import { deepest, toJson } from '../items.js';
import type { NodeOptions } from '../options/read.js';

/** What an operation needs to answer one input item. */
export interface OperationInput {
  context: IExecuteFunctions;
  session: Session;
  server: Server;
  itemIndex: number;
  options: NodeOptions;
}

/** An operation answers one input item with any number of items; whoever runs it links them. */
export type Operation = (input: OperationInput) => Promise<INodeExecutionData[]>;

/** One item for each entry of a list, as it came; nobody has checked that it is an object. */
export function listed(input: OperationInput, what: string, entries: readonly unknown[]): INodeExecutionData[] {
  if (entries.length === 0) hintNone(input, what);
  // They came as JSON.
  return entries.map((entry) => ({ json: toJson(isObject(entry) ? entry : { data: entry }) }));
}

/** Shows that a list is empty because the server has nothing to list. */
export function hintNone({ context, session }: OperationInput, what: string): void {
  hintText(context, 'info', `${serverName(session)} has no ${what}.`);
}

/** Text as n8n people expect it: JSON objects and lists parsed as far as an item can hold them, all else as it stands. */
export function parsedText(text: string, mimeType?: unknown): GenericValue | IDataObject | IDataObject[] {
  const looksLikeJson = /^\s*[[{]/.test(text) || (typeof mimeType === 'string' && /\bjson\b/.test(mimeType));
  const parsed = looksLikeJson ? parseJson(text) : undefined;
  const isTooDeep = typeof parsed === 'object' && parsed !== null && nestsDeeper(parsed, deepest);
  return parsed === undefined || isTooDeep ? text : parsed; // of JSON
}
