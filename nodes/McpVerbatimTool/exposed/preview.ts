import type { INodeExecutionData, ISupplyDataFunctions } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { signature } from '../../../src/internal.js';
import { toJson } from '../../items.js';
import type { Offer } from './offered-tools.js';
import { toolRunAlone } from '../workflow-graph.js';

/**
 * "Execute step" in the editor names no tool to call, so it shows what an agent would be told. Without this, n8n would
 * run the node without any output at all.
 */
export function showPreview(context: ISupplyDataFunctions, { tools, told }: Offer): void {
  const called = toolRunAlone(context);
  if (called === undefined || [...told, ...tools].some(({ name }) => name === called)) return;
  const { index } = context.addInputData(NodeConnectionTypes.AiTool, [[{ json: {} }]]);
  const items = told.map(({ name, description, schema, tool }): INodeExecutionData => {
    return { json: { name, description, signature: signature(tool), inputSchema: toJson(schema) } };
  });
  context.addExecutionHints({
    message: 'This is what an agent sees. To call one of these tools yourself, use the MCP Verbatim node.',
    type: 'info',
    location: 'outputPane',
  });
  context.addOutputData(NodeConnectionTypes.AiTool, index, [items]);
}
