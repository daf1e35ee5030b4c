import type { INodeExecutionData } from 'n8n-workflow';
import { textOf } from '../../collection.js';
import { toJson } from '../../items.js';
import { listed } from '../items.js';
import type { OperationInput } from '../operation.js';
import { argumentsIn, chosen } from '../parameters.js';

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
  const name = chosen(context, 'prompt', itemIndex, 'prompt');
  const given = Object.entries<unknown>({ ...argumentsIn(context.getNodeParameter('arguments', itemIndex, '{}')) });
  const args = given.filter(([, value]) => value !== undefined && value !== null);
  const texts = Object.fromEntries(args.map(([key, value]) => [key, textOf(value)]));
  return [{ json: toJson(await session.getPrompt(name, texts, options.call)) }];
}
