import { barrier } from '../../../../../test-support/servers/barrier.js';
import { startHttpServer } from '../../../../../test-support/servers/http.js';

export interface SessionServer extends AsyncDisposable {
  readonly url: string;
  /** The sessions that clients began, oldest first: numbers, from 1 on. */
  readonly begun: number[];
  /** Those that nobody has ended yet. */
  readonly open: ReadonlySet<number>;
  /** The session of every call that arrived, oldest first. */
  readonly calls: number[];
  /** The requests of which the server was told that they are cancelled. */
  readonly cancelled: unknown[];
  forget(): void;
  /** Keeps back the answer to the next call until it is released. */
  hold(): { release(): void };
  /** Lets the next calls wait until so many of them have come, which proves that they were there at once. */
  gather(calls: number): void;
}

/** An MCP server with sessions, whose only tool `work` takes as long as the test wants. */
export async function startSessionServer(): Promise<SessionServer> {
  const begun: number[] = [];
  const open = new Set<number>();
  const calls: number[] = [];
  const cancelled: unknown[] = [];
  let gate = Promise.resolve();
  let gathering = barrier(0);

  const server = await startHttpServer(async ({ verb, message, headers, result, status, plain }) => {
    const session = Number(headers['mcp-session-id']);
    if (message.method === 'initialize') {
      const id = begun.push(begun.length + 1);
      open.add(id);
      const capabilities = { tools: {} };
      const { protocolVersion } = message.params ?? {};
      result(
        { protocolVersion, capabilities, serverInfo: { name: 'sessions', version: '1' } },
        { 'mcp-session-id': String(id) },
      );
      return;
    }
    if (!open.has(session)) {
      status(404);
      return;
    }
    if (verb === 'DELETE') open.delete(session);
    if (message.method === 'notifications/cancelled') cancelled.push(message.params?.['requestId']);
    if (message.method === 'tools/list') {
      result({ tools: [{ name: 'work', inputSchema: { type: 'object' } }] });
      return;
    }
    if (message.method !== 'tools/call') {
      plain();
      return;
    }
    calls.push(session);
    const mine = gate;
    gate = Promise.resolve();
    await Promise.all([mine, gathering.arrive()]);
    result({ content: [{ type: 'text', text: 'Worked.' }] });
  });

  return {
    url: server.url,
    begun,
    open,
    calls,
    cancelled,
    forget: () => open.clear(),
    hold() {
      let release = () => {};
      gate = new Promise((resolve) => (release = resolve));
      return { release };
    },
    gather(calls) {
      gathering = barrier(calls);
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}
