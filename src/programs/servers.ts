import { McpError, CancelledError, Deadline, openSession, TimeoutError } from '../mcp/index.js';
import type { ConnectOptions, Elicit, ServerAddress, Session } from '../mcp/index.js';
import { valueAt } from '../json/index.js';
import { namingOptions, overSession, type ToolPolicy, type ToolServer } from '../toolset/index.js';
import type { EntryOptions, ToolsOptions } from './options.js';
import type { SourceServer } from './sources.js';

/** A call, as far as its connection and fixed arguments depend on it. */
export interface ProgramCall {
  /** Passed to functions among the fixed arguments. */
  readonly context?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** All the time that it may take, in milliseconds. */
  readonly timeout?: number | undefined;
}

/** A server with a connection of its own. */
export interface ProgramServer<Options> extends ToolServer<Session, ProgramCall> {
  readonly isNamed: boolean;
  /** Keys of its entry that nothing reads. */
  readonly unread: readonly string[];
  readonly connection: Connection;
  /** Its own options before those for all. */
  readonly options: Options;
}

interface Connection {
  session: () => Promise<Session>;
  close: () => Promise<void>;
}

/** The parts of a call that a host replaces. */
export interface Calls {
  /** Makes the calls over a session. Default: the session itself. */
  readonly over?: (session: Session, server: string) => Pick<Session, 'callTool'>;
  readonly close?: () => void;
}

/** @param all for all servers; a server's own options win */
export function serverOf<Context, Options extends Omit<ToolsOptions<Context>, 'elicit'>>(
  { name, at, own, toolTimeoutMs, unread }: SourceServer<EntryOptions<Context>>,
  all: Options,
  more: Calls & { isOneOfSeveral: boolean; elicit: Elicit | undefined; onChanged: () => void },
): ProgramServer<Options> {
  const idleTimeoutMs = own.idleTimeoutMs ?? toolTimeoutMs ?? all.idleTimeoutMs;
  const options: Options = { ...all, ...own, idleTimeoutMs };
  let ownName = 'mcp';
  const shownName = () => name ?? ownName;
  const { signal, clientInfo, onNotification } = all;
  // The signal is for connecting and listing only: the connection outlives it.
  const connecting: ConnectOptions = {
    ...{ signal, clientInfo, elicit: more.elicit, idleTimeoutMs: own.idleTimeoutMs ?? all.idleTimeoutMs },
    onNotification: onNotification && ((method, params) => onNotification(method, params, shownName())),
  };
  const onSession = (session: Session) => hearChanges(session, more.onChanged);
  const isOpen = 'callTool' in at;
  const connection = isOpen ? borrowed(at, connecting, onSession) : connectionTo(at, connecting, onSession);
  return {
    get name() {
      return shownName();
    },
    get prefix() {
      return prefixFor(shownName(), options.prefix ?? more.isOneOfSeveral);
    },
    address: isOpen ? at.address : at,
    policy: policyOf(options, own, name),
    isNamed: name !== undefined,
    unread,
    connection: {
      ...connection,
      close() {
        more.close?.();
        return connection.close();
      },
    },
    options,
    async use(work, call) {
      const session = await opened(connection, call);
      ownName = session.serverInfo?.name ?? ownName;
      return work(session);
    },
    list: overSession.list,
    send: (session, tool, args, sending) =>
      (more.over?.(session, shownName()) ?? session).callTool(tool, args, sending),
  };
}

function policyOf<Context>(
  options: Pick<ToolsOptions<Context>, 'approved' | 'whenChanged' | 'include' | 'exclude' | 'fixed' | 'timeouts'>,
  own: EntryOptions<Context>,
  approvedName: string | undefined,
): ToolPolicy {
  const { approved, whenChanged, include, exclude, fixed, timeouts } = options;
  const shared = namingOptions.filter((option) => own[option] === undefined);
  return { approved, approvedName, whenChanged, shared, timeouts, fixed, selection: { include, exclude } };
}

function prefixFor(server: string, prefix: NonNullable<ToolsOptions['prefix']>): string {
  if (typeof prefix === 'function') return prefix(server);
  if (typeof prefix === 'string') return prefix;
  return prefix ? `${server}__` : '';
}

/** The session, opened again if it was lost: as long as this call may wait for it, which others may wait for as well. */
async function opened({ session }: Connection, call: ProgramCall | undefined): Promise<Session> {
  const { timeout, signal } = call ?? {};
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
  let isAgain = false;
  let first: AbortSignal | undefined = signal;
  const open = () => {
    const opened = openSession(server, { ...options, signal: first }, { isAgain }).then(({ session }) => {
      isAgain = true;
      onSession(session);
      return session;
    });
    first = undefined;
    current = opened;
    // A failed attempt is not kept: the next use tries again.
    opened.catch(() => (current = undefined));
    return opened;
  };
  return {
    async session() {
      // A process that a late call started would outlive everybody who could end it.
      if (closed) throw new McpError('The tools are closed.', { code: 'SESSION_CLOSED', hint: 'Open them again.' });
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
