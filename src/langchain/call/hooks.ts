import { ConfigurationError } from '../../json/index.js';
import type { ToolRunnableConfig } from '@langchain/core/tools';
import type { CatalogueTool, Repair, ToolResult } from '../../internal.js';
import { isList, isObject, jsonText, quote } from '../../json/index.js';
import type { Outcome } from './outcome.js';

/** A call before it is sent. */
export interface ToolCallRequest {
  /** The server's name in the configuration. */
  readonly server: string;
  readonly tool: CatalogueTool;
  /** The arguments as the model sent them: not yet repaired, not yet checked. */
  readonly arguments: unknown;
  /** LangChain's config of this run. */
  readonly config: ToolRunnableConfig;
}

/** A call with its result. */
export interface ToolCallAnswer extends Omit<ToolCallRequest, 'arguments'> {
  /** The arguments as the server received them. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly repairs: readonly Repair[];
  readonly result: ToolResult;
}

/** The return value of the hook `before`. */
export interface CallChanges {
  /** Replace the model's arguments; they are repaired and checked in the same way. */
  arguments?: unknown;
  /** HTTP headers of this call only, in addition to those of the server's address. */
  headers?: Readonly<Record<string, string>>;
  /**
   * Milliseconds that the server may be silent in this call; a `timeout` of the run wins. Default: the value of
   * `mcpTools`.
   */
  idleTimeoutMs?: number;
  /** Entries of the call's `_meta`. */
  meta?: Readonly<Record<string, unknown>>;
}

/**
 * Runs before the arguments are checked, and may return changes of the call. An error that it throws ends the call and
 * reaches the caller unchanged.
 */
export type BeforeCall = (request: ToolCallRequest) => Promise<CallChanges | undefined> | CallChanges | undefined;

/**
 * Runs on the server's result. A string, LangChain content blocks or anything else, as JSON, replace the content and
 * keep status and artifact; `[content, artifact]` replaces both; a ToolMessage or a LangGraph `Command` replaces
 * everything. `undefined` keeps the result.
 */
export type AfterCall = (answer: ToolCallAnswer) => unknown;

/** Functions around every call. */
export interface ToolHooks {
  /** May change the call before its arguments are checked. */
  before?: BeforeCall;
  /** May replace the result. */
  after?: AfterCall;
}

/**
 * @throws TypeError if the hook returned anything but {@link CallChanges}: a call without its arguments may do the
 *   worst
 */
export async function callAfter(
  before: BeforeCall | undefined,
  request: ToolCallRequest,
): Promise<CallChanges & { arguments: unknown }> {
  const returned: unknown = await before?.(request);
  if (returned === undefined) return { arguments: request.arguments };
  const changes = isObject(returned) ? Object.entries(returned).filter(([, value]) => value !== undefined) : [];
  const wrong = changes.find(([name, value]) => !changeable.includes(name) || (name === 'arguments' && value === null));
  // These have the types that the hook's own type gives them; the library checks headers, times and metadata.
  if (!wrong && changes.length > 0)
    return { arguments: request.arguments, ...(Object.fromEntries(changes) as CallChanges) };
  const what = wrong ? `${quote(wrong[0])}${wrong[0] === 'arguments' ? ' that are null' : ''}` : 'none of these';
  throw new ConfigurationError(
    `The hook "before" returned ${what}; expected undefined or { arguments, headers, idleTimeoutMs, meta }. Nothing was sent.`,
  );
}

const changeable: readonly string[] = ['arguments', 'headers', 'idleTimeoutMs', 'meta'];

export function outcomeAfter(outcome: Outcome, returned: unknown): Outcome {
  if (returned === undefined || returned === null) return outcome;
  // LangChain passes these on unchanged: a ToolMessage, a LangGraph Command.
  if (isObject(returned) && returned['lc_direct_tool_output'] === true) return { ...outcome, output: returned };
  const [content, artifact] = isList(returned) && returned.length === 2 ? returned : [];
  // Content blocks are objects, so a list that begins with a content (a text, or a list of blocks) is a pair.
  if (typeof content !== 'string' && !isList(content)) return { ...outcome, content: toContent(returned) };
  return { ...outcome, content: toContent(content), artifact: artifact ?? {} }; // its author's own
}

function toContent(value: unknown): Outcome['content'] {
  if (typeof value === 'string') return value;
  const isBlocks = Array.isArray(value) && value.every((block) => isObject(block) && typeof block['type'] === 'string');
  return isBlocks ? (value as Outcome['content']) : jsonText(value); // blocks are what LangChain makes of them
}
