import { tool as functionTool, type FunctionTool } from '@openai/agents';
import { type AgentTool, openAgentTools, type ResultPart } from '../internal.js';
import type { AgentToolsOptions, OpenTools, ToolsSource } from '../internal.js';

/** The tools, as an array that has their connections as well. */
export interface McpTools extends Array<FunctionTool>, OpenTools {}

/**
 * The tools of one or several MCP servers for OpenAI Agents, each with the schema that its server wrote.
 *
 * ```ts
 * await using tools = await mcpTools({ url: 'https://example.com/mcp' });
 * const agent = new Agent({ name: 'finder', instructions: 'Find them.', tools });
 * ```
 *
 * @param source a server (`{ url }` or `{ command }`), an open session, a client of the MCP SDK, or
 *   `{ mcpServers: { name: server } }`
 * @param options the tools to expose, and options of calls; times are milliseconds. A function in `fixed` gets the
 *   run's context
 * @throws McpError when a lone server fails; McpServersError when all of several fail
 * @throws ConfigurationError if the source or an option is wrong or does not exist
 */
export async function mcpTools(source: ToolsSource, options: AgentToolsOptions = {}): Promise<McpTools> {
  const tools: FunctionTool[] = [];
  const beside = await openAgentTools('mcpTools', source, options, (made) => {
    tools.splice(0, tools.length, ...made.map(agentsTool));
  });
  return Object.defineProperties(tools, beside) as McpTools; // defineProperties keeps the array's type
}

function agentsTool({ name, description, inputSchema, needsApproval, call }: AgentTool): FunctionTool {
  return functionTool({
    name,
    description,
    parameters: inputSchema,
    strict: false, // or the schema would be rewritten
    needsApproval,
    errorFunction: null, // what fails is told in the answer; an abort ends the run
    async execute(input, context, details) {
      // The text has digits that JavaScript does not hold.
      const { isError, text, parts } = await call(details?.toolCall?.arguments ?? input, {
        context,
        ...(details?.signal && { signal: details.signal }),
      });
      // The framework knows no failed answer but its words.
      if (isError) return `The tool failed: ${text}`;
      const files = parts.flatMap(outputOf);
      // Chat Completions takes the text alone, which has a line for each.
      return files.length > 0 ? [{ type: 'text', text }, ...files] : text;
    },
  });
}

/** A sound has no form of its own. */
function outputOf(part: ResultPart): object[] {
  if (part.type === 'text' || part.type === 'audio') return [];
  const { type, data, mimeType: mediaType } = part;
  return [
    type === 'image' ? { type, image: { data, mediaType } } : { type, file: { data, mediaType, filename: 'file' } },
  ];
}
