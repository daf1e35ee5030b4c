import type { IDataObject, INodeExecutionData, ISupplyDataFunctions, SupplyData } from 'n8n-workflow';
import { NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';
import { type ModelTool, signature } from '../../../src/internal.js';
import { errorForEditor, errorForModel } from '../../errors.js';
import { hintList, hintText } from '../../hints.js';
import { runAsking, seeAgentItem } from '../../host/agent-item.js';
import { isOutsideExecutions } from '../../host/execution.js';
import { hostPackages, hostToolkit } from '../../host/packages.js';
import { hostTool } from '../../host/tool.js';
import { toJson } from '../../items.js';
import { readOptions } from '../../options/read.js';
import { answerCall, answerItem, hasToolArgument, refusedCall } from '../calls/answer.js';
import { rethrowFailure } from '../calls/execute.js';
import { type ExposedTools, exposedTools } from '../exposed/exposed-tools.js';
import { hintExposed } from '../exposed/hints.js';
import { askingNode, toolRunAlone } from '../workflow-graph.js';
import { schemaForCaller } from './schema-for-caller.js';
import { singleTool } from './single-tool.js';

/** What an AI Agent gets: all tools in one toolkit. */
export async function supplyTools(context: ISupplyDataFunctions, itemIndex: number): Promise<SupplyData> {
  if (isOutsideExecutions(context)) return await supplyOneTool(context, itemIndex);
  try {
    rethrowFailure(runAsking(context));
    seeAgentItem(context, askingNode(context)?.name, itemIndex);
    const exposed = await exposedTools(context, itemIndex, readOptions(context, itemIndex));
    if (exposed.unreachable)
      hintList(context, 'warning', 'The agent went on without this server', [exposed.unreachable.message]);
    showPreview(context, exposed);
    const packages = hostPackages();
    const schemaFor = schemaForCaller(context);
    const tools = exposed.sent.map((tool) => {
      const { name, description } = tool;
      // Agents before version 3 call this; later ones have n8n run the node (see `executeCalls`).
      const call = async (args: unknown) => await recordedCall(context, itemIndex, exposed, tool, args);
      const own = { name, description, call, hasToolArgument: hasToolArgument(tool.tool) };
      return hostTool({ ...own, ...schemaFor(tool.schema) }, packages);
    });
    return { response: hostToolkit(tools) };
  } catch (error) {
    const { index } = context.addInputData(NodeConnectionTypes.AiTool, [[{ json: {} }]]);
    throw recordedError(context, index, itemIndex, error);
  }
}

/**
 * "Execute step" in the editor names no tool to call, so it shows what an agent would get. Without this, n8n would run the
 * node without any output at all.
 */
function showPreview(context: ISupplyDataFunctions, { tools, sent }: ExposedTools): void {
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

/** What n8n's Agents get, which stand beside workflows: they ask for the schema, and again for each call. */
async function supplyOneTool(context: ISupplyDataFunctions, itemIndex: number): Promise<SupplyData> {
  const explain = (error: unknown): never => {
    throw errorForModel(context.getNode(), error);
  };
  try {
    const exposed = await exposedTools(context, itemIndex, readOptions(context, itemIndex));
    const call = async (tool: ModelTool, args: unknown) =>
      (await answerCall(context, itemIndex, exposed, tool, args).catch(explain)).text;
    return { response: singleTool(exposed.sent, call) };
  } catch (error) {
    return explain(error);
  }
}

/** Calls the tool and shows the call in n8n's view of the execution. */
async function recordedCall(
  context: ISupplyDataFunctions,
  itemIndex: number,
  exposed: ExposedTools,
  called: ModelTool,
  args: unknown,
): Promise<string> {
  const input = { tool: called.name, arguments: args } as IDataObject; // JSON of the model
  const { index } = context.addInputData(NodeConnectionTypes.AiTool, [[{ json: input }]]);
  const show = (output: INodeExecutionData[][] | NodeOperationError) =>
    context.addOutputData(NodeConnectionTypes.AiTool, index, output);
  try {
    // What was repaired comes first. n8n shows the hints in this order, and takes them along with the output.
    const answer = await answerCall(context, itemIndex, exposed, called, args).finally(() => {
      hintExposed(context, exposed);
    });
    show(answer.isRefusal ? refusedCall(context, answer, itemIndex) : [[await answerItem(context, answer)]]);
    return answer.text;
  } catch (error) {
    throw recordedError(context, index, itemIndex, error);
  }
}

/** Marked such that n8n shows the error as it is, instead of an "Error in sub-node" without the description. */
function recordedError(
  context: ISupplyDataFunctions,
  index: number,
  itemIndex: number,
  error: unknown,
): NodeOperationError {
  const readable = errorForEditor(context.getNode(), error, { itemIndex });
  readable.functionality = 'configuration-node';
  context.addOutputData(NodeConnectionTypes.AiTool, index, readable);
  return new NodeOperationError(context.getNode(), readable);
}
