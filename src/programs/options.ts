import { type ApprovedFile, type ApprovedTools, isApprovedTools, type WhenChanged } from '../approval/index.js';
import { aFunction, anObject, checkOption, checkOptions, ConfigurationError, didYouMean } from '../json/index.js';
import { either, flag, isObject, milliseconds, namesNear, oneOf, quote, signal, text, texts } from '../json/index.js';
import type { Option } from '../json/index.js';
import type { CallOptions, ConnectOptions, Elicit, Progress } from '../mcp/index.js';
import { type Api, type Provider, providers } from '../projections/index.js';
import { checkRepairs } from '../repair/index.js';
import { leastResultLength, type ToolOptions } from '../tool/index.js';
import type { ToolFilter, ToolSearchMode } from '../toolset/index.js';

/** Which call a report of progress belongs to. */
export interface ProgressOf {
  /** The server's name in the configuration. */
  readonly server: string;
  /** The tool's name at its server. */
  readonly tool: string;
  /** The id of the model's tool call, if there is one. */
  readonly toolCallId?: string;
}

/** Arguments that are not the model's, by the tools' own names. */
export type Fixed<Context = unknown> = Readonly<Record<string, Readonly<Record<string, FixedArgument<Context>>>>>;

/** A value, or a function that returns it for the context of a call. */
export type FixedArgument<Context = unknown> =
  | string
  | number
  | boolean
  | null
  | readonly unknown[]
  | { readonly [name: string]: unknown }
  | ((context: Context) => unknown);

/** Options that a server's entry may have, too; the entry's win over those for all servers. */
export interface EntryOptions<Context = unknown> {
  /** Which tools to expose. Default: all. */
  include?: ToolFilter;
  /** Which tools to leave out; wins over `include`. */
  exclude?: ToolFilter;
  /** Milliseconds that a server may be silent in a request, connecting included; progress starts anew. Default: 60000. */
  idleTimeoutMs?: number | undefined;
  /** The same for calls of single tools, by the tools' own names. */
  timeouts?: Readonly<Record<string, number>>;
  /** Which malformed arguments are repaired before all are checked. Default: `safe`. */
  repairs?: NonNullable<ToolOptions['repairs']>;
  /** Arguments that are not the model's: it does not see them and cannot set them. */
  fixed?: Fixed<Context>;
}

/** Which tools a program exposes to a model, and how they are called. Times are milliseconds. */
export interface ToolsOptions<Context = unknown>
  extends
    EntryOptions<Context>,
    Omit<ToolOptions, 'repairs' | 'fixed' | 'budget'>,
    Pick<CallOptions, 'maxDurationMs'>,
    Pick<ConnectOptions, 'signal' | 'clientInfo'> {
  /** Answers a server's question. Without it, servers cannot ask. */
  elicit?: Elicit;
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
   * Servers that cannot be reached or listed: 'report' goes on with the others, however few; 'throw' gives up; a function
   * is called with each error, and may throw. Default: 'report' while a server is left, else 'throw'.
   */
  onServerError?: 'report' | 'throw' | ((error: unknown, server: string) => void);
  /**
   * How the model finds the tools: 'off' exposes all of them; 'on' exposes three tools, which search, describe and call
   * the others; 'auto' does so if all would take more than 5,000 tokens. Default: 'off'.
   */
  toolSearch?: ToolSearchMode;
  /** Tools that are always exposed, whatever `toolSearch` says, by the server's own names. */
  always?: readonly string[];
  /**
   * The approved tools: the content of `mcp-verbatim.lock.json` ({@link readApprovedFile}), or for a lone server the
   * result of `approveTools`. New tools, and tools of servers that the file lacks, are skipped.
   */
  approved?: ApprovedFile | ApprovedTools;
  /**
   * For tools that changed since they were approved, and all tools of a server whose address changed: 'warn' exposes
   * them, 'skip' does not, 'fail' counts the server as failed. Default: 'skip'.
   */
  whenChanged?: WhenChanged;
  /**
   * The limit for a result's characters that the model gets, from 200 on, including the note on missing parts; the
   * artifact has the whole result. Default: no limit.
   */
  maxResultLength?: number;
  /** The model that gets the tools, which tells the `provider`: as the framework has it, or a name such as 'openai:gpt-5'. */
  model?: string | object;
  /**
   * The model's provider: schemas that it rejects are adapted, with a note in the report. Default: the provider of
   * `model`; without `model`, schemas that OpenAI or Anthropic reject are adapted, with a warning.
   */
  provider?: Provider;
  /** The API of the provider, if their rules differ. Default: by `model`. */
  api?: Api;
  /** `false` sends every original schema. Arguments are always checked against the original. Default: true. */
  providerSafe?: boolean;
}

