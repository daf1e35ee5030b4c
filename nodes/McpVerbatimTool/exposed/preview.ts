import { type INodeExecutionData, type ISupplyDataFunctions, NodeConnectionTypes } from 'n8n-workflow';
import { signature } from '../../../src/internal.js';
import { hintText } from '../../hints.js';
import { toJson } from '../../items.js';
import { toolRunAlone } from '../workflow-graph.js';
import type { ExposedTools } from './exposed-tools.js';

/**
 * "Execute step" in the editor names no tool to call, so it shows what an agent would get. Without this, n8n would run the
 * node without any output at all.
 */
export function showPreview(context: ISupplyDataFunctions, { tools, sent }: ExposedTools): void {
  const called = toolRunAlone(context);
  if (called === undefined || [...sent, ...tools].some(({ name }) => name === called)) return;
  const { index } = context.addInputData(NodeConnectionTypes.AiTool, [[{ json: {} }]]);
  const items = sent.map(({ name, description, schema, tool }): INodeExecutionData => {
    return { json: { name, description, signature: signature(tool), inputSchema: toJson(schema) } };
  });
  const what = 'This is what an agent sees. To call one of these tools yourself, use the MCP Verbatim node.';
  hintText(context, 'info', what);
  context.addOutputData(NodeConnectionTypes.AiTool, index, [items]);
}
