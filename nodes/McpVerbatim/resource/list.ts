import type { INodeExecutionData } from 'n8n-workflow';
import type { OperationInput } from '../execute.js';
import { toJson } from '../json.js';

export async function listResources({ session, options }: OperationInput): Promise<INodeExecutionData[]> {
  return (await session.listResources(options.call)).map((entry) => ({ json: toJson(entry) }));
}

export async function listResourceTemplates({ session, options }: OperationInput): Promise<INodeExecutionData[]> {
  return (await session.listResourceTemplates(options.call)).map((entry) => ({ json: toJson(entry) }));
}
