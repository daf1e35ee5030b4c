import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

/** The parameter `arguments`: JSON text, or the object of an expression. */
export function readArguments(context: IExecuteFunctions, itemIndex: number): object {
  const value = context.getNodeParameter('arguments', itemIndex, '{}');
  const parsed = typeof value === 'string' ? parse(context, itemIndex, value) : value;
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed;
  throw new NodeOperationError(context.getNode(), 'The arguments are not a JSON object', {
    description: 'Give one property per argument, such as { "query": "verbatim" }.',
    itemIndex,
  });
}

function parse(context: IExecuteFunctions, itemIndex: number, text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new NodeOperationError(context.getNode(), 'The arguments are not valid JSON', {
      description: error instanceof Error ? error.message : String(error),
      itemIndex,
    });
  }
}
