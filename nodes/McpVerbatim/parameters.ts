import { type IExecuteFunctions, type ILoadOptionsFunctions, NodeOperationError } from 'n8n-workflow';
import { isObject, messageOf } from '../../src/json/index.js';
import { textOfValue } from '../editor/gate.js';

/**
 * Arguments as JSON text, or the object of an expression.
 *
 * @param value what was given; by default the parameter `arguments`
 */
export function readArguments(
  context: IExecuteFunctions,
  itemIndex: number,
  value: unknown = context.getNodeParameter('arguments', itemIndex, '{}'),
): object {
  const parsed = typeof value === 'string' ? parse(context, itemIndex, value) : value;
  if (isObject(parsed)) return parsed;
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
      description: messageOf(error),
      itemIndex,
    });
  }
}

/** What is chosen in a picker, by its list or by name; '' where nothing is. */
export function chosen(context: IExecuteFunctions, parameter: string, itemIndex: number): string {
  return text(context.getNodeParameter(parameter, itemIndex, '', { extractValue: true }));
}

/** The same in the panel; '' as well where an expression chooses that has no value before the node runs. */
export function chosenInPanel(context: ILoadOptionsFunctions, parameter: string): string {
  try {
    return text(context.getNodeParameter(parameter, '', { extractValue: true }));
  } catch {
    return ''; // n8n's refusal to evaluate the expression
  }
}

/** Numbers, too: an expression may choose the tool called 7. */
function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? textOfValue(String(value).trim()) : '';
}
