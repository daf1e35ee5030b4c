import type { ClientRelayOptions } from './client-relay.js';
import type { OfferSettings } from './offer.js';
import { Joined } from './behind/joined.js';
import type { Identity } from './revisions.js';
import { visibleLine } from '../json/index.js';
import { addressSecrets, secretMask } from '../secrets/index.js';
import { SuspendedCalls } from './rounds.js';
import type { NamedServer } from './behind/server-behind.js';

export interface HubOptions extends OfferSettings {
  readonly servers: readonly NamedServer[];
  /** How long connecting to a server may take, and listing its tools. */
  readonly timeoutMs: number;
}

/** What all clients have in common: which servers there are, and those that are open. */
export class Hub {
  /** The one way to the log: each entry is one line, without secrets, in which nothing is a terminal's escape. */
  readonly log: (line: string) => void;
  readonly forClients: Pick<ClientRelayOptions, 'settings' | 'behind' | 'suspended'>;
  readonly #options: HubOptions;
  readonly #open = new Set<Joined>();
  readonly #suspended = new SuspendedCalls();

  constructor(options: HubOptions) {
    const mask = secretMask(options.servers.flatMap(({ address }) => [...addressSecrets(address)]));
    this.log = (line) => {
      options.log(visibleLine(mask(line)));
    };
    this.#options = { ...options, log: this.log };
    this.forClients = { settings: this.#options, behind: (client) => this.behind(client), suspended: this.#suspended };
  }

  /** The servers for a client that says this of itself. */
  behind(client: Identity): Joined {
    const joined = new Joined(this.#options.servers, client, this.#options);
    this.#open.add(joined);
    return joined;
  }

  async release(joined: Joined): Promise<void> {
    this.#open.delete(joined);
    await joined.close();
  }

  async close(): Promise<void> {
    this.#suspended.close();
    await Promise.all([...this.#open].map((joined) => joined.close()));
  }
}
