import type { INodeExecutionData } from 'n8n-workflow';
import { serverName } from '../connection/serverName.js';
import { hintNone } from '../hints.js';
import type { OperationInput } from './execute.js';
import { toJson } from './json.js';

/** One item for each entry of a list, as it came. */
export function listed({ context, session }: OperationInput, what: string, entries: readonly object[]): INodeExecutionData[] {
  if (entries.length === 0) hintNone(context, serverName(session), what);
  return entries.map((entry) => ({ json: toJson(entry) }));
}
