import type { IDataObject, IExecuteFunctions, INodeExecutionData, IWorkflowSettings } from 'n8n-workflow';
import { InvalidArgumentsError, type ModelTool } from '../../../src/internal.js';
import { errorForModel, nodeError, SetupError } from '../../errors.js';
import { hintText } from '../../hints.js';
import { seeItem } from '../../host/agent-item.js';
import { goesOnAfterErrors } from '../../host/engine.js';
import { errorItem } from '../../items.js';
import { readOptions } from '../../options/read.js';
import { enumerate } from '../../text.js';
import { type ExposedTools, exposedTools } from '../exposed/exposed-tools.js';
import { hintExposed } from '../exposed/hints.js';
import { renamedTool } from '../exposed/names.js';
import { answerCall, answerItem, type CalledTool, hasToolArgument, refusedCall } from './answer.js';
import { failNextTime } from './failure.js';
import { type RequestedCall, requestedCall } from './requested-call.js';

/** Serves the calls that n8n's engine makes for an agent: one item per call. */
export async function executeCalls(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
  const results: INodeExecutionData[] = [];
  if (isLegacyOrder(context))
    hintText(
      context,
      'warning',
      'This workflow uses the legacy execution order: the agent went on before this answer came, and read an empty one. Choose v1 in the settings of the workflow.',
    );
  for (const [itemIndex, item] of context.getInputData().entries()) {
    const requested = requestedCall(context, item);
    try {
      results.push(await executeCall(context, item, itemIndex, requested));
    } catch (error) {
      const readable = nodeError(context.getNode(), error, { itemIndex });
      // n8n sends the model an error in a tool and lets the agent go on, so the agent is stopped when it asks again.
      if (context.continueOnFail()) {
        results.push(errorItem(readable, itemIndex));
        continue;
      }
      if (error instanceof InvalidArgumentsError) failNextTime(requested.agentRun, readable);
      throw errorForModel(context.getNode(), error, { itemIndex });
    }
  }
  return [results];
}

/** n8n 2.0 knows the settings, but has no `getWorkflowSettings`. */
function isLegacyOrder(context: Partial<Pick<IExecuteFunctions, 'getWorkflowSettings'>>): boolean {
  const { workflow } = context as { workflow?: { settings?: IWorkflowSettings } }; // not in the public types
  const settings = context.getWorkflowSettings?.() ?? workflow?.settings;
  return settings !== undefined && settings.executionOrder !== 'v1';
}

async function executeCall(
  context: IExecuteFunctions,
  item: INodeExecutionData,
  itemIndex: number,
  requested: RequestedCall,
): Promise<INodeExecutionData> {
  // Expressions in parameters are about the agent's item. Over it the engine has laid the model's arguments, which must
  // not reach what is fixed; where the engine does not say which item it is, they see an empty one.
  seeItem(context, itemIndex, requested.ownItem ?? { ...item, json: {} });
  const options = readOptions(context, itemIndex);
  const exposed = await exposedTools(context, itemIndex, options);
  try {
    const { args, ...tool } = resolveCall(context, requested, exposed, options.exposed.prefix);
    const answer = await answerCall(context, itemIndex, exposed, tool, args, options);
    if (answer.isRefusal && goesOnAfterErrors(context)) throw refusedCall(context, answer, itemIndex);
    return { ...(await answerItem(context, answer)), pairedItem: { item: itemIndex } };
  } finally {
    // What was repaired comes first; n8n shows the hints in this order.
    hintExposed(context, exposed, options.exposed);
  }
}

/** The exposed tool that was called, and its arguments without what n8n's engine put among them. */
function resolveCall(
  context: IExecuteFunctions,
  call: RequestedCall,
  { tools, sent, unreachable }: ExposedTools,
  prefix: string,
): CalledTool & { args: object } {
  const found =
    [...sent, ...tools].find((tool) => tool.name === call.name) ??
    renamedTool(context, tools, call.name, prefix) ??
    onlyOneWithToolArgument(call, tools);
  if (!found) throw unreachable ?? unknownTool(call.name, sent);
  const { name, tool } = found;
  const keepsTool = hasToolArgument(tool) && (call.namedBeside || call.name !== name);
  return { name, tool, args: keepsTool ? call.arguments : withoutRoutingKey(call.arguments) };
}

function withoutRoutingKey({ tool: _tool, ...args }: IDataObject): IDataObject {
  return args;
}

/** After a human's review, n8n lets an argument called `tool` take the place of the tool's name. */
function onlyOneWithToolArgument(call: RequestedCall, exposed: readonly ModelTool[]): ModelTool | undefined {
  const candidates = call.namedBeside ? [] : exposed.filter(({ tool }) => hasToolArgument(tool));
  return candidates.length === 1 ? candidates[0] : undefined;
}

function unknownTool(name: string | undefined, exposed: readonly ModelTool[]): SetupError {
  if (name === undefined)
    return new SetupError(
      'No tool was named',
      'An AI Agent runs this node and names the tool to call. To call a tool yourself, use the MCP Verbatim node.',
    );
  const names = enumerate(exposed.map((tool) => tool.name)) || 'none';
  return new SetupError(`There is no tool "${name}"`, `The tools of this node: ${names}.`);
}
