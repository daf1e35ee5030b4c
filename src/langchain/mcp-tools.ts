import type { ConnectOptions, Session } from '../index.js';
import { borrowed, connection } from './connection.js';
import { offer } from './offer.js';
import type { Loaded } from './offer.js';
import type { McpToolsOptions } from './options.js';
import { reportOf } from './report.js';
import type { McpToolsReport } from './report.js';
import { isSession, readSource } from './source.js';
import type { McpToolsSource } from './source.js';
import type { McpTool } from './tool.js';

/** The tools, as an array; what belongs to the connections behind them stands on it as further properties. */
export interface McpTools extends Array<McpTool>, AsyncDisposable {
  /** What became of each server, and what is odd about its tools. */
  readonly report: McpToolsReport;
  /** The open session of a server, for its resources, prompts and instructions. */
  session(server?: string): Promise<Session>;
  /** Ends the connections that `mcpTools` opened. */
  close(): Promise<void>;
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
 * @throws McpError when the only server, or every server, fails
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

async function load(
  { name, server }: ReturnType<typeof readSource>[number],
  options: McpToolsOptions,
): Promise<Loaded> {
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
function connectOptions({ signal, clientInfo, onNotification, timeoutMs }: McpToolsOptions): ConnectOptions {
  return {
    ...(signal && { signal }),
    ...(onNotification && { onNotification }),
    ...(clientInfo && { clientInfo }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
}

function assemble(loaded: readonly Loaded[], options: McpToolsOptions): McpTools {
  const tools: McpTool[] = [];
  const report = loaded.map((server) => {
    const offered = offer(server, tools, loaded.length > 1, options);
    tools.push(...offered);
    return reportOf(server, offered, options.provider);
  });
  const session = (name?: string) => {
    const server = name === undefined ? loaded[0] : loaded.find((candidate) => candidate.name === name);
    if (!server)
      return Promise.reject(
        new RangeError(`There is no server "${name}" among ${loaded.map((each) => each.name).join(', ')}.`),
      );
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

async function closeAll(loaded: readonly Loaded[]): Promise<void> {
  await Promise.all(loaded.map((server) => server.connection.close()));
}
