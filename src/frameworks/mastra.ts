import type { AgentToolsOptions, ToolsSource } from '../internal.js';
import { aiTool, type McpOutput, type McpTool as AiSdkTool, type ModelOutput } from './ai-sdk.js';
import { toolRecord, type ToolRecord } from './tool-record.js';

export type { McpOutput, ModelOutput, ToolRecord };

/** The tools by their names, as an `Agent` takes them, and their connections. */
export type McpTools = ToolRecord<McpTool>;

/** A tool of an MCP server as Mastra takes tools of the AI SDK. */
export interface McpTool extends Omit<AiSdkTool, 'type' | 'strict' | 'toModelOutput'> {
  readonly id: string;
  /** Mastra 0.24 recognises the AI SDK's tools by it. */
  readonly parameters: AiSdkTool['inputSchema'];
  /** Mastra 0.24 asks by it, about each call. */
  readonly requireApproval?: true;
  /** Mastra has layers that rewrite schemas for some providers; these are for the others. */
  readonly strict: false;
  readonly toModelOutput: (output: McpOutput) => ModelOutput;
}

/**
 * The tools of one or several MCP servers for Mastra, each with the schema that its server wrote.
 *
 * ```ts
 * await using tools = await mcpTools({ url: 'https://example.com/mcp' });
 * const agent = new Agent({ id: 'finder', name: 'finder', instructions: 'Find them.', model, tools });
 * ```
 *
 * @param source a server (`{ url }` or `{ command }`), an open session, a client of the MCP SDK, or
 *   `{ mcpServers: { name: server } }`
 * @param options the tools to expose, and options of calls; times are milliseconds. A function in `fixed` gets the
 *   context that Mastra passes to `execute`
 * @throws McpError when a lone server fails; McpServersError when all of several fail
 * @throws ConfigurationError if the source or an option is wrong or does not exist
 */
export async function mcpTools(source: ToolsSource, options: AgentToolsOptions = {}): Promise<McpTools> {
  return toolRecord(source, options, (tool) => {
    const { toModelOutput, ...own } = aiTool(tool, options);
    const { inputSchema: parameters } = own;
    return {
      ...{ ...own, id: tool.name, parameters },
      ...(tool.needsApproval && { requireApproval: true as const }),
      strict: false,
      toModelOutput: (output) => toModelOutput({ output }),
    };
  });
}
