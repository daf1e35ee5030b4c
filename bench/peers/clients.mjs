// Every peer behind one shape, used as its own documentation says: connect to a server, read what a model would be
// told of its tools, call one of them the way its agent does.
//
//   open(url, { payload }) -> { tools: [{ name, parameters, call(args) -> text }], close() }

export const clients = {
  'mcp-verbatim': async (url) => {
    const { mcpTools } = await import('mcp-verbatim/langchain');
    // As for a model whose provider refuses nothing.
    const tools = await mcpTools({ url }, { providerSafe: false });
    return { tools: await langchainTools(tools), close: () => tools.close() };
  },

  '@langchain/mcp-adapters': async (url) => {
    const { MultiServerMCPClient } = await import('@langchain/mcp-adapters');
    const client = new MultiServerMCPClient({
      mcpServers: { server: { transport: 'http', url } },
      prefixToolNameWithServerName: false,
    });
    return { tools: await langchainTools(await client.getTools()), close: () => client.close() };
  },

  'mcp-use': async (url) => {
    const { MCPClient } = await import('mcp-use/client');
    const { LangChainAdapter } = await import('mcp-use/adapters');
    const client = new MCPClient({ mcpServers: { server: { url } } });
    await client.createAllSessions();
    const connectors = Object.values(client.getAllActiveSessions()).map((session) => session.connector);
    const tools = await new LangChainAdapter().createToolsFromConnectors(connectors);
    return { tools: await langchainTools(tools), close: () => client.closeAllSessions() };
  },

  '@ai-sdk/mcp': async (url) => {
    const { createMCPClient } = await import('@ai-sdk/mcp');
    const { asSchema } = await import('ai');
    const client = await createMCPClient({ transport: { type: 'http', url } });
    const tools = Object.entries(await client.tools()).map(async ([name, tool]) => ({
      name,
      parameters: await asSchema(tool.inputSchema).jsonSchema,
      // generateText validates a tool call with the schema's own validate(), then executes.
      call: async (args) => {
        const checked = await asSchema(tool.inputSchema).validate?.(args);
        if (checked && !checked.success) throw checked.error;
        return text(await tool.execute(checked ? checked.value : args, { toolCallId: 'call_1', messages: [] }));
      },
    }));
    return { tools: await Promise.all(tools), close: () => client.close() };
  },

  '@mastra/mcp': async (url, { payload }) => {
    const { MCPClient } = await import('@mastra/mcp');
    const client = new MCPClient({ id: url, servers: { server: { url: new URL(url) } } });
    const tools = await client.listTools();
    const told = payload ? await mastraPayload(tools) : new Map();
    const entries = Object.entries(tools).map(([name, tool]) => ({
      name: name.replace(/^server_/, ''),
      parameters: told.get(name),
      call: async (args) => {
        const answer = await tool.execute(args, {});
        if (answer?.error === true) throw new Error(answer.message);
        return text(answer);
      },
    }));
    return { tools: entries, close: () => client.disconnect() };
  },

  '@openai/agents': async (url) => {
    const { MCPServerStreamableHttp, RunContext, getAllMcpTools } = await import('@openai/agents');
    const server = new MCPServerStreamableHttp({ url, name: url });
    await server.connect();
    const tools = await getAllMcpTools([server]);
    const entries = tools.map((tool) => ({
      name: tool.name,
      parameters: tool.parameters,
      call: async (args) => text(await tool.invoke(new RunContext(), JSON.stringify(args))),
    }));
    return { tools: entries, close: () => server.close() };
  },
};

async function langchainTools(tools) {
  const { convertToOpenAITool } = await import('@langchain/core/utils/function_calling');
  return tools.map((tool) => ({
    name: tool.name,
    parameters: convertToOpenAITool(tool).function.parameters,
    call: async (args) => {
      const message = await tool.invoke({ type: 'tool_call', id: 'call_1', name: tool.name, args });
      const content = text(message.content);
      if (message.status === 'error') throw new Error(content);
      return content;
    },
  }));
}

/** Mastra decides what a model is told when an agent asks that model, so an agent asks one, which writes it down. */
async function mastraPayload(tools) {
  const { Agent } = await import('@mastra/core/agent');
  const { createServer } = await import('node:http');
  const { json } = await import('node:stream/consumers');
  let asked;
  const endpoint = createServer(async (request, response) => {
    asked ??= await json(request);
    response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"captured"}}');
  });
  await new Promise((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  const model = { id: 'openai/gpt-4o', url: `http://127.0.0.1:${endpoint.address().port}/v1`, apiKey: 'none' };
  const agent = new Agent({ id: 'bench', name: 'bench', instructions: 'none', model, tools, maxRetries: 0 });
  await agent.generate('hello', { maxSteps: 1 }).catch(() => {});
  endpoint.closeAllConnections();
  endpoint.close();
  const told = (asked?.tools ?? []).map((tool) => tool.function ?? tool);
  return new Map(told.map(({ name, parameters }) => [name, parameters]));
}

function text(value) {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
