import type { IDataObject, IExecuteFunctions, INodeExecutionData, IWorkflowSettings } from 'n8n-workflow';
import { InvalidArgumentsError, type ModelTool } from '../../../src/internal.js';
import { isObject } from '../../../src/json/index.js';
import type { CalledTool } from '../../call.js';
import { errorForModel, nodeError, SetupError } from '../../errors.js';
import { hintText } from '../../hints.js';
import { agentItem, path, requestedAction, seeItem } from '../../host/agent-item.js';
import { hostModule } from '../../host/modules.js';
import { errorItem } from '../../items.js';
import { readOptions } from '../../options/read.js';
import { enumerate } from '../../text.js';
import { type ExposedTools, exposedTools, renamedTool } from '../exposed/exposed-tools.js';
import { hintExposed } from '../exposed/hints.js';
import { answerCall, answerItem, hasToolArgument, refusedCall } from './answer.js';

/**
 * By the run of the agent. n8n sends the model an error in a tool and goes on, unless the node says "On Error: Stop
 * Workflow". A node that is to fail on arguments that do not fit therefore fails the agent when it next asks for the
 * tools: with all of its items, because it does not say which one it asks for.
 */
const failures = new WeakMap<object, Error>();

export function rethrowFailure(agentRun: unknown): void {
  const failure = isObject(agentRun) ? failures.get(agentRun) : undefined;
  if (failure) throw failure;
}

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
      if (context.continueOnFail()) {
        results.push(errorItem(readable, itemIndex));
        continue;
      }
      const { agentRun } = requested;
      if (error instanceof InvalidArgumentsError && isObject(agentRun)) failures.set(agentRun, readable);
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
  // Expressions are about the agent's item. Over it the engine has laid the model's arguments, which must not reach what
  // is fixed; where the engine does not say which item it is, expressions see an empty one.
  seeItem(context, itemIndex, requested.ownItem ?? { ...item, json: {} });
  const exposed = await exposedTools(context, itemIndex, readOptions(context, itemIndex));
  try {
    const { args, ...tool } = resolveCall(context, requested, exposed);
    const answer = await answerCall(context, itemIndex, exposed, tool, args);
    if (answer.isRefusal && goesOnAfterErrors(context)) throw refusedCall(context, answer, itemIndex);
    return { ...(await answerItem(context, answer)), pairedItem: { item: itemIndex } };
  } finally {
    // After what was repaired; n8n shows the hints in this order.
    hintExposed(context, exposed);
  }
}

type RequestedCall = ReturnType<typeof requestedCall>;

/**
 * The item that reaches `execute()` is a mixture: the agent's own input item, the model's arguments over it, the
 * routing key `tool` and `toolCallId` (n8n-core, requests-response.ts). The arguments alone stand in the engine's
 * request, which waits with the agent on the execution stack. Where it cannot be found (another caller, another n8n),
 * the item has to do.
 */
export function requestedCall(context: IExecuteFunctions, item: INodeExecutionData) {
  const { toolCallId, ...rest } = item.json;
  const waiting = requestedAction(context, toolCallId);
  const { metadata, input } = waiting?.action ?? {};
  const args = isObject(input) ? ({ ...input } as IDataObject) : rest; // JSON of the engine
  const toolName = path(metadata, 'toolName');
  const namedBeside = typeof toolName === 'string';
  const name = namedBeside ? toolName : args.tool;
  return {
    name: typeof name === 'string' ? name : undefined,
    arguments: args,
    /** Otherwise `tool` may be the engine's routing key instead of an argument. */
    namedBeside,
    /** The agent's input item, without what the model sent; undefined where the engine does not say. */
    ownItem: waiting && agentItem(context, waiting),
    agentRun: waiting?.entry,
  };
}

function resolveCall(
  context: IExecuteFunctions,
  call: RequestedCall,
  { tools, sent, unreachable, options }: ExposedTools,
): CalledTool & { args: object } {
  const found =
    [...sent, ...tools].find((tool) => tool.name === call.name) ??
    renamedTool(context, tools, call.name, options.exposed.prefix) ??
    onlyOneWithToolArgument(call, tools);
  if (!found) throw unreachable ?? unknownTool(call.name, sent);
  const { name, tool } = found;
  if (hasToolArgument(tool) && (call.namedBeside || call.name !== name)) return { name, tool, args: call.arguments };
  const args = { ...call.arguments };
  delete args.tool;
  return { name, tool, args };
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

/**
 * In n8n 2.41 an agent goes on at once after an error in this node unless the node says otherwise (workflow-execute.js,
 * `aiToolDefaultsToContinue`) or is to be tried again first; in 2.0 and before such an error ends the execution.
 */
function goesOnAfterErrors(context: IExecuteFunctions): boolean {
  const { onError, retryOnFail } = context.getNode();
  if (retryOnFail === true || (onError !== undefined && onError !== 'continueRegularOutput')) return false;
  const manifest = hostModule('n8n-core/package.json');
  const [major = 0, minor = 0] = isObject(manifest) ? String(manifest['version']).split('.').map(Number) : [];
  return major > 2 || (major === 2 && minor >= 41);
}
