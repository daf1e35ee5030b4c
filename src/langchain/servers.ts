import { connect, isSdkClient, McpError, sessionOf } from '../internal.js';
import type { ConnectOptions, HttpAddress, SdkClient, ServerAddress, Session, StdioAddress } from '../internal.js';
import { isObject, quote } from '../json/index.js';
import { outputPlaces } from './call/output-handling.js';
import type { OutputHandling } from './call/output-handling.js';
import { checkEntry, checkSource } from './options.js';
import type { ServerOptions } from './options.js';

/**
 * A server as people write it: an address of the library, or an entry of an `mcp.json`, which needs no `transport`; and
 * beside it what holds for this server alone.
 */
export type ServerEntry = ServerOptions &
  (
    | ServerAddress
    | (Omit<HttpAddress, 'transport'> & { transport?: HttpTransportName; type?: HttpTransportName })
    | (Omit<StdioAddress, 'transport' | 'stderr'> & { type?: string; stderr?: 'pipe' | 'inherit' | 'ignore' })
  );

/** The names that configuration files have for the transports of servers with a URL. */
export type HttpTransportName = 'http' | 'streamable-http' | 'streamable_http' | 'streamableHttp' | 'sse';

/** One server, an open session or client of the MCP SDK, or several of them by name. */
export type McpToolsSource = ServerEntry | Session | SdkClient | SeveralServers;

/** Servers by name, and what configurations of LangChain's MCP adapters have beside them. */
export interface SeveralServers {
  /** As in an `mcp.json`. */
  mcpServers: Readonly<Record<string, ServerEntry | Session | SdkClient>>;
  /** How long a call may take, in milliseconds. */
  defaultToolTimeout?: number;
  /** Where the content of answers goes, by kind. */
  outputHandling?: OutputHandling;
}

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
  const { mcpServers, defaultToolTimeout, outputHandling } = source as SeveralServers; // checked below
  const given: unknown = mcpServers; // it may come from a file
  if (!isObject(given)) throw wrong(`"mcpServers" holds servers by name; received ${nameOf(given)}.`);
  checkSource(source);
  const entries = Object.entries(mcpServers);
  if (entries.length === 0) throw wrong('"mcpServers" holds no server.');
  const forAll = defined({ defaultToolTimeout, outputHandling });
  return entries.map(([name, entry]) => toServer(entry, name, forAll));
}

/** Sessions are opened by the library only, so having what the tools need of one is being one. */
export function isSession(server: object): server is Session {
  return 'callTool' in server && 'listTools' in server;
}

const expectedServer = '{ url }, { command, args }, a session or a client of the MCP SDK';
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

function toServer(
  entry: ServerEntry | Session | SdkClient,
  name?: string,
  { defaultToolTimeout: toolTimeoutMs, outputHandling: forAll }: Omit<SeveralServers, 'mcpServers'> = {},
): Server {
  const where = name === undefined ? 'The server' : `The server ${quote(name)}`;
  if (!isObject(entry)) throw wrong(`${where}: expected ${expectedServer}; received ${nameOf(entry)}.`);
  const options = defined({ outputHandling: forAll });
  // It has the methods of a session as well, and takes other arguments.
  if (isSdkClient(entry)) return { name, at: sessionOf(entry), options, toolTimeoutMs };
  if (isSession(entry)) return { name, at: entry, options, toolTimeoutMs };
  checkEntry(where, entry);
  // An entry may come from a file, so that it has whatever people write there.
  const { include, exclude, fixed, idleTimeoutMs, media, repairs, outputHandling, defaultToolTimeout, ...address } =
    entry;
  // Of a type that was just checked.
  const places = outputPlaces(forAll, outputHandling);
  return {
    name,
    at: toAddress(address, where),
    options: defined({ include, exclude, fixed, idleTimeoutMs, media, repairs, outputHandling: places }),
    toolTimeoutMs: (defaultToolTimeout as number | undefined) ?? toolTimeoutMs, // as just checked
  };
}

function toAddress(entry: Readonly<Record<string, unknown>>, where: string): ServerAddress {
  const { type, transport = type, command, args, env, cwd, stderr, ...http } = entry;
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
    // It is always read, for errors; nobody else sees it unless it is inherited.
    const fields = { command, args, env, cwd, stderr: stderr === 'ignore' ? 'pipe' : stderr };
    return { transport: 'stdio', ...defined(fields) } as StdioAddress; // checked by the library, as above
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
 *
 * @param onSession called with each session that is opened
 */
export function connectionTo(
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

/**
 * A session that somebody else opened, and closes.
 *
 * @param onSession called with the session; what it returns ends what it began
 */
export function borrowed(
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
