import { isOwnInstance, ownClass } from '../json/index.js';
import { parseCallbackConfigArg, type CallbackManagerForToolRun } from '@langchain/core/callbacks/manager';
import type { MessageContent } from '@langchain/core/messages';
import { ToolMessage, type ToolCall } from '@langchain/core/messages/tool';
import type { StructuredToolCallInput, ToolReturnType, ToolRunnableConfig } from '@langchain/core/tools';
import { StructuredTool } from '@langchain/core/tools';
import type { CatalogueTool, Progress, ProgressOf, Provider } from '../internal.js';
import { type Api, CancelledError, InvalidArgumentsError, type ModelSchema, TimeoutError } from '../internal.js';
import { isObject } from '../json/index.js';
import { failed, InvalidToolInputException, McpToolError, type Outcome } from './call/outcome.js';
import { performCall, type Target } from './call/perform.js';
import type { McpToolsOptions } from './options.js';

type Schema = Record<string, unknown>;
type Input = Record<string, unknown>;

interface McpToolFields extends Target {
  name: string;
  description: string;
  schema: ModelSchema;
  options: McpToolsOptions;
  extras?: Record<string, unknown> | undefined;
}

/** With this invocation's own time, under a name that LangChain does not turn into a signal. */
type TimedConfig = ToolRunnableConfig & { mcpTimeoutMs?: number };

/**
 * A tool of an MCP server as a LangChain tool. Its `schema` is the very object that the server sent, unless the model's
 * provider is known to reject it; arguments are repaired and checked against the server's by this library when the tool
 * is called, never by LangChain's own validator.
 */
export class McpTool extends StructuredTool<Schema, Input, Input, MessageContent> {
  /** @internal */
  static readonly [ownClass] = 'McpTool';

  /** Also of the tools that another copy of this package has made. @internal */
  static override readonly [Symbol.hasInstance] = isOwnInstance;

  static override lc_name(): string {
    return 'McpTool';
  }

  readonly name: string;
  readonly description: string;
  declare readonly schema: Schema;
  /** The server's name in the configuration. */
  readonly server: string;
  /** The tool as its server wrote it. */
  readonly tool: CatalogueTool;
  readonly #target: Target;
  readonly #options: McpToolsOptions;
  readonly #forModel: ModelSchema;

  /** @internal */
  constructor({ name, description, schema, options, extras, server, tool, call }: McpToolFields) {
    super({
      metadata: { server, tool: tool.name, ...(tool.annotations && { annotations: tool.annotations }) },
      ...(extras && { extras }),
    });
    this.name = name;
    this.description = description;
    this.server = server;
    this.tool = tool;
    this.#forModel = schema;
    // An own property, as LangChain's tools have it: a copy of the tool has it, too.
    Object.defineProperty(this, 'schema', { get: () => schema.schema, enumerable: true, configurable: true });
    this.#target = { server, tool, call };
    this.#options = options;
  }

  /** The tool as a model of this provider is sent it, unless the options name one. @internal */
  sentTo(provider: Provider | undefined, api?: Api): Pick<McpTool, 'name' | 'description' | 'schema' | 'extras'> {
    const { name, description, extras } = this;
    const schema = this.#forModel.sentTo(provider, api);
    return { name, description, schema, ...(extras && { extras }) };
  }

  /**
   * LangChain turns `timeout` into a signal, which can only shorten a call and tells the server "cancelled". Here it is
   * the time limit of the call itself, so it is removed before LangChain sees it.
   */
  override async invoke<
    TArg extends StructuredToolCallInput<Schema, Input>,
    TConfig extends ToolRunnableConfig | undefined,
  >(input: TArg, config?: TConfig): Promise<ToolReturnType<TArg, TConfig, MessageContent>> {
    if (config?.timeout === undefined || !(config.timeout > 0)) return super.invoke(input, config);
    const { timeout, ...rest } = config;
    return super.invoke(input, { ...rest, mcpTimeoutMs: timeout } as unknown as TConfig); // only the key of the time limit differs
  }

