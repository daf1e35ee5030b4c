// Checked by TypeScript, never run: that the tools fit where LangChain's own types want tools (test/langchain/host.test.ts).
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { interrupt } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, humanInTheLoopMiddleware } from 'langchain';
import { connect } from 'mcp-verbatim';
import { interruptOn, mcpTools } from 'mcp-verbatim/langchain';

/** @param {string} url */
export async function usage(url) {
  const session = await connect({ url });
  await mcpTools(session);
  await mcpTools({ command: 'npx', args: ['-y', 'some-server'], env: { KEY: 'value' } });
  await mcpTools(
    { mcpServers: { one: { url }, two: { command: 'server' }, three: session } },
    { prefix: (server) => server, include: ['search'] },
  );
  const tools = await mcpTools(
    { url },
    {
      before: ({ arguments: args }) => ({ arguments: args }),
      approval: { ask: ({ tool }) => interrupt({ tool: tool.name }) },
    },
  );

  const model = new ChatOpenAI({ model: 'gpt-4o' });
  const agent = createAgent({
    model,
    tools,
    middleware: [humanInTheLoopMiddleware({ interruptOn: interruptOn(tools) })],
  });
  /** @type {unknown[]} */
  const uses = [agent, new ToolNode(tools), model.bindTools(tools), tools.map((tool) => convertToOpenAITool(tool))];

  for (const tool of tools) {
    const message = await tool.invoke({ type: 'tool_call', id: 'call_1', name: tool.name, args: {} });
    const content = await tool.invoke({ query: 'text' });
    uses.push(message.status, content.length);
  }
  return uses;
}
