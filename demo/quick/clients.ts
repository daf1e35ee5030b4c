import { DynamicStructuredTool } from '@langchain/core/tools';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { jsonSchemaToZod } from '@n8n/json-schema-to-zod';
import { z } from 'zod';
import { mcpTools } from '../../src/langchain/index.js';
import { call, searchIssues } from './tool.js';

/** One way from a server to a model and back. */
export interface Outcome {
  name: string;
  /** `parameters` in the request to the model. */
  parameters: unknown;
  /** The text that the model reads after its call; undefined if nothing is called here. */
  answer: string | undefined;
}

export async function throughVerbatim(url: string): Promise<Outcome> {
  // With a provider, nothing warns of another one in the middle of the output.
  const tools = await mcpTools({ url }, { provider: 'openai' });
  const outcome = await callOf('MCP Verbatim', tools[0]!);
  await tools.close();
  return outcome;
}

export async function throughAdapters(url: string): Promise<Outcome> {
  const client = new MultiServerMCPClient({
    mcpServers: { demo: { transport: 'http', url } },
    prefixToolNameWithServerName: false,
  });
  const [tool] = await client.getTools();
  const outcome = await callOf('@langchain/mcp-adapters', tool!);
  await client.close();
  return outcome;
}

/**
 * The schema as n8n's MCP Client Tool sends it: its own converter to Zod (mcpToolToDynamicTool in n8n 2.41), and LangChain's
 * way back, through zod-to-json-schema. The node itself is not run here; `npm run demo` does that.
 */
export function throughN8nConverters(): Outcome {
  const converted = jsonSchemaToZod(searchIssues.inputSchema as never); // its own type of a schema is narrower
  const schema = converted instanceof z.ZodObject ? converted : z.object({ value: converted });
  const { name, description } = searchIssues;
  const tool = new DynamicStructuredTool({ name, description, schema: schema as never, func: async () => '' }); // two Zods
  return { name: "n8n's MCP Client Tool", parameters: parametersOf(tool), answer: undefined };
}

/** The `parameters` that LangChain's packages for models write into a request, and one call as an agent makes it. */
async function callOf(name: string, tool: { invoke: (input: never) => Promise<unknown> }): Promise<Outcome> {
  const request = { type: 'tool_call', id: 'call_1', name: searchIssues.name, args: call };
  const answer = await tool.invoke(request as never).then(textOf, (error: unknown) => String(error));
  return { name, parameters: parametersOf(tool as never), answer };
}

function parametersOf(tool: Parameters<typeof convertToOpenAITool>[0]): unknown {
  return convertToOpenAITool(tool).function.parameters;
}

function textOf(message: unknown): string {
  const { content } = message as { content: unknown }; // LangChain's ToolMessage
  return typeof content === 'string' ? content : JSON.stringify(content);
}
