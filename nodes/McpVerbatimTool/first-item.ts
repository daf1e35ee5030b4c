import type { ISupplyDataFunctions } from 'n8n-workflow';
import { jsonText } from '../../src/json/index.js';
import { chosenServer } from '../connection/server.js';
import { SetupError } from '../errors.js';
import { itemsOf } from '../host/agent-item.js';
import { askingNode, toolRunAlone } from './workflow-graph.js';

/**
 * AI Agent before version 3, and every other node, uses the values of its first item for all items.
 *
 * @throws SetupError if the values differ by item
 */
export async function refuseOtherItems(context: ISupplyDataFunctions): Promise<void> {
  const { type = '', typeVersion = 0 } = askingNode(context) ?? {};
  const isAskedForEach = /\.agent(Tool)?$/.test(type) && typeVersion >= 3;
  const count = itemsOf(context).length;
  if (count < 2 || isAskedForEach || toolRunAlone(context) !== undefined) return;
  const first = await valuesAt(context, 0);
  for (let index = 1; index < count; index++)
    if ((await valuesAt(context, index)) !== first)
      throw new SetupError('The expressions of this node have another value for each item', advice);
}

const advice =
  'The node that asks for the tools would use the values of the first item for all of them. Use AI Agent 3 or later, or put a Loop Over Items in front of the agent, with a batch size of 1.';

async function valuesAt(context: ISupplyDataFunctions, itemIndex: number): Promise<string> {
  const names = Object.keys(context.getNode().parameters);
  const { identity } = await chosenServer(context, itemIndex);
  return jsonText([identity, ...names.map((name) => context.getNodeParameter(name, itemIndex, null))]);
}
