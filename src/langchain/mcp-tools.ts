import type { Note, Session, SetAsideTool } from '../index.js';
import { modelTools } from '../index.js';
import type { CatalogueTool, ConnectOptions } from '../index.js';
import type { CallBehaviour } from './call.js';
import { borrowed, connection } from './connection.js';
import type { Connection } from './connection.js';
import { isSession, readSource } from './source.js';
import type { McpToolsSource } from './source.js';
import { McpTool } from './tool.js';
import type { OnError } from './tool.js';

export interface McpToolsOptions extends CallBehaviour, Pick<ConnectOptions, 'signal' | 'clientInfo'> {
  /** Which tools to offer, by the server's own names or by a predicate. Default: all. */
  include?: readonly string[] | ((tool: CatalogueTool, server: string) => boolean);
  /** Which tools to leave out; wins over `include`. */
  exclude?: readonly string[] | ((tool: CatalogueTool, server: string) => boolean);
  /**
   * Put in front of every name that the model sees: a text, a function of the server's name, or `true` for
   * `<server>__`. Default: `true` with several servers, else nothing. The server is called by its own name always.
   */
  prefix?: boolean | string | ((server: string) => string);
  /**
   * Arguments that do not fit the schema, after repair: 'message' answers the model with every violation, 'throw'
   * throws `InvalidToolInputException` (a `ToolInputParsingException`). Default: 'message' for a tool call, 'throw'
   * for plain arguments.
   */
  onInvalidArguments?: OnError;
  /**
   * A call that got no answer (timeout, lost connection, JSON-RPC error): 'message' tells the model, 'throw' throws
   * the `McpError`. Default as above. A run that was cancelled throws always.
   */
  onFailure?: OnError;
  /**
   * A server of several that cannot be reached or listed: 'report' goes on with the others and says so in `report`,
   * 'throw' gives up. Default: 'report'; where no server is left, an error is thrown in any case.
   */
  onServerError?: 'report' | 'throw';
  /** LangChain's `extras` (provider options such as Anthropic's `cache_control`), for all tools or for each. */
  extras?: Record<string, unknown> | ((tool: CatalogueTool, server: string) => Record<string, unknown> | undefined);
  /**
   * Hands out a fresh copy of a schema each time it is read, in place of the frozen original: for packages that write
   * on the schemas they are given (@langchain/cohere 1.0). Default: false.
   */
  copySchemas?: boolean;
}

/** What became of one server. */
export interface ServerReport {
  readonly server: string;
  readonly status: 'connected' | 'failed';
  readonly error?: unknown;
  /** The names that the model sees. */
  readonly tools: readonly string[];
  /** What the server offered and cannot be called, with the reason. */
  readonly setAside: readonly SetAsideTool[];
  /** What is odd about the tools that are offered. */
  readonly notes: readonly (Note & { tool: string })[];
}

export type McpToolsReport = readonly ServerReport[];

/** The tools, as an array; what belongs to the connections behind them stands on it as further properties. */
export interface McpTools extends Array<McpTool>, AsyncDisposable {
  readonly report: McpToolsReport;
  /** The open session of a server, for its resources, prompts and instructions. */
  session(server?: string): Promise<Session>;
  /** Ends the connections that `mcpTools` opened. */
  close(): Promise<void>;
}

/**
 * The tools of one or several MCP servers for LangChain.js, each with the schema that its server wrote.
 *
 * @param source a server (`{ url }` or `{ command }`), an open session, or `{ mcpServers: { name: server } }`
 * @param options what to offer, and how calls are made; times are milliseconds
 * @returns an array of `StructuredTool`s; close it when done, or declare it with `await using`
 * @throws McpError when the only server, or every server, fails
 *
 * @example
 * await using tools = await mcpTools({ url: 'https://example.com/mcp' });
 * const agent = createAgent({ model, tools });
 */
export async function mcpTools(source: McpToolsSource, options: McpToolsOptions = {}): Promise<McpTools> {
  const servers = readSource(source);
  const loaded = await Promise.all(servers.map((server) => load(server, options)));
  const failure = loaded.find((server) => server.error !== undefined);
  const none = loaded.length > 0 && loaded.every((server) => server.error !== undefined);
  if (failure && (none || options.onServerError === 'throw')) {
    await closeAll(loaded);
    throw failure.error;
  }
  return assemble(loaded, options);
}

