import { expect, test } from 'vitest';
import { McpVerbatimTool } from '../../nodes/McpVerbatimTool/McpVerbatimTool.node.js';
import { ExecutionMemory, executionOf, type RunContext, toTheEnd } from '../../nodes/host/execution.js';
import { execution } from './context.js';

const node = { type: new McpVerbatimTool() };

test('what is remembered of an execution is forgotten when it ends', async () => {
  const memory = new ExecutionMemory<string>();
  const run = execution(node);
  memory.set(run.run(), 'a');
  expect(memory.get(run.supply())).toBe('a');
  await run.finish();
  expect(memory.get(run.run())).toBeUndefined();
});

test('an n8n without "onExecutionFinish" reports the end by its own hooks; a pause is no end', () => {
  const memory = new ExecutionMemory<string>();
  const handlers: Array<(run: { status: string }) => void> = [];
  const hooks = { addHandler: (_event: string, handler: (run: { status: string }) => void) => handlers.push(handler) };
  const run = Object.assign(execution(node).run(), { additionalData: { hooks } });
  delete run.onExecutionFinish;
  memory.set(run, 'a');
  const report = (status: string) => handlers.forEach((handler) => handler({ status }));
  report('waiting');
  expect(memory.get(run)).toBe('a');
  report('success');
  expect(memory.get(run)).toBeUndefined();
});

test('executions whose end nobody reported are forgotten after a thousand others', () => {
  const memory = new ExecutionMemory<number>();
  const runs = Array.from({ length: 1001 }, () => execution(node).run());
  for (const [index, run] of runs.entries()) memory.set(run, index);
  expect(memory.get(runs[0]!)).toBeUndefined();
  expect(memory.get(runs[1]!)).toBe(1);
});

test('an execution goes by its id, also when it goes on after a pause, and without one by its signal', () => {
  const named = (id: string | undefined, signal: AbortSignal) =>
    executionOf({ getExecutionId: () => id, getExecutionCancelSignal: () => signal } as unknown as RunContext);
  const [one, other] = [new AbortController().signal, new AbortController().signal];
  expect(named('7', one)).toBe(named('7', other));
  expect(named(undefined, one)).toBe(named(undefined, one));
  expect(named(undefined, one)).not.toBe(named(undefined, other));
});

test.each([
  ['internal', []],
  ['webhook', ['kept']],
])('what a run in mode %s leaves for the end', async (mode, left) => {
  const context = { getMode: () => mode, getExecutionId: () => undefined, closeFunctions: new Array<string>() };
  await toTheEnd(context as unknown as RunContext, (given) => {
    (given as unknown as { closeFunctions: unknown[] }).closeFunctions.push(mode === 'internal' ? () => {} : 'kept');
    return Promise.resolve();
  });
  expect(context.closeFunctions).toEqual(left);
});
