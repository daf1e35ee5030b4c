// Servers of @modelcontextprotocol/server, for revision 2026-07-28: `sdk-v2.mjs stdio|http latest|every`. `latest`
// speaks only that revision, `every` earlier ones as well. Over HTTP it prints its URL, and then every header that
// mirrors a parameter.
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { createMcpHandler, inputRequired, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { capabilities, handlers, info, instructions } from './sdk-tools.mjs';

const [kind, revisions] = process.argv.slice(2);
const legacy = revisions === 'latest' ? 'reject' : kind === 'stdio' ? 'serve' : 'stateless';

/** All questions in one round, or each in its own; the state holds the answers so far. */
async function ask({ questions, separately }, { mcpReq }) {
  const state = mcpReq.requestState?.();
  const answers = { ...(state && JSON.parse(state)), ...mcpReq.inputResponses };
  const open = questions
    .map((params, index) => [`q${index}`, { method: 'elicitation/create', params }])
    .filter(([key]) => !(key in answers));
  if (open.length === 0) return { content: [{ type: 'text', text: JSON.stringify(answers) }] };
  const inputRequests = Object.fromEntries(separately ? open.slice(0, 1) : open);
  return inputRequired({ inputRequests, requestState: JSON.stringify(answers) });
}

let handler;
function build() {
  const server = new Server(info, { capabilities, instructions });
  const changed = () => (handler ? handler.notify.toolsChanged() : server.sendToolListChanged());
  const all = handlers(changed, ask);
  for (const [method, handle] of Object.entries(all)) server.setRequestHandler(method, handle);
  return server;
}

if (kind === 'stdio') serveStdio(build, { legacy });
else {
  handler = createMcpHandler(build, { legacy });
  const server = createServer(async (request, response) => {
    for (const [name, value] of Object.entries(request.headers))
      if (name.startsWith('mcp-param-')) console.log(`${name}: ${value}`);
    const body = request.method === 'POST' ? Readable.toWeb(request) : undefined;
    const url = `http://${request.headers.host}${request.url}`;
    const answer = await handler.fetch(
      new Request(url, { method: request.method, headers: request.headers, body, duplex: 'half' }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body)
      Readable.fromWeb(answer.body)
        .on('error', () => {})
        .pipe(response);
    else response.end();
  });
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
}
