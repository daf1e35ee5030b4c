import { CancelledError, McpError, unknownOutcome } from '../mcp/index.js';
import type { CallOptions, CatalogueTool, Note, ToolResult } from '../mcp/index.js';
import type { Api, Provider } from '../projections/index.js';
import type { Repair } from '../repair/index.js';
import { InvalidArgumentsError, InvalidResultError, isReadOnly, messageForModel } from '../tool/index.js';
import { type ModelTool, resultParts, type ResultPart, resultText } from '../tool/index.js';
import type { Route } from '../toolset/index.js';
import { type ApprovalRule, approvalRule, needsApproval } from './approval-rule.js';
import { type ModelSchema, schemaFor } from './model-schema.js';
import { followingModel } from './named-model.js';
import { openTools, type OpenTools, type ProgramToolSet } from './open-tools.js';
import { checkToolsOptions, type Opener, ofEntries, ofTools, type ToolsOptions } from './options.js';
import type { OpenedTool } from './report.js';
import { type ProgramServer, serverOf } from './servers.js';
import { readSource, type ToolsSource } from './sources.js';
import { writtenArguments } from './written-arguments.js';

/** Which tools a program exposes to a model, and how they are called. Times are milliseconds. */
export interface AgentToolsOptions extends ToolsOptions {
  /** Which tools a person has to approve, by the server's annotations. Default: none. */
  needsApproval?: ApprovalRule;
}

/** The tools, as an array that has their connections as well. */
export interface AgentTools extends Array<AgentTool>, OpenTools {}

/** A tool of an MCP server, or one that searches them, for the agent of any framework. */
export interface AgentTool {
  /** Unique among the tools, and legal with every provider. */
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string;
  /** For the model: the very object that the server sent, unless the model's provider is known to reject it. */
  readonly inputSchema: Record<string, unknown>;
  /** True if the rule of the options asks a person first. */
  readonly needsApproval: boolean;
  /** The server's name in the configuration. Undefined for a tool that searches the others. */
  readonly server: string | undefined;
  /** The tool as its server wrote it. */
  readonly tool: CatalogueTool;
  /** Repairs and checks the arguments of a call, a value or the model's text, without making it. */
  check: (args: unknown, options?: Pick<AgentCallOptions, 'context'>) => Promise<AgentCheck>;
  /**
   * Makes a call; a failure is reported in the result.
   *
   * @param args a value, or the text that the model wrote
   * @throws an `AbortError` if the signal aborts it
   */
  call: (args: unknown, options?: AgentCallOptions) => Promise<AgentResult>;
  /**
   * Makes a call, for a framework whose tools report a failure by throwing.
   *
   * @returns the text of the result
   * @throws an error with the text for the model if the call was refused or failed, or if its server reports a failure
   */
  callOrThrow: (args: unknown, options?: AgentCallOptions) => Promise<string>;
  /** The schema for a model of this provider, unless the options name one. @internal */
  sentTo: (provider: Provider | undefined, api: Api | undefined) => Record<string, unknown>;
}

/** How a single call is made. */
export interface AgentCallOptions extends Pick<CallOptions, 'signal' | 'meta' | 'headers' | 'onProgress'> {
  /** Passed to functions among the `fixed` arguments. */
  context?: unknown;
}

/** The outcome of checking a call's arguments. */
export type AgentCheck =
  | {
      readonly isError: false;
      readonly arguments: Readonly<Record<string, unknown>>;
      readonly repairs: readonly Repair[];
    }
  | {
      readonly isError: true;
      /** For the model: every violation. */
      readonly text: string;
      readonly error: Error;
    };

/** The outcome of a call. */
export interface AgentResult {
  /** True if the call was refused or failed, or if its server reports a failure. */
  readonly isError: boolean;
  /** The whole result for the model, with a line for each image, sound or file. */
  readonly text: string;
  /** The same with the bytes of images, sounds and files. */
  readonly parts: readonly ResultPart[];
  /** The server's result. */
  readonly result?: ToolResult;
  /** The changes to the model's arguments that made them fit the schema. */
  readonly repairs: readonly Repair[];
  /** Arguments that could not be checked but were let through, a result that is not as promised. */
  readonly warnings: readonly Note[];
  /** Why there is no result, or not the one that was promised. */
  readonly error?: Error;
}

