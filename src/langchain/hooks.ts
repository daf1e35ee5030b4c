import type { CatalogueTool, Repair, ToolResult } from '../index.js';
import type { ToolRunnableConfig } from '@langchain/core/tools';

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
 * and checked like those. Throwing ends the call; the error goes to the caller as it is.
 */
export type BeforeCall = (
  request: ToolCallRequest,
) => Promise<{ arguments: unknown } | void> | { arguments: unknown } | void;

/**
 * Runs when the server has answered. Returning a value makes it the tool's output in place of the server's answer:
 * a string, LangChain content blocks, a ToolMessage or a LangGraph `Command`.
 */
export type AfterCall = (answer: ToolCallAnswer) => unknown;

/** Functions around every call. */
export interface ToolHooks {
  /** Runs before the arguments are checked, and may replace them. */
  before?: BeforeCall;
  /** Runs when the server has answered, and may replace the answer. */
  after?: AfterCall;
}
