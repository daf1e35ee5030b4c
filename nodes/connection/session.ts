import type { ILoadOptionsFunctions } from 'n8n-workflow';
import {
  connect,
  type ConnectOptions,
  createSessionPool,
  decline,
  type ServerAddress,
  type Session,
  type SessionPool,
} from '../../src/internal.js';
import { credentialInEditor } from './credential.js';
import { atExecutionEnd, atExecutionPause, executionIn, executionOf, type RunContext } from '../host/execution.js';
import { logClosed, logConnected, maskLog } from '../log.js';
import { type ChosenServer, chosenServer } from './server.js';
import { hearOfShutdown, isShuttingDown } from './shutdown.js';

/** Only a safety net for executions whose end is not reported; its timer keeps no process alive. */
const idleInExecutionMs = 10 * 60_000;
/** After a cancellation, the server first gets the notification that its call is cancelled. */
const cancelledGraceMs = 1000;
/**
 * While someone clicks through pickers, one connection serves them all. Requests to an MCP Server Trigger stand by
 * themselves; n8n 1.x takes their end for reached before it calls the tool.
 */
const idleOutsideMs = 20_000;
const editorTimeoutMs = 30_000;
/** How many sessions a process has open, unless more are in use. */
const mostSessions = 1000;

export interface SessionOptions {
  /** How long the server may take to answer a request. */
  idleTimeoutMs: number;
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
  { idleTimeoutMs, keepAliveMs }: SessionOptions,
  work: (session: Session, address: ServerAddress) => Promise<T>,
): Promise<T> {
  const server = await chosenServer(context, (type) => context.getCredentials(type, itemIndex), itemIndex);
  const pool = sessions();
  const node = context.getNode().id;
  const signal = context.getExecutionCancelSignal();
  const kept = `kept for ${context.getWorkflow().id} ${node} ${server.account}`;
  if (keepAliveMs > 0) {
    const afterwardsMs = () => (isShuttingDown() ? 0 : keepAliveMs);
    // The model of an agent may think for longer than the session is kept afterwards.
    const idleMs = signal ? Math.max(idleInExecutionMs, keepAliveMs) : afterwardsMs();
    hold(context, kept, () => pool.release(kept, afterwardsMs()));
    // Without the signal: executions that run at the same time share it, and none may end the others' connecting.
    return await use(context, server, kept, idleMs, { idleTimeoutMs }, async (session) => {
      forgetOthersTools(session, executionIn(context));
      return await work(session, server.address);
    });
  }
  pool.release(kept);
  const key = `of ${executionOf(context)} ${node} ${server.identity}`;
  const close = () => void pool.close(key);
  hold(context, key, () => (signal?.aborted ? void setTimeout(close, cancelledGraceMs).unref() : close()));
  const idleMs = signal ? idleInExecutionMs : idleOutsideMs;
  return await use(context, server, key, idleMs, { idleTimeoutMs, ...(signal && { signal }) }, (session) =>
    work(session, server.address),
  );
}

/** Of each session, by its key, the executions that run in this process and have used it. */
const running = new Map<string, Set<string>>();

/**
 * Keeps a session for as long as an execution runs.
 *
 * @param ended what becomes of the session when the last of its executions has ended
 */
function hold(context: RunContext, key: string, ended: () => void): void {
  const execution = executionOf(context);
  running.set(key, (running.get(key) ?? new Set()).add(execution));
  const leave = (then: () => void) => {
    const holders = running.get(key);
    if (!holders?.delete(execution) || holders.size > 0) return;
    running.delete(key);
    then();
  };
  atExecutionEnd(context, () => leave(ended));
  // It goes on in this process, or in another one: n8n does not say.
  atExecutionPause(context, () => leave(() => isShuttingDown() && sessions().release(key)));
}

/**
 * Works with a session for the pickers and forms of the editor: one of its own where it matters what the server says now,
 * not what it said when another picker asked.
 */
export async function withEditorSession<T>(
  context: ILoadOptionsFunctions,
  work: (session: Session, address: ServerAddress) => Promise<T>,
  { isNew = false } = {},
): Promise<T> {
  const server = await chosenServer(context, (type) => credentialInEditor(context, type), 0);
  const [key, idleMs] = isNew ? [`new ${++news}`, 0] : ['of the editor', idleOutsideMs];
  return await use(context, server, `${key} ${server.account}`, idleMs, { idleTimeoutMs: editorTimeoutMs }, (session) =>
    work(session, server.address),
  );
}

/** No two of them share a key. */
let news = 0;

async function use<T>(
  context: RunContext | ILoadOptionsFunctions,
  server: ChosenServer,
  key: string,
  idleMs: number,
  options: ConnectOptions,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { mask } = server;
  if (isRun(context)) maskLog(context, mask);
  const open = async () => {
    // Each call brings its answers; a server learns here that it may ask.
    const session = await connect(server.address, { ...options, elicit: decline });
    logConnected(context, serverName(session), session, mask);
    return session;
  };
  const closed = (session: Session) => {
    // Unless another one has taken its place already.
    if (!sessions().keys().includes(key)) running.delete(key);
    logClosed(context, serverName(session), mask);
  };
  return await server.explained(() => sessions().use(key, { open, closed, idleMs }, work));
}

/** n8n's contexts of the editor have an execution's id as well, but no signal of its end. */
function isRun(context: RunContext | ILoadOptionsFunctions): context is RunContext {
  return 'getExecutionCancelSignal' in context;
}

let opened: SessionPool | undefined;

/** The sessions of this process, of both nodes (see behaviour.ts). */
function sessions(): SessionPool {
  return (opened ??= releasedAtShutdown(createSessionPool({ max: mostSessions })));
}

/** At shutdown, sessions end that no execution uses; the others end with their executions. */
function releasedAtShutdown(pool: SessionPool): SessionPool {
  hearOfShutdown(() => pool.keys().forEach((key) => running.has(key) || pool.release(key)));
  return pool;
}

/** The executions that have used a session. */
const users = new WeakMap<Session, WeakSet<object>>();

/** Each execution asks for the tools once: a server may have got others meanwhile, and not every server says so. */
function forgetOthersTools(session: Session, execution: object | undefined): void {
  const known = users.get(session) ?? new WeakSet();
  if (execution === undefined || known.has(execution)) return;
  if (users.has(session)) session.forgetTools();
  users.set(session, known.add(execution));
}

/** What the server calls itself: `everything 1.2`. */
export function serverName(session: Pick<Session, 'serverInfo'>): string {
  return `${nameForModel(session)} ${session.serverInfo?.version ?? ''}`.trim();
}

/** What the server calls itself, which is part of an approval. Its version is not, so models do not get it. */
export function nameForModel({ serverInfo }: Pick<Session, 'serverInfo'>): string {
  return serverInfo?.title || serverInfo?.name || 'the server';
}
