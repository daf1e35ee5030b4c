import { Command, interrupt, MemorySaver } from '@langchain/langgraph';
import { createAgent } from 'langchain';
import { mcpTools } from 'mcp-verbatim/langchain';

await using tools = await mcpTools(
  { url: 'https://example.com/mcp' },
  {
    approval: {
      when: 'destructive', // by the server's annotations; or 'not-read-only', 'all', (tool, server) => boolean
      ask: ({ tool, arguments: args }) => interrupt({ tool: tool.name, args }),
    },
  },
);
const agent = createAgent({ model: 'openai:gpt-4.1', tools, checkpointer: new MemorySaver() });
const thread = { configurable: { thread_id: '1' } };

const paused = await agent.invoke({ messages: [{ role: 'user', content: 'Delete record 7.' }] }, thread);
console.log(JSON.stringify(paused.__interrupt__?.map(({ value }) => value))); // [{"tool":"delete","args":{"id":7}}]

// Later, perhaps in another process with a checkpointer that persists, once a person has said yes:
const { messages } = await agent.invoke(new Command({ resume: true }), thread);
console.log(messages.at(-1)?.text);
