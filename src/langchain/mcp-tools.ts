import {
  acceptedSchema,
  approvedTools,
  decline,
  McpError,
  isPins,
  modelTools,
  pinsOf,
  refuseUndeclared,
  startDiscovery,
} from '../index.js';
import type { Approved, Catalogue, CatalogueTool, ConnectOptions, ModelTool, Provider, Session } from '../index.js';
import { didYouMean, quote, quotedLines, shortened } from '../json/index.js';
import { isByInterrupt } from './call/by-interrupt.js';
import { type Fixed, fixedNames } from './call/fixed.js';
import { toldTools } from './discovery/discovery-tool.js';
import { checkToolsOptions, providerIn } from './options.js';
import type { McpToolsOptions, ToolFilter } from './options.js';
import { McpServersError, reportOf } from './report.js';
import type { Asked, McpToolsReport } from './report.js';
import { borrowed, connectionTo, isSession, readSource } from './servers.js';
import type { Connection, McpToolsSource, Server } from './servers.js';
import { McpTool } from './tool.js';

/** The tools, as an array; what belongs to the connections behind them stands on it as further properties. */
export interface McpTools extends Array<McpTool>, AsyncDisposable {
  /** What became of each server, and what is odd about its tools. */
  readonly report: McpToolsReport;
  /**
   * What the servers say about how they want to be used, of each up to 10,000 characters, and which servers could not be
   * reached: for the system message. Empty where there is nothing to say.
   */
  readonly instructions: string;
  /** The open session of a server, for its resources, prompts and instructions; of one that failed, rejects with its error. */
  session: (server?: string) => Promise<Session>;
  /** Ends the connections that `mcpTools` opened. */
  close: () => Promise<void>;
}

/**
 * The tools of one or several MCP servers for LangChain.js, each with the schema that its server wrote.
 *
 * ```ts
 * await using tools = await mcpTools({ url: 'https://example.com/mcp' });
 * const agent = createAgent({ model, tools });
 * ```
 *
 * @param source a server (`{ url }` or `{ command }`), an open session, or `{ mcpServers: { name: server } }`
 * @param options what to offer, and how calls are made; times are milliseconds
 * @returns an array of `StructuredTool`s; close it when done, or declare it with `await using`
 * @throws McpError when a lone server fails, the source is none, or an option names a tool that no server offers;
 *   McpServersError when all of several fail, or one does and `onServerError` is 'throw'
 * @throws TypeError where an option does not exist or is wrong
 * @throws FixedArgumentsError where a tool does not declare an argument that is to be fixed
 */
export async function mcpTools(source: McpToolsSource, options: McpToolsOptions = {}): Promise<McpTools> {
  checkToolsOptions(options);
  const servers = readSource(source);
  const loaded = await Promise.all(servers.map((server) => load(server, options)));
  try {
    refuseFailures(loaded, options);
    refuseUnknownNames(loaded, options);
    return assemble(loaded, options);
  } catch (error) {
    await closeAll(loaded);
    throw error;
  }
}

/** A server that was asked for its tools. */
interface Loaded extends Asked {
  /** Whether the configuration gives it its name. */
  isNamed: boolean;
  connection: Connection;
  tools: readonly CatalogueTool[];
  /** The server's own. */
  include: ToolFilter | undefined;
  exclude: ToolFilter | undefined;
  fixed: Fixed | undefined;
  /** What holds for its tools: its own options before those for all. */
  options: McpToolsOptions;
}

async function load({ name, at, options: own, toolTimeoutMs }: Server, options: McpToolsOptions): Promise<Loaded> {
  const all: McpToolsOptions = { ...options, ...own };
  const server = { name: name ?? 'mcp' };
  const connecting = connectOptions(all, server);
  const link = isSession(at) ? borrowed(at, connecting) : connectionTo(at, connecting);
  const timeoutMs = own.timeoutMs ?? toolTimeoutMs ?? options.timeoutMs;
  const known = {
    isNamed: name !== undefined,
    connection: link,
    include: own.include,
    exclude: own.exclude,
    fixed: own.fixed,
    options: { ...all, timeoutMs },
  };
  try {
    const session = await link.session();
    server.name = name ?? session.serverInfo?.name ?? server.name;
    const listed = await session.listTools({ signal: options.signal });
    const { catalogue, differences } = approved(listed, name, at, options);
    return { ...known, ...catalogue, name: server.name, differences };
  } catch (error) {
    await link.close();
    return { ...known, name: server.name, error, tools: [], setAside: [], differences: [] };
  }
}

