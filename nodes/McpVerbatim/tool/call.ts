import { type INodeExecutionData, NodeOperationError } from 'n8n-workflow';
import { callTool, type Catalogue, type CatalogueTool, McpError, resultText } from '../../../src/internal.js';
import { hintAsked, hintOutcome } from '../../hints.js';
import { toJson } from '../../items.js';
import { logCalled, logListed, logRefused } from '../../log.js';
import { enumerate } from '../../text.js';
import type { OperationInput } from '../operation.js';
import { chosen } from '../parameters.js';
import { readForm } from './form.js';
import { readJsonArguments } from './json-arguments.js';
import { resultItem } from './result.js';

/** Calls one tool for one input item. A result that is an error is an error of the node. */
export async function callToolOnce(input: OperationInput): Promise<INodeExecutionData[]> {
  const { context, session, itemIndex, options } = input;
  const catalogue = await session.listTools(options.call);
  logListed(context, catalogue);
  const tool = chosenTool(input, catalogue);
  const args =
    context.getNodeParameter('argumentsMode', itemIndex) === 'form'
      ? readForm(context, itemIndex, tool)
      : readJsonArguments(context, itemIndex);
  const outcome = await callTool(session, tool, args, { ...options.tool, ...options.call }).catch((error: unknown) => {
    logRefused(context, tool.name, error);
    if (error instanceof McpError) hintAsked(context, tool.name, error.asked);
    throw error;
  });
  logCalled(context, tool.name, outcome);
  hintOutcome(context, tool.name, outcome);
  if (outcome.result.isError) throw reportedError(input, tool, resultText(outcome.result));
  return [options.raw ? { json: toJson(outcome.result.raw) } : await resultItem(context, tool.name, outcome.result)];
}

function reportedError({ context, itemIndex }: OperationInput, tool: CatalogueTool, text: string): NodeOperationError {
  const line = text.trim().split('\n')[0] ?? '';
  const short = line.length > 200 ? `${line.slice(0, 200)}…` : line;
  const message = `The tool "${tool.name}" reported an error${short === '' ? '' : `: ${short}`}`;
  const error = new NodeOperationError(context.getNode(), message, { description: text, itemIndex });
  // The words are the tool's; n8n would replace some that it takes for codes of its own.
  error.message = message;
  return error;
}

function chosenTool({ context, itemIndex }: OperationInput, catalogue: Catalogue): CatalogueTool {
  const name = chosen(context, 'tool', itemIndex);
  const tool = catalogue.find(name);
  if (tool !== undefined) return tool;
  const skipped = catalogue.skipped.find((entry) => entry.name === name);
  const [message, description] =
    name === ''
      ? ['No tool is chosen', 'Choose the tool to call.']
      : skipped !== undefined
        ? [`The tool "${name}" cannot be called`, skipped.reason.message]
        : [
            `The server has no tool "${name}"`,
            `It offers: ${enumerate(catalogue.tools.map((entry) => entry.name)) || 'nothing that can be called'}.`,
          ];
  throw new NodeOperationError(context.getNode(), message, { description, itemIndex });
}
