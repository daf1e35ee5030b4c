import { type Catalogue, type CatalogueTool, resultText } from '../../../src/internal.js';
import { shortened } from '../../../src/json/index.js';
import { callVisibly, logListed } from '../../call.js';
import { operationError, SetupError } from '../../errors.js';
import { toJson } from '../../items.js';
import type { Operation } from '../operation.js';
import { chosen } from '../parameters.js';
import { readArguments } from './arguments.js';
import { refuseUnknown } from './chosen-tool.js';
import { resultItem } from './result.js';

/** Calls one tool for one input item. A result that is an error is an error of the node. */
export const callToolOnce: Operation = async ({ context, session, server, itemIndex, options }) => {
  const catalogue = await session.listTools(options.call);
  logListed(context, server, catalogue, catalogue.tools.length);
  const tool = toolNamed(chosen(context, 'tool', itemIndex, 'tool'), catalogue);
  const { name } = tool;
  const args = readArguments(context, itemIndex, tool);
  const { result } = await callVisibly(context, session, server, { name, tool }, args, options);
  if (!result.isError) return [options.raw ? { json: toJson(result.raw) } : await resultItem(context, name, result)];
  const text = resultText(result);
  const line = shortened(text.trim().split('\n')[0] ?? '', 200);
  const message = `The tool "${name}" reported an error${line === '' ? '' : `: ${line}`}`;
  throw operationError(context.getNode(), message, { description: text, itemIndex });
};

function toolNamed(name: string, catalogue: Catalogue): CatalogueTool {
  const tool = catalogue.find(name);
  if (tool) return tool;
  const skipped = catalogue.skipped.find((entry) => entry.name === name);
  if (skipped) throw new SetupError(`The tool "${name}" cannot be called`, skipped.reason.message);
  return refuseUnknown(name, catalogue.tools);
}
