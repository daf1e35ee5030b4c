import { checkOption, ConfigurationError, filtered, flag, isList, isObject, quote } from '../json/index.js';
import type { Option } from '../json/index.js';
import type { HttpAddress, SdkClient, ServerAddress, Session, StdioAddress } from '../mcp/index.js';
import { addressKeys, isSdkClient, sessionOf } from '../mcp/index.js';
import { checkFile, type EntryOptions, type Opener } from './options.js';

/**
 * A server's entry: an address of the library, or an entry of an `mcp.json`, which needs no `transport`; with the
 * options of this server alone.
 */
export type ServerEntry<Own = EntryOptions> = Own &
  (
    | ServerAddress
    | (Omit<HttpAddress, 'transport'> & { transport?: HttpTransportName; type?: HttpTransportName })
    | (Omit<StdioAddress, 'transport' | 'stderr'> & { type?: string; stderr?: 'pipe' | 'inherit' | 'ignore' })
  );

/** The names that configuration files have for the transports of servers with a URL. */
export type HttpTransportName = 'http' | 'streamable-http' | 'streamable_http' | 'streamableHttp' | 'sse';

/** One server, an open session or client of the MCP SDK, or several of them by name. */
export type ToolsSource<Own = EntryOptions, Beside = unknown> =
  ServerEntry<Own> | Session | SdkClient | (SeveralServers<Own> & Beside);

interface FileOptions {
  disabled?: boolean;
  enabled?: boolean;
  timeout?: number;
}

/** Servers by name. */
export interface SeveralServers<Own = EntryOptions> {
  /**
   * As in an `mcp.json`: a server that is `disabled`, or whose `enabled` is false, is left out. `timeout` is the
   * `idleTimeoutMs` of a server, 1000 or more. `${NAME}` is not replaced: an entry could send any variable anywhere.
   */
  mcpServers: Readonly<Record<string, (ServerEntry<Own> & FileOptions) | Session | SdkClient>>;
  /** How long a call may take, in milliseconds, as configurations of LangChain's MCP adapters say it. */
  defaultToolTimeout?: number;
}

/** A server of a source, with the options beside its address. */
export interface SourceServer<Own = EntryOptions> {
  /** Its name in the configuration. A lone server has the name that it gives itself, known once connected. */
  readonly name: string | undefined;
  readonly at: ServerAddress | Session;
  readonly own: Own;
  /** The keys beside `mcpServers`. */
  readonly beside: Readonly<Record<string, unknown>>;
  /** The time limit of a call, if the configuration has one apart from the options. */
  readonly toolTimeoutMs: number | undefined;
  /** Keys of its entry that nothing reads. */
  readonly unread: readonly string[];
}

/** @throws ConfigurationError that names the expected value */
export function readSource<Own>(source: ToolsSource<Own>, opener: Opener): SourceServer<Own>[] {
  const wrong = (message: string) => wrongFor(opener, message);
  if (!isObject(source)) throw wrong(`The source is ${nameOf(source)}.`);
  if (!('mcpServers' in source)) return [toServer(opener, source, undefined, {})];
  const { mcpServers, ...beside } = source as SeveralServers<Own> & Readonly<Record<string, unknown>>; // checked below
  const given: unknown = mcpServers; // it may come from a file
  if (!isObject(given)) throw wrong(`"mcpServers" holds servers by name; received ${nameOf(given)}.`);
  checkFile(opener, `The source of ${opener.name}`, source, opener.ofSource ?? {}, ['mcpServers']);
  const entries = Object.entries(given).filter(([, entry]) => !isDisabled(entry));
  if (entries.length === 0) throw wrong('"mcpServers" holds no server, or none that is enabled.');
  return entries.map(([name, entry]) => toServer(opener, entry, name, beside));
}

/** The library alone opens sessions, so an object with the members that the tools need is one. */
function isSession(server: object): server is Session {
  return 'callTool' in server && 'listTools' in server;
}

/** True for an entry that its file disables. */
export function isDisabled(entry: unknown): boolean {
  return isObject(entry) && (entry['disabled'] === true || entry['enabled'] === false);
}

/** Keys of an entry that configuration files alone have. */
export const ofEntry: Readonly<Record<string, Option>> = {
  disabled: flag,
  enabled: flag,
  /** Some clients mean seconds, so a small number is an error. */
  timeout: {
    words: 'a number of milliseconds, 1000 or more',
    accepts: (value) => typeof value === 'number' && value >= 1000,
  },
};

