import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { expect, test } from 'vitest';
import { McpVerbatimTool } from '../../nodes/McpVerbatimTool/McpVerbatimTool.node.js';
import { actionsFor, agentItem, itemsOf, requestedAction } from '../../nodes/host/agent-item.js';
import { atUrl, execution } from './context.js';

const first = { json: { name: 'first' } };

/** An agent that waits on n8n's stack. n8n's record of its items names the right node only. */
function agent(items: INodeExecutionData[], actions: object[]): object {
  const source = { main: [{ previousNode: 'If', previousNodeOutput: 2, previousNodeRun: 2 }] };
  return { source, data: { main: [items] }, metadata: { subNodeExecutionData: { actions } } };
}

const action = (itemIndex: number) => ({ action: { nodeName: 'Tools', metadata: { itemIndex } }, runIndex: 0 });

function contextOf(nodeExecutionStack: object[], runIndex = 0): IExecuteFunctions {
  const runData = { If: [[[first]], [[], [first]]].map((main) => ({ data: { main } })) };
  const context = {
    runIndex,
    getNode: () => ({ name: 'Tools' }),
    runExecutionData: { executionData: { nodeExecutionStack }, resultData: { runData } },
  };
  return context as unknown as IExecuteFunctions; // only the members that are read
}

function found(...stack: object[]): INodeExecutionData | undefined {
  const context = contextOf(stack);
  const [waiting] = actionsFor(context, 'Tools');
  return waiting && agentItem(context, waiting);
}

test.each([
  ['of the last run that has produced it', first, 1],
  ['that n8n names, if no run has', structuredClone(first), 2],
])('An item is linked to the source %s', (_which, item, at) => {
  expect(found(agent([item], [action(0)]))?.pairedItem).toEqual({
    item: 0,
    sourceOverwrite: { previousNode: 'If', previousNodeOutput: at, previousNodeRun: at },
  });
});

test('Expressions of the node see the item of the agent that asks for its tools', async () => {
  const run = execution({ type: new McpVerbatimTool(), credentials: atUrl('http://127.0.0.1:9/mcp') });
  const own = [{ json: { a: 1 } }, { json: { a: 2 } }];
  const executeData = agent([{ json: { name: 'other' } }, first], []);
  const context = Object.assign(run.supply(), { connectionInputData: own, executeData });
  await expect(new McpVerbatimTool().supplyData.call(context, 1)).rejects.toThrow('127.0.0.1:9');
  expect(itemsOf(context)).toMatchObject([own[0], first]);
});

test("A call of an agent that is a tool itself has the item of that agent's caller", () => {
  const inner = { ...agent([{ json: { of: 'its model' } }], [action(0)]), node: { name: 'Inner' }, runIndex: 4 };
  const outer = agent([first], [{ action: { nodeName: 'Inner', metadata: { itemIndex: 0 } }, runIndex: 4 }]);
  expect(found(outer, inner)).toMatchObject(first);
});

test('Of calls with the same id, the one of the same run of the node is meant', () => {
  const calls = [1, 2].map((runIndex) => ({ action: { nodeName: 'Tools', id: 'call_1', input: runIndex }, runIndex }));
  const asked = (runIndex: number) => requestedAction(contextOf([agent([], calls)], runIndex), 'call_1')?.action.input;
  expect([asked(2), asked(1), asked(3)]).toEqual([2, 1, 1]);
});

test.each([
  ['no such item', [action(5)], {}, undefined],
  ['no source', [action(0)], { source: {} }, { json: { name: 'first' } }],
])('The item of an agent with %s is found in what n8n holds', (_what, actions, more, expected) => {
  expect(found({ ...agent([first], actions), ...more })).toEqual(expected);
});
