import { parseCallbackConfigArg } from '@langchain/core/callbacks/manager';
import type { CallbackManagerForToolRun } from '@langchain/core/callbacks/manager';
import type { MessageContent } from '@langchain/core/messages';
import { ToolMessage } from '@langchain/core/messages/tool';
import type { ToolCall } from '@langchain/core/messages/tool';
import { StructuredTool } from '@langchain/core/tools';
import type { StructuredToolCallInput, ToolReturnType, ToolRunnableConfig } from '@langchain/core/tools';
import { acceptedSchema, CancelledError, InvalidArgumentsError, TimeoutError } from '../index.js';
import type { CatalogueTool, Progress, Provider } from '../index.js';
import { isObject } from '../json/index.js';
import { performCall } from './call/perform.js';
import type { Target } from './call/perform.js';
import { providerIn } from './options.js';
import type { McpToolsOptions, OnError, ProgressOf } from './options.js';
import { failed, InvalidToolInputException, McpToolError } from './call/outcome.js';
import type { Outcome } from './call/outcome.js';

type Schema = Record<string, unknown>;
type Input = Record<string, unknown>;

/** @internal */
interface McpToolFields extends Target {
  name: string;
  description: string;
  schema: Schema;
  options: McpToolsOptions;
  extras?: Record<string, unknown> | undefined;
}

/** LangChain's config with this invocation's own time, under a name that LangChain does not turn into a signal. */
interface TimedConfig extends ToolRunnableConfig {
  mcpTimeoutMs?: number;
}

/**
 * A tool of an MCP server as a LangChain tool. Its `schema` is the very object that the server sent; arguments are
 * repaired and checked against it by this library when the tool is called, never by LangChain's own validator.
 */
export class McpTool extends StructuredTool<Schema, Input, Input, MessageContent> {
  static override lc_name(): string {
    return 'McpTool';
  }

  readonly name: string;
  readonly description: string;
  readonly schema: Schema;
  /** The server's name in the configuration. */
  readonly server: string;
  /** The tool as its server wrote it. */
  readonly tool: CatalogueTool;
  readonly #target: Target;
  readonly #options: McpToolsOptions;
  readonly #adaptedFor = new Set<Provider>();

  /** @internal */
  constructor({ name, description, schema, options, extras, ...target }: McpToolFields) {
    const { server, tool } = target;
    super({
      metadata: { server, tool: tool.name, ...(tool.annotations && { annotations: tool.annotations }) },
      ...(extras && { extras }),
    });
    this.name = name;
    this.description = description;
    this.schema = schema;
    if (options.copySchemas) Object.defineProperty(this, 'schema', { get: () => structuredClone(schema) });
    this.server = server;
    this.tool = tool;
    this.#target = target;
    this.#options = options;
  }

