import { createAgent } from 'langchain';
import { mcpTools } from 'mcp-verbatim/langchain';

/** Connects, answers and closes within one request: nothing is left open when the platform freezes the process. */
export default async function handler(request: Request): Promise<Response> {
  const question = await request.text();
  await using tools = await mcpTools({ url: 'https://example.com/mcp' }, { idleTimeoutMs: 10_000 });
  const agent = createAgent({ model: 'openai:gpt-4.1', tools });
  const { messages } = await agent.invoke(
    { messages: [{ role: 'user', content: question }] },
    { signal: request.signal },
  );
  return new Response(messages.at(-1)?.text);
}