/** Keys beside the options of an entry. */
const entryKeys = ['type', ...Object.keys(ofEntry), ...new Set(Object.values(addressKeys).flat())];

const expectedServer = '{ url }, { command, args }, a session or a client of the MCP SDK';
const expectedSource = `${expectedServer}, or { mcpServers: { name: server } }`;

function toServer<Own>(
  opener: Opener,
  entry: unknown,
  name: string | undefined,
  beside: Readonly<Record<string, unknown>>,
): SourceServer<Own> {
  const where = name === undefined ? 'The server' : `The server ${quote(name)}`;
  if (!isObject(entry)) throw wrongFor(opener, `${where}: expected ${expectedServer}; received ${nameOf(entry)}.`);
  const timeout = beside['defaultToolTimeout'] as number | undefined; // as checked with the source
  const open = { name, own: {} as Own, beside, toolTimeoutMs: timeout, unread: [] }; // every option may be left out
  // A client has the methods of a session as well, and takes other arguments.
  if (isSdkClient(entry)) return { ...open, at: sessionOf(entry) };
  if (isSession(entry)) return { ...open, at: entry };
  const unknown = checkFile(opener, where, entry, opener.ofEntries, entryKeys);
  for (const [field, option] of Object.entries(ofEntry))
    if (entry[field] !== undefined) checkOption(where, field, entry[field], option);
  // An entry may come from a file, so that it has whatever people write there.
  const isOption = (option: string) => Object.hasOwn(opener.ofEntries, option);
  const {
    defaultToolTimeout = timeout,
    timeout: idleTimeoutMs,
    ...address
  } = filtered({ ...entry }, (key) => !isOption(key));
  const at = toAddress(opener, address, where);
  const foreign = addressKeys[at.transport === 'stdio' ? 'http' : 'stdio'].filter((key) => key !== 'transport');
  return {
    ...open,
    at,
    own: {
      ...(idleTimeoutMs !== undefined && { idleTimeoutMs }),
      ...filtered({ ...entry }, (key, value) => isOption(key) && value !== undefined),
    } as Own, // as just checked
    toolTimeoutMs: defaultToolTimeout as number | undefined,
    unread: [...unknown, ...foreign.filter((key) => entry[key] !== undefined)],
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

/** The library checks the fields' values, and names a wrong one. */
function toAddress(opener: Opener, entry: Readonly<Record<string, unknown>>, where: string): ServerAddress {
  const wrong = (message: string) => wrongFor(opener, `${where}: ${message}`);
  const { type, transport = type, command, args, env, cwd, stderr, ...others } = entry;
  const http = filtered(others, (key) => addressKeys.http.includes(key));
  if (transport !== undefined && !(typeof transport === 'string' && Object.hasOwn(transports, transport))) {
    const received = typeof transport === 'string' ? quote(transport) : nameOf(transport);
    throw wrong(`the transport is "http", "sse" or "stdio"; received ${received}.`);
  }
  const found = [...(http['url'] === undefined ? [] : ['url']), ...(command === undefined ? [] : ['command'])];
  const needed = transport === undefined ? found[0] : transports[transport] === 'stdio' ? 'command' : 'url';
  if (needed === undefined || (transport === undefined && found.length > 1))
    throw wrong(`expected "url" or "command", but found ${found.length > 1 ? 'both' : 'neither'}.`);
  if (!found.includes(needed))
    throw wrong(`the transport ${quote(String(transport))} needs "${needed}", but found "${found.join()}".`);
  if (needed === 'url')
    return { ...http, transport: transport === undefined ? 'http' : transports[transport] } as ServerAddress;
  // A process's output is always read, for errors; nobody else sees it unless it is inherited.
  const fields = { command, args, env, cwd, stderr: stderr === 'ignore' ? 'pipe' : stderr };
  return { transport: 'stdio', ...filtered(fields, (_name, value) => value !== undefined) } as StdioAddress;
}

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return isList(value) ? 'an array' : `a ${typeof value}`;
}

function wrongFor({ name }: Opener, message: string): ConfigurationError {
  return new ConfigurationError(`${message} ${name} takes ${expectedSource}.`);
}
