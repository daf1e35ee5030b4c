import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { serveOverHttp } from '../../test-support/demo-server/http.js';

export interface WireTool {
  name: string;
  description?: string;
  inputSchema: Record<string, unknown>;
}

export interface BenchServer extends AsyncDisposable {
  readonly url: string;
  readonly tools: readonly WireTool[];
  /** The arrivals since the last call. */
  take(): Arrivals;
}

export interface Arrivals {
  /** Each HTTP request: its JSON-RPC method, or its verb if it has none. */
  requests: string[];
  /** The arguments of each call. */
  calls: unknown[];
  /** Sessions begun and not ended. */
  leftOpen: number;
}

/** A server of the official SDK, over streamable HTTP with sessions, that accepts any arguments. */
export async function startServer(tools: readonly WireTool[]): Promise<BenchServer> {
  const served = await serveOverHttp(() => {
    const server = new Server({ name: 'bench', version: '1.0.0' }, { capabilities: { tools: {} } });
    // The SDK's type requires more than the wire does, and nothing checks it.
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools as never }));
    server.setRequestHandler(CallToolRequestSchema, () => ({ content: [{ type: 'text', text: 'done.' }] }));
    return server;
  });
  let openBefore = 0;
  return {
    url: served.url,
    tools,
    take() {
      const came = served.requests.splice(0);
      const leftOpen = served.openSessions() - openBefore;
      openBefore = served.openSessions();
      const messages = came.flatMap(({ body }) => [body].flat());
      return {
        requests: came.map(({ verb, body }) => methodOf(body) ?? verb),
        calls: messages.filter(isCall).map(({ params }) => params.arguments),
        leftOpen,
      };
    },
    [Symbol.asyncDispose]: () => served.stop(),
  };
}

/** Read from the message as it came: the SDK's own parsing loses some names of arguments. */
function isCall(message: unknown): message is { params: { arguments: unknown } } {
  return methodOf(message) === 'tools/call';
}

function methodOf(message: unknown): string | undefined {
  const method = (message as { method?: unknown } | undefined)?.method; // read only if it is a string
  return typeof method === 'string' ? method : undefined;
}
