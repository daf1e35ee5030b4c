import { expect, test } from 'vitest';
import { McpVerbatimTool } from '../../nodes/McpVerbatimTool/McpVerbatimTool.node.js';
import { ExecutionMemory } from '../../nodes/connection/execution.js';
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

test('executions whose end nobody reported are forgotten after a thousand others', () => {
  const memory = new ExecutionMemory<number>();
  const runs = Array.from({ length: 1001 }, () => execution(node).run());
  for (const [index, run] of runs.entries()) memory.set(run, index);
  expect(memory.get(runs[0]!)).toBeUndefined();
  expect(memory.get(runs[1]!)).toBe(1);
});
