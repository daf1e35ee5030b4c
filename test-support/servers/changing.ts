import { type HttpServer, startHttpServer } from './http.js';

/** A server with sessions and versions of tools, which records the executed calls. */
export interface ChangingServer extends AsyncDisposable {
  readonly url: string;
  /** `name@version` of each call that was executed. */
  readonly executed: string[];
  /** Restarts with these tools, and forgets all sessions. */
  restart(versions?: Readonly<Record<string, number>>): void;
}

/** @param versions the tools' versions by name; description and schema depend on the version */
export async function startChangingServer(versions: Readonly<Record<string, number>>): Promise<ChangingServer> {
  let tools = versions;
  let sessions = new Set<string>();
  let count = 0;
  const executed: string[] = [];
  const server: HttpServer = await startHttpServer((exchange) => {
    const { message, headers } = exchange;
    if (exchange.verb !== 'POST') {
      exchange.status(405);
      return;
    }
    if (message.method === 'initialize') {
      const id = `session-${count++}`;
      sessions.add(id);
      exchange.result(
        { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'changing', version: '1' } },
        { 'mcp-session-id': id },
      );
      return;
    }
    if (!sessions.has(String(headers['mcp-session-id']))) {
      exchange.status(404, '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}', {
        'content-type': 'application/json',
      });
      return;
    }
    if (message.id === undefined) {
      exchange.status(202);
      return;
    }
    if (message.method === 'tools/list') {
      exchange.result({ tools: Object.entries(tools).map(([name, version]) => definitionOf(name, version)) });
      return;
    }
    if (message.method === 'tools/call') {
      const name = String(message.params?.['name']);
      const text = `${name}@${tools[name]}`;
      executed.push(text);
      exchange.result({ content: [{ type: 'text', text }] });
      return;
    }
    exchange.result({});
  });
  return {
    url: server.url,
    executed,
    restart(next = tools) {
      tools = next;
      sessions = new Set();
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}

export function definitionOf(name: string, version: number): object {
  const properties = { limit: { type: 'integer', maximum: version * 10 } };
  return { name, description: `${name}, version ${version}`, inputSchema: { type: 'object', properties } };
}
