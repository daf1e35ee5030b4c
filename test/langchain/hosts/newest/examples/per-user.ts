import { createAgent } from 'langchain';
import { mcpTools } from 'mcp-verbatim/langchain';

interface User {
  tenant: string;
  /** The current access token; renews it when it has to. */
  token: () => Promise<string>;
}

/** Connects as one user: a connection is never shared, so no call is made with somebody else's token. */
export async function answer(question: string, user: User): Promise<string> {
  await using tools = await mcpTools({
    url: 'https://example.com/mcp',
    headers: { 'X-Tenant': user.tenant },
    authProvider: { token: user.token }, // asked before every request
  });
  const agent = createAgent({ model: 'openai:gpt-4.1', tools });
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: question }] });
  return messages.at(-1)?.text ?? '';
}
