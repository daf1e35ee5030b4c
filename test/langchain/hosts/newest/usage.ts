// Checked by TypeScript, never run (test/docs/programs.test.ts): the tools fit LangChain's own types.
import type { DynamicStructuredTool } from '@langchain/core/tools';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, createMiddleware, tool } from 'langchain';
import { connect } from 'mcp-verbatim';
import { toolSearch, mcpTools, verbatimTools } from 'mcp-verbatim/langchain';
import { z } from 'zod';

export async function usage(url: string, langchains: DynamicStructuredTool[]): Promise<unknown[]> {
  const session = await connect({ url });
  await mcpTools(session);
  await mcpTools({ command: 'npx', args: ['-y', 'some-server'], env: { KEY: 'value' } });
  await mcpTools({ type: 'stdio', command: 'server', stderr: 'inherit' });
  await mcpTools({ url, transport: 'streamable-http', automaticSSEFallback: false });
  const tools = await mcpTools(
    { mcpServers: { one: { url, idleTimeoutMs: 5000 }, two: { command: 'server', include: ['a'] }, three: session } },
    { prefix: (server) => server, exclude: ['search'] },
  );

  const model = new ChatOpenAI({ model: 'gpt-4.1' });
  const own = tool(({ city }) => city, { name: 'own', description: 'x', schema: z.object({ city: z.string() }) });
  const all = [...tools, own];
  const uses: unknown[] = [
    createAgent({ model, tools }),
    createAgent({ model, tools: [own, ...tools] }),
    createAgent({ model, tools: all }),
    // @ts-expect-error: a spread list before the last tool does not fit LangChain's types, ours or its own (docs/langchain.md).
    createAgent({ model, tools: [...tools, own] }),
    // @ts-expect-error: likewise
    createAgent({ model, tools: [...langchains, own] }),
    createAgent({ model, tools: [], middleware: [createMiddleware(verbatimTools(tools))] }),
    createAgent({ model, tools: [], middleware: [createMiddleware(toolSearch(tools))] }),
    new ToolNode(tools),
    model.bindTools(tools),
    tools.map((tool) => convertToOpenAITool(tool)),
  ];
  for (const tool of tools) {
    const message = await tool.invoke({ type: 'tool_call', id: 'call_1', name: tool.name, args: {} });
    const content = await tool.invoke({ query: 'text' }, { timeout: 5000 });
    uses.push(message.status, content.length);
  }
  return uses;
}