/** The tools that were approved, where there are pins; of a server without any, none was. */
function approved(
  catalogue: Catalogue,
  name: string | undefined,
  at: Server['at'],
  { pins, whenChanged }: McpToolsOptions,
): Approved {
  if (!pins) return { catalogue, differences: [] };
  const { address } = isSession(at) ? at : { address: at };
  const own = isPins(pins) ? pins : (pinsOf(pins, name, address) ?? { tools: {} });
  return approvedTools(catalogue, own, { address, whenChanged });
}

/** The signal is for connecting and listing only: the connection outlives it. */
function connectOptions(options: McpToolsOptions, server: { name: string }): ConnectOptions {
  const { signal, clientInfo, onNotification, timeoutMs, elicit } = options;
  return {
    signal,
    clientInfo,
    timeoutMs,
    // A run pauses in the middle of a call alone.
    elicit: isByInterrupt(elicit) ? decline : elicit,
    onNotification: onNotification && ((method, params) => onNotification(method, params, server.name)),
  };
}

/** @throws the error of a lone server; an McpServersError that has all of them, by name, otherwise */
function refuseFailures(loaded: readonly Loaded[], { onServerError }: McpToolsOptions): void {
  const down = loaded.filter(({ error }) => error !== undefined);
  const [first] = down;
  if (!first || onServerError === 'report') return;
  if (onServerError !== 'throw' && down.length < loaded.length) return;
  if (!first.isNamed) throw first.error;
  throw new McpServersError(Object.fromEntries(down.map(({ name, error }) => [name, error])));
}

/** @throws McpError naming a tool in an option that no server has; one that may be at a failed server is no mistake */
function refuseUnknownNames(loaded: readonly Loaded[], options: McpToolsOptions): void {
  const { include, exclude, fixed = {}, pinned = [] } = options;
  for (const server of loaded) {
    refuse('include', server.include, [server]);
    refuse('exclude', server.exclude, [server]);
    refuse('fixed', Object.keys(server.fixed ?? {}), [server]);
  }
  refuse('include', include, loaded);
  refuse('exclude', exclude, loaded);
  refuse('fixed', Object.keys(fixed), loaded);
  refuse('pinned', pinned, loaded);
}

function refuse(option: string, listed: ToolFilter | undefined, servers: readonly Loaded[]): void {
  if (typeof listed !== 'object' || listed.length === 0 || servers.some(({ error }) => error !== undefined)) return;
  const names = servers.flatMap(({ tools }) => tools.map(({ name }) => name));
  const aside = servers.flatMap(({ setAside }) => setAside.map(({ name }) => name));
  const unknown = listed.find((name) => !names.includes(name) && !aside.includes(name));
  if (unknown === undefined) return;
  const whose = servers.map(({ name }) => quote(name)).join(', ');
  throw new McpError(
    `"${option}" lists the tool ${quote(unknown)}, which ${whose} does not offer.${didYouMean(unknown, names)}`,
    { code: 'INVALID_ADDRESS', hint: "Use the server's own tool names, without a prefix." },
  );
}

