import { expect, test, vi } from 'vitest';
import { hearOfShutdown, isShuttingDown } from '../../nodes/connection/shutdown.js';
import { McpVerbatimTool } from '../../nodes/McpVerbatimTool/McpVerbatimTool.node.js';
import { executionMemory, executionOf, isFirstTime, type RunContext, toTheEnd } from '../../nodes/host/execution.js';
import { execution } from './context.js';

const node = { type: new McpVerbatimTool() };
const memory = () => executionMemory<{ text?: string }>(() => ({}));

test('the memory of an execution is deleted when it ends', async () => {
  const [kept, run] = [memory(), execution(node)];
  kept(run.run()).text = 'a';
  expect(kept(run.supply())).toEqual({ text: 'a' });
  await run.finish();
  expect(kept(run.run())).toEqual({});
});

test('a node does something for the first time once in an execution', () => {
  const [one, other] = [execution(node).run(), execution(node).run()];
  expect([one, one, other].map((run) => isFirstTime(run, 'that'))).toEqual([true, false, true]);
  expect(isFirstTime(one, 'this')).toBe(true);
});

test('an n8n without "onExecutionFinish" reports the end by its own hooks; a pause is no end', () => {
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

test('executions whose end nobody reported are forgotten after a thousand others', () => {
  const kept = memory();
  const runs = Array.from({ length: 1001 }, () => execution(node).run());
  for (const [index, run] of runs.entries()) kept(run).text = String(index);
  expect(kept(runs[1]!)).toEqual({ text: '1' });
  expect(kept(runs[0]!)).toEqual({});
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
  ['internal', 1],
  ['webhook', 0],
])(
  'functions for the end of a run in mode %s are called by the run itself %i times, and otherwise by n8n',
  async (mode, times) => {
    const close = vi.fn();
    const context = { getMode: () => mode, getExecutionId: () => undefined, closeFunctions: new Array<() => void>() };
    // The code reads only a run's mode, id and closing functions.
    await toTheEnd(context as unknown as RunContext, (given) => {
      (given as unknown as typeof context).closeFunctions.push(close);
      expect(close).not.toHaveBeenCalled();
      return Promise.resolve();
    });
    expect(close).toHaveBeenCalledTimes(times);
    for (const left of context.closeFunctions) left();
    expect(close).toHaveBeenCalledTimes(1);
  },
);

test('n8n is listened to once, and only beside its own listeners', () => {
  const before = process.listenerCount('SIGTERM');
  const own = () => {};
  process.on('SIGTERM', own);
  try {
    hearOfShutdown();
    hearOfShutdown();
    expect(process.listenerCount('SIGTERM')).toBe(before + 2);
    expect(isShuttingDown()).toBe(false);
  } finally {
    process.off('SIGTERM', own);
  }
});
