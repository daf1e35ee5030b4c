import { createAgent } from 'langchain';
import { mcpTools } from 'mcp-verbatim/langchain';

await using tools = await mcpTools(
  { url: 'https://example.com/mcp' },
  {
    // What is returned here is repaired and checked like the model's own arguments, which may be anything.
    before: ({ tool, arguments: args }) =>
      tool.name === 'delete' && typeof args === 'object' ? { arguments: { ...args, tenant: 'acme' } } : undefined,
    // A string, content blocks, [content, artifact], a ToolMessage or a LangGraph Command; or nothing.
    after: ({ result }) => (result.isError ? undefined : 'It is done.'),
  },
);
const agent = createAgent({ model: 'openai:gpt-4.1', tools });
const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'Delete record 7.' }] });
console.log(messages.at(-1)?.text);
