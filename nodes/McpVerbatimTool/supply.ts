import type { IDataObject, INodeExecutionData, ISupplyDataFunctions, SupplyData } from 'n8n-workflow';
import { NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';
import { type ModelTool, signature, withoutStrictMode } from '../../src/internal.js';
import { jsonText } from '../../src/json/index.js';
import { uncheckedSchema } from '../../src/projections/zod/index.js';
import { chosenServer } from '../connection/server.js';
import { errorForEditor, errorForModel, joined, SetupError } from '../errors.js';
import { hintList, hintText, tooManyFor } from '../hints.js';
import { itemsOf, runAsking, seeAgentItem } from '../host/agent-item.js';
import { isFirstTime, isOutsideExecutions } from '../host/execution.js';
import { type HostTool, hostPackages, hostTool, hostToolkit } from '../host/tools.js';
import { toJson } from '../items.js';
import { readOptions } from '../options/read.js';
import { answerCall, answerItem, hasToolArgument, hintTrouble, rethrowFailure, unknownTool } from './calls.js';
import { type ExposedTools, exposedTools, toolsSoFar } from './exposed/exposed-tools.js';
import { hintExposed } from './exposed/hints.js';
import { askingNode, isAskedByAgent, modelsOf, toolRunAlone } from './workflow-graph.js';

export async function supplyTools(context: ISupplyDataFunctions, itemIndex: number): Promise<SupplyData> {
  if (isOutsideExecutions(context)) return await supplyOneTool(context, itemIndex);
  const { exposed, packages } = await prepared(context, itemIndex);
  if (exposed.unreachable && isFirstTime(context, 'went on'))
    recordedError(
      context,
      itemIndex,
      new SetupError('The agent went on without this server', joined(exposed.unreachable)),
    );
  const tooMany = tooManyFor(modelsOf(context).providers ?? [], toolsSoFar(context, exposed));
  if (tooMany.length > 0 && isFirstTime(context, 'warned')) {
    hintList(context, 'warning', "The model's provider would reject the request", tooMany);
    showItems(context, [{ json: { tools: exposed.sent.length } }]);
  }
  await executeStep(context, itemIndex, exposed);
  const schemaFor = schemaForCaller(context);
  const tools = exposed.sent.map((tool) => {
    const { name, description } = tool;
    // Agents before version 3 call this; later ones have n8n run the node (see `executeCalls`).
    const call = async (args: unknown) => await recordedCall(context, itemIndex, exposed, tool, args);
    const own = { name, description, call, hasToolArgument: hasToolArgument(tool.tool) };
    return hostTool({ ...own, ...schemaFor(tool.schema) }, packages);
  });
  return { response: hostToolkit(tools) };
}

async function prepared(context: ISupplyDataFunctions, itemIndex: number) {
  try {
    rethrowFailure(runAsking(context));
    await refuseOtherItems(context);
    seeAgentItem(context, askingNode(context)?.name, itemIndex);
    const packages = hostPackages();
    return { packages, exposed: await exposedTools(context, itemIndex, readOptions(context, itemIndex)) };
  } catch (error) {
    throw recordedError(context, itemIndex, error);
  }
}

/**
 * AI Agent before version 3, and every other node, uses the values of its first item for all items.
 *
 * @throws SetupError if the values differ by item
 */
async function refuseOtherItems(context: ISupplyDataFunctions): Promise<void> {
  const { type = '', typeVersion = 0 } = askingNode(context) ?? {};
  const isAskedForEach = /\.agent(Tool)?$/.test(type) && typeVersion >= 3;
  const count = itemsOf(context).length;
  if (count < 2 || isAskedForEach || toolRunAlone(context) !== undefined) return;
  const first = await valuesAt(context, 0);
  for (let index = 1; index < count; index++)
    if ((await valuesAt(context, index)) !== first)
      throw new SetupError(
        'The expressions of this node have another value for each item',
        'The node that asks for the tools would use the values of the first item for all of them. Use AI Agent 3 or later, or put a Loop Over Items in front of the agent, with a batch size of 1.',
      );
}

async function valuesAt(context: ISupplyDataFunctions, itemIndex: number): Promise<string> {
  const names = Object.keys(context.getNode().parameters);
  const { identity } = await chosenServer(context, itemIndex);
  return jsonText([identity, ...names.map((name) => context.getNodeParameter(name, itemIndex, null))]);
}

/** Agents get the schema as it is; other nodes through Zod. */
export function schemaForCaller(
  context: ISupplyDataFunctions,
): (schema: ModelTool['schema']) => Pick<HostTool, 'schema' | 'onlyZod' | 'rawObjects'> {
  const onlyZod = !isAskedByAgent(context);
  const { type = '', typeVersion = 0 } = askingNode(context) ?? {};
  return (schema) => {
    if (type.endsWith('.googleGemini')) return { schema, onlyZod, rawObjects: true };
    return { schema: type.endsWith('.openAi') && typeVersion >= 2 ? withoutStrictMode(schema) : schema, onlyZod };
  };
}

/** Serves "Execute step". n8n's editor asks for a tool only in its own node; here an option names it, or all are listed. */
async function executeStep(context: ISupplyDataFunctions, itemIndex: number, exposed: ExposedTools): Promise<void> {
  if (toolRunAlone(context) !== '') return;
  const { tools, sent, options } = exposed;
  if (options.exposed.step && options.exposed.step.name !== '') {
    const { name, json } = options.exposed.step;
    const tool = tools.find((candidate) => candidate.tool.name === name);
    if (!tool) throw recordedError(context, itemIndex, unknownTool(name, tools));
    await recordedCall(context, itemIndex, exposed, tool, json);
    return;
  }
  hintText(context, 'info', 'This is what an agent sees. To call a tool here, add the option "Execute Step".');
  const shown = sent.map(({ name, description, schema, tool }) => ({
    json: { name, description, signature: signature(tool), inputSchema: toJson(schema) },
  }));
  showItems(context, shown);
}

/** Shows items in the log of a node that no agent has called yet. */
function showItems(context: ISupplyDataFunctions, items: INodeExecutionData[]): void {
  const { index } = context.addInputData(NodeConnectionTypes.AiTool, [[{ json: {} }]]);
  context.addOutputData(NodeConnectionTypes.AiTool, index, [items]);
}

/** Serves n8n's Agents feature, which asks for the schema, and again for each call. */
async function supplyOneTool(context: ISupplyDataFunctions, itemIndex: number): Promise<SupplyData> {
  const explain = (error: unknown): never => {
    throw errorForModel(context.getNode(), error);
  };
  try {
    const exposed = await exposedTools(context, itemIndex, readOptions(context, itemIndex));
    const call = async (tool: ModelTool, args: unknown) =>
      (await answerCall(context, exposed, tool, args).catch(explain)).text;
    return { response: singleTool(exposed.sent, call) };
  } catch (error) {
    return explain(error);
  }
}

/** n8n's Agents use a node as one tool. If it has more, the call fails: an earlier error would only be in n8n's log. */
function singleTool(
  exposed: readonly ModelTool[],
  call: (tool: ModelTool, args: unknown) => Promise<string>,
): { schema: object; invoke(args: unknown): Promise<string> } {
  const [tool, ...more] = exposed;
  if (tool !== undefined && more.length === 0)
    return { schema: uncheckedSchema(described(tool)), invoke: async (args) => await call(tool, args) };
  const count = exposed.length === 0 ? 'none' : exposed.length;
  const notOne = new Error(
    `An n8n Agent uses a node as one tool, but this node has ${count}. ` +
      'Set "Tools to Include" to "Selected", select exactly one tool, and add another node for each further tool.',
  );
  const invoke = async () => await Promise.reject(notOne);
  return { schema: uncheckedSchema({ type: 'object', properties: {} }), invoke };
}

/** n8n's Agents have no field for the tool's description, so it is put in front of the schema's. */
function described({ description, schema: { description: own, ...schema } }: ModelTool): object {
  return { description: typeof own === 'string' ? `${description}\n${own}` : description, ...schema };
}

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
    // Called before the output, with which n8n takes hints along, and after the hints about repairs.
    const answer = await answerCall(context, exposed, called, args).finally(() => {
      hintExposed(context, exposed);
    });
    const { trouble } = answer;
    const item = await answerItem(context, answer);
    // n8n's log shows no files beside an error, so a result with files stays an item.
    if (trouble && item.binary) hintTrouble(context, trouble);
    show(trouble && !item.binary ? errorForEditor(context.getNode(), trouble) : [[item]]);
    return answer.text;
  } catch (error) {
    throw recordedError(context, itemIndex, error, { index });
  }
}

/** Marked such that n8n shows the error as it is, instead of an "Error in sub-node" without the description. */
function recordedError(
  context: ISupplyDataFunctions,
  itemIndex: number,
  error: unknown,
  { index } = context.addInputData(NodeConnectionTypes.AiTool, [[{ json: {} }]]),
): NodeOperationError {
  const readable = errorForEditor(context.getNode(), error, { itemIndex });
  readable.functionality = 'configuration-node';
  context.addOutputData(NodeConnectionTypes.AiTool, index, readable);
  return new NodeOperationError(context.getNode(), readable);
}
