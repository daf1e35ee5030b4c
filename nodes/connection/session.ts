import type { IExecuteFunctions, ILoadOptionsFunctions, ISupplyDataFunctions } from 'n8n-workflow';
import type { Session, SessionPool } from '../../src/index.js';
import { library } from '../library.js';
import { chosenServer } from './server.js';

export type RunContext = IExecuteFunctions | ISupplyDataFunctions;

/** Only a safety net for executions whose end nobody reported; its timer keeps no process alive. */
const idleInExecutionMs = 10 * 60_000;
/** After a cancellation, the server is first told that its call is cancelled. */
const cancelledGraceMs = 1000;
/** While someone clicks through pickers, one connection serves them all. */
const idleInEditorMs = 20_000;
const editorTimeoutMs = 30_000;

export interface SessionOptions {
  /** How long the server may take to answer a request. */
  timeoutMs: number;
  /** How long an unused session outlives its execution, for the next one of this node. 0: it ends with the execution. */
  keepAliveMs: number;
}

/**
 * Works with the session of this node in this execution. An agent asks for the tools in every iteration and runs the
 * node for every call; all of them share one connection and one tools/list, until the execution ends in whatever way.
 */
export async function withSession<T>(
  context: RunContext,
  itemIndex: number,
  { timeoutMs, keepAliveMs }: SessionOptions,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { connect } = await library();
  const server = await chosenServer(context, (type) => context.getCredentials(type, itemIndex), itemIndex);
  const isKept = keepAliveMs > 0;
  const pool = await poolOf(isKept ? `kept for ${keepAliveMs}` : 'executions', isKept ? keepAliveMs : idleInExecutionMs);
  const key = [isKept ? context.getWorkflow().id : executionOf(context), context.getNode().id, server.identity].join(' ');
  const signal = context.getExecutionCancelSignal();
  const close = () => void pool.close(key);
  if (!isKept) atExecutionEnd(context, () => (signal?.aborted ? void setTimeout(close, cancelledGraceMs).unref() : close()));
  const open = () => connect(server.address, { timeoutMs, ...(signal ? { signal } : {}) });
  return await server.explained(() => pool.use(key, open, work));
}

/** Works with a session for the pickers and forms of the editor. */
export async function withEditorSession<T>(
  context: ILoadOptionsFunctions,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { connect } = await library();
  const pool = await poolOf('editor', idleInEditorMs);
  const server = await chosenServer(context, (type) => context.getCredentials(type), 0);
  const open = () => connect(server.address, { timeoutMs: editorTimeoutMs });
  return await server.explained(() => pool.use(server.identity, open, work));
}

const pools = new Map<string, SessionPool>();

async function poolOf(name: string, idleMs: number): Promise<SessionPool> {
  const { createSessionPool } = await library();
  const pool = pools.get(name) ?? createSessionPool({ idleMs, max: 1000 });
  pools.set(name, pool);
  return pool;
}

/** The execution; where n8n gives it no id, because nothing of it is saved, its signal of cancellation tells it apart. */
export function executionOf(context: RunContext): string {
  const id = context.getExecutionId();
  if (id) return id;
  const signal = context.getExecutionCancelSignal();
  return signal ? unsavedExecution(signal) : `of workflow ${context.getWorkflow().id}`;
}

const unsavedExecutions = new WeakMap<AbortSignal, string>();
let unsaved = 0;

function unsavedExecution(signal: AbortSignal): string {
  const name = unsavedExecutions.get(signal) ?? `unsaved ${++unsaved}`;
  unsavedExecutions.set(signal, name);
  return name;
}

/** `onExecutionFinish` is not in every n8n 2.x; without it the idle timeout closes what an execution left open. */
export function atExecutionEnd(context: RunContext, close: () => void): void {
  context.onExecutionFinish?.(close);
  context.onExecutionCancellation(close);
}
