import type { RunContext } from './execution.js';

/**
 * Whether n8n runs the node by itself, outside any execution. Its Agents, which live beside workflows, do so with a
 * node that is one of their tools (n8n 2.41, ephemeral-node-executor.js).
 */
export function isOutsideExecutions(context: RunContext): boolean {
  return context.getMode() === 'internal' && !context.getExecutionId();
}

/**
 * Runs a node such that what it leaves for the end of the execution is done (see `atExecutionEnd`), even where there is
 * no execution.
 */
export async function toTheEnd<C extends RunContext, T>(context: C, run: (context: C) => Promise<T>): Promise<T> {
  if (!isOutsideExecutions(context)) return await run(context);
  const closeFunctions: Array<() => void> = [];
  try {
    return await run(Object.create(context, { closeFunctions: { value: closeFunctions } }) as C); // of its prototype
  } finally {
    for (const close of closeFunctions) close();
  }
}
