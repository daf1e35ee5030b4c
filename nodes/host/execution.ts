import type { IExecuteFunctions, ISupplyDataFunctions } from 'n8n-workflow';

/** What n8n passes to a node that it runs, or asks for its tools. */
export type RunContext = IExecuteFunctions | ISupplyDataFunctions;

/** What of n8n's contexts is used here and is not in the public types (seen in n8n 1.123 to 2.41). */
interface Internals {
  /**
   * What n8n calls once it has served the request for which it wanted tools. Behind an MCP Server Trigger it wants them
   * outside any execution (webhook.service.js and job-processor.js).
   */
  closeFunctions?: Array<() => void>;
  additionalData?: {
    hooks?: { addHandler?: (event: 'workflowExecuteAfter', handler: (run: { status: string }) => void) => void };
  };
}

/** A name for the execution. n8n gives no id to an execution that it does not save. */
export function executionOf(context: RunContext): string {
  const id = context.getExecutionId();
  if (id) return id;
  const execution = executionIn(context);
  return execution ? nameOf(execution) : `of workflow ${context.getWorkflow().id}`;
}

const names = new WeakMap<object, string>();
let named = 0;

function nameOf(execution: object): string {
  const name = names.get(execution) ?? `without id ${++named}`;
  names.set(execution, name);
  return name;
}

/** An object that is the same in all contexts of an execution, or of the request that stands for one. */
export function executionIn(context: RunContext): object | undefined {
  return context.getExecutionCancelSignal() ?? (context as Internals).closeFunctions;
}

export function atExecutionEnd(context: RunContext, close: () => void): void {
  if (context.onExecutionFinish) context.onExecutionFinish(close);
  // n8n 1.123 to 2.20 have no such method. An execution that waits runs on with contexts of its own.
  else atWorkflowEnd(context, (status) => status !== 'waiting' && close());
  context.onExecutionCancellation(close);
  if (!context.getExecutionCancelSignal()) (context as Internals).closeFunctions?.push(close);
}

/** When an execution pauses, say for a person's review. It may go on in another process, or never. */
export function atExecutionPause(context: RunContext, paused: () => void): void {
  atWorkflowEnd(context, (status) => status === 'waiting' && paused());
}

function atWorkflowEnd(context: RunContext, ended: (status: string) => void): void {
  (context as Internals).additionalData?.hooks?.addHandler?.('workflowExecuteAfter', ({ status }) => ended(status));
}

/** A map that forgets its oldest entries. n8n does not report the end of every execution, so nothing is kept for good. */
export class BoundedMap<Value> extends Map<string, Value> {
  override set(key: string, value: Value): this {
    super.set(key, value);
    const [oldest] = this.keys();
    if (this.size > mostEntries && oldest !== undefined) this.delete(oldest);
    return this;
  }
}

const mostEntries = 1000;

/** What is remembered of this node in its execution, until that ends. */
export class ExecutionMemory<T> {
  readonly #entries = new BoundedMap<T>();

  get(context: RunContext): T | undefined {
    return this.#entries.get(keyOf(context));
  }

  set(context: RunContext, value: T): void {
    const key = keyOf(context);
    if (!this.#entries.has(key)) atExecutionEnd(context, () => this.#entries.delete(key));
    this.#entries.set(key, value);
  }
}

function keyOf(context: RunContext): string {
  return `${executionOf(context)} ${context.getNode().id}`;
}

/**
 * Whether n8n runs the node by itself, outside any execution. n8n's Agents, which stand beside workflows, do so with a
 * node that is one of their tools (n8n 2.41, ephemeral-node-executor.js).
 */
export function isOutsideExecutions(context: RunContext): boolean {
  return context.getMode() === 'internal' && !context.getExecutionId();
}

/** Runs a node and, where there is no execution, what it leaves for the execution's end (see `atExecutionEnd`). */
export async function toTheEnd<C extends RunContext, T>(context: C, run: (context: C) => Promise<T>): Promise<T> {
  if (!isOutsideExecutions(context)) return await run(context);
  const closeFunctions: Array<() => void> = [];
  try {
    return await run(Object.create(context, { closeFunctions: { value: closeFunctions } }) as C); // of its prototype
  } finally {
    for (const close of closeFunctions) close();
  }
}
