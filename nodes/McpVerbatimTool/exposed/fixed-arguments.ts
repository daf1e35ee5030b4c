import { NodeOperationError } from 'n8n-workflow';
import { type Catalogue, type FixedArguments, fixedForTool } from '../../../src/internal.js';
import type { RunContext } from '../../connection/execution.js';
import type { NodeOptions } from '../../options/read.js';
import { isUnapproved, offeredNames } from './selection.js';

/**
 * The values of the fixed arguments, by tool. Text that was typed is read as what the tool takes.
 *
 * @param notSelected names of tools that the server does not have, whatever they are called now: none is offered instead
 * @throws NodeOperationError where there is no such tool, FixedArgumentsError where a tool has no such argument
 */
export function fixedArguments(
  context: RunContext,
  itemIndex: number,
  catalogue: Catalogue,
  fixed: NodeOptions['offer']['fixed'],
  notSelected: readonly string[],
): Map<string, FixedArguments> {
  const read = new Map<string, FixedArguments>();
  for (const [name, values] of fixed) {
    const tool = catalogue.find(name);
    if (isUnapproved(catalogue, name) || notSelected.includes(name)) continue;
    if (!tool) {
      const description = `"Fixed Arguments" names it. The server offers: ${offeredNames(catalogue)}.`;
      throw new NodeOperationError(context.getNode(), `There is no tool "${name}"`, { description, itemIndex });
    }
    read.set(name, fixedForTool(tool, Object.fromEntries(values)));
  }
  return read;
}
