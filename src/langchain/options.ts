import { ConfigurationError } from '../json/index.js';
import type { ToolRunnableConfig } from '@langchain/core/tools';
import type {
  Api,
  ApprovedFile,
  ApprovedTools,
  CallOptions,
  CatalogueTool,
  ConnectOptions,
  Elicit,
  Progress,
  Provider,
  ToolFilter,
  ToolOptions,
  ToolSearchMode,
  WhenChanged,
} from '../internal.js';
import { checkRepairs, isApprovedTools, providers } from '../internal.js';
import {
  aFunction,
  anObject,
  checkOption,
  checkOptions,
  didYouMean,
  either,
  flag,
  isObject,
  milliseconds,
  oneOf,
  quote,
  signal,
  text,
  texts,
  type Option,
} from '../json/index.js';
import { isByInterrupt, type ByInterrupt } from './call/by-interrupt.js';
import type { Media } from './call/content.js';
import type { ToolHooks } from './call/hooks.js';
import { outputHandling, type OutputHandling } from './call/output-handling.js';
import { apiOf, providerOf, seesMedia } from './provider-of-model.js';

/** A message goes to the model, which can try again; an error is thrown to whoever runs the tool. */
export type OnError = 'message' | 'throw';

/** Which call a report of progress belongs to. */
export interface ProgressOf {
  /** The server's name in the configuration. */
  readonly server: string;
  /** The tool's name at its server. */
  readonly tool: string;
  /** The id of the model's tool call, where it was one. */
  readonly toolCallId?: string;
}

/** Arguments that are not the model's, by the tools' own names. */
export type Fixed = Readonly<Record<string, Readonly<Record<string, FixedArgument>>>>;

/** A value, or a function that returns it for the run's config. */
export type FixedArgument =
  | string
  | number
  | boolean
  | null
  | readonly unknown[]
  | { readonly [name: string]: unknown }
  | ((config: ToolRunnableConfig) => unknown);

/** Options that a server's entry may have, too; the entry's win over those of `mcpTools`. */
export interface ServerOptions {
  /** Which tools to expose. Default: all. */
  include?: ToolFilter;
  /** Which tools to leave out; wins over `include`. */
  exclude?: ToolFilter;
  /** Milliseconds that a server may be silent in a request, connecting included; progress starts anew. Default: 60000. */
  idleTimeoutMs?: number | undefined;
  /** What becomes of images, sounds and files. Default: 'blocks', and 'text' where the `model` does not see them. */
  media?: Media;
  /** Which kinds of content the model gets; the rest is in the artifact. A server's own setting wins. Default: all. */
  outputHandling?: OutputHandling;
  /** Which malformed arguments are repaired before all are checked. Default: `safe`. */
  repairs?: NonNullable<ToolOptions['repairs']>;
  /** Arguments that are not the model's: it does not see them and cannot set them. */
  fixed?: Fixed;
}

