import { Command, interrupt, MemorySaver, task } from '@langchain/langgraph';
import { createAgent } from 'langchain';
import { mcpTools } from 'mcp-verbatim/langchain';

await using tools = await mcpTools({ url: 'https://example.com/mcp' }, { elicit: { interrupt, task } });
const agent = createAgent({ model: 'openai:gpt-4.1', tools, checkpointer: new MemorySaver() });
const thread = { configurable: { thread_id: '1' } };

const paused = await agent.invoke({ messages: [{ role: 'user', content: 'Book a table.' }] }, thread);
console.log(JSON.stringify(paused.__interrupt__?.map(({ value }) => value))); // [{"type":"elicitation","message":"Who are you?",…

// Later: in another process too where the server speaks 2026-07-28, with a checkpointer that persists.
const answer = { action: 'accept', content: { name: 'Ada' } }; // or { action: 'decline' }
const { messages } = await agent.invoke(new Command({ resume: answer }), thread);
console.log(messages.at(-1)?.text);
