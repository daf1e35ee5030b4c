import { expect, test } from 'vitest';
import { McpVerbatimTool } from '../../nodes/McpVerbatimTool/McpVerbatimTool.node.js';
import { executionMemory, executionOf, isFirstTime, type RunContext } from '../../nodes/host/execution.js';
import { execution } from './context.js';

const node = { type: new McpVerbatimTool() };
const memory = () => executionMemory<{ text?: string }>(() => ({}));

test('Without "onExecutionFinish", n8n\'s hooks report the end of an execution, and a pause does not count', () => {
  const kept = memory();
  const handlers: Array<(run: { status: string }) => void> = [];
  const hooks = { addHandler: (_event: string, handler: (run: { status: string }) => void) => handlers.push(handler) };
  const run = Object.assign(execution(node).run(), { additionalData: { hooks } });
  delete run.onExecutionFinish;
  kept(run).text = 'a';
  const report = (status: string) => handlers.forEach((handler) => handler({ status }));
  report('waiting');
  expect(kept(run)).toEqual({ text: 'a' });
  report('success');
  expect(kept(run)).toEqual({});
});

test('Executions without a reported end are forgotten after a thousand others', () => {
  const kept = memory();
  const runs = Array.from({ length: 1001 }, () => execution(node).run());
  for (const [index, run] of runs.entries()) kept(run).text = String(index);
  expect(kept(runs[1]!)).toEqual({ text: '1' });
  expect(kept(runs[0]!)).toEqual({});
});

test('An execution is recognised by its id, also after a pause, or without one by its signal', () => {
  const named = (id: string | undefined, signal: AbortSignal) =>
    executionOf({ getExecutionId: () => id, getExecutionCancelSignal: () => signal } as unknown as RunContext);
  const [one, other] = [new AbortController().signal, new AbortController().signal];
  expect(named('7', one)).toBe(named('7', other));
  expect(named(undefined, one)).toBe(named(undefined, one));
  expect(named(undefined, one)).not.toBe(named(undefined, other));
});

test('What happens once in an execution happens once for each node, and again in the next execution', () => {
  const at = (id: string) => {
    const run = execution(node).run();
    return (name: string) => isFirstTime(Object.assign(run, { getNode: () => ({ id: name }) }), id);
  };
  const [one, other] = [at('told'), at('told')];
  expect([one('a'), one('b'), one('a'), one('b'), other('a')]).toEqual([true, true, false, false, true]);
});
