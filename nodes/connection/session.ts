import { randomUUID } from 'node:crypto';
import type { ConnectOptions, ServerAddress, Session, SessionPool } from '../../src/internal.js';
import { createSessionPool, decline, openSession } from '../../src/internal.js';
import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { quote } from '../../src/json/index.js';
import { atExecutionEnd, atExecutionPause, executionOf, type NodeContext, type RunContext } from '../host/execution.js';
import { type ChosenServer, chosenServer } from './server.js';
import { hearOfShutdown, isShuttingDown } from './shutdown.js';

/** A safety net for executions whose end is not reported. */
const idleInExecutionMs = 10 * 60_000;
/** Leaves time to notify the server of a cancelled call before its session closes. */
const cancelledGraceMs = 1000;
/** Keeps one connection for all pickers of a panel. n8n 1.x ends requests to a trigger before it calls. */
const idleOutsideMs = 20_000;
const editorTimeoutMs = 30_000;
const mostSessions = 1000;

export interface SessionOptions {
  idleTimeoutMs: number;
  /** How long an unused session outlives its execution, for the next one of this node. 0: it ends with the execution. */
  keepAliveMs: number;
}

export interface Server {
  readonly address: ServerAddress;
  /**
   * Logs at debug level. Log only names and counts: arguments, results and addresses may hold secrets. Quote names, because
   * a server chooses them.
   */
  readonly log: (text: string) => void;
}

type Work<T> = (session: Session, server: Server) => Promise<T>;

/** All requests of an agent share one connection and one tools/list until the execution ends. */
export async function withSession<T>(
  context: RunContext,
  itemIndex: number,
  { idleTimeoutMs, keepAliveMs }: SessionOptions,
  work: Work<T>,
): Promise<T> {
  const server = await chosenServer(context, itemIndex);
  const node = context.getNode().id;
  const signal = context.getExecutionCancelSignal();
  const kept = `kept for ${context.getWorkflow().id} ${node} ${server.account}`;
  if (keepAliveMs > 0) {
    const afterwardsMs = () => (isShuttingDown() ? 0 : keepAliveMs);
    // The model of an agent may think for longer than the session is kept afterwards.
    const idleMs = signal ? Math.max(idleInExecutionMs, keepAliveMs) : afterwardsMs();
    const isNew = hold(context, kept, () => sessions().release(kept, afterwardsMs()));
    // Without the signal: executions that run at the same time share it, and none may end the others' connecting.
    return await use(context, server, kept, idleMs, { idleTimeoutMs }, async (session, of) => {
      // Each execution lists the tools once: they may have changed, and not every server notifies its clients.
      if (isNew) session.forgetTools();
      return await work(session, of);
    });
  }
  sessions().release(kept);
  const key = `of ${executionOf(context)} ${node} ${server.identity}`;
  const close = () => void sessions().close(key);
  hold(context, key, () => (signal?.aborted ? void setTimeout(close, cancelledGraceMs).unref() : close()));
  const idleMs = signal ? idleInExecutionMs : idleOutsideMs;
  return await use(context, server, key, idleMs, { idleTimeoutMs, ...(signal && { signal }) }, work);
}

const running = new Map<string, Set<string>>();

/** @returns whether the execution uses the session for the first time; `ended` runs after the last execution */
function hold(context: RunContext, key: string, ended: () => void): boolean {
  const execution = executionOf(context);
  const holders = running.get(key) ?? new Set();
  const isNew = !holders.has(execution);
  running.set(key, holders.add(execution));
  const leave = (then: () => void) => {
    if (!running.get(key)?.delete(execution) || running.get(key)?.size !== 0) return;
    running.delete(key);
    then();
  };
  atExecutionEnd(context, () => leave(ended));
  // n8n does not say if the execution will go on in this process.
  atExecutionPause(context, () => leave(() => isShuttingDown() && sessions().release(key)));
  return isNew;
}

/** @param how `isNew` opens a session of its own, for a current list */
export async function withEditorSession<T>(
  context: ILoadOptionsFunctions,
  work: Work<T>,
  { isNew = false } = {},
): Promise<T> {
  const server = await chosenServer(context, 0);
  const [key, idleMs] = isNew ? [randomUUID(), 0] : ['of the editor', idleOutsideMs];
  return await use(context, server, `${key} ${server.account}`, idleMs, { idleTimeoutMs: editorTimeoutMs }, work);
}

async function use<T>(
  context: NodeContext,
  { address, mask, explain }: ChosenServer,
  key: string,
  idleMs: number,
  options: ConnectOptions,
  work: Work<T>,
): Promise<T> {
  const server = { address, log: (text: string) => context.logger.debug(`MCP Verbatim: ${mask(text)}`) };
  const open = async (isAgain: boolean) => {
    // Tells the server that it may ask; each call then brings its own answers.
    const { session } = await openSession(address, { ...options, elicit: decline }, { isAgain });
    server.log(`connected to ${quote(serverName(session))}, MCP ${quote(session.protocolVersion)}`);
    return session;
  };
  const closed = (session: Session) => {
    // A new session may have the same key already.
    if (!sessions().keys().includes(key)) running.delete(key);
    server.log(`closed the session with ${quote(serverName(session))}`);
  };
  try {
    return await sessions().use(key, { open, closed, idleMs }, (session) => work(session, server));
  } catch (error) {
    throw explain(error);
  }
}

let opened: SessionPool | undefined;

/** The sessions of this process, for both nodes (see behaviour.ts). A shutdown ends those that no execution uses. */
function sessions(): SessionPool {
  if (opened) return opened;
  const pool = createSessionPool(mostSessions);
  hearOfShutdown(() => pool.keys().forEach((key) => running.has(key) || pool.release(key)));
  return (opened = pool);
}

export function serverName(session: Pick<Session, 'serverInfo'>): string {
  return `${nameForModel(session)} ${session.serverInfo?.version ?? ''}`.trim();
}

/** An approval covers the name but not the version, so models do not get the version. */
export function nameForModel({ serverInfo }: Pick<Session, 'serverInfo'>): string {
  return serverInfo?.title || serverInfo?.name || 'the server';
}
