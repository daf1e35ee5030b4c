import { checkToolsOptions, decline, openTools, readSource, serverOf, suspendedCalls } from '../internal.js';
import type { OpenTools, ProgramServer, SeveralServers as Servers, ServerEntry as Entry } from '../internal.js';
import type { SourceServer, ToolsSource } from '../internal.js';
import { isByInterrupt, pausing, type WaitingCalls } from './call/by-interrupt.js';
import { outputPlaces, type OutputHandling } from './call/output-handling.js';
import { followingModel, opener, type McpToolsOptions, type ServerOptions } from './options.js';
import { exposedBySearch } from './tool-search.js';
import { McpTool } from './tool.js';

/** The tools, as an array that has their connections as well. An agent keeps the tools that it was made with. */
export interface McpTools extends Array<McpTool>, OpenTools {}

/** One server, an open session or client of the MCP SDK, or several of them by name. */
export type McpToolsSource = ToolsSource<ServerOptions, SourceOptions>;

/** A server's entry with its own options. */
export type ServerEntry = Entry<ServerOptions>;

/** Servers by name, with the options that LangChain's MCP adapters allow beside them. */
export type SeveralServers = Servers<ServerOptions> & SourceOptions;

interface SourceOptions {
  /** The destination of answers' content, by kind. */
  outputHandling?: OutputHandling;
}

/** The time during which a paused run may be resumed, in milliseconds. Another process keeps nothing about it. */
const maxSuspendedMs = 24 * 3_600_000;

/**
 * The tools of one or several MCP servers for LangChain.js, each with the schema that its server wrote.
 *
 * ```ts
 * await using tools = await mcpTools({ url: 'https://example.com/mcp' });
 * const agent = createAgent({ model, tools });
 * ```
 *
 * @param source a server (`{ url }` or `{ command }`), an open session, a client of the MCP SDK, or
 *   `{ mcpServers: { name: server } }`
 * @param options the tools to expose, and options of calls; times are milliseconds
 * @returns an array of `StructuredTool`s; close it when done, or declare it with `await using`
 * @throws McpError when a lone server fails, or `fixed` or `exclude` names a tool that no server has;
 *   McpServersError when all of several fail, or one does and `onServerError` is 'throw'
 * @throws ConfigurationError if the source or an option is wrong or does not exist
 */
export async function mcpTools(source: McpToolsSource, options: McpToolsOptions = {}): Promise<McpTools> {
  checkToolsOptions(opener, options);
  const all = followingModel(options);
  const sources = readSource<ServerOptions>(source, opener);
  const tools: McpTool[] = [];
  const beside = await openTools(
    (onChanged) => sources.map((each) => langchainServer(each, all, sources.length > 1, onChanged)),
    all,
    {
      toolOf: (opened, set) => {
        const { server, tool, forModel } = opened;
        const { extras } = server.options;
        return new McpTool({
          ...opened,
          server: server.name,
          schema: forModel,
          call: (args, settings, { config, timeout }) =>
            set.call(server, tool, args, settings, { context: config, signal: config.signal, timeout }),
          options: server.options,
          extras: typeof extras === 'function' ? extras(tool, server.name) : extras,
        });
      },
      searchedBy: exposedBySearch,
      onTools: (made) => tools.splice(0, tools.length, ...made),
      remedy:
        'Give the option "model", or the middleware verbatimTools(tools), which knows the model of each request; "providerSafe": false sends every original.',
    },
  );
  return Object.defineProperties(tools, beside) as McpTools; // defineProperties keeps the array's type
}

function langchainServer(
  server: SourceServer<ServerOptions>,
  all: McpToolsOptions,
  isOneOfSeveral: boolean,
  onChanged: () => void,
): ProgramServer<McpToolsOptions> {
  const { elicit } = all;
  const places = server.beside['outputHandling'] as OutputHandling | undefined; // as checked with the source
  const outputHandling = outputPlaces(all.outputHandling, places, server.own.outputHandling);
  const own: ServerOptions = { ...server.own, outputHandling };
  const waiting: WaitingCalls = suspendedCalls(maxSuspendedMs);
  return serverOf(
    { ...server, own },
    all,
    isByInterrupt(elicit)
      ? {
          ...{ isOneOfSeveral, onChanged },
          // A run pauses in the middle of a call alone.
          elicit: decline,
          over: (session, name) => pausing(session, name, elicit, waiting),
          close: () => {
            waiting.close();
          },
        }
      : { isOneOfSeveral, onChanged, elicit },
  );
}
