import type {
  ApprovalDifference,
  Catalogue,
  CatalogueTool,
  ConnectOptions,
  ServerAddress,
  Session,
  SkippedTool,
  ToolFilter,
} from '../internal.js';
import { absentNames, connect, decline, McpError, onlyApproved } from '../internal.js';
import { didYouMean, quote, valueAt } from '../json/index.js';
import { isByInterrupt } from './call/by-interrupt.js';
import { outputPlaces } from './call/output-handling.js';
import type { McpToolsOptions, ServerOptions } from './options.js';
import { isSession, type Server } from './servers.js';

export interface ServerTools {
  name: string;
  readonly isNamed: boolean;
  readonly at: Server['at'];
  readonly connection: Connection;
  error?: unknown;
  tools: readonly CatalogueTool[];
  skipped: readonly SkippedTool[];
  differences: readonly ApprovalDifference[];
  instructions?: string | undefined;
  serverInfo?: Readonly<Record<string, unknown>> | undefined;
  readonly own: ServerOptions;
  /** What holds for its tools: its own options before those for all. */
  readonly options: McpToolsOptions;
}

interface Connection {
  session: () => Promise<Session>;
  close: () => Promise<void>;
}

/** A server that fails is one without tools. */
export async function toolsOfServer(
  { name, at, options: own, toolTimeoutMs }: Server,
  all: McpToolsOptions,
  onChanged: () => void,
): Promise<ServerTools> {
  const connecting = connectOptions({ ...all, ...own }, () => server.name);
  const onSession = (session: Session) => hearChanges(session, onChanged);
  const connection = isSession(at) ? borrowed(at, connecting, onSession) : connectionTo(at, connecting, onSession);
  const server: ServerTools = {
    isNamed: name !== undefined,
    name: name ?? 'mcp',
    at,
    connection,
    tools: [],
    skipped: [],
    differences: [],
    own,
    options: {
      ...all,
      ...own,
      idleTimeoutMs: own.idleTimeoutMs ?? toolTimeoutMs ?? all.idleTimeoutMs,
      outputHandling: outputPlaces(all.outputHandling, own.outputHandling),
    },
  };
  try {
    const session = await connection.session();
    server.name = name ?? session.serverInfo?.name ?? server.name;
    take(server, await session.listTools({ signal: all.signal }));
  } catch (error) {
    await connection.close();
    server.error = error;
  }
  return server;
}

export async function listTools(server: ServerTools): Promise<void> {
  if (server.error !== undefined) return;
  const session = await server.connection.session();
  take(server, await session.listTools());
}

/** Of a server that an approval does not have, nothing was approved. */
function take(server: ServerTools, listed: Catalogue): void {
  const { at, isNamed, name, options } = server;
  const { address } = isSession(at) ? at : { address: at };
  const { approved, whenChanged } = options;
  const { catalogue, differences } = approved
    ? onlyApproved(listed, approved, { name: isNamed ? name : undefined, address, whenChanged })
    : { catalogue: listed, differences: [] };
  const { tools, skipped, instructions, serverInfo } = catalogue;
  Object.assign(server, { tools, skipped, instructions, serverInfo, differences });
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

/** @throws McpError naming a tool in an option that no server has; one that may be at a failed server is no mistake */
export function refuseUnknownNames(servers: readonly ServerTools[], options: McpToolsOptions): void {
  for (const server of servers) refuseUnknown(server.own, [server]);
  refuseUnknown(options, servers);
}

function refuseUnknown(
  { include, exclude, fixed = {}, always }: McpToolsOptions,
  servers: readonly ServerTools[],
): void {
  if (servers.some(({ error }) => error !== undefined)) return;
  const listed: Record<string, ToolFilter | undefined> = { include, exclude, fixed: Object.keys(fixed), always };
  for (const [option, names] of Object.entries(listed)) {
    const [unknown] = typeof names === 'object' ? absentNames(servers, names) : [];
    if (unknown === undefined) continue;
    const known = servers.flatMap(({ tools }) => tools.map(({ name }) => name));
    const whose = servers.map(({ name }) => quote(name)).join(', ');
    throw new McpError(
      `"${option}" lists the tool ${quote(unknown)}, which ${whose} does not have.${didYouMean(unknown, known)}`,
      { code: 'INVALID_ADDRESS', hint: "Use the server's own tool names, without a prefix." },
    );
  }
}
