import type { INodeExecutionData } from 'n8n-workflow';
import type { OperationInput } from '../execute.js';
import { toJson } from '../json.js';

export async function listPrompts({ session, options }: OperationInput): Promise<INodeExecutionData[]> {
  return (await session.listPrompts(options.call)).map((entry) => ({ json: toJson(entry) }));
}
