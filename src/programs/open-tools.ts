import { ConfigurationError, quote, quotedLines, shortened } from '../json/index.js';
import { type Session, warnProgram } from '../mcp/index.js';
import { hasReference, type Provider, tooManyTools } from '../projections/index.js';
import { type ListedServer, type ToolSearch, toolSet, type ToolSet } from '../toolset/index.js';
import { type OfModel, schemaFor } from './model-schema.js';
import type { ToolsOptions } from './options.js';
import { type OpenedTool, refuseFailures, reportOf, type ToolsReport } from './report.js';
import type { ProgramCall, ProgramServer } from './servers.js';

/** The members beside the opened tools. */
export interface OpenTools extends AsyncDisposable {
  /** Each server's status, skipped tools and notes. */
  readonly report: ToolsReport;
  /**
   * For the system message: the servers' instructions, up to 10,000 characters of each, and which servers could not be
   * reached. May be empty.
   */
  readonly instructions: string;
  /** The open session of a server, for its resources and prompts. One that failed or ended is tried again. */
  session: (server?: string) => Promise<Session>;
  /**
   * Lists the tools of all servers again, including servers that failed before, and updates the tools in place. This
   * happens by itself when a server announces changes.
   *
   * A server that cannot be listed keeps its tools, and `report` has its error.
   *
   * @throws the error of the first server if none can be listed
   */
  refresh: () => Promise<void>;
  /** Ends the connections that were opened for these tools. */
  close: () => Promise<void>;
}

export type ProgramToolSet<Options> = ToolSet<Session, ProgramCall, ProgramServer<Options>>;

/** The host's way of making its tools. */
export interface ToolMaker<Tool, Options> {
  toolOf(opened: OpenedTool<Options>, set: ProgramToolSet<Options>): Tool;
  /** The tools for the model in place of these. */
  searchedBy(search: ToolSearch, tools: readonly Tool[], set: ProgramToolSet<Options>): readonly Tool[];
  /** Called with all tools at first, and whenever they changed. */
  onTools(tools: readonly Tool[]): void;
  /** The advice if tools are adapted for a model that nobody named. */
  readonly remedy: string;
}

type OfList = Pick<ToolsOptions, 'toolSearch' | 'always' | 'signal' | 'onServerError' | 'provider'>;

/** Names that a tool cannot have beside these members. */
export const reservedNames = ['report', 'instructions', 'session', 'refresh', 'close', '__proto__'];

/**
 * Connects to the servers, lists their tools, and updates them as the servers announce changes.
 *
 * @param open makes the servers, given a function to call when one announces other tools
 * @returns properties to define on the object that holds the tools
 * @throws the error of a lone server, or the error of `onServerError` for the failed ones
 */
export async function openTools<Tool, Options extends OfModel>(
  open: (onChanged: () => void) => readonly ProgramServer<Options>[],
  options: OfList & { taken?: readonly string[] },
  maker: ToolMaker<Tool, Options>,
): Promise<PropertyDescriptorMap> {
  const { toolSearch, always, signal, taken, provider } = options;
  const changes = renewal();
  const servers = open(changes.announced);
  const set: ProgramToolSet<Options> = toolSet(servers, { toolSearch, always, ...(taken && { taken }) });
  try {
    const { problem, servers: listed } = await set.list({ signal });
    const misspelt = listed.find(({ admission }) => admission?.wrongOption === 'exclude');
    if (misspelt) throw misspelt.admission?.problem as Error; // there is one
    refuseFailures(listed, options);
    if (problem) throw problem;
    if (provider) warnOfMany(set.view().sent.length, provider);
    return besideTools(set, maker, changes);
  } catch (error) {
    await closeAll(servers);
    throw error;
  }
}

