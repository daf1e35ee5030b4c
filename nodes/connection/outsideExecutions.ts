import type { RunContext } from './session.js';

/**
 * Whether n8n runs the node by itself, outside any execution. Its Agents, which live beside workflows, do so with a
 * node that is one of their tools (n8n 2.41, ephemeral-node-executor.js).
 */
export function isOutsideExecutions(context: RunContext): boolean {
  return context.getMode() === 'internal' && !context.getExecutionId();
}

/** Runs a node such that what it leaves for the end of the execution is done, even where there is no execution. */
export async function toTheEnd<C extends RunContext, T>(context: C, run: (context: C) => Promise<T>): Promise<T> {
  if (!isOutsideExecutions(context)) return await run(context);
  const ends: End[] = [];
  try {
    return await run(endedBy(context, ends));
  } finally {
    for (const end of ends) end();
  }
}

type End = () => unknown;

/** The context, but with an end: who runs the node collects here what is to be done then, and does it. */
export function endedBy<C extends RunContext>(context: C, ends: End[]): C {
  return Object.create(context, { onExecutionFinish: { value: (end: End) => void ends.push(end) } });
}
