import type { Connection } from '../connection/connection.js';
import { McpError } from '../errors/errors.js';
import { connectionEnded } from '../errors/wire-problem.js';

interface LiveConnectionOptions {
  /** Opens the first connection with the caller's signal, later ones without. */
  open: (signal?: AbortSignal) => Promise<Connection>;
  signal: AbortSignal | undefined;
  /** Called when the server has forgotten its HTTP session, once there is another. */
  onReconnect: () => void;
}

/** The connection of a session: replaced once the server has forgotten its HTTP session. */
export class LiveConnection {
  /** Called once when the session is over, with the reason unless it was closed. */
  readonly endListeners = new Set<(reason: McpError | undefined) => void>();

  #connection: Connection;
  #reconnecting: Promise<Connection> | undefined;
  /** Those before, whose requests find out by themselves that the session is gone. */
  #retired: Connection[] = [];
  #closing: Promise<unknown> | undefined;

  constructor(
    readonly options: LiveConnectionOptions,
    connection: Connection,
  ) {
    this.#connection = connection;
    this.#use(connection);
  }

  /** @throws what `open` throws */
  static async open(options: LiveConnectionOptions): Promise<LiveConnection> {
    return new LiveConnection(options, await options.open(options.signal));
  }

  get ended(): boolean {
    return this.#closing !== undefined || this.#connection.ended;
  }

  /** Why the connection itself is broken, if it is. */
  get failure(): McpError | undefined {
    return this.#connection.failure;
  }

  /** The connection to use. Throws once the session is over. */
  readonly current = (): Connection => {
    const closed = this.closed();
    if (closed) throw closed;
    if (this.#connection.ended) throw this.#connection.failure ?? connectionEnded();
    return this.#connection;
  };

  /** The error for whatever comes after the session's close. */
  readonly closed = (): McpError | undefined => {
    if (!this.#closing) return undefined;
    return new McpError('The session is closed.', { code: 'SESSION_CLOSED', hint: 'Connect again.' });
  };

  /** Requests that find the session gone at the same time share one reconnection. */
  readonly reconnect = async (stale: Connection): Promise<Connection> => {
    if (this.#connection !== stale) return this.current();
    this.#reconnecting ??= this.#replace(stale).finally(() => {
      this.#reconnecting = undefined;
    });
    return this.#reconnecting;
  };

  readonly close = async (): Promise<void> => {
    this.#closing ??= Promise.all([this.#connection, ...this.#retired].map((open) => open.close()));
    await this.#closing;
  };

  async #replace(stale: Connection): Promise<Connection> {
    const fresh = await this.options.open();
    const closed = this.closed();
    if (closed) {
      await fresh.close();
      throw closed;
    }
    this.#use(fresh);
    this.options.onReconnect();
    this.#retired = [...this.#retired.filter(({ ended }) => !ended), stale];
    void stale.closeWhenIdle();
    return fresh;
  }

  #use(connection: Connection): void {
    this.#connection = connection;
    connection.onEnd = (reason) => {
      // The end of one that was replaced concerns nobody.
      if (connection !== this.#connection) return;
      for (const listener of this.endListeners) {
        try {
          listener(reason);
        } catch {
          // The listener is the host's; its failure must not keep others from being called.
        }
      }
      this.endListeners.clear();
    };
  }
}