function assemble(loaded: readonly Loaded[], options: McpToolsOptions): McpTools {
  const offers: OfferedTool[][] = [];
  for (const server of loaded) offers.push(offer(server, offers.flat(), loaded.length > 1));
  const all = offers.flat().map(({ tool }) => tool);
  const { discovery: mode, pinned } = options;
  const servers = [...new Set(all.map(({ server }) => server))];
  // What a model reads of a tool that it searches is a text, which no provider refuses: the original.
  const discovery = startDiscovery(
    offers.flat().map(({ original }) => original),
    { mode, pinned, server: servers.join(', '), prefix: prefixForAll(servers, options.prefix) },
  );
  const tools = discovery ? toldTools(discovery, all) : [...all];
  const told = new Set(tools);
  const report = loaded.map((server, index) =>
    reportOf(
      server,
      (offers[index] ?? []).map(({ tool, adaptedFor }) => ({
        name: tool.name,
        tool: tool.tool,
        adaptedFor: told.has(tool) ? adaptedFor : () => [],
      })),
      providerIn(options),
    ),
  );
  const session = async (name?: string) => {
    const server = name === undefined ? loaded[0] : loaded.find((candidate) => candidate.name === name);
    const names = loaded.map((each) => quote(each.name)).join(', ');
    if (!server) throw new RangeError(`There is no server ${quote(name ?? '')}; there is ${names}.`);
    if ('error' in server) throw server.error;
    return server.connection.session();
  };
  const close = () => closeAll(loaded);
  return Object.defineProperties(tools, {
    report: { value: report },
    instructions: { value: instructionsOf(loaded) },
    session: { value: session },
    close: { value: close },
    [Symbol.asyncDispose]: { value: close },
  }) as McpTools; // defineProperties keeps the array's type and has just added the rest
}

/** Characters of one server's instructions. */
const longestInstructions = 10_000;

/** For a model, which would otherwise take what is missing for what there never was. */
function instructionsOf(loaded: readonly Loaded[]): string {
  return loaded
    .flatMap(({ name, error, instructions }) => {
      if (error !== undefined) return [`The server ${quote(name)} is not available: its tools are missing.`];
      if (instructions === undefined || instructions.trim() === '') return [];
      const text = shortened(instructions, longestInstructions);
      return [loaded.length > 1 ? `About the tools of ${quote(name)}:\n${quotedLines(text)}` : text];
    })
    .join('\n\n');
}

interface OfferedTool {
  tool: McpTool;
  /** Without regard to anybody's provider. */
  original: ModelTool;
  /** Whose models are told a projection of its schema; asked for later, as a middleware learns it in each request. */
  adaptedFor: () => readonly Provider[];
}

/** The tools of one server as LangChain tools, under names that those `before` do not have. */
function offer(
  { name: server, tools, connection, options }: Loaded,
  before: readonly OfferedTool[],
  several: boolean,
): OfferedTool[] {
  const { include, exclude, extras, fixed } = options;
  const provider = providerIn(options);
  const wanted = tools.filter(
    (tool) => (!include || matches(include, tool, server)) && !(exclude && matches(exclude, tool, server)),
  );
  for (const tool of wanted) refuseUndeclared(tool, fixedNames(fixed, tool));
  const named = modelTools(wanted, {
    prefix: prefixFor(server, options.prefix ?? several),
    taken: before.map(({ original }) => original.name),
    fixed: (tool) => fixedNames(fixed, tool),
  });
  return named.map((original) => {
    const { name, description, schema, tool } = original;
    const told = provider && options.providerSafe !== false ? acceptedSchema(schema, provider) : schema;
    const offered = new McpTool({
      name,
      description,
      schema: told,
      server,
      tool,
      session: connection.session,
      options,
      extras: typeof extras === 'function' ? extras(tool, server) : extras,
    });
    return {
      tool: offered,
      original,
      adaptedFor: () => (provider && told !== schema ? [provider] : offered.adaptedFor),
    };
  });
}

function matches(filter: ToolFilter, tool: CatalogueTool, server: string): boolean {
  return typeof filter === 'function' ? filter(tool, server) : filter.includes(tool.name);
}

function prefixFor(server: string, prefix: NonNullable<McpToolsOptions['prefix']>): string {
  if (typeof prefix === 'function') return prefix(server);
  if (typeof prefix === 'string') return prefix;
  return prefix ? `${server}__` : '';
}

/** For tools that belong to all servers: what all their tools have in front. */
function prefixForAll([only = '', ...others]: readonly string[], prefix: McpToolsOptions['prefix'] = false): string {
  return others.length === 0 || typeof prefix === 'string' ? prefixFor(only, prefix) : '';
}

async function closeAll(loaded: readonly Loaded[]): Promise<void> {
  await Promise.all(loaded.map((server) => server.connection.close()));
}
