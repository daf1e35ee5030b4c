import { barrier } from '../../../../../test-support/servers/barrier.js';
import { startHttpServer } from '../../../../../test-support/servers/http.js';

export interface SessionServer extends AsyncDisposable {
  readonly url: string;
  /** The sessions that clients opened, oldest first, numbered from 1. */
  readonly begun: number[];
  /** The sessions that are still open. */
  readonly open: ReadonlySet<number>;
  /** The session of every call that arrived, oldest first. */
  readonly calls: number[];
  /** The requests whose cancellation reached the server. */
  readonly cancelled: unknown[];
  forget(): void;
  /** Holds the answer to the next call until it is released. */
  hold(): { release(): void };
  /** Holds the next calls until this many have arrived, which proves that they ran at the same time. */
  gather(calls: number): void;
}

/** An MCP server with sessions. The test decides how long its only tool `work` takes. */
export async function startSessionServer(): Promise<SessionServer> {
  const begun: number[] = [];
  const open = new Set<number>();
  const calls: number[] = [];
  const cancelled: unknown[] = [];
  let gate = Promise.resolve();
  let gathering = barrier(0);

  const server = await startHttpServer(async ({ verb, message, headers, introduce, result, status, plain }) => {
    const session = Number(headers['mcp-session-id']);
    if (message.method === 'initialize') {
      const id = begun.push(begun.length + 1);
      open.add(id);
      introduce({}, { 'mcp-session-id': String(id) });
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
