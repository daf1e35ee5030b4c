import { connect, McpError } from '../index.js';
import type { ConnectOptions, ServerAddress, Session } from '../index.js';

export interface Connection {
  session(): Promise<Session>;
  close(): Promise<void>;
}

/**
 * A connection of its own: opened at the first use, and again at the next use after its session has ended. The signal
 * is for the first time only: later on it may long have been aborted.
 */
export function connection(server: ServerAddress, { signal, ...options }: ConnectOptions): Connection {
  let current: Promise<Session> | undefined;
  let closed = false;
  let first: AbortSignal | undefined = signal;
  const open = () => {
    const opened = connect(server, { ...options, ...(first && { signal: first }) });
    first = undefined;
    current = opened;
    // A failed attempt is not kept: the next use tries again.
    opened.catch(() => {
      if (current === opened) current = undefined;
    });
    return opened;
  };
  return {
    async session() {
      // A process that a late call started would outlive everybody who could end it.
      if (closed) throw new McpError('The tools are closed.', { code: 'SESSION_CLOSED', hint: 'Call mcpTools again.' });
      const known = current ?? open();
      const session = await known;
      if (!session.ended) return session;
      // Calls that find it ended at the same time share one new connection: another one nobody would close.
      return current === known || current === undefined ? open() : current;
    },
    async close() {
      closed = true;
      await current?.then((session) => session.close()).catch(() => {}); // what could not be opened need not be closed
    },
  };
}

/** A session that somebody else opened, and closes. */
export function borrowed(session: Session): Connection {
  return { session: () => Promise.resolve(session), close: () => Promise.resolve() };
}
