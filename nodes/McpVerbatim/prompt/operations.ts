import { type INodeExecutionData, NodeOperationError } from 'n8n-workflow';
import { toJson } from '../../items.js';
import { listed } from '../items.js';
import type { OperationInput } from '../operation.js';
import { chosen, readArguments } from '../parameters.js';

export async function listPrompts(input: OperationInput): Promise<INodeExecutionData[]> {
  return listed(input, 'prompts', await input.session.listPrompts(input.options.call));
}

/** The prompt with its arguments filled in by the server, as it came. */
export async function getPrompt({
  context,
  session,
  itemIndex,
  options,
}: OperationInput): Promise<INodeExecutionData[]> {
  const name = chosen(context, 'prompt', itemIndex);
  if (name === '') {
    throw new NodeOperationError(context.getNode(), 'No prompt is chosen', {
      description: 'Choose the prompt to get.',
      itemIndex,
    });
  }
  const args = Object.entries<unknown>({ ...readArguments(context, itemIndex) }).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  const text = args.map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)] as const);
  return [{ json: toJson(await session.getPrompt(name, Object.fromEntries(text), options.call)) }];
}
