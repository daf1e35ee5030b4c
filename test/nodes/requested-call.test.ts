import type { IExecuteFunctions } from 'n8n-workflow';
import { expect, test } from 'vitest';
import { requestedCall } from '../../nodes/McpVerbatimTool/calls/requested-call.js';

const actions = ['first', 'second'].map((about, runIndex) => ({
  action: { nodeName: 'Tools', id: 'functions.find:0', input: { about }, metadata: { itemIndex: runIndex } },
  runIndex,
}));
const items = [{ json: { item: 1 } }, { json: { item: 2 } }];

/** The context of a run of the node, for which an agent of two items waits. */
function runOf(runIndex: number | undefined): IExecuteFunctions {
  const waiting = { data: { main: [items] }, metadata: { subNodeExecutionData: { actions } } };
  return {
    runIndex,
    getNode: () => ({ name: 'Tools' }),
    runExecutionData: { executionData: { nodeExecutionStack: [waiting] } },
  } as unknown as IExecuteFunctions; // of its many methods those that are looked at
}

test.each([
  [0, 'first', 1],
  [1, 'second', 2],
  // What says nothing of it has always taken the first.
  [undefined, 'first', 1],
])('Calls for two items, which a model has numbered alike: run %s is for the %s', (runIndex, about, item) => {
  const given = { json: { item, about, toolCallId: 'functions.find:0' } };
  expect(requestedCall(runOf(runIndex), given)).toMatchObject({ arguments: { about }, ownItem: { json: { item } } });
});
