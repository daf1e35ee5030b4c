import type { INodeExecutionData, ISupplyDataFunctions } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { ModelTool } from '../../src/index.js';
import { library } from '../library.js';
import { toJson } from '../McpVerbatim/json.js';
import { toolRunAlone } from './surroundings.js';

/**
 * "Execute step" in the editor names no tool to call, so it shows what an agent would be told. Without this, n8n would
 * run the node without any output at all.
 */
export async function showOffer(context: ISupplyDataFunctions, offered: readonly ModelTool[]): Promise<void> {
  const called = toolRunAlone(context);
  if (called === undefined || offered.some(({ name }) => name === called)) return;
  const { signature } = await library();
  const { index } = context.addInputData(NodeConnectionTypes.AiTool, [[{ json: {} }]]);
  const items = offered.map(({ name, description, schema, tool }): INodeExecutionData => {
    return { json: { name, description, signature: signature(tool.inputSchema), inputSchema: toJson(schema) } };
  });
  context.addExecutionHints({
    message: 'This is what an agent is told. To call one of these tools yourself, use the node MCP Verbatim.',
    type: 'info',
    location: 'outputPane',
  });
  context.addOutputData(NodeConnectionTypes.AiTool, index, [items]);
}