/**
 * The tools of one or several MCP servers for the agent of any framework.
 *
 * ```ts
 * await using tools = await agentTools({ url: 'https://example.com/mcp' });
 * for (const { name, description, inputSchema } of tools) console.log(name, description, inputSchema);
 * const { isError, text } = await tools[0]!.call('{"limit": "10"}'); // the text of a model's call
 * ```
 *
 * @param source a server (`{ url }` or `{ command }`), an open session, a client of the MCP SDK, or
 *   `{ mcpServers: { name: server } }`
 * @param options the tools to expose, and options of calls; times are milliseconds
 * @returns an array of tools; close it when done, or declare it with `await using`
 * @throws McpError when a lone server fails, or `fixed` or `exclude` names a tool that no server has;
 *   McpServersError when all of several fail, or one does and `onServerError` is 'throw'
 * @throws ConfigurationError if the source or an option is wrong or does not exist
 */
export async function agentTools(source: ToolsSource, options: AgentToolsOptions = {}): Promise<AgentTools> {
  const tools: AgentTool[] = [];
  const beside = await openAgentTools('agentTools', source, options, (made) => {
    tools.splice(0, tools.length, ...made);
  });
  return Object.defineProperties(tools, beside) as AgentTools; // defineProperties keeps the array's type
}

/**
 * @param name the function that a user calls
 * @param onTools called with all tools at first, and whenever they changed
 * @param taken names that no tool may have
 */
export async function openAgentTools(
  name: string,
  source: ToolsSource,
  options: AgentToolsOptions,
  onTools: (tools: readonly AgentTool[]) => void,
  taken: readonly string[] = [],
): Promise<PropertyDescriptorMap> {
  const opener: Opener = { name, options: { ...ofTools, needsApproval: approvalRule }, ofEntries };
  checkToolsOptions(opener, options);
  const all = followingModel(options);
  const sources = readSource(source, opener);
  const { elicit } = all;
  const isOneOfSeveral = sources.length > 1;
  let current: readonly AgentTool[] = [];
  const beside = await openTools<AgentTool, AgentToolsOptions>(
    (onChanged) => sources.map((each) => serverOf(each, all, { isOneOfSeveral, elicit, onChanged })),
    { ...all, taken },
    {
      toolOf: agentTool,
      searchedBy(search, tools, set) {
        const byName = new Map(tools.map((tool) => [tool.name, tool]));
        return search.exposed.map((tool) => byName.get(tool.name) ?? searchTool(tool, set, tools));
      },
      onTools(tools) {
        current = tools;
        onTools(tools);
      },
      remedy: 'Give the option "model"; "providerSafe": false sends every original.',
    },
  );
  return { ...beside, [openedTools]: { get: () => current } };
}

/** The tools from which a host made its own, for middleware that adapts them to each model. */
export const openedTools = Symbol.for('mcp-verbatim.opened-tools');

type Server = ProgramServer<AgentToolsOptions>;
type Wanted = Route<Server>;
type WantedTool = Extract<Wanted, { kind: 'tool' }>;
type Failure = Extract<AgentCheck, { isError: true }>;

const asIs = (message: string) => message;

function agentTool(opened: OpenedTool<AgentToolsOptions>, set: ProgramToolSet<AgentToolsOptions>): AgentTool {
  const { server, tool, forModel } = opened;
  const { needsApproval: rule } = server.options;
  const route = (value: unknown, text: string | undefined): Wanted => {
    const args = forModel.argumentsFrom(value);
    const argumentsText = args === value ? text : undefined;
    return { kind: 'tool', server, tool: opened, arguments: args, argumentsText, refusal: asIs };
  };
  return {
    ...toolFrom(opened, forModel, set, route),
    server: server.name,
    needsApproval: rule !== undefined && needsApproval(rule, tool, server.name),
  };
}

/** @param searched the tools that it may call */
function searchTool(
  search: ModelTool,
  set: ProgramToolSet<AgentToolsOptions>,
  searched: readonly AgentTool[],
): AgentTool {
  const forModel = schemaFor(search.schema, {}, () => {});
  const route = (value: unknown, text: string | undefined) => set.route(search.name, value, text);
  return {
    ...toolFrom(search, forModel, set, route),
    server: undefined,
    // Which tool it calls is known when it does, and a person is asked before.
    needsApproval: !isReadOnly(search.tool) && searched.some((tool) => tool.needsApproval),
  };
}

