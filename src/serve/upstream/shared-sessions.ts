import type { ServerAddress } from '../../internal.js';
import { openSession, type HostOptions, type HostSession } from '../../mcp/index.js';

/** A server, the same object for all. */
interface Server {
  readonly address: ServerAddress;
}

type Options = Parameters<typeof openSession>[1];

/**
 * Sessions that the principals of 2026-07-28 share: with servers over HTTP that have no state, and take from each request
 * who asks. What comes in response to a request is for whoever sent it; what else comes are changes of lists, and of
 * resources, of which each principal hears what it has subscribed to.
 */
export class SharedSessions {
  readonly #open = new Map<Server, { opening: Promise<HostSession>; hosts: Set<HostOptions> }>();

  /** @returns the session; undefined where the server has a state, or is none of HTTP */
  async open(server: Server, options: Options, host: HostOptions): Promise<HostSession | undefined> {
    if (server.address.transport === 'stdio') return undefined;
    const known = this.#open.get(server) ?? this.#begin(server, options);
    const shared = await known.opening.catch((error: unknown) => {
      if (this.#open.get(server) === known) this.#open.delete(server);
      throw error;
    });
    if (shared.session.ended) {
      this.#open.delete(server);
      return this.open(server, options, host);
    }
    if (!shared.connection().envelope) return undefined;
    known.hosts.add(host);
    const close = () => {
      known.hosts.delete(host);
      return Promise.resolve();
    };
    const session = Object.create(shared.session, { close: { value: close } }) as HostSession['session']; // the same but for its end
    return { ...shared, session };
  }

  #begin(server: Server, { clientInfo, revisions, idleTimeoutMs }: Options) {
    const hosts = new Set<HostOptions>();
    const opening = openSession(
      server.address,
      { clientInfo, revisions, idleTimeoutMs },
      {
        onNotification: (method, params, origin) => {
          for (const each of hosts) each.onNotification?.(method, params, origin);
        },
      },
    );
    const shared = { opening, hosts };
    this.#open.set(server, shared);
    return shared;
  }

  async close(): Promise<void> {
    await Promise.all(
      [...this.#open.values()].map(async ({ opening }) => (await opening).session.close().catch(() => {})),
    );
  }
}
