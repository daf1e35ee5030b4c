import type { HttpAddress, SdkClient, ServerAddress, Session, StdioAddress } from '../internal.js';
import { isSdkClient, sessionOf } from '../internal.js';
import { ConfigurationError, isList, isObject, quote } from '../json/index.js';
import { outputPlaces, type OutputHandling } from './call/output-handling.js';
import { checkEntry, checkSource, type ServerOptions } from './options.js';

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

export interface Server {
  /** Its name in the configuration. A lone server has the name that it gives itself, known once connected. */
  readonly name?: string | undefined;
  readonly at: ServerAddress | Session;
  readonly options: ServerOptions;
  /** How long a call may take, where the configuration says so apart from the options. */
  readonly toolTimeoutMs?: number | undefined;
}

/** @throws ConfigurationError that says what was expected */
export function readSource(source: McpToolsSource): Server[] {
  if (!isObject(source)) throw wrong(`The source is ${nameOf(source)}.`);
  if (!('mcpServers' in source)) return [toServer(source)];
  const { mcpServers, ...forAll } = source as SeveralServers; // checked below
  const given: unknown = mcpServers; // it may come from a file
  if (!isObject(given)) throw wrong(`"mcpServers" holds servers by name; received ${nameOf(given)}.`);
  checkSource(source);
  const entries = Object.entries(mcpServers);
  if (entries.length === 0) throw wrong('"mcpServers" holds no server.');
  return entries.map(([name, entry]) => toServer(entry, name, forAll));
}

/** Sessions are opened by the library only, so having what the tools need of one is being one. */
export function isSession(server: object): server is Session {
  return 'callTool' in server && 'listTools' in server;
}

const expectedServer = '{ url }, { command, args }, a session or a client of the MCP SDK';
const expectedSource = `${expectedServer}, or { mcpServers: { name: server } }`;

function toServer(
  entry: ServerEntry | Session | SdkClient,
  name?: string,
  forAll: Omit<SeveralServers, 'mcpServers'> = {},
): Server {
  const where = name === undefined ? 'The server' : `The server ${quote(name)}`;
  if (!isObject(entry)) throw wrong(`${where}: expected ${expectedServer}; received ${nameOf(entry)}.`);
  const ofAll = {
    options: defined({ outputHandling: forAll.outputHandling }),
    toolTimeoutMs: forAll.defaultToolTimeout,
  };
  // A client has the methods of a session as well, and takes other arguments.
  if (isSdkClient(entry)) return { name, at: sessionOf(entry), ...ofAll };
  if (isSession(entry)) return { name, at: entry, ...ofAll };
  checkEntry(where, entry);
  // An entry may come from a file, so that it has whatever people write there.
  const { include, exclude, fixed, idleTimeoutMs, media, repairs, outputHandling, defaultToolTimeout, ...address } =
    entry;
  const places = outputPlaces(forAll.outputHandling, outputHandling);
  return {
    name,
    at: toAddress(address, where),
    options: defined({ include, exclude, fixed, idleTimeoutMs, media, repairs, outputHandling: places }),
    toolTimeoutMs: (defaultToolTimeout as number | undefined) ?? forAll.defaultToolTimeout, // as just checked
  };
}

const transports: Readonly<Record<string, 'http' | 'sse' | 'stdio'>> = {
  http: 'http',
  'streamable-http': 'http',
  streamable_http: 'http',
  streamableHttp: 'http',
  sse: 'sse',
  stdio: 'stdio',
};

/** The library checks what stands in the fields, and says which one is wrong. */
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
  if (needed === 'url')
    return { ...http, transport: transport === undefined ? 'http' : transports[transport] } as ServerAddress;
  // What a process writes is always read, for errors; nobody else sees it unless it is inherited.
  const fields = { command, args, env, cwd, stderr: stderr === 'ignore' ? 'pipe' : stderr };
  return { transport: 'stdio', ...defined(fields) } as StdioAddress;
}

function defined(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return isList(value) ? 'an array' : `a ${typeof value}`;
}

function wrong(message: string): ConfigurationError {
  return new ConfigurationError(`${message} mcpTools takes ${expectedSource}.`);
}
