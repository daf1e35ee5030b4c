import type { INodeExecutionData } from 'n8n-workflow';
import type { OperationInput } from '../execute.js';
import { listed } from '../listed.js';

export async function listPrompts(input: OperationInput): Promise<INodeExecutionData[]> {
  return listed(input, 'prompts', await input.session.listPrompts(input.options.call));
}
