import { Command, MemorySaver } from '@langchain/langgraph';
import { createAgent, humanInTheLoopMiddleware } from 'langchain';
import { interruptOn, mcpTools } from 'mcp-verbatim/langchain';

await using tools = await mcpTools({ url: 'https://example.com/mcp' });
const agent = createAgent({
  model: 'openai:gpt-4.1',
  tools,
  middleware: [humanInTheLoopMiddleware({ interruptOn: interruptOn(tools) })],
  checkpointer: new MemorySaver(),
});
const thread = { configurable: { thread_id: '1' } };

const paused = await agent.invoke({ messages: [{ role: 'user', content: 'Delete record 7.' }] }, thread);
console.log(paused.__interrupt__?.length); // 1

const decisions = [{ type: 'approve' }]; // or 'edit', or 'reject' with a message
const { messages } = await agent.invoke(new Command({ resume: { decisions } }), thread);
console.log(messages.at(-1)?.text);
