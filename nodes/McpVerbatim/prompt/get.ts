import type { INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { readArguments } from '../arguments.js';
import type { OperationInput } from '../execute.js';
import { toJson } from '../json.js';

/** The prompt with its arguments filled in by the server, as it came. */
export async function getPrompt({
  context,
  session,
  itemIndex,
  options,
}: OperationInput): Promise<INodeExecutionData[]> {
  const name = String(context.getNodeParameter('prompt', itemIndex, '', { extractValue: true }) ?? '').trim();
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
