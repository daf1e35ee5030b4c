import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { expect, test } from 'vitest';
import { requestedCall } from '../../nodes/McpVerbatimTool/calls.js';
import { McpVerbatimTool } from '../../nodes/McpVerbatimTool/McpVerbatimTool.node.js';
import { actionsFor, agentItem, itemsOf, linkToAgentItem } from '../../nodes/host/agent-item.js';
import { atUrl, execution } from './context.js';

const item = (name: string) => ({ json: { name } });
const [skipped, first, second, third] = [item('skipped'), item('first'), item('second'), item('third')];

/** A node that ran twice, with two outputs. */
const runData = {
  If: [{ data: { main: [[skipped], [first]] } }, { data: { main: [[], [second, third]] } }],
};

/** An agent that waits on n8n's stack. n8n's record of its items names the right node only. */
function agent(items: INodeExecutionData[], actions: object[], more: object = {}): object {
  const source = { main: [{ previousNode: 'If', previousNodeOutput: 0, previousNodeRun: 0 }] };
  return { ...more, source, data: { main: [items] }, metadata: { subNodeExecutionData: { actions } } };
}

function action(nodeName: string, itemIndex: number, runIndex: number): object {
  return { action: { nodeName, metadata: { itemIndex } }, runIndex };
}

function contextOf(nodeExecutionStack: object[], runIndex: number | undefined): IExecuteFunctions {
  return {
    runIndex,
    getNode: () => ({ name: 'Tools' }),
    connectionInputData: [{ json: { sent: 'by the model' }, pairedItem: { item: 0 } }],
    runExecutionData: { executionData: { nodeExecutionStack }, resultData: { runData } },
  } as unknown as IExecuteFunctions; // only the methods that are read
}

function found(stack: object[]): INodeExecutionData | undefined {
  const context = contextOf(stack, 0);
  const [waiting] = actionsFor(context, 'Tools');
  return waiting && agentItem(context, waiting);
}

test.each([
  [[first], 0, 'first', 0],
  [[second, third], 1, 'third', 1],
])('an item is linked to the run and the output that gave it', (items, itemIndex, name, previousNodeRun) => {
  const copies = items.map((each) => ({ ...each, pairedItem: { item: 0 } }));
  const sourceOverwrite = { previousNode: 'If', previousNodeOutput: 1, previousNodeRun };
  expect(found([agent(copies, [action('Tools', itemIndex, 0)])])).toEqual({
    json: { name },
    pairedItem: { item: itemIndex, sourceOverwrite },
  });
});

test('an item that no run has produced is linked to the source that n8n names', () => {
  expect(found([agent([item('first')], [action('Tools', 0, 0)])])?.pairedItem).toEqual({
    item: 0,
    sourceOverwrite: { previousNode: 'If', previousNodeOutput: 0, previousNodeRun: 0 },
  });
});

test('below an agent that is a tool, it is the item of the agent that called it', () => {
  const outer = agent([second, third], [action('Helper', 0, 0), action('Helper', 1, 1)]);
  const helper = { node: { name: 'Helper' }, runIndex: 1 };
  const inner = agent([{ json: { name: 'of the model' } }], [action('Tools', 0, 0)], helper);
  expect(found([inner, outer])?.json).toEqual({ name: 'third' });
});

test('expressions of the node see the item of the agent that asks for its tools', async () => {
  const run = execution({ type: new McpVerbatimTool(), credentials: atUrl('http://127.0.0.1:9/mcp') });
  const context = Object.assign(run.supply(), { executeData: agent([second], []) });
  await expect(new McpVerbatimTool().supplyData.call(context, 0)).rejects.toThrow('127.0.0.1:9');
  expect(itemsOf(context)).toMatchObject([second]);
});

test('a node that is a tool keeps the arguments of the model, and is linked to the item', () => {
  const context = contextOf([agent([second, third], [action('Tools', 0, 0), action('Tools', 1, 1)])], 1);
  linkToAgentItem(context);
  const sourceOverwrite = { previousNode: 'If', previousNodeOutput: 1, previousNodeRun: 1 };
  expect(itemsOf(context)).toEqual([{ json: { sent: 'by the model' }, pairedItem: { item: 1, sourceOverwrite } }]);
});

test.each([
  ['no such item', [action('Tools', 5, 0)], {}, undefined],
  ['no source', [action('Tools', 0, 0)], { source: {} }, { json: { name: 'first' } }],
])('what n8n holds for an agent with %s', (_what, actions, more, expected) => {
  expect(found([{ ...agent([first], actions), ...more }])).toEqual(expected);
});

test.each([
  [0, 'first', 1],
  [1, 'second', 2],
  // A request without an item index means the first item.
  [undefined, 'first', 1],
])('Calls for two items, which a model has numbered alike: run %s is for the %s', (runIndex, about, name) => {
  const actions = ['first', 'second'].map((input, index) => ({
    action: { nodeName: 'Tools', id: 'functions.find:0', input: { about: input }, metadata: { itemIndex: index } },
    runIndex: index,
  }));
  const context = contextOf([agent([{ json: { item: 1 } }, { json: { item: 2 } }], actions)], runIndex);
  const given = { json: { item: name, about, toolCallId: 'functions.find:0' } };
  expect(requestedCall(context, given)).toMatchObject({ arguments: { about }, ownItem: { json: { item: name } } });
});
