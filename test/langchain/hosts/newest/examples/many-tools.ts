import { createAgent } from 'langchain';
import { mcpTools } from 'mcp-verbatim/langchain';

await using tools = await mcpTools({ url: 'https://example.com/mcp' }, { toolSearch: 'auto', always: ['delete'] });
const agent = createAgent({ model: 'openai:gpt-4.1', tools });
const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'Delete record 7.' }] });
console.log(messages.at(-1)?.text);