  /**
   * What a model of this provider is told of the tool where it would refuse the schema, unless the options say whose
   * model it is, or that every original is told.
   *
   * @internal
   */
  toldTo(provider: Provider): Pick<McpTool, 'name' | 'description' | 'schema' | 'extras'> | undefined {
    if (this.#options.providerSafe === false || providerIn(this.#options)) return undefined;
    const { name, description, schema: own, extras } = this;
    const schema = acceptedSchema(own, provider);
    if (schema === own) return undefined;
    this.#adaptedFor.add(provider);
    return { name, description, schema, ...(extras && { extras }) };
  }

  /**
   * Whose models have been told it so.
   *
   * @internal
   */
  get adaptedFor(): readonly Provider[] {
    return [...this.#adaptedFor];
  }

  /**
   * LangChain makes a signal of `timeout`, which can only shorten what a call may take and says "cancelled" to the
   * server. Here it is the time of the call itself, so it is taken out before LangChain sees it.
   */
  override async invoke<
    TArg extends StructuredToolCallInput<Schema, Input>,
    TConfig extends ToolRunnableConfig | undefined,
  >(input: TArg, config?: TConfig): Promise<ToolReturnType<TArg, TConfig, MessageContent>> {
    if (config?.timeout === undefined || !(config.timeout > 0)) return super.invoke(input, config);
    const { timeout, ...rest } = config;
    return super.invoke(input, { ...rest, mcpTimeoutMs: timeout } as unknown as TConfig); // the same but for where the time stands
  }

  /**
   * StructuredTool validates with its own validator (as draft 2019-09, without repair) before it calls the tool, and
   * has no switch for it. Everything else that it does here is wanted (callbacks, tracing, the tool message), so it
   * runs on a receiver that differs from this tool in one thing: a schema that accepts whatever comes.
   */
  override async call<
    TArg extends StructuredToolCallInput<Schema, Input>,
    TConfig extends ToolRunnableConfig | undefined,
  >(input: TArg, config?: TConfig, tags?: string[]): Promise<ToolReturnType<TArg, TConfig, MessageContent>> {
    const _call = this._call.bind(this);
    const receiver = Object.create(this, { schema: { value: {} }, _call: { value: _call } }) as this; // of its prototype
    const run: ToolRunnableConfig = { runName: this.name, ...parseCallbackConfigArg(config) };
    if (isToolCall(input)) run.toolCall = input;
    // Deprecated for callers; it is what LangChain's own `invoke` calls.
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
    if (callId === undefined) {
      // Without a message that could carry a status, an answer that reports failure must not look like success.
      if (status === 'error' && artifact.result) throw new McpToolError(this.tool.name, content, artifact);
      return content;
    }
    const message = new ToolMessage({
      content,
      artifact,
      status,
      tool_call_id: callId,
      name: this.name,
      ...(this.metadata && { metadata: this.metadata }),
    });
    return message as unknown as MessageContent; // StructuredTool hands a tool message on as it is
  }

  async #attempt(input: unknown, run: CallbackManagerForToolRun | undefined, config: TimedConfig): Promise<Outcome> {
    const { mcpTimeoutMs: timeout, ...own } = config;
    try {
      const onProgress = this.#progress(run, config.toolCall?.id);
      return await performCall(this.#target, input, this.#options, { config: own, timeout, onProgress });
    } catch (error) {
      // Who set a time for this run wants to hear that it is over.
      if (error instanceof TimeoutError && timeout !== undefined) throw error;
      if (error instanceof CancelledError && isTimeout(config.signal)) throw timeIsOver(error, config);
      return this.#failed(error, input, config.toolCall?.id === undefined);
    }
  }

  /** For a callback of the options', LangChain's tool events, and the time limit, which each report begins anew. */
  #progress(run: CallbackManagerForToolRun | undefined, toolCallId: string | undefined) {
    const { onProgress } = this.#options;
    const call: ProgressOf = {
      server: this.server,
      tool: this.tool.name,
      ...(toolCallId !== undefined && { toolCallId }),
    };
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

  /**
   * The error as the model's tool message, or thrown: where the options say so, and by default where nobody would see
   * its status.
   */
  #failed(error: unknown, input: unknown, plain: boolean): Outcome {
    const { onInvalidArguments, onFailure } = this.#options;
    const byDefault: OnError = plain ? 'throw' : 'message';
    const invalid = error instanceof InvalidArgumentsError;
    const wanted = (invalid ? onInvalidArguments : onFailure) ?? byDefault;
    const outcome = failed(error);
    if (outcome && wanted === 'message') return outcome;
    throw invalid ? new InvalidToolInputException(error, input) : error;
  }
}

function isToolCall(input: unknown): input is ToolCall {
  return isObject(input) && input['type'] === 'tool_call';
}

/** Whether a signal was aborted because a time is over: the run's own `timeout`, or AbortSignal.timeout. */
function isTimeout(signal: AbortSignal | undefined): boolean {
  const reason: unknown = signal?.reason;
  return reason instanceof Error && reason.name === 'TimeoutError';
}

function timeIsOver(cause: CancelledError, { metadata }: TimedConfig): TimeoutError {
  const ms: unknown = metadata?.['timeoutMs'];
  const error = new TimeoutError(`The time of the run was over. ${cause.message}`, typeof ms === 'number' ? ms : NaN);
  error.cause = cause;
  return error;
}
