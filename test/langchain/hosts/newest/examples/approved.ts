import { readFile } from 'node:fs/promises';
import { createAgent } from 'langchain';
import { readApprovedFile } from 'mcp-verbatim';
import { mcpTools } from 'mcp-verbatim/langchain';

const approved = readApprovedFile(await readFile('mcp-verbatim.lock.json', 'utf8'));
await using tools = await mcpTools({ url: 'https://example.com/mcp' }, { approved });
for (const { message } of tools.report.flatMap(({ differences }) => differences)) console.warn(message);
const agent = createAgent({ model: 'openai:gpt-4.1', tools });
const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'Delete record 7.' }] });
console.log(messages.at(-1)?.text);
