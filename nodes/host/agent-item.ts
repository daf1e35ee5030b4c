import type { IExecuteFunctions, INodeExecutionData, IPairedItemData, ISupplyDataFunctions } from 'n8n-workflow';
import { isObject, listOf } from '../../src/json/index.js';
import type { RunContext } from './execution.js';

/** A call that an agent asked n8n's engine to make, while the agent waits for it on the execution stack. */
interface WaitingAction {
  action: { nodeName?: unknown; id?: unknown; input?: unknown; metadata?: unknown };
  runIndex: unknown;
  entry: unknown;
}

export function actionsFor(context: RunContext, nodeName: unknown): WaitingAction[] {
  const stack = path(context, 'runExecutionData', 'executionData', 'nodeExecutionStack');
  return listOf(stack).flatMap((entry) =>
    listOf(path(entry, 'metadata', 'subNodeExecutionData', 'actions')).flatMap((waiting) => {
      const action = path(waiting, 'action');
      if (!isObject(action) || action['nodeName'] !== nodeName) return [];
      return [{ action, runIndex: path(waiting, 'runIndex'), entry }];
    }),
  );
}

export function requestedAction(context: IExecuteFunctions, id: unknown): WaitingAction | undefined {
  const named = actionsFor(context, context.getNode().name).filter(({ action }) => action.id === id);
  // Some models number their calls anew for each item of the agent.
  return named.find(({ runIndex }) => runIndex === path(context, 'runIndex')) ?? named[0];
}

/** The agent's item. An AI Agent Tool's item holds its model's arguments, so its caller's item is used. */
export function agentItem(context: RunContext, { action, entry }: WaitingAction): INodeExecutionData | undefined {
  const caller = callOf(context, path(entry, 'node', 'name'), path(entry, 'runIndex'));
  if (caller) return agentItem(context, caller);
  const index = path(action, 'metadata', 'itemIndex');
  return linked(context, entry, typeof index === 'number' ? index : 0);
}

/** Lets the expressions of a node see the input item of the agent that asks it for tools (see {@link agentItem}). */
export function seeAgentItem(context: ISupplyDataFunctions, asking: string | undefined, itemIndex: number): void {
  const caller = callOf(context, asking, path(context, 'runIndex'));
  const item = caller ? agentItem(context, caller) : linked(context, runAsking(context), itemIndex);
  if (item) seeItem(context, itemIndex, item);
}

/** Lets expressions trace the agent's item back to its source. The model's arguments stay in the item. */
export function linkToAgentItem(context: IExecuteFunctions): void {
  const call = callOf(context, context.getNode().name, path(context, 'runIndex'));
  const pairedItem = call && agentItem(context, call)?.pairedItem;
  const [item] = itemsOf(context);
  if (item && pairedItem) seeItem(context, 0, { ...item, pairedItem });
}

export function runAsking(context: ISupplyDataFunctions): unknown {
  return path(context, 'executeData');
}

export function seeItem(context: RunContext, itemIndex: number, item: INodeExecutionData): void {
  const items = itemsOf(context);
  Object.assign(context, { connectionInputData: items.map((given, index) => (index === itemIndex ? item : given)) });
}

export function itemsOf(context: RunContext): readonly INodeExecutionData[] {
  return (context as { connectionInputData?: readonly INodeExecutionData[] }).connectionInputData ?? []; // as above
}

function callOf(context: RunContext, nodeName: unknown, runIndex: unknown): WaitingAction | undefined {
  return actionsFor(context, nodeName).find((waiting) => waiting.runIndex === runIndex);
}

function linked(context: RunContext, run: unknown, index: number): INodeExecutionData | undefined {
  const item = listOf(listOf(path(run, 'data', 'main'))[0])[index];
  const json = path(item, 'json');
  if (!isObject(json)) return undefined;
  const sourceOverwrite = sourceOf(context, listOf(path(run, 'source', 'main'))[0], index, json);
  return { ...(item as INodeExecutionData), ...(sourceOverwrite && { pairedItem: { item: index, sourceOverwrite } }) }; // of the engine
}

/**
 * The node, run and output that an agent's item came from. While an agent uses tools, n8n takes the first output, the
 * agent's own run, and for a tool the first item (n8n 2.41, requests-response.js). This finds the run that holds the
 * same object.
 */
function sourceOf(
  context: RunContext,
  known: unknown,
  index: number,
  json: object,
): IPairedItemData['sourceOverwrite'] {
  const previousNode = path(known, 'previousNode');
  if (typeof previousNode !== 'string') return undefined;
  const runs = listOf(path(context, 'runExecutionData', 'resultData', 'runData', previousNode));
  const outputOf = (run: unknown) =>
    listOf(path(run, 'data', 'main')).findIndex((items) => path(listOf(items)[index], 'json') === json);
  const previousNodeRun = runs.findLastIndex((run) => outputOf(run) >= 0);
  if (previousNodeRun < 0) return known as IPairedItemData['sourceOverwrite']; // of an entry on the stack
  return { previousNode, previousNodeOutput: outputOf(runs[previousNodeRun]), previousNodeRun };
}

/** Reads untyped internals of n8n (present in 1.123 to 2.41). */
export function path(value: unknown, ...keys: string[]): unknown {
  return keys.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), value);
}
