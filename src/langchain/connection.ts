import { connect } from '../index.js';
import type { ConnectOptions, ServerAddress, Session } from '../index.js';

export interface Connection {
  session(): Promise<Session>;
  close(): Promise<void>;
}

/** A connection of its own: opened at the first use, and again at the next use after its session has ended. */
export function connection(server: ServerAddress, options: ConnectOptions): Connection {
  let current: Promise<Session> | undefined;
  const open = () => {
    current = connect(server, options);
    // A failed attempt is not kept: the next use tries again.
    current.catch(() => (current = undefined));
    return current;
  };
  return {
    async session() {
      const session = await (current ?? open());
      return session.ended ? open() : session;
    },
    async close() {
      const last = current;
      current = undefined;
      await last?.then((session) => session.close()).catch(() => {}); // what could not be opened need not be closed
    },
  };
}

/** A session that somebody else opened, and closes. */
export function borrowed(session: Session): Connection {
  return { session: () => Promise.resolve(session), close: () => Promise.resolve() };
}
