// A server that costs as little as it can: `server.mjs <file with the tools of tools/list as a JSON array>`. Prints its
// URL, under which answers are JSON; under `/events`, they are event streams, as the TypeScript SDK's server sends them
// unless it is told otherwise. `GET /count` tells how many requests it got since the last time, and which.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const tools = readFileSync(process.argv[2], 'utf8');
let seen = [];

const server = createServer(async (request, response) => {
  if (request.url === '/count') {
    response.end(JSON.stringify(seen));
    seen = [];
    return;
  }
  const body = await text(request);
  const { id, method, params } = body ? JSON.parse(body) : { method: request.method };
  seen.push(method);
  if (request.method !== 'POST') return response.writeHead(405).end();
  if (id === undefined) return response.writeHead(202).end();
  const answer = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result(method, params)}}`;
  if (request.url !== '/events') return response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`event: message\ndata: ${answer}\n\n`);
});

function result(method, params) {
  if (method === 'tools/list') return `{"tools":${tools}}`;
  if (method === 'tools/call') {
    const text = params.name === 'sink' ? 'received' : JSON.stringify(params.arguments);
    return JSON.stringify({ content: [{ type: 'text', text }] });
  }
  return JSON.stringify({
    protocolVersion: params.protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'bench', version: '1' },
  });
}

// A busy machine may let a client pause for longer than Node's five seconds.
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
