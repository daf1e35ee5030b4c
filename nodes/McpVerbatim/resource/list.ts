import type { INodeExecutionData } from 'n8n-workflow';
import type { OperationInput } from '../execute.js';
import { listed } from '../listed.js';

export async function listResources(input: OperationInput): Promise<INodeExecutionData[]> {
  return listed(input, 'resources', await input.session.listResources(input.options.call));
}

export async function listResourceTemplates(input: OperationInput): Promise<INodeExecutionData[]> {
  return listed(input, 'resource templates', await input.session.listResourceTemplates(input.options.call));
}
