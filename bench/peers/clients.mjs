// Every peer behind one shape, used as its own documentation says: connect to a server, read the tools as a model
// would, call one of them as its agent does.
//
//   open(url) -> { tools: [{ name, call(args) -> text }], ask(modelUrl), close() }
//
// `ask` makes an agent of the framework ask a model at an OpenAI-compatible endpoint once, with all the tools.
import { createRequire } from 'node:module';

export const clients = {
  'mcp-verbatim': async (url) => {
    const { mcpTools } = await import('mcp-verbatim/langchain');
    return langchainClient(await mcpTools({ url }), (tools) => tools.close());
  },

  '@langchain/mcp-adapters': async (url) => {
    const { MultiServerMCPClient } = await import('@langchain/mcp-adapters');
    const client = new MultiServerMCPClient({
      mcpServers: { server: { transport: 'http', url } },
      prefixToolNameWithServerName: false,
    });
    return langchainClient(await client.getTools(), () => client.close());
  },

  'mcp-use': async (url) => {
    const { MCPClient } = await import('mcp-use/client');
    const { LangChainAdapter } = await import('mcp-use/adapters');
    const client = new MCPClient({ mcpServers: { server: { url } } });
    await client.createAllSessions();
    const connectors = Object.values(client.getAllActiveSessions()).map((session) => session.connector);
    const tools = await new LangChainAdapter().createToolsFromConnectors(connectors);
    return langchainClient(tools, () => client.closeAllSessions());
  },

  '@ai-sdk/mcp': async (url) => {
    const { createMCPClient } = await import('@ai-sdk/mcp');
    const { asSchema, generateText } = await import('ai');
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    const client = await createMCPClient({ transport: { type: 'http', url } });
    const tools = await client.tools();
    const entries = Object.entries(tools).map(([name, tool]) => ({
      name,
      // generateText validates a tool call with the schema's own validate(), then executes.
      call: async (args) => {
        const checked = await asSchema(tool.inputSchema).validate?.(args);
        if (checked && !checked.success) throw checked.error;
        return text(await tool.execute(checked ? checked.value : args, { toolCallId: 'call_1', messages: [] }));
      },
    }));
    const ask = (baseURL) => {
      const model = createOpenAICompatible({ name: 'loopback', baseURL, apiKey: 'none' })('gpt-4o');
      return generateText({ model, tools, prompt: 'Hello.', maxRetries: 0 });
    };
    return { tools: entries, ask, close: () => client.close() };
  },

  '@mastra/mcp': async (url) => {
    const { MCPClient } = await import('@mastra/mcp');
    const client = new MCPClient({ id: url, servers: { server: { url: new URL(url) } } });
    const tools = await client.listTools();
    const entries = Object.entries(tools).map(([name, tool]) => ({
      name: name.replace(/^server_/, ''),
      call: async (args) => {
        const answer = await tool.execute(args, {});
        if (answer?.error === true) throw new Error(answer.message);
        return text(answer);
      },
    }));
    const ask = async (modelUrl) => {
      const { Agent } = await import('@mastra/core/agent');
      const model = { id: 'openai/gpt-4o', url: modelUrl, apiKey: 'none' };
      const agent = new Agent({ id: 'bench', name: 'bench', instructions: 'none', model, tools, maxRetries: 0 });
      return agent.generate('Hello.', { maxSteps: 1 });
    };
    return { tools: entries, ask, close: () => client.disconnect() };
  },

  '@openai/agents': async (url) => {
    const agents = await import('@openai/agents');
    const server = new agents.MCPServerStreamableHttp({ url, name: url });
    await server.connect();
    const tools = await agents.getAllMcpTools([server]);
    const entries = tools.map((tool) => ({
      name: tool.name,
      call: async (args) => text(await tool.invoke(new agents.RunContext(), JSON.stringify(args))),
    }));
    const ask = async (baseURL) => {
      const { default: OpenAI } = await import('openai');
      agents.setTracingDisabled(true);
      const model = new agents.OpenAIChatCompletionsModel(new OpenAI({ baseURL, apiKey: 'none' }), 'gpt-4o');
      const agent = new agents.Agent({ name: 'bench', instructions: 'none', model, mcpServers: [server] });
      return new agents.Runner().run(agent, 'Hello.');
    };
    return { tools: entries, ask, close: () => server.close() };
  },

  '@tanstack/ai': async (url) => {
    const { chat } = await import('@tanstack/ai');
    const { createMCPClient } = await import('@tanstack/ai-mcp');
    const { createOpenaiChatCompletions } = await import('@tanstack/ai-openai');
    const client = await createMCPClient({ transport: { type: 'http', url } });
    const tools = await client.tools();
    const entries = tools.map((tool) => ({
      name: tool.name,
      call: async (args) => text(await tool.execute(args, {})),
    }));
    const ask = (baseURL) => {
      const adapter = createOpenaiChatCompletions('gpt-4o', 'none', { baseURL, maxRetries: 0 });
      return chat({ adapter, messages: [{ role: 'user', content: 'Hello.' }], tools, stream: false });
    };
    return { tools: entries, ask, close: () => client.close() };
  },

  '@google/adk': async (url) => {
    const { Gemini, InMemoryRunner, LlmAgent, MCPToolset, setLogger } = await import('@google/adk');
    setLogger(null);
    const toolset = new MCPToolset({ type: 'StreamableHTTPConnectionParams', url });
    const tools = await toolset.getTools();
    const entries = tools.map((tool) => ({
      name: tool.name,
      call: async (args) => text(await tool.runAsync({ args, toolContext: { actions: {} } })),
    }));
    const ask = async (modelUrl) => {
      process.env.GOOGLE_GEMINI_BASE_URL = modelUrl.replace(/\/v1$/, '');
      const model = new Gemini({ model: 'gemini-2.5-flash', apiKey: 'none' });
      const agent = new LlmAgent({ name: 'bench', model, instruction: 'none', tools });
      const newMessage = { role: 'user', parts: [{ text: 'Hello.' }] };
      for await (const { errorMessage } of new InMemoryRunner({ agent }).runEphemeral({ userId: 'bench', newMessage }))
        if (errorMessage !== undefined) throw new Error(errorMessage);
    };
    return { tools: entries, ask, close: () => toolset.close() };
  },

  '@strands-agents/sdk': async (url) => {
    const { Agent, McpClient } = await import('@strands-agents/sdk');
    const { OpenAIModel } = await import('@strands-agents/sdk/models/openai');
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
    const client = new McpClient({ transport: new StreamableHTTPClientTransport(new URL(url)) });
    const tools = await client.listTools();
    const entries = tools.map((tool) => ({
      name: tool.name,
      call: async (args) => text(await client.callTool(tool, args)),
    }));
    const ask = (baseURL) => {
      const clientConfig = { baseURL, maxRetries: 0 };
      const model = new OpenAIModel({ api: 'chat', modelId: 'gpt-4o', apiKey: 'none', clientConfig });
      return new Agent({ model, tools, printer: false }).invoke('Hello.');
    };
    return { tools: entries, ask, close: () => client.disconnect() };
  },

  '@voltagent/core': async (url) => {
    const { Agent, MCPConfiguration } = await import('@voltagent/core');
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    const configuration = new MCPConfiguration({ servers: { server: { type: 'http', url } } });
    const tools = await configuration.getTools();
    const entries = tools.map((tool) => ({
      name: tool.name.replace(/^server_/, ''),
      // Its agent leaves checking to the AI SDK, which asks the tool's Zod schema.
      call: async (args) => text(await tool.execute(tool.parameters.parse(args))),
    }));
    const ask = (baseURL) => {
      const model = createOpenAICompatible({ name: 'loopback', baseURL, apiKey: 'none' })('gpt-4o');
      return new Agent({ name: 'bench', instructions: '', model, tools, maxRetries: 0 }).generateText('Hello.');
    };
    return { tools: entries, ask, close: () => configuration.disconnect() };
  },
};

/** LangChain's own package for the model stands beside its other packages, in the tests. */
const langchain = createRequire(new URL('../../test/langchain/hosts/newest/package.json', import.meta.url));

function langchainClient(tools, close) {
  const entries = tools.map((tool) => ({
    name: tool.name,
    call: async (args) => {
      const message = await tool.invoke({ type: 'tool_call', id: 'call_1', name: tool.name, args });
      const content = text(message.content);
      if (message.status === 'error') throw new Error(content);
      return content;
    },
  }));
  const ask = (baseURL) => {
    const { ChatOpenAI } = langchain('@langchain/openai');
    const model = new ChatOpenAI({ apiKey: 'none', maxRetries: 0, model: 'gpt-4o', configuration: { baseURL } });
    return model.bindTools([...tools]).invoke('Hello.');
  };
  return { tools: entries, ask, close: () => close(tools) };
}

function text(value) {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
