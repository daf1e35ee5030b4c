import type { ToolRunnableConfig } from '@langchain/core/tools';
import {
  CancelledError,
  connect,
  Deadline,
  decline,
  McpError,
  overSession,
  SuspendedCalls,
  TimeoutError,
} from '../internal.js';
import type { ConnectOptions, ServerAddress, Session, ToolPolicy, ToolServer } from '../internal.js';
import { valueAt } from '../json/index.js';
import { isByInterrupt, pausing, type WaitingCalls } from './call/by-interrupt.js';
import { outputPlaces } from './call/output-handling.js';
import type { Fixed, McpToolsOptions, ServerOptions } from './options.js';
import { isSession, type Server } from './servers.js';

/** How long a paused run may be resumed, in milliseconds. Another process keeps nothing of it. */
const maxSuspendedMs = 24 * 3_600_000;

/** One run of a tool. */
export interface ToolRun {
  readonly config: ToolRunnableConfig;
  /** LangChain's `timeout` of this run, in milliseconds: all the time that it may take. */
  readonly timeout?: number | undefined;
}

export interface McpServer extends ToolServer<Session, ToolRun> {
  readonly isNamed: boolean;
  readonly connection: Connection;
  /** Its own options before those for all. */
  readonly options: McpToolsOptions;
}

interface Connection {
  session: () => Promise<Session>;
  close: () => Promise<void>;
}

export function serverOf(
  { name, at, options: own, toolTimeoutMs }: Server,
  all: McpToolsOptions,
  isOneOfSeveral: boolean,
  onChanged: () => void,
): McpServer {
  const options: McpToolsOptions = {
    ...all,
    ...own,
    idleTimeoutMs: own.idleTimeoutMs ?? toolTimeoutMs ?? all.idleTimeoutMs,
    outputHandling: outputPlaces(all.outputHandling, own.outputHandling),
  };
  let ownName = 'mcp';
  const shownName = () => name ?? ownName;
  const connecting = connectOptions({ ...all, ...own }, shownName);
  const onSession = (session: Session) => hearChanges(session, onChanged);
  const connection = isSession(at) ? borrowed(at, connecting, onSession) : connectionTo(at, connecting, onSession);
  const waiting: WaitingCalls = new SuspendedCalls(maxSuspendedMs);
  return {
    get name() {
      return shownName();
    },
    get prefix() {
      return prefixFor(shownName(), options.prefix ?? isOneOfSeveral);
    },
    address: isSession(at) ? at.address : at,
    policy: policyOf(options, own, name),
    isNamed: name !== undefined,
    connection: {
      ...connection,
      close() {
        waiting.close();
        return connection.close();
      },
    },
    options,
    async use(work, run) {
      const session = await opened(connection, run);
      ownName = session.serverInfo?.name ?? ownName;
      return work(session);
    },
    list: overSession.list,
    send(session, tool, args, sending) {
      const { elicit } = options;
      const caller = isByInterrupt(elicit) ? pausing(session, shownName(), elicit, waiting) : session;
      return caller.callTool(tool, args, sending);
    },
  };
}

function policyOf(options: McpToolsOptions, own: ServerOptions, approvedName: string | undefined): ToolPolicy {
  const { approved, whenChanged, include, exclude, fixed } = options;
  const shared = (['include', 'exclude', 'fixed'] as const).filter((option) => own[option] === undefined);
  return {
    ...{ approved, approvedName, whenChanged, shared },
    selection: { include, exclude },
    fixed: fixed && Object.fromEntries(Object.entries(fixed).map(([tool, values]) => [tool, ofRun(values)])),
  };
}

/** Functions get the config of the run. */
function ofRun(values: Fixed[string]): Record<string, unknown> {
  const entries = Object.entries(values).map(([name, value]): [string, unknown] => {
    return [name, typeof value === 'function' ? ({ config }: ToolRun) => value(config) : value];
  });
  return Object.fromEntries(entries);
}

function prefixFor(server: string, prefix: NonNullable<McpToolsOptions['prefix']>): string {
  if (typeof prefix === 'function') return prefix(server);
  if (typeof prefix === 'string') return prefix;
  return prefix ? `${server}__` : '';
}

/** The session, opened again if it was lost: as long as this run may wait for it, which others may wait for as well. */
async function opened({ session }: Connection, run: ToolRun | undefined): Promise<Session> {
  const { timeout, config: { signal } = {} } = run ?? {};
  if (timeout === undefined && !signal) return session();
  const deadline = new Deadline(timeout ?? Infinity, signal);
  try {
    return await deadline.wait(session());
  } catch (error) {
    if (signal?.aborted) throw new CancelledError('The attempt to connect was cancelled by the caller.');
    if (deadline.isOver && timeout !== undefined)
      throw new TimeoutError(`The attempt to connect took longer than ${timeout} ms.`, timeout);
    throw error;
  } finally {
    deadline.clear();
  }
}

/** The signal is for connecting and listing only: the connection outlives it. */
function connectOptions(options: McpToolsOptions, name: () => string): ConnectOptions {
  const { signal, clientInfo, onNotification, idleTimeoutMs, elicit } = options;
  return {
    signal,
    clientInfo,
    idleTimeoutMs,
    // A run pauses in the middle of a call alone.
    elicit: isByInterrupt(elicit) ? decline : elicit,
    onNotification: onNotification && ((method, params) => onNotification(method, params, name())),
  };
}

function hearChanges(session: Session, onChanged: () => void): (() => void) | undefined {
  if (valueAt(session.capabilities, '/tools/listChanged') !== true) return undefined;
  return session.onNotification((method) => {
    if (method === 'notifications/tools/list_changed') onChanged();
  });
}

/**
 * A connection of its own: opened at the first use, and again at the next use after its session has ended. The signal
 * is for the first time only: later on it may long have been aborted.
 */
function connectionTo(
  server: ServerAddress,
  { signal, ...options }: ConnectOptions,
  onSession: (session: Session) => unknown,
): Connection {
  let current: Promise<Session> | undefined;
  let closed = false;
  let first: AbortSignal | undefined = signal;
  const open = () => {
    const opened = connect(server, { ...options, signal: first }).then((session) => {
      onSession(session);
      return session;
    });
    first = undefined;
    current = opened;
    // A failed attempt is not kept: the next use tries again.
    opened.catch(() => {
      if (current === opened) current = undefined;
    });
    return opened;
  };
  return {
    async session() {
      // A process that a late call started would outlive everybody who could end it.
      if (closed) throw new McpError('The tools are closed.', { code: 'SESSION_CLOSED', hint: 'Call mcpTools again.' });
      const known = current ?? open();
      const session = await known;
      if (!session.ended) return session;
      // Calls that find it ended at the same time share one new connection: another one nobody would close.
      return current === known || current === undefined ? open() : current;
    },
    async close() {
      closed = true;
      await current?.then((session) => session.close()).catch(() => {}); // what could not be opened need not be closed
    },
  };
}

function borrowed(
  session: Session,
  { onNotification }: ConnectOptions,
  onSession: (session: Session) => (() => void) | undefined,
): Connection {
  const ends = [onNotification && session.onNotification(onNotification), onSession(session)];
  return {
    session: () => Promise.resolve(session),
    close() {
      for (const end of ends) end?.();
      return Promise.resolve();
    },
  };
}
