import type { IExecuteFunctions, ILoadOptionsFunctions, ISupplyDataFunctions } from 'n8n-workflow';

export type RunContext = IExecuteFunctions | ISupplyDataFunctions;

export type NodeContext = RunContext | ILoadOptionsFunctions;

/** Not in the public types (seen in n8n 1.123 to 2.41). */
interface Internals {
  /**
   * n8n calls these after the request for which it asked for tools. An MCP Server Trigger asks outside any execution
   * (webhook.service.js and job-processor.js).
   */
  closeFunctions?: Array<() => void>;
  additionalData?: {
    hooks?: { addHandler?: (event: 'workflowExecuteAfter', handler: (run: { status: string }) => void) => void };
  };
}

/** Contexts of the editor have an execution id as well, but no cancel signal. */
export function isRun(context: NodeContext): context is RunContext {
  return 'getExecutionCancelSignal' in context;
}

const names = new WeakMap<object, string>();
let named = 0;

/** The execution's id. n8n gives none to an execution that it does not save; an object that its contexts share is numbered. */
export function executionOf(context: RunContext): string {
  const id = context.getExecutionId();
  if (id) return id;
  const shared = context.getExecutionCancelSignal() ?? (context as Internals).closeFunctions;
  if (!shared) return `of workflow ${context.getWorkflow().id}`;
  const name = names.get(shared) ?? `without id ${++named}`;
  names.set(shared, name);
  return name;
}

export function atExecutionEnd(context: RunContext, close: () => void): void {
  if (context.onExecutionFinish) context.onExecutionFinish(close);
  // n8n 1.123 to 2.20 lack the method. An execution that waits goes on with new contexts.
  else atWorkflowEnd(context, (status) => status !== 'waiting' && close());
  context.onExecutionCancellation(close);
  if (!context.getExecutionCancelSignal()) (context as Internals).closeFunctions?.push(close);
}

/** Called when an execution pauses, say for a human review. It may go on in another process, or never. */
export function atExecutionPause(context: RunContext, paused: () => void): void {
  atWorkflowEnd(context, (status) => status === 'waiting' && paused());
}

function atWorkflowEnd(context: RunContext, ended: (status: string) => void): void {
  (context as Internals).additionalData?.hooks?.addHandler?.('workflowExecuteAfter', ({ status }) => ended(status));
}

/** A map that forgets its oldest entries, because n8n does not report the end of every execution. */
export class BoundedMap<Value> extends Map<string, Value> {
  override set(key: string, value: Value): this {
    super.set(key, value);
    const [oldest] = this.keys();
    if (this.size > mostEntries && oldest !== undefined) this.delete(oldest);
    return this;
  }
}

const mostEntries = 1000;

export function executionMemory<Value>(start: () => Value): (context: RunContext) => Value {
  const executions = new BoundedMap<Value>();
  return (context) => {
    const execution = executionOf(context);
    const known = executions.get(execution);
    if (known !== undefined) return known;
    const value = start();
    executions.set(execution, value);
    atExecutionEnd(context, () => executions.delete(execution));
    return value;
  };
}

const done = executionMemory(() => new Set<string>());

export function isFirstTime(context: RunContext, what: string): boolean {
  const known = done(context);
  const key = `${context.getNode().id} ${what}`;
  return !known.has(key) && known.add(key).has(key);
}

/** True if n8n's Agents feature runs the node outside a workflow (n8n 2.41, ephemeral-node-executor.js). */
export function isOutsideExecutions(context: RunContext): boolean {
  return context.getMode() === 'internal' && !context.getExecutionId();
}

/** Outside an execution, runs the handlers of `atExecutionEnd` when the node has run. */
export async function toTheEnd<C extends RunContext, T>(context: C, run: (context: C) => Promise<T>): Promise<T> {
  if (!isOutsideExecutions(context)) return await run(context);
  const closeFunctions: Array<() => void> = [];
  try {
    return await run(Object.create(context, { closeFunctions: { value: closeFunctions } }) as C); // of its prototype
  } finally {
    for (const close of closeFunctions) close();
  }
}
