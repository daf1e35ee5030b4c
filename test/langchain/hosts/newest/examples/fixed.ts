import { createAgent } from 'langchain';
import { mcpTools } from 'mcp-verbatim/langchain';

await using tools = await mcpTools(
  { url: 'https://example.com/mcp' },
  {
    include: ['delete'],
    fixed: { delete: { tenant: ({ configurable }) => configurable?.['tenant'] } },
    before: ({ config }) => ({ headers: { 'x-tenant': String(config.configurable?.['tenant']) } }),
  },
);
const agent = createAgent({ model: 'openai:gpt-4.1', tools });
const { messages } = await agent.invoke(
  { messages: [{ role: 'user', content: 'Delete record 7.' }] },
  { configurable: { tenant: 'acme' } },
);
console.log(messages.at(-1)?.text);
