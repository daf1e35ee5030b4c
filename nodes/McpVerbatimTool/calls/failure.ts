import { isObject } from '../../../src/json/index.js';

/** By the run of the agent, as n8n's engine has it on its stack. */
const failures = new WeakMap<object, Error>();

/**
 * n8n sends the model an error in a tool and goes on, unless the node says "On Error: Stop Workflow". A node that
 * is to fail on arguments that do not fit therefore fails the agent when it next asks for the tools. It asks for all of
 * its items alike and does not say which one it is, so it fails with all of them.
 */
export function failNextTime(agentRun: unknown, error: Error): void {
  if (isObject(agentRun)) failures.set(agentRun, error);
}

export function rethrowFailure(agentRun: unknown): void {
  const failure = isObject(agentRun) ? failures.get(agentRun) : undefined;
  if (failure) throw failure;
}
