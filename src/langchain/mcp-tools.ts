import { type ListedServer, type Session, ToolSet, warnProgram } from '../internal.js';
import { ConfigurationError, quote, quotedLines, shortened } from '../json/index.js';
import { checkToolsOptions, followingModel, providerIn, type McpToolsOptions } from './options.js';
import { refuseFailures, remedy, reportOf, type McpToolsReport } from './report.js';
import { type McpServer, serverOf, type ToolRun } from './server-tools.js';
import { readSource, type McpToolsSource } from './servers.js';
import { exposedBySearch } from './tool-search.js';
import { McpTool } from './tool.js';
import { warnOfMany } from './verbatim-tools.js';

/** The tools, as an array that has their connections as well. */
export interface McpTools extends Array<McpTool>, AsyncDisposable {
  /** Each server's status, skipped tools and notes. */
  readonly report: McpToolsReport;
  /**
   * For the system message: the servers' instructions, up to 10,000 characters of each, and which servers could not be
   * reached. May be empty.
   */
  readonly instructions: string;
  /** The open session of a server, for its resources and prompts. One that failed or ended is tried again. */
  session: (server?: string) => Promise<Session>;
  /**
   * Lists the tools of all servers again, including servers that failed before, and updates the array. This happens by
   * itself when a server announces changes. An agent keeps the tools that it was made with.
   *
   * @throws the error of a list that cannot be read; its tools stay as they were
   */
  refresh: () => Promise<void>;
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
 * @param source a server (`{ url }` or `{ command }`), an open session, a client of the MCP SDK, or
 *   `{ mcpServers: { name: server } }`
 * @param options what to expose, and how calls are made; times are milliseconds
 * @returns an array of `StructuredTool`s; close it when done, or declare it with `await using`
 * @throws McpError when a lone server fails, or `fixed` or `exclude` names a tool that no server has;
 *   McpServersError when all of several fail, or one does and `onServerError` is 'throw'
 * @throws ConfigurationError if the source or an option is wrong or does not exist
 */
export async function mcpTools(source: McpToolsSource, options: McpToolsOptions = {}): Promise<McpTools> {
  checkToolsOptions(options);
  const { toolSearch, always, signal, ...all } = followingModel(options);
  const changes = renewal();
  const sources = readSource(source);
  const servers = sources.map((each) => serverOf(each, { ...all, signal }, sources.length > 1, changes.announced));
  const set = new ToolSet<Session, ToolRun, McpServer>(servers, { toolSearch, always });
  try {
    const { problem, servers: listed } = await set.list({ signal });
    const misspelt = listed.find(({ admission }) => admission?.wrongOption === 'exclude');
    if (misspelt) throw misspelt.admission?.problem as Error; // there is one
    refuseFailures(listed, all);
    if (problem) throw problem;
    const tools = liveTools(set, changes);
    const provider = providerIn(options);
    if (provider) warnOfMany(tools.length, provider);
    return tools;
  } catch (error) {
    await closeAll(servers);
    throw error;
  }
}

function liveTools(set: ToolSet<Session, ToolRun, McpServer>, changes: ReturnType<typeof renewal>): McpTools {
  const { servers } = set;
  const expose = () =>
    exposedTools(set, () => {
      warnOfAdapted(exposed.tools);
    });
  let exposed = expose();
  const tools = [...exposed.tools];
  const renew = async (isFresh = false) => {
    const view = await set.list({ isFresh });
    exposed = expose();
    tools.splice(0, tools.length, ...exposed.tools);
    for (const { error } of view.servers) if (error !== undefined) throw error as Error; // what a list throws
    if (view.problem) throw view.problem;
  };
  const session = async (name?: string) => {
    const server = name === undefined ? servers[0] : servers.find((candidate) => candidate.name === name);
    const names = servers.map((each) => quote(each.name)).join(', ');
    if (!server) throw new ConfigurationError(`There is no server ${quote(name ?? '')}; there is ${names}.`);
    return server.connection.session();
  };
  const close = () => {
    changes.stop();
    return closeAll(servers);
  };
  changes.start(renew);
  return Object.defineProperties(tools, {
    report: { get: () => exposed.report },
    instructions: { get: () => instructionsOf(set.view().servers) },
    session: { value: session },
    refresh: { value: () => renew(true) },
    close: { value: close },
    [Symbol.asyncDispose]: { value: close },
  }) as McpTools; // defineProperties keeps the array's type and has just added the rest
}

/** Renews the tools when a server says that they changed: one after the other, and once for all that is said meanwhile. */
function renewal() {
  let isQueued = false;
  let isStopped = false;
  let start: (renew: () => Promise<void>) => void = () => {};
  const started = new Promise<() => Promise<void>>((resolve) => (start = resolve));
  let last: Promise<unknown> = started;
  const announced = () => {
    if (isQueued) return;
    isQueued = true;
    last = last.then(async () => {
      isQueued = false;
      const renew = await started;
      // What cannot be listed now stays as it was; whoever calls `refresh` hears why.
      if (!isStopped) await renew().catch(() => {});
    });
  };
  const stop = () => {
    isStopped = true;
  };
  return { announced, start, stop };
}

let hasWarned = false;

/** Once in a process: it is about how the program is written. */
function warnOfAdapted(tools: readonly McpTool[]): void {
  if (hasWarned) return;
  hasWarned = true;
  const names = tools.filter(({ isAdaptedUnnamed }) => isAdaptedUnnamed).map(({ name }) => quote(name));
  const shown = names.slice(0, 5).join(', ') + (names.length > 5 ? ` and ${names.length - 5} more` : '');
  const what = `No model is named, so these tools are sent in a form that OpenAI and Anthropic accept: ${shown}.`;
  warnProgram(`${what} ${remedy}`, 'MCP_VERBATIM_ADAPTED');
}

async function closeAll(servers: readonly McpServer[]): Promise<void> {
  await Promise.all(servers.map(({ connection }) => connection.close()));
}

function exposedTools(
  set: ToolSet<Session, ToolRun, McpServer>,
  onUnnamed: () => void,
): { readonly tools: readonly McpTool[]; readonly report: McpToolsReport } {
  // What a model reads of a tool that it searches is a text, which no provider refuses: the original.
  const { servers, search, warnings, problem } = set.view();
  const about = { warnings, problem };
  const exposed = servers.map(({ server, tools }) => {
    const { name, options } = server;
    const { extras } = options;
    return tools.map(
      (original) =>
        new McpTool({
          ...original,
          server: name,
          call: (args, settings, run) => set.call(server, original.tool, args, settings, run),
          options,
          extras: typeof extras === 'function' ? extras(original.tool, name) : extras,
          onUnnamed,
        }),
    );
  });
  const all = exposed.flat();
  const tools = search ? exposedBySearch(search, all) : all;
  const sent = new Set(tools);
  return { tools, report: servers.map((listed, index) => reportOf(listed, exposed[index] ?? [], sent, about)) };
}

const longestInstructions = 10_000;

/** For a model, which would otherwise take what is missing for what there never was. */
function instructionsOf(servers: readonly ListedServer<McpServer>[]): string {
  return servers
    .flatMap(({ server: { name }, admission, error }) => {
      if (!admission || admission.problem || error !== undefined)
        return [`The server ${quote(name)} is not available: its tools are missing.`];
      const { instructions = '' } = admission.catalogue;
      if (instructions.trim() === '') return [];
      const text = shortened(instructions, longestInstructions);
      return [servers.length > 1 ? `About the tools of ${quote(name)}:\n${quotedLines(text)}` : text];
    })
    .join('\n\n');
}