interface Loaded {
  name: string;
  connection: Connection;
  error?: unknown;
  tools: readonly CatalogueTool[];
  setAside: readonly SetAsideTool[];
}

async function load({ name, server }: ReturnType<typeof readSource>[number], options: McpToolsOptions): Promise<Loaded> {
  const link = isSession(server) ? borrowed(server) : connection(server, connectOptions(options));
  try {
    const session = await link.session();
    const { tools, setAside } = await session.listTools({ ...(options.signal && { signal: options.signal }) });
    return { name: name ?? session.serverInfo?.name ?? 'mcp', connection: link, tools, setAside };
  } catch (error) {
    await link.close();
    return { name: name ?? 'mcp', connection: link, error, tools: [], setAside: [] };
  }
}

/** The signal is for connecting and listing only: the connection outlives it. */
function connectOptions({ signal, clientInfo, timeoutMs }: McpToolsOptions): ConnectOptions {
  return { ...(signal && { signal }), ...(clientInfo && { clientInfo }), ...(timeoutMs !== undefined && { timeoutMs }) };
}

function assemble(loaded: readonly Loaded[], options: McpToolsOptions): McpTools {
  const tools: McpTool[] = [];
  const report = loaded.map((server) => {
    const offered = offer(server, tools, loaded.length > 1, options);
    tools.push(...offered);
    return reportOf(server, offered);
  });
  const session = (name?: string) => {
    const server = name === undefined ? loaded[0] : loaded.find((candidate) => candidate.name === name);
    if (!server) return Promise.reject(new RangeError(`There is no server "${name}" among ${loaded.map((each) => each.name).join(', ')}.`));
    return server.connection.session();
  };
  const close = () => closeAll(loaded);
  return Object.defineProperties(tools, {
    report: { value: report },
    session: { value: session },
    close: { value: close },
    [Symbol.asyncDispose]: { value: close },
  }) as McpTools; // defineProperties keeps the array's type and has just added the rest
}

function offer(server: Loaded, before: readonly McpTool[], several: boolean, options: McpToolsOptions): McpTool[] {
  const { include, exclude, prefix, extras, onInvalidArguments, onFailure, copySchemas, ...behaviour } = options;
  const wanted = server.tools.filter(
    (tool) => (!include || matches(include, tool, server.name)) && !(exclude && matches(exclude, tool, server.name)),
  );
  const named = modelTools(wanted, { prefix: prefixFor(server.name, prefix ?? several), taken: before.map(({ name }) => name) });
  return named.map(({ name, description, schema, tool }) => {
    const own = typeof extras === 'function' ? extras(tool, server.name) : extras;
    return new McpTool({
      name,
      description,
      schema,
      server: server.name,
      tool,
      session: server.connection.session,
      behaviour,
      ...(onInvalidArguments && { onInvalidArguments }),
      ...(onFailure && { onFailure }),
      ...(copySchemas && { copySchemas }),
      ...(own && { extras: own }),
    });
  });
}

function matches(rule: NonNullable<McpToolsOptions['include']>, tool: CatalogueTool, server: string): boolean {
  return typeof rule === 'function' ? rule(tool, server) : rule.includes(tool.name);
}

function prefixFor(server: string, prefix: NonNullable<McpToolsOptions['prefix']>): string {
  if (typeof prefix === 'function') return prefix(server);
  if (typeof prefix === 'string') return prefix;
  return prefix ? `${server}__` : '';
}

function reportOf({ name, error, setAside }: Loaded, offered: readonly McpTool[]): ServerReport {
  return {
    server: name,
    status: error === undefined ? 'connected' : 'failed',
    ...(error !== undefined && { error }),
    tools: offered.map((tool) => tool.name),
    setAside,
    get notes() {
      return offered.flatMap(({ name: tool, tool: { notes } }) => notes.map((note) => ({ ...note, tool })));
    },
  };
}

async function closeAll(loaded: readonly Loaded[]): Promise<void> {
  await Promise.all(loaded.map((server) => server.connection.close()));
}
