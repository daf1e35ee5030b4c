import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createDemoServer } from './server.js';
import type { ReceivedCall } from './server.js';
import { keptOpen } from '../kept-open.js';

export interface ServerOverHttp extends AsyncDisposable {
  readonly url: string;
  /** The JSON-RPC methods that clients sent, oldest first: the cost of a conversation on the wire. */
  readonly methods: string[];
  /** Every HTTP request, oldest first, with its body if it had one. */
  readonly requests: { verb: string; body: unknown }[];
  /** How many sessions clients have begun and not ended. */
  openSessions(): number;
  stop(): Promise<void>;
}

/** Serves an MCP server over streamable HTTP on loopback, one instance per session. */
export async function serveOverHttp(create: () => Server, port = 0): Promise<ServerOverHttp> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const methods: string[] = [];
  const requests: ServerOverHttp['requests'] = [];

  const http = createServer(keptOpen, (request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    });
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = request.method === 'POST' ? await json(request) : undefined;
    methods.push(...methodsIn(body));
    requests.push({ verb: request.method ?? '', body });
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (typeof id === 'string' && known === undefined) {
      response.writeHead(404).end('No such session');
      return;
    }
    await (known ?? (await openSession())).handleRequest(request, response, body);
  }

  async function openSession(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await create().connect(transport);
    return transport;
  }

  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, '127.0.0.1', resolve);
  });
  const address = http.address() as AddressInfo; // a TCP server's address is never a string
  const stop = async () => {
    await Promise.all([...sessions.values()].map((transport) => transport.close()));
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  };
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    methods,
    requests,
    openSessions: () => sessions.size,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** The demo server with the calls that it received. */
export async function startDemoServer(port = 0): Promise<ServerOverHttp & { readonly calls: ReceivedCall[] }> {
  const calls: ReceivedCall[] = [];
  return { ...(await serveOverHttp(() => createDemoServer((call) => calls.push(call)), port)), calls };
}

function methodsIn(body: unknown): string[] {
  return [body].flat().flatMap((message) => {
    const method = (message as { method?: unknown } | undefined)?.method; // read only if it is a string
    return typeof method === 'string' ? [method] : [];
  });
}