function besideTools<Tool, Options extends OfModel>(
  set: ProgramToolSet<Options>,
  maker: ToolMaker<Tool, Options>,
  changes: ReturnType<typeof renewal>,
): PropertyDescriptorMap {
  const { servers } = set;
  const expose = () => {
    const { report, opened } = reportedTools(set, maker.remedy);
    const tools = opened.map((each) => maker.toolOf(each, set));
    const { search } = set.view();
    maker.onTools(search ? maker.searchedBy(search, tools, set) : tools);
    return report;
  };
  let report = expose();
  const renew = async (isFresh = false) => {
    const view = await set.list({ isFresh });
    report = expose();
    const [first] = view.servers;
    if (first && view.servers.every(({ error }) => error !== undefined)) throw first.error as Error; // what a list throws
    if (view.problem) throw view.problem;
  };
  const session = async (name?: string) => {
    const server = name === undefined ? servers[0] : servers.find((candidate) => candidate.name === name);
    const names = servers.map((each) => quote(each.name)).join(', ');
    if (!server) throw new ConfigurationError(`There is no server ${quote(name ?? '')}; there is ${names}.`);
    const opened = await server.connection.session();
    // A lost server has tools again; if it cannot be listed, it keeps its earlier state.
    const isLost = report.some((each) => each.server === server.name && each.status === 'failed');
    if (isLost) await renew().catch(() => {});
    return opened;
  };
  const close = () => {
    changes.stop();
    return closeAll(servers);
  };
  changes.start(renew);
  return {
    report: { get: () => report },
    instructions: { get: () => instructionsOf(set.view().servers) },
    session: { value: session },
    refresh: { value: () => renew(true) },
    close: { value: close },
    [Symbol.asyncDispose]: { value: close },
  };
}

function reportedTools<Options extends OfModel>(set: ProgramToolSet<Options>, remedy: string) {
  // A model that searches tools reads their schemas as text, which no provider rejects: so it gets the originals.
  const view = set.view();
  let isRead = false;
  const ofServers = view.servers.map((listed) => ({
    listed,
    tools: listed.tools.map((tool): OpenedTool<Options> => {
      const forModel = schemaFor(tool.schema, listed.server.options, () => {
        if (!isRead) warnOfUnnamed(opened, remedy);
        isRead = true;
      });
      return { ...tool, server: listed.server, forModel };
    }),
  }));
  const opened = ofServers.flatMap(({ tools }) => tools);
  const report: ToolsReport = ofServers.map(({ listed, tools }) => reportOf(listed, tools, view, remedy));
  return { opened, report };
}

/**
 * Tries lost servers again, without waiting for them: then the tools, and their report, have those of these servers.
 *
 * @param tools any list of tools; one that has no servers of its own is left alone
 */
export function retryLost(tools: object): () => void {
  const own: Partial<Pick<OpenTools, 'report' | 'refresh'>> = tools;
  let trying: Promise<void> | undefined;
  return () => {
    if (trying || !own.report?.some(({ status }) => status === 'failed')) return;
    trying = own
      .refresh?.()
      .catch(() => {}) // it is lost still
      .finally(() => (trying = undefined));
  };
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
      // If listing fails, the earlier list stays; the caller of `refresh` gets the reason.
      if (!isStopped) await renew().catch(() => {});
    });
  };
  return { announced, start, stop: () => (isStopped = true) };
}

function warnOfUnnamed(tools: readonly OpenedTool<unknown>[], remedy: string): void {
  const adapted = tools.filter(({ forModel }) => forModel.isAdaptedUnnamed);
  const referring = tools.filter(({ tool }) => hasReference(tool.inputSchema));
  if (adapted.length + referring.length === 0) return;
  const what = [
    ...(adapted.length > 0
      ? [`these tools are sent in a form that OpenAI and Anthropic accept: ${some(adapted)}`]
      : []),
    ...(referring.length > 0 ? [`these keep references, which Gemini rejects: ${some(referring)}`] : []),
  ];
  warnOnce('unnamed', `No model is named, so ${what.join('; ')}. ${remedy}`, 'MCP_VERBATIM_ADAPTED');
}

function some(tools: readonly OpenedTool<unknown>[]): string {
  const names = tools.slice(0, 5).map(({ name }) => quote(name));
  return names.join(', ') + (tools.length > 5 ? ` and ${tools.length - 5} more` : '');
}

/** Once for each provider. */
export function warnOfMany(count: number, provider: Provider): void {
  const message = tooManyTools(count, provider);
  if (message !== undefined) warnOnce(provider, message, 'MCP_VERBATIM_TOO_MANY_TOOLS');
}

const warned = new Set<string>();

/** Once in a process: it is about how the program is written. */
function warnOnce(about: string, message: string, code: string): void {
  if (!warned.has(about)) warnProgram(message, code);
  warned.add(about);
}

async function closeAll(servers: readonly ProgramServer<unknown>[]): Promise<void> {
  await Promise.all(servers.map(({ connection }) => connection.close()));
}

const longestInstructions = 10_000;

/** For a model, which would otherwise assume that missing tools never existed. */
function instructionsOf(servers: readonly ListedServer<ProgramServer<unknown>>[]): string {
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
