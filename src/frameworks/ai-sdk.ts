import { type AgentTool, followingModel, seesMedia } from '../internal.js';
import type { AgentToolsOptions, Repair, ResultPart, StandardToolSchema, ToolsSource } from '../internal.js';
import { toolRecord, type ToolRecord } from './tool-record.js';

export { verbatimTools, type VerbatimTools } from './ai-sdk-middleware.js';
export type { ToolRecord };

/** The tools by their names, as `generateText`, `streamText` and agents take them, and their connections. */
export type McpTools = ToolRecord<McpTool>;

/** A tool of an MCP server as a tool of the AI SDK. */
export interface McpTool {
  readonly type: 'dynamic';
  readonly title?: string;
  readonly description: string;
  /** The schema that the server wrote. Arguments that do not fit it are refused when the tool is executed. */
  readonly inputSchema: StandardToolSchema;
  /** `false` for OpenAI, which would otherwise have every argument given. */
  readonly strict?: false;
  readonly needsApproval?: (input: unknown) => Promise<boolean>;
  readonly execute: (input: unknown, options: { readonly abortSignal?: AbortSignal | undefined }) => Promise<McpOutput>;
  readonly toModelOutput: (about: { readonly output: McpOutput }) => ModelOutput;
}

/** The outcome of a call, as JSON. */
export interface McpOutput {
  /** True if the call was refused or failed, or if its server reports a failure. The model reads it as an error. */
  readonly isError: boolean;
  readonly text: string;
  /** The same with the bytes of images, sounds and files, if there are any. */
  readonly parts?: readonly ResultPart[];
  readonly structuredContent?: unknown;
  /** The changes to the model's arguments that made them fit the schema. */
  readonly repairs: readonly Repair[];
}

/** A result for the model. */
export type ModelOutput = { type: 'text' | 'error-text'; value: string } | { type: 'content'; value: ContentItem[] };

/** As the types of AI SDK 6 and 7 both have it. */
type ContentItem =
  { type: 'text'; text: string } | { type: 'image-data' | 'file-data'; data: string; mediaType: string };

/**
 * The tools of one or several MCP servers for the AI SDK, each with the schema that its server wrote.
 *
 * ```ts
 * await using tools = await mcpTools({ url: 'https://example.com/mcp' });
 * const { text } = await generateText({ model, tools, prompt: 'Find them.' });
 * ```
 *
 * @param source a server (`{ url }` or `{ command }`), an open session, a client of the MCP SDK, or
 *   `{ mcpServers: { name: server } }`
 * @param options the tools to expose, and options of calls; times are milliseconds. A function in `fixed` gets the
 *   options that the SDK passes to `execute`
 * @throws McpError when a lone server fails; McpServersError when all of several fail
 * @throws ConfigurationError if the source or an option is wrong or does not exist
 */
export async function mcpTools(source: ToolsSource, options: AgentToolsOptions = {}): Promise<McpTools> {
  return toolRecord(source, options, (tool) => ({ ...aiTool(tool, options), type: 'dynamic' }));
}

/** The parts of a tool that every framework around the AI SDK uses. */
export function aiTool(tool: AgentTool, options: AgentToolsOptions): Omit<McpTool, 'type'> {
  const { title, description, check, call } = tool;
  const { provider, api } = followingModel(options);
  const isSeen = seesMedia(provider, api);
  // An output executed by version 7 is for version 7; one that was kept before is written for both.
  let isSeven = false;
  return {
    description,
    inputSchema: schemaOf(tool),
    ...(title !== undefined && { title }),
    ...(provider === 'openai' && { strict: false as const }),
    // A call that will be refused needs no approval.
    ...(tool.needsApproval && { needsApproval: async (input) => !(await check(input)).isError }),
    async execute(input, context) {
      isSeven = 'context' in context;
      const { isError, text, parts, result, repairs } = await call(input, {
        context,
        ...(context.abortSignal && { signal: context.abortSignal }),
      });
      const { structuredContent } = result ?? {};
      const hasMedia = isSeen && !isError && parts.some(({ type }) => type !== 'text');
      return {
        ...{ isError, text, repairs },
        ...(hasMedia && { parts }),
        ...(structuredContent !== undefined && { structuredContent }),
      };
    },
    toModelOutput({ output: { isError, text, parts } }) {
      if (isError) return { type: 'error-text', value: text };
      return parts
        ? { type: 'content', value: parts.map((part) => itemOf(part, isSeven)) }
        : { type: 'text', value: text };
    },
  };
}

function itemOf(part: ResultPart, isSeven: boolean): ContentItem {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { data, mimeType: mediaType } = part;
  const item: ContentItem = { type: part.type === 'image' ? 'image-data' : 'file-data', data, mediaType };
  // Version 7 warns about these; its replacement is missing in the types of version 6.
  return isSeven ? ({ type: 'file', data: { type: 'data', data }, mediaType } as unknown as ContentItem) : item;
}

/**
 * A Standard Schema that the AI SDK takes for one of its own, and so passes on unchanged: it modifies the JSON Schema
 * of others. It accepts everything: if a schema rejects arguments, the SDK repeats all of them to the model.
 */
function schemaOf(tool: AgentTool): StandardToolSchema {
  const current = () => tool.inputSchema;
  const own = {
    [Symbol.for('vercel.ai.schema')]: true,
    get jsonSchema() {
      return current();
    },
    validate: (value: unknown) => ({ success: true, value }),
    '~standard': {
      version: 1 as const,
      vendor: 'mcp-verbatim',
      validate: (value: unknown) => ({ value: value as Record<string, unknown> }), // as the call checks it
      jsonSchema: { input: current, output: current },
    },
  };
  return own;
}
