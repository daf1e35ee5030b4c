import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { expect, test } from 'vitest';
import { McpVerbatimTool } from '../../nodes/McpVerbatimTool/McpVerbatimTool.node.js';
import { actionsFor, agentItem, itemsOf } from '../../nodes/host/agent-item.js';
import { atUrl, execution } from './context.js';

const first = { json: { name: 'first' } };

/** An agent that waits on n8n's stack. n8n's record of its items names the right node only. */
function agent(items: INodeExecutionData[], actions: object[]): object {
  const source = { main: [{ previousNode: 'If', previousNodeOutput: 1, previousNodeRun: 1 }] };
  return { source, data: { main: [items] }, metadata: { subNodeExecutionData: { actions } } };
}

const action = (itemIndex: number) => ({ action: { nodeName: 'Tools', metadata: { itemIndex } }, runIndex: 0 });

function found(waitingAgent: object): INodeExecutionData | undefined {
  const runData = { If: [{ data: { main: [[first]] } }] };
  const context = {
    runIndex: 0,
    getNode: () => ({ name: 'Tools' }),
    runExecutionData: { executionData: { nodeExecutionStack: [waitingAgent] }, resultData: { runData } },
  } as unknown as IExecuteFunctions; // only the methods that are read
  const [waiting] = actionsFor(context, 'Tools');
  return waiting && agentItem(context, waiting);
}

test.each([
  ['of the run that has produced it', first, 0],
  ['that n8n names, if no run has', structuredClone(first), 1],
])('An item is linked to the source %s', (_which, item, at) => {
  expect(found(agent([item], [action(0)]))?.pairedItem).toEqual({
    item: 0,
    sourceOverwrite: { previousNode: 'If', previousNodeOutput: at, previousNodeRun: at },
  });
});

test('Expressions of the node see the item of the agent that asks for its tools', async () => {
  const run = execution({ type: new McpVerbatimTool(), credentials: atUrl('http://127.0.0.1:9/mcp') });
  const context = Object.assign(run.supply(), { executeData: agent([first], []) });
  await expect(new McpVerbatimTool().supplyData.call(context, 0)).rejects.toThrow('127.0.0.1:9');
  expect(itemsOf(context)).toMatchObject([first]);
});

test.each([
  ['no such item', [action(5)], {}, undefined],
  ['no source', [action(0)], { source: {} }, { json: { name: 'first' } }],
])('The item of an agent with %s is found in what n8n holds', (_what, actions, more, expected) => {
  expect(found({ ...agent([first], actions), ...more })).toEqual(expected);
});
