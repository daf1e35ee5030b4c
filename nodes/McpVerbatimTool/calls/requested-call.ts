import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { isObject } from '../../../src/json/index.js';

export interface RequestedCall {
  /** The name the model called; absent where the engine did not say. */
  name?: string;
  /** As the engine has them: the argument `tool` may be its routing key instead of an argument. */
  arguments: IDataObject;
  /** Whether the name was found beside the arguments, so that `tool` may be an argument of its own. */
  namedBeside: boolean;
  /** The agent's own input item, without what the model sent; undefined where it cannot be told. */
  ownItem: IDataObject | undefined;
}

/** What n8n's engine keeps of a call while the agent that asked for it waits on the execution stack. */
interface EngineAction {
  nodeName?: unknown;
  id?: unknown;
  input?: unknown;
  metadata?: unknown;
}

/**
 * The call that an agent's model asked for.
 *
 * The item that reaches `execute()` is a mixture: the agent's own input item, the model's arguments over it, the
 * routing key `tool` and `toolCallId` (n8n-core, requests-response.ts). The arguments alone stand in the engine's
 * request, which waits with the agent on the execution stack. Where it cannot be found (another caller, another n8n),
 * the item has to do.
 */
export function requestedCall(context: IExecuteFunctions, item: INodeExecutionData): RequestedCall {
  const { toolCallId, ...rest } = item.json;
  const { action, entry } = findAction(context, toolCallId) ?? {};
  const ownItem = itemOf(entry, path(action, 'metadata', 'itemIndex'));
  const toolName = path(action, 'metadata', 'toolName');
  const args = isObject(action?.input) ? ({ ...action.input } as IDataObject) : rest; // JSON of the engine
  if (typeof toolName === 'string') return { name: toolName, arguments: args, namedBeside: true, ownItem };
  return {
    ...(typeof args.tool === 'string' ? { name: args.tool } : {}),
    arguments: args,
    namedBeside: false,
    ownItem,
  };
}

function findAction(context: IExecuteFunctions, toolCallId: unknown): WaitingAction | undefined {
  const nodeName = context.getNode().name;
  const named = waitingActions(context).filter(
    ({ action }) => action.nodeName === nodeName && action.id === toolCallId,
  );
  // Some models number their calls, and begin anew with each of the agent's items.
  const { runIndex } = context as unknown as { runIndex?: unknown }; // not in the public types
  return named.find((waiting) => waiting.runIndex === runIndex) ?? named[0];
}

/** An action, and the agent that waits for it. */
interface WaitingAction {
  action: EngineAction;
  /** The run of the node that is for it. */
  runIndex: unknown;
  entry: unknown;
}

function waitingActions(context: IExecuteFunctions): WaitingAction[] {
  // Not in the public types; every n8n 2.x has it. All of it is checked before it is used.
  const { runExecutionData } = context as unknown as { runExecutionData?: unknown };
  const stack = path(runExecutionData, 'executionData', 'nodeExecutionStack');
  return asArray(stack).flatMap((entry) =>
    asArray(path(entry, 'metadata', 'subNodeExecutionData', 'actions')).flatMap((waiting) => {
      const action = path(waiting, 'action');
      return isObject(action) ? [{ action, runIndex: path(waiting, 'runIndex'), entry }] : [];
    }),
  );
}

function itemOf(entry: unknown, itemIndex: unknown): IDataObject | undefined {
  const items = asArray(path(entry, 'data', 'main'))[0];
  const json = path(asArray(items)[typeof itemIndex === 'number' ? itemIndex : 0], 'json');
  return isObject(json) ? (json as IDataObject) : undefined; // JSON of the engine
}

function path(value: unknown, ...keys: string[]): unknown {
  return keys.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), value);
}

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