/** @param route parses a call of the tool */
function toolFrom(
  { name, description, tool }: ModelTool,
  forModel: ModelSchema,
  set: ProgramToolSet<AgentToolsOptions>,
  route: (value: unknown, text: string | undefined) => Wanted,
): Omit<AgentTool, 'server' | 'needsApproval'> {
  const title = tool.title ?? tool.annotations?.['title'];
  const wantedBy = (args: unknown): Wanted => {
    const written = writtenArguments(args);
    if (!('problem' in written)) return route(written.value, written.text);
    const message = `They are not a JSON object: ${written.problem}`;
    throw new InvalidArgumentsError(tool, { outcome: 'undetermined', message, instanceLocation: '', value: args });
  };
  /** The result of `work` with the wanted tool, of `answered` with what a search says, or why there is neither. */
  async function attempted<T>(
    args: unknown,
    work: (wanted: WantedTool) => Promise<T>,
    answered: (text: string) => T,
  ): Promise<T | Failure> {
    let refusal = asIs;
    try {
      const wanted = wantedBy(args);
      if (wanted.kind === 'text' && !wanted.isError) return answered(wanted.text);
      if (wanted.kind !== 'tool') throw new McpError(reasonOf(wanted), { code: 'UNKNOWN_TOOL' });
      ({ refusal } = wanted);
      return await work(wanted);
    } catch (error) {
      // The platform's name for it; its cause has the facts about the call.
      if (error instanceof CancelledError)
        throw Object.assign(new Error(error.message, { cause: error }), { name: 'AbortError' });
      // Errors that are not about the call are not for the model.
      const text = messageForModel(error) ?? `The program that makes the call has failed. ${unknownOutcome}`;
      const isRefusal = error instanceof InvalidArgumentsError;
      return { isError: true, text: isRefusal ? refusal(text) : text, error: error as Error };
    }
  }
  const reasonOf = (wanted: Exclude<Wanted, WantedTool>) => {
    if (wanted.kind === 'text') return wanted.text;
    return `The tool "${name}" was not called. ${wanted.reason ?? 'It is no longer available.'}`;
  };
  const call = async (args: unknown, options: AgentCallOptions = {}): Promise<AgentResult> => {
    const made = await attempted(args, (wanted) => callOf(wanted, set, options), said);
    if ('parts' in made) return made;
    const { text, error } = made;
    return {
      ...said(text),
      ...(error instanceof InvalidResultError && { result: error.result }),
      isError: true,
      error,
    };
  };
  return {
    name,
    description,
    tool,
    title: typeof title === 'string' ? title : undefined,
    // Nobody has to be warned of a schema that nobody reads.
    get inputSchema() {
      return forModel.schema;
    },
    sentTo: forModel.sentTo,
    check: (args, { context } = {}) => attempted(args, (wanted) => checkOf(wanted, set, context), nothingToCheck),
    call,
    async callOrThrow(args, options) {
      const { isError, text, error } = await call(args, options);
      if (isError) throw new Error(text, { cause: error });
      return text;
    },
  };
}

async function checkOf(
  { server, tool: { tool }, arguments: args }: WantedTool,
  set: ProgramToolSet<AgentToolsOptions>,
  context: unknown,
): Promise<AgentCheck> {
  const checked = await set.check(server, tool, args, checkedBy(server), { context });
  return { isError: false, ...checked };
}

const nothingToCheck = (): AgentCheck => ({ isError: false, arguments: {}, repairs: [] });

async function callOf(
  { server, tool: { tool }, arguments: args, argumentsText }: WantedTool,
  set: ProgramToolSet<AgentToolsOptions>,
  { context, signal, ...ofCall }: AgentCallOptions,
): Promise<AgentResult> {
  const { options } = server;
  const { outputSchema, maxDurationMs, maxResultLength, timeouts = {} } = options;
  const onProgress: CallOptions['onProgress'] = (progress) => {
    options.onProgress?.(progress, { server: server.name, tool: tool.name });
    ofCall.onProgress?.(progress);
  };
  const idleTimeoutMs = timeouts[tool.name] ?? options.idleTimeoutMs;
  const ofTool = { outputSchema, ...checkedBy(server), idleTimeoutMs, maxDurationMs, argumentsText };
  const settings = Object.assign({}, ofTool, ofCall, { signal, onProgress });
  const { result, repairs, warnings } = await set.call(server, tool, args, settings, { context, signal });
  const text = resultText(result, maxResultLength);
  const parts = resultParts(result, maxResultLength);
  return { isError: result.isError, text, parts, result, repairs, warnings };
}

function checkedBy({ options: { repairs, assertFormats, whenUndetermined } }: Server) {
  return { repairs, assertFormats, whenUndetermined };
}

function said(text: string): AgentResult {
  return { isError: false, text, parts: [{ type: 'text', text }], repairs: [], warnings: [] };
}
