import type { ToolRunnableConfig } from '@langchain/core/tools';
import type { Api, CatalogueTool, Elicit, EntryOptions, OfModel, Opener, ToolsOptions } from '../internal.js';
import { ofEntries, ofTools } from '../internal.js';
import { aFunction, anObject, either, oneOf, quote, type Option } from '../json/index.js';
import { isByInterrupt, type ByInterrupt } from './call/by-interrupt.js';
import type { Media } from './call/content.js';
import type { ToolHooks } from './call/hooks.js';
import { outputHandling, type OutputHandling } from './call/output-handling.js';
import { apiOf, providerOf, modelSeesMedia } from './provider-of-model.js';

/** 'message': the model gets a message and can try again. 'throw': the caller of the tool gets an error. */
export type OnError = 'message' | 'throw';

/** Options that a server's entry may have, too; the entry's win over those of `mcpTools`. A function in `fixed` gets the run's config. */
export interface ServerOptions extends EntryOptions<ToolRunnableConfig> {
  /** The handling of images, sounds and files. Default: 'blocks', or 'text' if the `model` does not see them. */
  media?: Media;
  /** Which kinds of content the model gets; the rest is in the artifact. A server's own setting wins. Default: all. */
  outputHandling?: OutputHandling;
}

/** Which tools to expose, how to call them, and how to report errors. Times are milliseconds. */
export interface McpToolsOptions
  extends ServerOptions, ToolHooks, Omit<ToolsOptions<ToolRunnableConfig>, keyof EntryOptions | 'elicit'> {
  /**
   * Answers a server's question: a function, or LangGraph's `interrupt` and `task`, which pause the run until it is resumed
   * with an answer ({@link InterruptedQuestion}). Without it, servers cannot ask.
   */
  elicit?: Elicit | ByInterrupt;
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
  /** LangChain's `extras` (such as Anthropic's `cache_control`), for all tools or for each. */
  extras?: Record<string, unknown> | ((tool: CatalogueTool, server: string) => Record<string, unknown> | undefined);
}

const onError = oneOf('message', 'throw');

const ofServers: Record<keyof ServerOptions, Option> = {
  ...ofEntries,
  media: oneOf('blocks', 'text'),
  outputHandling,
};

const ofAll: Record<keyof McpToolsOptions, Option> = {
  ...ofTools,
  ...ofServers,
  after: aFunction,
  before: aFunction,
  elicit: {
    words: 'a function, or { interrupt, task } of LangGraph',
    accepts: (value) => typeof value === 'function' || isByInterrupt(value),
  },
  extras: either(anObject, aFunction),
  onFailure: onError,
  onInvalidArguments: onError,
  onToolError: onError,
};

export const opener: Opener = {
  name: 'mcpTools',
  options: ofAll,
  ofEntries: ofServers,
  ofSource: { outputHandling },
  instead,
};

/** The advice for an option of @langchain/mcp-adapters; undefined for any other name. */
function instead(name: string): string | undefined {
  if (Object.hasOwn(needless, name)) return `leave it out, ${needless[name]}.`;
  const [here] = Object.entries(renamed).find(([, names]) => names.includes(name)) ?? [];
  return here && `here it is ${quote(here)}, in the options of mcpTools.`;
}

const reopened = 'a session that was lost is opened again at the next call';

const needless: Readonly<Record<string, string>> = {
  throwOnLoadError: 'a tool that cannot be called does not fail the others, and is listed in the report',
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

/** Adds the provider that the model's class reveals, and who asks it. */
export function followingModel(options: McpToolsOptions): McpToolsOptions & OfModel {
  const provider = options.provider ?? providerOf(options.model);
  const api: Api | undefined = options.api ?? apiOf(options.model);
  const isSeen = modelSeesMedia(provider, api, options.model);
  return {
    ...options,
    client: 'langchain',
    ...(provider && { provider }),
    ...(api && { api }),
    media: options.media ?? (isSeen ? 'blocks' : 'text'),
  };
}
