import type {
  IDataObject,
  IExecuteFunctions,
  INodeExecutionData,
  IWorkflowSettings,
  NodeOperationError,
} from 'n8n-workflow';
import type { CatalogueTool, ModelTool, ToolResult } from '../../src/internal.js';
import { blockBytes, InvalidArgumentsError, resultText } from '../../src/internal.js';
import { isObject, parseJson, sentences, shortened } from '../../src/json/index.js';
import { type CalledTool, callVisibly, toolError } from '../call.js';
import { errorForModel, nodeError, operationError, SetupError } from '../errors.js';
import { hintText } from '../hints.js';
import { agentItem, path, requestedAction, seeItem } from '../host/agent-item.js';
import type { RunContext } from '../host/execution.js';
import { attach, forEachItem } from '../items.js';
import { readOptions } from '../options/read.js';
import { enumerate } from '../text.js';
import { type ExposedTools, exposedTools, renamedTool } from './exposed/exposed-tools.js';
import { hintExposed } from './exposed/hints.js';

/**
 * Failures by the run of the agent. n8n sends the model a tool's error and goes on. With "Invalid Arguments: Fail", the
 * node therefore fails the agent when it next asks for the tools. All items fail: the agent does not name the item.
 */
const failures = new WeakMap<object, Error>();

export function rethrowFailure(agentRun: unknown): void {
  const failure = isObject(agentRun) ? failures.get(agentRun) : undefined;
  if (failure) throw failure;
}

export async function executeCalls(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
  if (isLegacyOrder(context)) hintText(context, 'warning', wentOnBefore);
  return await forEachItem(
    context,
    async (itemIndex, item) => [await executeCall(context, itemIndex, item)],
    (error, itemIndex, item) => {
      const { agentRun } = requestedCall(context, item);
      if (error instanceof InvalidArgumentsError && isObject(agentRun))
        failures.set(agentRun, nodeError(context.getNode(), error, { itemIndex }));
      return errorForModel(context.getNode(), error, { itemIndex });
    },
  );
}

const wentOnBefore =
  'This workflow uses the legacy execution order: the agent did not wait for this result, and read an empty one. Choose v1 in the settings of the workflow.';

/** n8n 2.0 knows the settings, but has no `getWorkflowSettings`. */
function isLegacyOrder(context: Partial<Pick<IExecuteFunctions, 'getWorkflowSettings'>>): boolean {
  const { workflow } = context as { workflow?: { settings?: IWorkflowSettings } }; // not in the public types
  const settings = context.getWorkflowSettings?.() ?? workflow?.settings;
  return settings !== undefined && settings.executionOrder !== 'v1';
}

async function executeCall(
  context: IExecuteFunctions,
  itemIndex: number,
  item: INodeExecutionData,
): Promise<INodeExecutionData> {
  const requested = requestedCall(context, item);
  // Expressions see the agent's item. The engine merges the model's arguments into it, and they must not reach fixed
  // arguments. If the engine does not name the item, expressions see an empty one.
  seeItem(context, itemIndex, requested.ownItem ?? { ...item, json: {} });
  const exposed = await exposedTools(context, itemIndex, readOptions(context, itemIndex));
  try {
    const { args, ...tool } = resolveCall(context, requested, exposed);
    const answer = await answerCall(context, exposed, tool, args);
    if (answer.trouble) hintTrouble(context, answer.trouble);
    return { ...(await answerItem(context, answer)), pairedItem: { item: itemIndex } };
  } finally {
    // Called last: n8n shows hints in this order, and repairs come first.
    hintExposed(context, exposed);
  }
}

type RequestedCall = ReturnType<typeof requestedCall>;

/**
 * The item mixes the agent's item, the model's arguments, the routing key `tool` and `toolCallId` (n8n-core,
 * requests-response.ts). Only the engine's request on the execution stack has the arguments alone. Some callers make none.
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
    /** If false, `tool` may be the engine's routing key instead of an argument. */
    namedBeside,
    /** The agent's input item without the model's arguments; undefined if the engine does not name it. */
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

