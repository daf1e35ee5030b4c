import type { startHttpServer } from '../../test-support/servers/http.js';

/** A program in which LangChain's agents use a tool whose schema OpenAI rejects. */
export const agent = `
  import { mcpTools } from 'mcp-verbatim/langchain';
  import { ChatOpenAI } from '@langchain/openai';
  async function act(origin) {
    const tools = await mcpTools({ url: origin + '/mcp' });
    const configuration = { baseURL: origin + '/v1', dangerouslyAllowBrowser: true };
    const model = new ChatOpenAI({ model: 'gpt-4o', apiKey: 'none', maxRetries: 0, configuration });
    const { tool_calls: [call] } = await model.bindTools(tools).invoke('Go.');
    const { text } = await tools[0].invoke(call);
    await tools.close();
    return text;
  }`;

/** A model that calls the first tool, beside an MCP server whose tool has an `anyOf` at its root. */
export async function modelAndTools(start: typeof startHttpServer, files: Record<string, string> = {}) {
  const schemas: unknown[] = [];
  const properties = { a: { type: 'string' }, b: { type: 'string' } };
  const inputSchema = { type: 'object', properties, anyOf: [{ required: ['a'] }, { required: ['b'] }] };
  const call = { id: 'c1', type: 'function', function: { name: 'echo', arguments: '{"a":"said"}' } };
  const message = { role: 'assistant', content: null, tool_calls: [call] };
  const choices = [{ index: 0, finish_reason: 'tool_calls', message }];
  const { origin, close } = await start((exchange) => {
    const { path, body, json, result, plain, status } = exchange;
    const file = files[path];
    if (file !== undefined)
      status(200, file, { 'content-type': path.endsWith('.js') ? 'text/javascript' : 'text/html' });
    else if (path.startsWith('/v1/')) {
      const { tools } = body as { tools: { function: { parameters: unknown } }[] };
      schemas.push(...tools.map((tool) => tool.function.parameters));
      json({ id: 'x', object: 'chat.completion', created: 1, model: 'gpt-4o', choices });
    } else if (exchange.message.method === 'tools/list') result({ tools: [{ name: 'echo', inputSchema }] });
    else plain();
  });
  return { origin, schemas, close };
}
