import { atExecutionEnd, executionOf, type RunContext } from '../../connection/execution.js';

const failures = new Map<string, Error>();

/**
 * n8n tells the model about an error in a tool and goes on, unless the node says "On Error: Stop Workflow". A node that
 * is to fail on arguments that do not fit therefore fails the agent when it next asks for the tools.
 */
export function failNextTime(context: RunContext, error: Error): void {
  if (context.continueOnFail()) return;
  const key = keyOf(context);
  failures.set(key, error);
  atExecutionEnd(context, () => failures.delete(key));
}

export function rethrowFailure(context: RunContext): void {
  const key = keyOf(context);
  const failure = failures.get(key);
  if (failure === undefined) return;
  failures.delete(key);
  throw failure;
}

function keyOf(context: RunContext): string {
  return `${executionOf(context)} ${context.getNode().id}`;
}