export function unknownTool(name: string | undefined, exposed: readonly ModelTool[]): SetupError {
  if (name === undefined)
    return new SetupError(
      'No tool was named',
      'An AI Agent runs this node and names the tool to call. To call a tool yourself, use the MCP Verbatim node.',
    );
  const names = enumerate(exposed.map((tool) => tool.name)) || 'none';
  return new SetupError(`There is no tool "${name}"`, `The tools of this node: ${names}.`);
}

interface Answer {
  text: string;
  isError?: boolean;
  /**
   * A refusal, or the tool's own error. It is never thrown: n8n would call the node again under "Retry On Fail", drop the
   * result, and stream the description to the visitor of a chat.
   */
  trouble?: NodeOperationError;
  result?: ToolResult;
}

/** n8n marks a node that an agent's engine runs as failed only if it throws, so this is a warning. */
export function hintTrouble(context: RunContext, { message, description }: NodeOperationError): void {
  hintText(context, 'warning', shortened(sentences(message, description ?? ''), 1000));
}

/** Invalid arguments are an answer unless the node is set to fail on them. Other failures throw. */
export async function answerCall(
  context: RunContext,
  exposed: ExposedTools,
  called: CalledTool,
  fromModel: unknown,
): Promise<Answer> {
  const { notices, unreachable, options, set, server } = exposed;
  const route = set.route(called.name, fromModel);
  if (route.kind === 'text') return route;
  const notice = notices.find(({ name }) => name === called.name);
  if (notice) return { text: notice.text, isError: unreachable !== undefined };
  // `called` may have a name that the set does not know (see `renamedTool`).
  const { tool, given, refusal } =
    route.kind === 'tool'
      ? { tool: route.tool, given: route.arguments, refusal: route.refusal }
      : { tool: called, given: fromModel, refusal: (message: string) => message };
  const { argumentsFromModel } = exposed.sent.find(({ name }) => name === tool.name) ?? {};
  const args = argumentsFromModel?.(given) ?? given;
  const call = async () => await set.call(server, tool.tool, args, { ...options.tool, ...options.call }, undefined);
  return await callVisibly(context, server.log, tool.name, call).then(
    ({ result }) => {
      const text = resultText(result, options.exposed.maxResultLength);
      return { text, result, ...(result.isError && { isError: true, trouble: toolError(context, tool.name, result) }) };
    },
    (error: unknown) => {
      if (!(error instanceof InvalidArgumentsError) || options.exposed.failsOnInvalid) throw error;
      const text = refusal(error.message);
      const more = { level: 'warning', description: text } as const;
      return { text, isError: true, trouble: operationError(context.getNode(), 'The call was refused', more) };
    },
  );
}

/** n8n's agents read only the item's JSON: images, sounds, files and the whole of a cut result are binary data. */
export async function answerItem(context: RunContext, answer: Answer): Promise<INodeExecutionData> {
  const { result, text, isError } = answer;
  const item: INodeExecutionData = { json: isError ? { response: text, isError } : { response: text } };
  for (const block of result?.content ?? []) {
    const bytes = blockBytes(block);
    if (bytes) await attach(context, item, bytes.data, bytes.mimeType);
  }
  const whole = result && resultText(result);
  if (whole === undefined || whole === text) return item;
  const [name, type] =
    parseJson(whole) === undefined ? ['answer.txt', 'text/plain'] : ['answer.json', 'application/json'];
  const file = await context.helpers.prepareBinaryData(Buffer.from(whole, 'utf8'), name, type);
  return { ...item, binary: { ...item.binary, answer: file } };
}

/** True if a tool has an argument called `tool`, which n8n's engine would overwrite (see `hostTool`). */
export function hasToolArgument({ inputSchema }: CatalogueTool): boolean {
  return isObject(inputSchema.properties) && Object.hasOwn(inputSchema.properties, 'tool');
}
