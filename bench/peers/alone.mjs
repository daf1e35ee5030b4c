// The client beneath each framework, which sends its input and checks nothing of the schema:
//
//   alone[name](url) -> { call(tool, args), close() }, connected and with the tools listed once
import { createRequire } from 'node:module';
import { Agent, request as send } from 'node:http';
import { pathToFileURL } from 'node:url';

const root = createRequire(new URL('../../package.json', import.meta.url));
const fromRoot = (name) => import(pathToFileURL(root.resolve(name)).href);

export const alone = {
  'mcp-verbatim': async (url) => {
    const { connect } = await import('mcp-verbatim');
    const session = await connect({ url });
    const tools = await session.listTools();
    return { call: (name, args) => session.callTool(tools.find(name), args), close: () => session.close() };
  },

  '@langchain/mcp-adapters': async (url) => {
    const { MultiServerMCPClient } = await import('@langchain/mcp-adapters');
    const client = new MultiServerMCPClient({ mcpServers: { server: { transport: 'http', url } } });
    const inner = await client.getClient('server');
    await inner.listTools();
    return { call: (name, args) => inner.callTool({ name, arguments: args }), close: () => client.close() };
  },

  '@ai-sdk/mcp': async (url) => {
    const { createMCPClient } = await import('@ai-sdk/mcp');
    const client = await createMCPClient({ transport: { type: 'http', url } });
    await client.listTools();
    return { call: (name, args) => client.callTool({ name, arguments: args }), close: () => client.close() };
  },

  '@openai/agents': async (url) => {
    const { MCPServerStreamableHttp } = await import('@openai/agents');
    const server = new MCPServerStreamableHttp({ url, name: url });
    await server.connect();
    await server.listTools();
    return { call: (name, args) => server.callTool(name, args), close: () => server.close() };
  },

  'mcp-use': async (url) => {
    const { MCPClient } = await import('mcp-use/client');
    const client = new MCPClient({ mcpServers: { server: { url } } });
    await client.createAllSessions();
    const session = Object.values(client.getAllActiveSessions())[0];
    await session.listTools();
    return { call: (name, args) => session.callTool(name, args), close: () => client.closeAllSessions() };
  },

  '@modelcontextprotocol/sdk': async (url) => {
    const { Client } = await fromRoot('@modelcontextprotocol/sdk/client/index.js');
    const { StreamableHTTPClientTransport } = await fromRoot('@modelcontextprotocol/sdk/client/streamableHttp.js');
    return sdk(Client, StreamableHTTPClientTransport, url);
  },

  '@modelcontextprotocol/client': async (url) => {
    const { Client, StreamableHTTPClientTransport } = await fromRoot('@modelcontextprotocol/client');
    return sdk(Client, StreamableHTTPClientTransport, url);
  },

  /** No client at all: the requests that a session cannot do without, over one kept connection. */
  'node:http': async (url) => {
    const agent = new Agent({ keepAlive: true });
    let id = 0;
    const post = (method, params, notification) =>
      new Promise((resolve, reject) => {
        const body = JSON.stringify({ jsonrpc: '2.0', ...(!notification && { id: id++ }), method, params });
        const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
        const request = send(url, { method: 'POST', agent, headers }, async (response) => {
          let text = '';
          for await (const chunk of response.setEncoding('utf8')) text += chunk;
          resolve(notification ? undefined : JSON.parse(text).result);
        });
        request.on('error', reject).end(body);
      });
    await post('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'bare', version: '1' },
    });
    await post('notifications/initialized', undefined, true);
    await post('tools/list', {});
    return { call: (name, args) => post('tools/call', { name, arguments: args }), close: () => agent.destroy() };
  },
};

async function sdk(Client, Transport, url) {
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(new Transport(new URL(url)));
  await client.listTools();
  return { call: (name, args) => client.callTool({ name, arguments: args }), close: () => client.close() };
}
