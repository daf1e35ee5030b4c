import { connect, McpError } from '../index.js';
import type { ConnectOptions, ServerAddress, Session, StdioAddress } from '../index.js';
import { isObject, quote } from '../json/index.js';
import { checkEntry, checkSource } from './options.js';
import type { ServerOptions } from './options.js';

/**
 * A server as people write it: an address of the library, or an entry of an `mcp.json`, which needs no `transport`; and
 * beside it what holds for this server alone.
 */
export type ServerEntry = ServerOptions & (ServerAddress | (Omit<StdioAddress, 'transport'> & { type?: string }));

/** One server, one open session, or several of both by name. */
export type McpToolsSource =
  | ServerEntry
  | Session
  | {
      mcpServers: Readonly<Record<string, ServerEntry | Session>>;
      /** How long a call may take, in milliseconds, as configurations for @langchain/mcp-adapters have it. */
      defaultToolTimeout?: number;
    };

/** A server of the source. */
export interface Server {
  /** Its name in the configuration. A lone server has the name that it gives itself, known once connected. */
  readonly name?: string | undefined;
  readonly at: ServerAddress | Session;
  readonly options: ServerOptions;
  /** How long a call may take, where the configuration says so apart from the options. */
  readonly toolTimeoutMs?: number | undefined;
}

/** @throws McpError (INVALID_ADDRESS) that says what was expected */
export function readSource(source: McpToolsSource): Server[] {
  if (!isObject(source)) throw wrong(`mcpTools takes ${expectedSource}; received ${nameOf(source)}.`);
  if (!('mcpServers' in source)) return [toServer(source)];
  const { mcpServers, defaultToolTimeout } = source;
  if (!isObject(mcpServers)) throw wrong(`"mcpServers" holds servers by name; received ${nameOf(mcpServers)}.`);
  checkSource(source);
  const entries = Object.entries(mcpServers);
  if (entries.length === 0) throw wrong('"mcpServers" holds no server.');
  return entries.map(([name, entry]) => toServer(entry, name, defaultToolTimeout));
}

/** Sessions are opened by the library only, so having what the tools need of one is being one. */
export function isSession(server: object): server is Session {
  return 'callTool' in server && 'listTools' in server;
}

const expectedServer = '{ url }, { command, args } or a session';
const expectedSource = `${expectedServer}, or { mcpServers: { name: server } }`;

/** The names that configuration files have for the transports. */
const transports: Readonly<Record<string, 'http' | 'sse' | 'stdio'>> = {
  http: 'http',
  'streamable-http': 'http',
  streamable_http: 'http',
  streamableHttp: 'http',
  sse: 'sse',
  stdio: 'stdio',
};

function toServer(entry: ServerEntry | Session, name?: string, toolTimeoutMs?: number): Server {
  const where = name === undefined ? 'The server' : `The server ${quote(name)}`;
  if (!isObject(entry)) throw wrong(`${where}: expected ${expectedServer}; received ${nameOf(entry)}.`);
  if (isSession(entry)) return { name, at: entry, options: {}, toolTimeoutMs };
  checkEntry(where, entry);
  // An entry may come from a file, so that it has whatever people write there.
  const { include, exclude, fixed, timeoutMs, media, repairs, defaultToolTimeout, ...address } = entry;
  return {
    name,
    at: toAddress(address, where),
    options: defined({ include, exclude, fixed, timeoutMs, media, repairs }),
    toolTimeoutMs: (defaultToolTimeout as number | undefined) ?? toolTimeoutMs, // as just checked
  };
}

function toAddress(entry: Readonly<Record<string, unknown>>, where: string): ServerAddress {
  const { type, transport = type, command, args, env, cwd, ...http } = entry;
  if (transport !== undefined && !(typeof transport === 'string' && Object.hasOwn(transports, transport))) {
    const received = typeof transport === 'string' ? quote(transport) : nameOf(transport);
    throw wrong(`${where}: the transport is "http", "sse" or "stdio"; received ${received}.`);
  }
  const found = [...(http['url'] === undefined ? [] : ['url']), ...(command === undefined ? [] : ['command'])];
  const needed = transport === undefined ? found[0] : transports[transport] === 'stdio' ? 'command' : 'url';
  if (needed === undefined || (transport === undefined && found.length > 1))
    throw wrong(`${where}: expected "url" or "command", but found ${found.length > 1 ? 'both' : 'neither'}.`);
  if (!found.includes(needed))
    throw wrong(`${where}: the transport ${quote(String(transport))} needs "${needed}", but found "${found.join()}".`);
  // The library checks what stands in the fields, and says which one is wrong.
  if (needed === 'command') {
    const fields = { command, args, env, cwd };
    return { transport: 'stdio', ...defined(fields) } as StdioAddress; // checked by the library, as said above
  }
  return { ...http, transport: transport === undefined ? 'http' : transports[transport] } as ServerAddress; // likewise
}

function defined(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

function wrong(message: string): McpError {
  return new McpError(message, { code: 'INVALID_ADDRESS', hint: `mcpTools takes ${expectedSource}.` });
}

/** The way to a server for as long as its tools are used. */
export interface Connection {
  session: () => Promise<Session>;
  close: () => Promise<void>;
}

/**
 * A connection of its own: opened at the first use, and again at the next use after its session has ended. The signal
 * is for the first time only: later on it may long have been aborted.
 */
export function connectionTo(server: ServerAddress, { signal, ...options }: ConnectOptions): Connection {
  let current: Promise<Session> | undefined;
  let closed = false;
  let first: AbortSignal | undefined = signal;
  const open = () => {
    const opened = connect(server, { ...options, signal: first });
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

/** A session that somebody else opened, and closes. */
export function borrowed(session: Session, { onNotification }: ConnectOptions): Connection {
  const stop = onNotification && session.onNotification(onNotification);
  return {
    session: () => Promise.resolve(session),
    close() {
      stop?.();
      return Promise.resolve();
    },
  };
}