/** Which tools to expose, how to call them, and how to report errors. Times are milliseconds. */
export interface McpToolsOptions
  extends
    ServerOptions,
    ToolHooks,
    Omit<ToolOptions, 'repairs' | 'fixed' | 'budget'>,
    Pick<CallOptions, 'maxDurationMs'>,
    Pick<ConnectOptions, 'signal' | 'clientInfo'> {
  /**
   * Answers a server's question: a function, or LangGraph's `interrupt` and `task`, which pause the run until it is resumed
   * with an answer ({@link InterruptedQuestion}). Without it, servers cannot ask.
   */
  elicit?: Elicit | ByInterrupt;
  /** Called with each report of progress. */
  onProgress?: (progress: Progress, call: ProgressOf) => void;
  /** Called with every notification of a server: log messages, changed lists, whatever it sends. */
  onNotification?: (method: string, params: Readonly<Record<string, unknown>>, server: string) => void;
  /**
   * A prefix of every tool's name: a string, a function of the server's name, or `true` for `<server>__`.
   * Default: `true` with several servers, otherwise none.
   */
  prefix?: boolean | string | ((server: string) => string);
  /**
   * Arguments that are invalid even after repair: 'message' answers the model with every violation, 'throw' throws
   * {@link InvalidToolInputException}. Default: 'message' for a tool call, 'throw' for plain arguments.
   */
  onInvalidArguments?: OnError;
  /**
   * A call without a result (timeout, lost connection, JSON-RPC error): 'message' answers the model, 'throw' throws the
   * `McpError`, for `toolRetryMiddleware`. Default as above. A run that was cancelled, or whose time is over, always throws.
   */
  onFailure?: OnError;
  /** The same for a result with `isError`: 'throw' throws an {@link McpToolError}. */
  onToolError?: OnError;
  /**
   * Servers that cannot be reached or listed: 'report' goes on with the others, however few; 'throw' gives up; a function
   * is called with each error, and may throw. Default: 'report' while a server is left, else 'throw'.
   */
  onServerError?: 'report' | 'throw' | ((error: unknown, server: string) => void);
  /** LangChain's `extras` (such as Anthropic's `cache_control`), for all tools or for each. */
  extras?: Record<string, unknown> | ((tool: CatalogueTool, server: string) => Record<string, unknown> | undefined);
  /**
   * How the model learns of the tools: 'off' exposes every one; 'on' exposes three, to search, to describe and to call the
   * others; 'auto' does so where all would take more than 5,000 tokens. Default: 'off'.
   */
  toolSearch?: ToolSearchMode;
  /** Tools that are always exposed, whatever `toolSearch` says, by the server's own names. */
  always?: readonly string[];
  /**
   * The approved tools: the content of `mcp-verbatim.lock.json` ({@link readApprovedFile}), or for a lone server what
   * `approveTools` returned. New tools, and tools of servers that the file lacks, are skipped.
   */
  approved?: ApprovedFile | ApprovedTools;
  /**
   * For tools that changed since they were approved, and all tools of a server whose address changed: 'warn' exposes
   * them, 'skip' does not, 'fail' counts the server as failed. Default: 'skip'.
   */
  whenChanged?: WhenChanged;
  /** The most characters of a result that the model gets; the artifact holds the whole. Default: no limit. */
  maxResultLength?: number;
  /** The model that gets the tools, which tells the `provider`: a chat model, or a name such as 'openai:gpt-5'. */
  model?: string | object;
  /**
   * The model's provider: schemas that it rejects are adapted, with a note in the report. Default: that of `model`;
   * without `model`, schemas that OpenAI or Anthropic reject are adapted, with a warning.
   */
  provider?: Provider;
  /** Which of its APIs it is asked by, where their rules differ. Default: by `model`. */
  api?: Api;
  /** `false` sends every original schema. Arguments are always checked against the original. Default: true. */
  providerSafe?: boolean;
}

const filter = either(texts, aFunction);
const onError = oneOf('message', 'throw');

const ofServers: Record<keyof ServerOptions, Option> = {
  exclude: filter,
  fixed: {
    words: 'the arguments of tools, by their names',
    accepts: (value) => isObject(value) && Object.values(value).every(isObject),
  },
  include: filter,
  media: oneOf('blocks', 'text'),
  outputHandling,
  repairs: { words: 'anything', accepts: () => true }, // the library's own check follows
  idleTimeoutMs: milliseconds,
};

/** Every option once, so that one that does not exist is found; the compiler keeps the list complete. */
const ofAll: Record<keyof McpToolsOptions, Option> = {
  ...ofServers,
  after: aFunction,
  api: oneOf('completions', 'responses'),
  assertFormats: flag,
  before: aFunction,
  clientInfo: anObject,
  elicit: {
    words: 'a function, or { interrupt, task } of LangGraph',
    accepts: (value) => typeof value === 'function' || isByInterrupt(value),
  },
  toolSearch: oneOf('off', 'on', 'auto'),
  extras: either(anObject, aFunction),
  maxResultLength: {
    words: 'a number of characters above 0',
    accepts: (value) => typeof value === 'number' && value > 0,
  },
  model: {
    words: "a chat model, or a name such as 'openai:gpt-5'",
    accepts: (value) => isObject(value) || (typeof value === 'string' && value.trim() !== ''),
  },
  onFailure: onError,
  onInvalidArguments: onError,
  onNotification: aFunction,
  onProgress: aFunction,
  onServerError: either(oneOf('report', 'throw'), aFunction),
  onToolError: onError,
  outputSchema: oneOf('ignore', 'warn', 'fail'),
  always: texts,
  approved: {
    words: 'what readApprovedFile or approveTools returned',
    accepts: (value) =>
      isApprovedTools(value) ||
      (isObject(value) && isObject(value['servers']) && Object.values(value['servers']).every(isApprovedTools)),
  },
  prefix: either(flag, text, aFunction),
  provider: oneOf(...Object.keys(providers)),
  providerSafe: flag,
  signal,
  maxDurationMs: milliseconds,
  whenChanged: oneOf('warn', 'skip', 'fail'),
  whenUndetermined: oneOf('refuse', 'allow'),
};

