// A LangChain agent with the tools of two MCP servers, which says what was repaired in its calls.
//   npm install mcp-verbatim langchain @langchain/core @langchain/openai
//   OPENAI_API_KEY=… node langchain-agent.mjs "How much is 19 and 23?"
import { createAgent } from 'langchain';
import { mcpTools } from 'mcp-verbatim/langchain';

const tools = await mcpTools(
  {
    mcpServers: {
      everything: {
        command: 'npx',
        args: ['-y', '@modelcontextprotocol/server-everything'],
        include: ['get-sum', 'echo'],
      },
      memory: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] },
    },
  },
  { model: 'openai:gpt-4.1', maxResultLength: 20_000 },
);
try {
  for (const { server, error, skipped } of tools.report) {
    if (error) console.warn(`${server} is not connected: ${error.message}`);
    for (const tool of skipped) console.warn(`${server} has a tool that cannot be called: ${tool.reason.message}`);
  }

  const agent = createAgent({ model: 'openai:gpt-4.1', tools, systemPrompt: tools.instructions });
  const question = process.argv[2] ?? 'How much is 19 and 23? Use a tool.';
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: question }] });
  for (const { artifact } of messages)
    for (const { instanceLocation, from, to } of artifact?.repairs ?? [])
      console.log(`repaired ${instanceLocation}: ${JSON.stringify(from)} -> ${JSON.stringify(to)}`);
  console.log(messages.at(-1)?.text);
} finally {
  await tools.close();
}
