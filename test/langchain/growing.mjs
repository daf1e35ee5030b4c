// A stdio server that gets another tool, and announces it, after the first call of its first one.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

const server = new McpServer({ name: 'growing', version: '1.0.0' });
server.registerTool('grow', {}, () => {
  server.registerTool('grown', {}, () => ({ content: [{ type: 'text', text: 'grown' }] }));
  return { content: [] };
});
await server.connect(new StdioServerTransport());
