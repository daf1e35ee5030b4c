// A server on stdio that has one more tool, and says so, once its first one was called.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

const server = new McpServer({ name: 'growing', version: '1.0.0' });
server.registerTool('grow', {}, () => {
  server.registerTool('grown', {}, () => ({ content: [{ type: 'text', text: 'grown' }] }));
  return { content: [] };
});
await server.connect(new StdioServerTransport());
