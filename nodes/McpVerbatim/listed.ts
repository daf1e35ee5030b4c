import type { GenericValue, INodeExecutionData } from 'n8n-workflow';
import { serverName } from '../connection/server-name.js';
import { hintNone } from '../hints.js';
import type { OperationInput } from './execute.js';
import { toJson } from './json.js';
import { isRecord } from '../objects.js';

/** One item for each entry of a list, as it came; nobody has checked that it is an object. */
export function listed(
  { context, session }: OperationInput,
  what: string,
  entries: readonly unknown[],
): INodeExecutionData[] {
  if (entries.length === 0) hintNone(context, serverName(session), what);
  return entries.map((entry) => ({ json: isRecord(entry) ? toJson(entry) : { data: entry as GenericValue } }));
}
