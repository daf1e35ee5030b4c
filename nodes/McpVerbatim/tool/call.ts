import { type INodeExecutionData, NodeOperationError } from 'n8n-workflow';
import { callTool, type Catalogue, type CatalogueTool, McpError, resultText } from '../../../src/internal.js';
import { shortened } from '../../../src/json/index.js';
import { SetupError } from '../../errors.js';
import { hintAsked, hintOutcome } from '../../hints.js';
import { toJson } from '../../items.js';
import { logCalled, logListed, logRefused } from '../../log.js';
import type { OperationInput } from '../operation.js';
import { chosen } from '../parameters.js';
import { readArguments } from './arguments.js';
import { refuseUnknown } from './chosen-tool.js';
import { resultItem } from './result.js';

/** Calls one tool for one input item. A result that is an error is an error of the node. */
export async function callToolOnce(input: OperationInput): Promise<INodeExecutionData[]> {
  const { context, session, itemIndex, options } = input;
  const catalogue = await session.listTools(options.call);
  logListed(context, catalogue);
  const tool = toolNamed(chosen(context, 'tool', itemIndex, 'tool'), catalogue);
  const args = readArguments(context, itemIndex, tool);
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

function toolNamed(name: string, catalogue: Catalogue): CatalogueTool {
  const tool = catalogue.find(name);
  if (tool) return tool;
  const skipped = catalogue.skipped.find((entry) => entry.name === name);
  if (skipped) throw new SetupError(`The tool "${name}" cannot be called`, skipped.reason.message);
  return refuseUnknown(name, catalogue.tools);
}

function reportedError({ context, itemIndex }: OperationInput, tool: CatalogueTool, text: string): NodeOperationError {
  const line = shortened(text.trim().split('\n')[0] ?? '', 200);
  const message = `The tool "${tool.name}" reported an error${line === '' ? '' : `: ${line}`}`;
  const error = new NodeOperationError(context.getNode(), message, { description: text, itemIndex });
  // n8n would replace a message of the tool in which it recognises a code of its own.
  error.message = message;
  return error;
}