/** @throws TypeError naming an option that does not exist, is wrong, or would do nothing without another one */
export function checkToolsOptions(options: McpToolsOptions): void {
  for (const name of isObject(options) ? Object.keys(options) : [])
    if (instead(name) !== undefined)
      throw new ConfigurationError(`mcpTools has no option ${quote(name)}: ${instead(name)}`);
  checkOptions('mcpTools', options, ofAll);
  checkRepairs(options.repairs);
  if (options.whenChanged !== undefined && !options.approved)
    throw new ConfigurationError('"whenChanged" needs "approved", which says what was approved.');
}

/**
 * Checks what stands beside a server's address. Configuration files hold much that is other clients' (`disabled`,
 * `timeout`), so only its own options, those of @langchain/mcp-adapters, and names that are nearly a server's are found.
 */
export function checkEntry(whose: string, entry: Readonly<Record<string, unknown>>): void {
  checkFile(whose, entry, ofServers);
  checkRepairs(entry.repairs);
}

export function checkSource(source: Readonly<Record<string, unknown>>): void {
  checkFile('The source of mcpTools', source, { outputHandling });
}

function checkFile(whose: string, file: Readonly<Record<string, unknown>>, options: Record<string, Option>): void {
  const own: Record<string, Option> = { ...options, defaultToolTimeout: milliseconds };
  for (const [name, value] of Object.entries(file)) {
    const wrong = `${whose} has no option ${quote(name)}`;
    const wanted = Object.hasOwn(own, name) ? own[name] : undefined;
    if (wanted) checkOption(whose, name, value, wanted);
    else if (Object.hasOwn(ofAll, name))
      throw new ConfigurationError(`${wrong}: it holds for all servers, in the options of mcpTools.`);
    else if (instead(name) !== undefined) throw new ConfigurationError(`${wrong}: ${instead(name)}`);
    else if (name !== 'timeout' && didYouMean(name, Object.keys(own)) !== '')
      throw new ConfigurationError(
        `${wrong}.${didYouMean(name, Object.keys(own))} It has ${Object.keys(own).join(', ')}.`,
      );
  }
}

/** What to write instead of an option of @langchain/mcp-adapters; undefined for any other name. */
function instead(name: string): string | undefined {
  if (Object.hasOwn(needless, name)) return `leave it out, ${needless[name]}.`;
  const [here] = Object.entries(renamed).find(([, names]) => names.includes(name)) ?? [];
  return here && `here it is ${quote(here)}, in the options of mcpTools.`;
}

const reopened = 'a session that was lost is opened again at the next call';

const needless: Readonly<Record<string, string>> = {
  throwOnLoadError: 'a tool that cannot be called does not fail the others, and stands in the report',
  useStandardContentBlocks: 'images are image_url blocks, sounds and files are standard blocks',
  restart: reopened,
  reconnect: reopened,
  encoding: 'a process is read as UTF-8',
};

const renamed: Partial<Record<keyof McpToolsOptions, readonly string[]>> = {
  prefix: ['additionalToolNamePrefix', 'prefixToolNameWithServerName'],
  before: ['beforeToolCall'],
  after: ['afterToolCall'],
  onServerError: ['onConnectionError'],
  onNotification: [
    ...['onMessage', 'onCancelled', 'onInitialized', 'onPromptsListChanged', 'onResourcesListChanged'],
    ...['onResourcesUpdated', 'onRootsListChanged', 'onToolsListChanged'],
  ],
};

export function followingModel(options: McpToolsOptions): McpToolsOptions {
  const isSeen = seesMedia(providerIn(options), apiIn(options), options.model);
  return { ...options, media: options.media ?? (isSeen ? 'blocks' : 'text') };
}

export function apiIn({ api, model }: McpToolsOptions): Api | undefined {
  return api ?? apiOf(model);
}

export function providerIn({ provider, model }: McpToolsOptions): Provider | undefined {
  return provider ?? providerOf(model);
}
