// Servers of @modelcontextprotocol/sdk, the most common version: `sdk-v1.mjs stdio`, `sdk-v1.mjs http`, `sdk-v1.mjs
// sse`. The latter two print their URL.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ElicitResultSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { capabilities, handlers, info, instructions } from './sdk-tools.mjs';

const schemas = [
  ListToolsRequestSchema,
  CallToolRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ReadResourceRequestSchema,
  ListPromptsRequestSchema,
  GetPromptRequestSchema,
  CompleteRequestSchema,
];

function build() {
  const server = new Server(info, { capabilities, instructions });
  const ask = async ({ questions, separately }, { sendRequest }) => {
    const answers = {};
    for (const [index, params] of questions.entries()) {
      const question = { method: 'elicitation/create', params };
      // Messages within a call arrive in its response; the server's own messages on a separate stream.
      answers[`q${index}`] = separately
        ? await server.request(question, ElicitResultSchema)
        : await sendRequest(question, ElicitResultSchema);
    }
    return { content: [{ type: 'text', text: JSON.stringify(answers) }] };
  };
  const all = handlers(() => server.sendToolListChanged(), ask);
  for (const schema of schemas) server.setRequestHandler(schema, all[schema.shape.method.value]);
  return server;
}

const sessions = new Map();

async function streamable(request, response) {
  let transport = sessions.get(request.headers['mcp-session-id']);
  if (!transport) {
    if (request.headers['mcp-session-id']) return response.writeHead(404).end();
    transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => sessions.set(id, transport),
    });
    await build().connect(transport);
  }
  await transport.handleRequest(request, response);
}

async function sse(request, response) {
  const url = new URL(request.url, 'http://localhost');
  if (request.method === 'GET' && url.pathname === '/mcp') {
    const transport = new SSEServerTransport('/messages', response);
    sessions.set(transport.sessionId, transport);
    return build().connect(transport);
  }
  const transport = sessions.get(url.searchParams.get('sessionId'));
  if (url.pathname !== '/messages' || !transport) return response.writeHead(404).end();
  await transport.handlePostMessage(request, response);
}

const [kind] = process.argv.slice(2);
if (kind === 'stdio') await build().connect(new StdioServerTransport());
else {
  const server = createServer(kind === 'sse' ? sse : streamable);
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
}
