// Every client behind one shape, used as its own documentation says:
//   connect(address) -> { list() -> what it gives out as the tools, call(name, args), close() }
// An address is { url } or { command, args }.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const info = { name: 'bench', version: '1.0.0' };

export const clients = {
  'mcp-verbatim': async (packages) => {
    const { connect } = createRequire(join(packages, 'package.json'))('mcp-verbatim');
    return async (address) => {
      const session = await connect(address.url ? address : { transport: 'stdio', ...address });
      return {
        list: async () => (await session.listTools()).tools,
        call: async (name, args) => session.callTool((await session.listTools()).find(name), args),
        close: () => session.close(),
      };
    };
  },

  '@modelcontextprotocol/sdk': async () => {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
    return sdkClient(Client, StreamableHTTPClientTransport, StdioClientTransport);
  },

  '@modelcontextprotocol/client': async () => {
    const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
    const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
    return sdkClient(Client, StreamableHTTPClientTransport, StdioClientTransport);
  },

  '@langchain/mcp-adapters': async (packages) => {
    const require = createRequire(join(packages, 'package.json'));
    const { MultiServerMCPClient } = await import(pathToFileURL(require.resolve('@langchain/mcp-adapters')).href);
    return async (address) => {
      const server = address.url ? { transport: 'http', url: address.url } : { transport: 'stdio', ...address };
      const client = new MultiServerMCPClient({ mcpServers: { server }, prefixToolNameWithServerName: false });
      let tools;
      return {
        list: async () => (tools = await client.getTools()),
        call: (name, args) => tools.find((tool) => tool.name === name).invoke(args),
        close: () => client.close(),
      };
    };
  },

  /** No client at all: the least that listing can cost. */
  'fetch and JSON.parse':
    async () =>
    async ({ url }) => ({
      list: async () => {
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
        const response = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
        return JSON.parse(await response.text()).result.tools;
      },
      close: async () => {},
    }),
};

function sdkClient(Client, HttpTransport, StdioTransport) {
  return async (address) => {
    const client = new Client(info);
    const transport = address.url ? new HttpTransport(new URL(address.url)) : new StdioTransport(address);
    await client.connect(transport);
    return {
      list: async () => (await client.listTools()).tools,
      call: (name, args) => client.callTool({ name, arguments: args }),
      close: async () => {
        await transport.terminateSession?.();
        await client.close();
      },
    };
  };
}
