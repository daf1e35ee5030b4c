import {
  type IExecuteFunctions,
  type ILoadOptionsFunctions,
  NodeOperationError,
  type ResourceMapperFields,
} from 'n8n-workflow';
import { exampleValue, formFields } from '../../../src/internal.js';
import { equals, isList, isObject, parseJson } from '../../../src/json/index.js';
import { type ForEditor, formAnswer } from '../../editor/gate.js';
import { readArguments } from '../parameters.js';
import { chosenTool, jsonOf } from './form.js';

const parameter = 'jsonArguments';
const field = 'arguments';

/**
 * The one field for all arguments as JSON, which begins with an example. Where the server does not answer the panel, or
 * the tool is chosen at run time, the field is there all the same.
 */
export async function jsonField(context: ILoadOptionsFunctions): Promise<ForEditor<ResourceMapperFields>> {
  const tool = await chosenTool(context).catch(() => undefined);
  const takesAny = tool !== undefined && formFields(tool).length > 0;
  return formAnswer([
    {
      id: field,
      displayName: 'Arguments',
      type: 'object',
      required: true,
      display: true,
      defaultMatch: false,
      canBeUsedToMatch: false,
      defaultValue: jsonOf(takesAny ? exampleValue(tool) : {}),
    },
  ]);
}

/**
 * The arguments that were given as JSON, in the field of today or in that of versions before 1.2.
 *
 * @throws NodeOperationError where they are no JSON object, or the example that nobody has touched
 */
export function readJsonArguments(context: IExecuteFunctions, itemIndex: number): object {
  if (context.getNode().typeVersion < 1.2) return readArguments(context, itemIndex);
  refuseExample(context, itemIndex);
  const given: unknown = context.getNodeParameter(parameter, itemIndex, {});
  const value = isObject(given) && isObject(given.value) ? given.value[field] : undefined;
  return readArguments(context, itemIndex, value ?? '{}');
}

/** What the field begins with shows how; nobody means it to be sent. */
function refuseExample(context: IExecuteFunctions, itemIndex: number): void {
  const saved: unknown = context.getNode().parameters[parameter];
  if (!isObject(saved) || !isObject(saved.value)) return;
  const [first] = isList(saved.schema) ? saved.schema.filter(isObject) : [];
  const typed = parsed(saved.value[field]);
  if (!isObject(typed) || Object.keys(typed).length === 0 || !equals(typed, parsed(first?.['defaultValue']))) return;
  throw new NodeOperationError(context.getNode(), 'The arguments are still the example', {
    description:
      'The tool was not called. Write your own arguments in its place. ' +
      'If the example is what you want to send, give it as an expression: {{ {…} }}.',
    itemIndex,
  });
}

function parsed(typed: unknown): unknown {
  return typeof typed === 'string' ? parseJson(typed.replace(/^=/, '')) : undefined;
}