  /**
   * StructuredTool validates with its own validator (as draft 2019-09, without repair) before it calls the tool, and
   * has no switch for it. Whatever else it does is wanted (callbacks, tracing, the tool message), so it runs on a
   * receiver with a schema that accepts whatever comes.
   */
  override async call<
    TArg extends StructuredToolCallInput<Schema, Input>,
    TConfig extends ToolRunnableConfig | undefined,
  >(input: TArg, config?: TConfig, tags?: string[]): Promise<ToolReturnType<TArg, TConfig, MessageContent>> {
    const _call = this._call.bind(this);
    const receiver = Object.create(this, { schema: { value: {} }, _call: { value: _call } }) as this; // of its prototype
    const run: ToolRunnableConfig = { runName: this.name, ...parseCallbackConfigArg(config) };
    if (isToolCall(input)) run.toolCall = input;
    // Deprecated for callers, but LangChain's own `invoke` calls it.
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    const output: unknown = await super.call.call<
      typeof receiver,
      [TArg, ToolRunnableConfig, string[] | undefined],
      Promise<unknown>
    >(receiver, input, run, tags);
    return output as ToolReturnType<TArg, TConfig, MessageContent>; // what _call returned, as the super class types it
  }

  protected async _call(
    input: unknown,
    run?: CallbackManagerForToolRun,
    config: TimedConfig = {},
  ): Promise<MessageContent> {
    const callId = config.toolCall?.id;
    const { content, artifact, status, output } = await this.#attempt(input, run, config);
    if (output !== undefined) return output as MessageContent; // a hook's word; StructuredTool takes any
    // Without a message that could carry a status, an answer that reports failure must not look like success.
    const { onToolError = callId === undefined ? 'throw' : 'message' } = this.#options;
    if (status === 'error' && artifact.result && onToolError === 'throw')
      throw new McpToolError(this.tool.name, content, artifact);
    if (callId === undefined) return content;
    const { name, metadata = {} } = this;
    const message = new ToolMessage({ content, artifact, status, tool_call_id: callId, name, metadata });
    return message as unknown as MessageContent; // StructuredTool hands a tool message on as it is
  }

  async #attempt(input: unknown, run: CallbackManagerForToolRun | undefined, config: TimedConfig): Promise<Outcome> {
    const { mcpTimeoutMs: timeout, ...own } = config;
    try {
      const onProgress = this.#progress(run, config.toolCall?.id);
      return await performCall(this.#target, this.#forModel.argumentsFrom(input), this.#options, {
        config: own,
        timeout,
        onProgress,
      });
    } catch (error) {
      // A caller that set a time limit for this run expects the error.
      if (error instanceof TimeoutError && timeout !== undefined) throw error;
      const reason: unknown = config.signal?.reason;
      // The run's own `timeout`, or AbortSignal.timeout.
      const isTimeout = reason instanceof Error && reason.name === 'TimeoutError';
      if (error instanceof CancelledError && isTimeout) throw timeIsOver(error, config);
      return this.#failed(error, input, config.toolCall?.id === undefined);
    }
  }

  #progress(run: CallbackManagerForToolRun | undefined, toolCallId: string | undefined) {
    const { onProgress } = this.#options;
    const { server, tool } = this.#target;
    const call: ProgressOf = { server, tool: tool.name, ...(toolCallId !== undefined && { toolCallId }) };
    // Older releases of LangChain have no tool events.
    const events = run as Partial<Pick<CallbackManagerForToolRun, 'handleToolEvent'>> | undefined;
    return (progress: Progress) => {
      onProgress?.(progress, call);
      // A handler that throws is the run's error, not the call's.
      events
        ?.handleToolEvent?.({ type: 'progress', ...progress })
        .catch((error: unknown) => run?.handleToolError(error));
    };
  }

  /** @param isPlain whether there is no tool message whose status would be seen */
  #failed(error: unknown, input: unknown, isPlain: boolean): Outcome {
    const { onInvalidArguments, onFailure } = this.#options;
    const invalid = error instanceof InvalidArgumentsError;
    const wanted = (invalid ? onInvalidArguments : onFailure) ?? (isPlain ? 'throw' : 'message');
    const outcome = failed(error);
    if (outcome && wanted === 'message') return outcome;
    throw invalid ? new InvalidToolInputException(error, input) : error;
  }
}

function isToolCall(input: unknown): input is ToolCall {
  return isObject(input) && input['type'] === 'tool_call';
}

function timeIsOver(cause: CancelledError, { metadata }: TimedConfig): TimeoutError {
  const ms: unknown = metadata?.['timeoutMs']; // as LangChain calls it
  const error = new TimeoutError(`The time of the run was over. ${cause.message}`, typeof ms === 'number' ? ms : NaN, {
    outcomeUnknown: cause.outcomeUnknown,
  });
  error.cause = cause;
  return error;
}
