import { ExecutionMemory, type RunContext } from '../../connection/execution.js';

const failures = new ExecutionMemory<Error>();

/**
 * n8n tells the model about an error in a tool and goes on, unless the node says "On Error: Stop Workflow". A node that
 * is to fail on arguments that do not fit therefore fails the agent when it next asks for the tools.
 */
export function failNextTime(context: RunContext, error: Error): void {
  if (!context.continueOnFail()) failures.set(context, error);
}

export function rethrowFailure(context: RunContext): void {
  const failure = failures.get(context);
  if (failure === undefined) return;
  failures.delete(context);
  throw failure;
}
