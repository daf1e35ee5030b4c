import type { IExecuteFunctions, INodeExecutionData, IPairedItemData, ISupplyDataFunctions } from 'n8n-workflow';
import { isList, isObject } from '../../src/json/index.js';
import type { RunContext } from './execution.js';

/** What an agent asked n8n's engine to run, while the agent waits for it on the execution stack. */
export interface WaitingAction {
  action: { nodeName?: unknown; id?: unknown; input?: unknown; metadata?: unknown };
  /** The run of the node that is for it. */
  runIndex: unknown;
  /** The agent on the stack. */
  entry: unknown;
}

/** The actions for runs of a node. */
export function actionsFor(context: RunContext, nodeName: unknown): WaitingAction[] {
  const stack = path(runExecutionData(context), 'executionData', 'nodeExecutionStack');
  return asList(stack).flatMap((entry) =>
    asList(path(entry, 'metadata', 'subNodeExecutionData', 'actions')).flatMap((waiting) => {
      const action = path(waiting, 'action');
      const isMeant = isObject(action) && action['nodeName'] === nodeName;
      return isMeant ? [{ action, runIndex: path(waiting, 'runIndex'), entry }] : [];
    }),
  );
}

/** The action that a run of this node is for, by the id of the model's call. */
export function requestedAction(context: IExecuteFunctions, id: unknown): WaitingAction | undefined {
  const named = actionsFor(context, context.getNode().name).filter(({ action }) => action.id === id);
  // Some models number their calls, and begin anew with each of the agent's items.
  return named.find(({ runIndex }) => runIndex === (context as Internals).runIndex) ?? named[0];
}

/**
 * The input item that an agent asked for an action about, linked to the item that it came from. Of an AI Agent Tool it
 * is that of the agent which called it: its own holds what that agent's model sent.
 */
export function agentItem(context: RunContext, { action, entry }: WaitingAction): INodeExecutionData | undefined {
  const caller = callOf(context, path(entry, 'node', 'name'), path(entry, 'runIndex'));
  if (caller) return agentItem(context, caller);
  const index = path(action, 'metadata', 'itemIndex');
  return linked(context, entry, typeof index === 'number' ? index : 0);
}

/**
 * Has the expressions of a node see the input item of the agent that asks it for tools, as {@link agentItem} does. n8n
 * makes a context for each time that it asks.
 */
export function seeAgentItem(context: ISupplyDataFunctions, asking: string | undefined, itemIndex: number): void {
  const caller = callOf(context, asking, (context as Internals).runIndex);
  const item = caller ? agentItem(context, caller) : linked(context, runAsking(context), itemIndex);
  if (item) seeItem(context, itemIndex, item);
}

/**
 * Has the expressions of a node that an agent uses as a tool follow the agent's item to where it came from. What the
 * agent's model sent stays in the item: n8n's people read it there.
 */
export function linkToAgentItem(context: IExecuteFunctions): void {
  const call = callOf(context, context.getNode().name, (context as Internals).runIndex);
  const pairedItem = call && agentItem(context, call)?.pairedItem;
  const [item] = itemsOf(context);
  if (item && pairedItem) seeItem(context, 0, { ...item, pairedItem });
}

/** What n8n's engine has taken from its stack for the agent that asks for tools. */
export function runAsking(context: ISupplyDataFunctions): unknown {
  return (context as Internals).executeData;
}

/** Has the expressions of a node, and of its credential, see an item in the place of the one that n8n gave it. */
export function seeItem(context: RunContext, itemIndex: number, item: INodeExecutionData): void {
  const items = itemsOf(context);
  Object.assign(context, { connectionInputData: items.map((given, index) => (index === itemIndex ? item : given)) });
}

/** The items that the expressions of a node see. */
export function itemsOf(context: RunContext): readonly INodeExecutionData[] {
  return (context as Internals).connectionInputData ?? [];
}

/** Not in the public types; every n8n 2.x has them. All of it is checked before it is used, but for the items. */
interface Internals {
  connectionInputData?: readonly INodeExecutionData[];
  executeData?: unknown;
  runExecutionData?: unknown;
  runIndex?: unknown;
}

/** The action of which a run of a node is, where an agent asked for it. */
function callOf(context: RunContext, nodeName: unknown, runIndex: unknown): WaitingAction | undefined {
  return actionsFor(context, nodeName).find((waiting) => waiting.runIndex === runIndex);
}

/** An input item of what n8n runs, with the output that it came from. */
function linked(context: RunContext, run: unknown, index: number): INodeExecutionData | undefined {
  const item = asList(asList(path(run, 'data', 'main'))[0])[index];
  const json = path(item, 'json');
  if (!isObject(json)) return undefined;
  const sourceOverwrite = sourceOf(context, asList(path(run, 'source', 'main'))[0], index, json);
  return { ...(item as INodeExecutionData), ...(sourceOverwrite && { pairedItem: { item: index, sourceOverwrite } }) }; // of the engine
}

/**
 * Where an agent's item came from. n8n knows the node, but while an agent uses tools not its run and output: it takes
 * the first output, the run that the agent has itself, and for a tool the first item (n8n 2.41, requests-response.js).
 * The right ones are those that gave this very object.
 */
function sourceOf(
  context: RunContext,
  known: unknown,
  index: number,
  json: object,
): IPairedItemData['sourceOverwrite'] {
  const previousNode = path(known, 'previousNode');
  if (typeof previousNode !== 'string') return undefined;
  const runs = asList(path(runExecutionData(context), 'resultData', 'runData', previousNode));
  const outputOf = (run: unknown) =>
    asList(path(run, 'data', 'main')).findIndex((items) => path(asList(items)[index], 'json') === json);
  const previousNodeRun = runs.findLastIndex((run) => outputOf(run) >= 0);
  if (previousNodeRun < 0) return known as IPairedItemData['sourceOverwrite']; // of an entry on the stack
  return { previousNode, previousNodeOutput: outputOf(runs[previousNodeRun]), previousNodeRun };
}

function runExecutionData(context: RunContext): unknown {
  return (context as Internals).runExecutionData;
}

export function path(value: unknown, ...keys: string[]): unknown {
  return keys.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), value);
}

function asList(value: unknown): readonly unknown[] {
  return isList(value) ? value : [];
}
