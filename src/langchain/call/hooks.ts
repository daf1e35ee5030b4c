import type { ToolRunnableConfig } from '@langchain/core/tools';
import { isObject, jsonText, quote } from '../../json/index.js';
import type { CatalogueTool, Repair, ToolResult } from '../../internal.js';
import type { Outcome } from './outcome.js';

/** A call on its way to the server. */
export interface ToolCallRequest {
  /** The server's name in the configuration. */
  readonly server: string;
  readonly tool: CatalogueTool;
  /** As the model sent them: not yet repaired, not yet checked. */
  readonly arguments: unknown;
  /** LangChain's own of this run. */
  readonly config: ToolRunnableConfig;
}

/** A call that was answered. */
export interface ToolCallAnswer extends Omit<ToolCallRequest, 'arguments'> {
  /** As the server received them. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly repairs: readonly Repair[];
  readonly result: ToolResult;
}

/** What the hook `before` may change of a call. */
export interface CallChanges {
  /** Take the place of the model's, and are repaired and checked like those. */
  arguments?: unknown;
  /** HTTP headers of this call alone, beside those of the server's address. */
  headers?: Readonly<Record<string, string>>;
  /** Entries of the call's `_meta`. */
  meta?: Readonly<Record<string, unknown>>;
}

/**
 * Runs before the arguments are checked, and may change the call. Returning nothing leaves it as it is, and anything else
 * is an error. Throwing ends the call; the error goes to the caller as it is.
 */
export type BeforeCall = (request: ToolCallRequest) => Promise<CallChanges | undefined> | CallChanges | undefined;

/**
 * Runs when the server has answered. What it returns takes the place of the server's answer: a string or LangChain
 * content blocks (or anything else, as JSON) replace the content and keep status and artifact, `[content, artifact]`
 * replaces both, a ToolMessage or a LangGraph `Command` replaces everything. Returning nothing leaves the answer as it
 * is.
 */
export type AfterCall = (answer: ToolCallAnswer) => unknown;

/** Functions around every call. */
export interface ToolHooks {
  /** Runs before the arguments are checked, and may replace them, or add headers and metadata. */
  before?: BeforeCall;
  /** Runs when the server has answered, and may replace the answer. */
  after?: AfterCall;
}

/**
 * The call to go on with.
 *
 * @throws TypeError where the hook returned anything but these: a call without its arguments may do the worst
 */
export async function callAfter(
  before: BeforeCall | undefined,
  request: ToolCallRequest,
): Promise<CallChanges & { arguments: unknown }> {
  const returned: unknown = await before?.(request);
  if (returned === undefined) return { arguments: request.arguments };
  const changes = isObject(returned) ? Object.entries(returned).filter(([, value]) => value !== undefined) : [];
  const wrong = changes.find(([name, value]) => !changeable.includes(name) || (name === 'arguments' && value === null));
  // Of the types that the hook's own type gives them; the library checks headers and metadata.
  if (!wrong && changes.length > 0)
    return { arguments: request.arguments, ...(Object.fromEntries(changes) as CallChanges) };
  const what = wrong ? `${quote(wrong[0])}${wrong[0] === 'arguments' ? ' that are null' : ''}` : 'none of these';
  throw new TypeError(
    `The hook "before" returned ${what}; expected undefined or { arguments, headers, meta }. Nothing was sent.`,
  );
}

const changeable: readonly string[] = ['arguments', 'headers', 'meta'];

/** The outcome with what the hook put in its place. */
export function outcomeAfter(outcome: Outcome, returned: unknown): Outcome {
  if (returned === undefined || returned === null) return outcome;
  // What LangChain hands on as it is: a ToolMessage, a LangGraph Command.
  if (isObject(returned) && returned['lc_direct_tool_output'] === true) return { ...outcome, output: returned };
  // Content blocks are objects, so a list that begins with a content (a text, or a list of blocks) is a pair.
  if (!Array.isArray(returned) || returned.length !== 2) return { ...outcome, content: toContent(returned) };
  const [content, artifact] = returned as [unknown, Outcome['artifact']]; // the artifact is its author's own
  const isPair = typeof content === 'string' || Array.isArray(content);
  return isPair ? { ...outcome, content: toContent(content), artifact } : { ...outcome, content: toContent(returned) };
}

/** Text and content blocks as they are, and anything else as JSON. */
function toContent(value: unknown): Outcome['content'] {
  if (typeof value === 'string') return value;
  const isBlocks = Array.isArray(value) && value.every((block) => isObject(block) && typeof block['type'] === 'string');
  return isBlocks ? (value as Outcome['content']) : jsonText(value); // blocks are what LangChain makes of them
}
