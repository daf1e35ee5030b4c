import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll } from 'vitest';

type Progress = (progress: { progress: number; total?: number; message?: string }) => Promise<void>;
type Notify = (method: string, params: Record<string, unknown>) => Promise<void>;
type Answer = (
  args: Record<string, unknown>,
  about: { signal: AbortSignal; progress: Progress; notify: Notify },
) => unknown;

export interface ToolDefinition {
  definition: Record<string, unknown>;
  answer?: Answer;
}

export interface TestServer extends AsyncDisposable {
  url: string;
  /** The params of every `tools/call`, in order. */
  calls: { name: string; arguments: unknown }[];
  close(): Promise<void>;
}

/**
 * A real server (SDK v1, streamable HTTP) on loopback with these tools. A tool without an answer returns its arguments.
 */
export async function startServer(tools: readonly ToolDefinition[], name = 'test'): Promise<TestServer> {
  const calls: TestServer['calls'] = [];
  return { ...(await serve(() => mcpServer(tools, calls, name))), calls };
}

/** One such server for all tests of a file. */
export function serverForAll(tools: readonly ToolDefinition[], name?: string): Pick<TestServer, 'url' | 'calls'> {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer(tools, name);
  });
  afterAll(() => server.close());
  return {
    get url() {
      return server.url;
    },
    get calls() {
      return server.calls;
    },
  };
}

/** A server of the SDK over streamable HTTP, created anew for each request. */
export async function serve(made: () => McpServer): Promise<Omit<TestServer, 'calls'>> {
  const http = createServer((request, response) => {
    const transport = new StreamableHTTPServerTransport({});
    const server = made();
    response.on('close', () => void server.close());
    // The SDK's transport and its interface spell optional properties differently.
    void server
      .connect(transport as Parameters<McpServer['connect']>[0])
      .then(() => transport.handleRequest(request, response));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      http.close(() => resolve());
      http.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}/mcp`, close, [Symbol.asyncDispose]: close };
}

function mcpServer(tools: readonly ToolDefinition[], calls: TestServer['calls'], name: string): McpServer {
  // The test supplies lists and answers, so only the handlers of the inner server are used.
  const host = new McpServer({ name, version: '1.0.0' }, { capabilities: { tools: {}, logging: {} } });
  const { server } = host;
  const definitions = tools.map(({ definition }) => definition);
  // The SDK types answers more narrowly than tests need.
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: definitions }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const args = params.arguments ?? {};
    calls.push({ name: params.name, arguments: args });
    const token = params._meta?.progressToken;
    const progress: Progress = async (values) => {
      if (token === undefined) return;
      await extra.sendNotification({ method: 'notifications/progress', params: { progressToken: token, ...values } });
    };
    // The SDK types only the notifications that it knows.
    const notify: Notify = (method, params) => extra.sendNotification({ method, params });
    const answer = tools.find(({ definition }) => definition['name'] === params.name)?.answer ?? echo;
    return (await answer(args, { signal: extra.signal, progress, notify })) as never;
  });
  return host;
}

function echo(args: Record<string, unknown>): unknown {
  return { content: [{ type: 'text', text: JSON.stringify(args) }] };
}