/** A function that opens tools, as its messages name it, with its options. */
export interface Opener {
  readonly name: string;
  readonly options: Readonly<Record<string, Option>>;
  /** Options that an entry of a server may have, too. */
  readonly ofEntries: Readonly<Record<string, Option>>;
  /** Options beside `mcpServers`. */
  readonly ofSource?: Readonly<Record<string, Option>>;
  /** The advice for a name that is not one of its options. */
  readonly instead?: (name: string) => string | undefined;
}

const filter = either(texts, aFunction);

export const ofEntries: Record<keyof EntryOptions, Option> = {
  exclude: filter,
  fixed: {
    words: 'the arguments of tools, by their names',
    accepts: (value) => isObject(value) && Object.values(value).every(isObject),
  },
  include: filter,
  repairs: { words: 'anything', accepts: () => true }, // the library's own check follows
  idleTimeoutMs: milliseconds,
  timeouts: {
    words: 'milliseconds by the names of tools',
    accepts: (value) => isObject(value) && Object.values(value).every((each) => milliseconds.accepts(each)),
  },
};

/** Every option once, so that one that does not exist is found; the compiler keeps the list complete. */
export const ofTools: Record<keyof ToolsOptions, Option> = {
  ...ofEntries,
  api: oneOf('completions', 'responses'),
  assertFormats: flag,
  clientInfo: anObject,
  elicit: aFunction,
  toolSearch: oneOf('off', 'on', 'auto'),
  maxResultLength: {
    words: `a number of characters, at least ${leastResultLength}`,
    accepts: (value) => typeof value === 'number' && value >= leastResultLength,
  },
  model: {
    words: "a chat model, or a name such as 'openai:gpt-5'",
    accepts: (value) => isObject(value) || (typeof value === 'string' && value.trim() !== ''),
  },
  onNotification: aFunction,
  onProgress: aFunction,
  onServerError: either(oneOf('report', 'throw'), aFunction),
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

/** @throws ConfigurationError naming an option that does not exist, is wrong, or would do nothing without another one */
export function checkToolsOptions(opener: Opener, options: Readonly<object>): void {
  for (const name of isObject(options) ? Object.keys(options) : []) {
    const advice = opener.instead?.(name);
    if (advice !== undefined) throw new ConfigurationError(`${opener.name} has no option ${quote(name)}: ${advice}`);
  }
  checkOptions(opener.name, options, opener.options);
  const { whenChanged, approved, repairs } = options as ToolsOptions; // as just checked
  checkRepairs(repairs);
  if (whenChanged !== undefined && !approved)
    throw new ConfigurationError('"whenChanged" needs "approved", which says what was approved.');
}

/**
 * Checks a server's entry, or the keys beside `mcpServers`. Configuration files also hold keys of other clients
 * (`alwaysAllow`, `description`), so that only its own options, those of @langchain/mcp-adapters, and near misspellings
 * of its own are errors.
 *
 * @param others further keys that it may have
 * @returns the keys that nothing reads
 */
export function checkFile(
  opener: Opener,
  whose: string,
  file: Readonly<Record<string, unknown>>,
  options: Readonly<Record<string, Option>>,
  others: readonly string[],
): string[] {
  const own: Record<string, Option> = { ...options, defaultToolTimeout: milliseconds };
  const names = [...Object.keys(own), ...others];
  for (const [name, value] of Object.entries(file)) {
    const wrong = `${whose} has no option ${quote(name)}`;
    const wanted = Object.hasOwn(own, name) ? own[name] : undefined;
    const advice = opener.instead?.(name);
    if (wanted) checkOption(whose, name, value, wanted);
    else if (Object.hasOwn(opener.options, name))
      throw new ConfigurationError(`${wrong}: it holds for all servers, in the options of ${opener.name}.`);
    else if (advice !== undefined) throw new ConfigurationError(`${wrong}: ${advice}`);
    else if (!names.includes(name) && namesNear(name, names, name.length > shortName ? 2 : 1).length > 0)
      throw new ConfigurationError(`${wrong}.${didYouMean(name, names)} It has ${names.join(', ')}.`);
  }
  checkRepairs(file['repairs']);
  return Object.keys(file).filter((name) => file[name] !== undefined && !names.includes(name));
}

/** Letters of a name that resembles another one too easily: VS Code's `dev` is no `env`. */
const shortName = 4;
