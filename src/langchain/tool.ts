import { parseCallbackConfigArg } from '@langchain/core/callbacks/manager';
import type { CallbackManagerForToolRun } from '@langchain/core/callbacks/manager';
import type { MessageContent } from '@langchain/core/messages';
import { ToolMessage } from '@langchain/core/messages/tool';
import type { ToolCall } from '@langchain/core/messages/tool';
import { StructuredTool } from '@langchain/core/tools';
import type { StructuredToolCallInput, ToolReturnType, ToolRunnableConfig } from '@langchain/core/tools';
import { InvalidArgumentsError } from '../index.js';
import type { CallOptions, CatalogueTool } from '../index.js';
import { performCall } from './call.js';
import type { CallBehaviour, Target } from './call.js';
import { InvalidToolInputException } from './invalid-input.js';
import { failed } from './outcome.js';
import type { McpToolArtifact, Outcome } from './outcome.js';

type Schema = Record<string, unknown>;
type Input = Record<string, unknown>;

/** A message tells the model, which can try again; throwing tells whoever runs the tool. */
export type OnError = 'message' | 'throw';

/** @internal */
export interface McpToolFields extends Target {
  name: string;
  description: string;
  schema: Schema;
  behaviour: CallBehaviour;
  onInvalidArguments?: OnError;
  onFailure?: OnError;
  extras?: Record<string, unknown>;
  copySchemas?: boolean;
}

/** The server said that the call failed (`isError`), and there is no tool message whose status could say so. */
export class McpToolError extends Error {
  readonly code = 'TOOL_ERROR';

  /**
   * @param tool the tool's name at its server
   * @param content what a tool message would have held
   */
  constructor(
    readonly tool: string,
    readonly content: MessageContent,
    readonly artifact: McpToolArtifact,
  ) {
    super(typeof content === 'string' ? content : JSON.stringify(content));
    this.name = 'McpToolError';
  }
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
  private readonly fields: McpToolFields;

  /** @internal */
  constructor(fields: McpToolFields) {
    const { server, tool, extras } = fields;
    super({
      metadata: { server, tool: tool.name, ...(tool.annotations && { annotations: tool.annotations }) },
      ...(extras && { extras }),
    });
    this.name = fields.name;
    this.description = fields.description;
    this.schema = fields.schema;
    if (fields.copySchemas) Object.defineProperty(this, 'schema', { get: () => structuredClone(fields.schema) });
    this.server = server;
    this.tool = tool;
    this.fields = fields;
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
    const receiver = Object.create(this, { schema: { value: {} } }) as this; // differs in `schema` only
    const run: ToolRunnableConfig = { runName: this.name, ...parseCallbackConfigArg(config) };
    if (isToolCall(input)) run.toolCall = input;
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
    config: ToolRunnableConfig = {},
  ): Promise<MessageContent> {
    const callId = config.toolCall?.id;
    const outcome = await this.attempt(input, run, config);
    if (outcome.output !== undefined) return outcome.output as MessageContent; // a hook's word; StructuredTool takes any
    if (callId === undefined) return this.plain(outcome);
    const message = new ToolMessage({
      content: outcome.content,
      artifact: outcome.artifact,
      status: outcome.status,
      tool_call_id: callId,
      name: this.name,
      ...(this.metadata && { metadata: this.metadata }),
    });
    return message as unknown as MessageContent; // StructuredTool hands a tool message on as it is
  }

  private async attempt(
    input: unknown,
    run: CallbackManagerForToolRun | undefined,
    config: ToolRunnableConfig,
  ): Promise<Outcome> {
    try {
      return await performCall(this.fields, input, { ...this.fields.behaviour, ...this.progress(run) }, config);
    } catch (error) {
      return this.told(error, input, config.toolCall?.id === undefined);
    }
  }

  /** Progress is asked for where somebody hears of it: a callback of the options', or LangChain's tool events. */
  private progress(run: CallbackManagerForToolRun | undefined): Pick<CallOptions, 'onProgress'> {
    const { onProgress } = this.fields.behaviour;
    if (!run && !onProgress) return {};
    return {
      onProgress: (progress) => {
        onProgress?.(progress);
        // Older releases of LangChain have no tool events; a handler that throws is the run's error, not the call's.
        void run
          ?.handleToolEvent?.({ type: 'progress', ...progress })
          ?.catch((error: unknown) => run.handleToolError(error));
      },
    };
  }

  /** The error as the model's tool message, or thrown: where the options say so, and by default where nobody would see its status. */
  private told(error: unknown, input: unknown, plain: boolean): Outcome {
    const byDefault: OnError = plain ? 'throw' : 'message';
    const invalid = error instanceof InvalidArgumentsError;
    const wanted = (invalid ? this.fields.onInvalidArguments : this.fields.onFailure) ?? byDefault;
    const outcome = failed(error);
    if (outcome && wanted === 'message') return outcome;
    throw invalid ? new InvalidToolInputException(error, input) : error;
  }

  /** Without a tool call there is no message to carry a status, so an answer that reports failure must not look like success. */
  private plain({ status, content, artifact }: Outcome): MessageContent {
    if (status === 'error' && artifact.result) throw new McpToolError(this.tool.name, content, artifact);
    return content;
  }
}

function isToolCall(input: unknown): input is ToolCall {
  return typeof input === 'object' && input !== null && 'type' in input && input.type === 'tool_call';
}
