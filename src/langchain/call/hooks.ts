import type { ToolRunnableConfig } from '@langchain/core/tools';
import { isObject, quote } from '../../json/index.js';
import type { CatalogueTool, Repair, ToolResult } from '../../index.js';
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

/**
 * Runs before the arguments are checked. What it returns as `arguments` takes the place of the model's and is repaired
 * and checked like those; returning nothing leaves them as they are, and anything else is an error. Throwing ends the
 * call; the error goes to the caller as it is.
 */
export type BeforeCall = (
  request: ToolCallRequest,
) => Promise<{ arguments: unknown } | undefined> | { arguments: unknown } | undefined;

/**
 * Runs when the server has answered. What it returns takes the place of the server's answer: a string or LangChain
 * content blocks replace the content and keep status and artifact, `[content, artifact]` replaces both, a ToolMessage
 * or a LangGraph `Command` replaces everything. Returning nothing leaves the answer as it is.
 */
export type AfterCall = (answer: ToolCallAnswer) => unknown;

/** Functions around every call. */
export interface ToolHooks {
  /** Runs before the arguments are checked, and may replace them. */
  before?: BeforeCall;
  /** Runs when the server has answered, and may replace the answer. */
  after?: AfterCall;
}

/**
 * The arguments to go on with.
 *
 * @throws TypeError where the hook returned anything but `{ arguments }`: a call without its arguments may do the worst
 */
export async function argumentsAfter(before: BeforeCall | undefined, request: ToolCallRequest): Promise<unknown> {
  const returned: unknown = await before?.(request);
  if (returned === undefined) return request.arguments;
  const stray = isObject(returned) ? Object.keys(returned).find((name) => name !== 'arguments') : undefined;
  if (stray === undefined && isObject(returned) && returned['arguments'] !== undefined) return returned['arguments'];
  const what = stray === undefined ? 'no "arguments"' : `an object with ${quote(stray)}`;
  throw new TypeError(`The hook "before" returned ${what}; expected { arguments } or undefined. Nothing was sent.`);
}

/** The outcome with what the hook put in its place. */
export function outcomeAfter(outcome: Outcome, returned: unknown): Outcome {
  if (returned === undefined) return outcome;
  if (typeof returned === 'string') return { ...outcome, content: returned };
  if (!Array.isArray(returned)) return { ...outcome, output: returned };
  // Content blocks are objects, so a list that begins with a content (a text, or a list of blocks) is a pair.
  const [content, artifact] = returned as [Outcome['content'], Outcome['artifact']];
  const isPair = returned.length === 2 && (typeof content === 'string' || Array.isArray(content));
  // What a hook returns is its author's: the types of the options say what it may be.
  return isPair ? { ...outcome, content, artifact } : { ...outcome, content: returned as Outcome['content'] };
}
