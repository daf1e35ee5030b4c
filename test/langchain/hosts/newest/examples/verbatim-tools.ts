import { createAgent, createMiddleware } from 'langchain';
import { mcpTools, verbatimTools } from 'mcp-verbatim/langchain';

await using tools = await mcpTools({ url: 'https://example.com/mcp' });
const agent = createAgent({
  model: 'openai:gpt-4.1',
  tools: [],
  middleware: [createMiddleware(verbatimTools(tools))],
});
const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'Delete record 7.' }] });
console.log(messages.at(-1)?.text);
