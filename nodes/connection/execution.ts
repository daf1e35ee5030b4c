import type { IExecuteFunctions, ISupplyDataFunctions } from 'n8n-workflow';

/** What n8n passes to a node that it runs, or asks for its tools. */
export type RunContext = IExecuteFunctions | ISupplyDataFunctions;

/** A name for the execution; n8n gives no id to one of which nothing is saved. */
export function executionOf(context: RunContext): string {
  const id = context.getExecutionId();
  if (id) return id;
  const execution = executionIn(context);
  return execution ? nameOf(execution) : `of workflow ${context.getWorkflow().id}`;
}

/** An object that is the same in all contexts of an execution, or of what stands for one where there is none. */
export function executionIn(context: RunContext): object | undefined {
  return context.getExecutionCancelSignal() ?? endsWithoutExecution(context);
}

export function atExecutionEnd(context: RunContext, close: () => void): void {
  if (context.onExecutionFinish) context.onExecutionFinish(close);
  else atFinishOfOlder(context, close);
  context.onExecutionCancellation(close);
  endsWithoutExecution(context)?.push(close);
}

/** When an execution pauses, say for a person's review; it may go on in another process, or never. */
export function atExecutionPause(context: RunContext, paused: () => void): void {
  atWorkflowEnd(context, (status) => status === 'waiting' && paused());
}

interface HookedContext {
  additionalData?: {
    hooks?: { addHandler?: (event: 'workflowExecuteAfter', handler: (run: { status: string }) => void) => void };
  };
}

/**
 * What `onExecutionFinish` does in n8n 2.41 (base-execute-context.js), for those that have no such method: 1.123 to
 * 2.20 at least. Where this is not to be had either, the idle timeout closes what an execution left open.
 */
function atFinishOfOlder(context: RunContext, close: () => void): void {
  // Where it pauses, n8n runs it on with contexts of its own.
  atWorkflowEnd(context, (status) => status !== 'waiting' && close());
}

function atWorkflowEnd(context: RunContext, ended: (status: string) => void): void {
  const { additionalData } = context as HookedContext; // not in the public types
  additionalData?.hooks?.addHandler?.('workflowExecuteAfter', ({ status }) => ended(status));
}

/** What is remembered of this node in its execution, until that ends. */
export class ExecutionMemory<T> {
  readonly #entries = new Map<string, T>();

  get(context: RunContext): T | undefined {
    return this.#entries.get(keyOf(context));
  }

  set(context: RunContext, value: T): void {
    const key = keyOf(context);
    if (!this.#entries.has(key)) atExecutionEnd(context, () => this.#entries.delete(key));
    this.#entries.set(key, value);
    // Executions whose end nobody reported must not fill the memory.
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > mostRemembered && oldest !== undefined) this.#entries.delete(oldest);
  }

  delete(context: RunContext): void {
    this.#entries.delete(keyOf(context));
  }
}

const mostRemembered = 1000;

function keyOf(context: RunContext): string {
  return `${executionOf(context)} ${context.getNode().id}`;
}

/**
 * What n8n calls once it has served the request for which it wanted tools. Behind an MCP Server Trigger it wants them
 * outside any execution, whose end it could report. Not in the public types (n8n 2.41, webhook.service.js and
 * job-processor.js).
 */
function endsWithoutExecution(context: RunContext): Array<() => void> | undefined {
  const isInExecution = context.getExecutionCancelSignal() !== undefined;
  return isInExecution ? undefined : (context as { closeFunctions?: Array<() => void> }).closeFunctions; // as said above
}

const names = new WeakMap<object, string>();
let named = 0;

function nameOf(execution: object): string {
  const name = names.get(execution) ?? `without id ${++named}`;
  names.set(execution, name);
  return name;
}

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
