import { JsonText, memberText, parseJson, withMember, type JsonObject } from '../../json/index.js';
import type { Relay } from '../../mcp/index.js';
import { resultOf, type Asker, type ServerBehind } from './server-behind.js';

/** A prompt or resource, by its own name at its server. */
interface Owned {
  readonly server: ServerBehind;
  readonly name: string;
}

interface Listed {
  readonly text: string;
  readonly owned: Owned;
}

const mostPages = 1000;

/** What lists the entries of which method, and by what they are known. */
const lists = {
  'prompts/list': { key: 'prompts', name: 'name', capability: 'prompts' },
  'resources/list': { key: 'resources', name: 'uri', capability: 'resources' },
  'resources/templates/list': { key: 'resourceTemplates', name: 'uriTemplate', capability: 'resources' },
} as const;

export type ListMethod = keyof typeof lists;

export function isListMethod(method: string): method is ListMethod {
  return method in lists;
}

/** All servers behind. */
interface Servers {
  readonly servers: readonly ServerBehind[];
  readonly isSingle: boolean;
  /** Those that can be reached; those that could not be before only where that is tried again. */
  reachable(isTriedAgain?: boolean): Promise<{ server: ServerBehind; relay: Relay }[]>;
  /** What each of some has; one that fails is left out as long as there are others. */
  ofEach<T>(servers: readonly ServerBehind[], work: (server: ServerBehind) => Promise<T>): Promise<T[]>;
}

/** The prompts and resources of all servers behind: each list as one page, and whose an entry of it is. */
export class JoinedLists {
  readonly #all: Servers;
  readonly #log: (line: string) => void;
  /** What was listed last, by what clients know it by. */
  readonly #listed = new Map<ListMethod, Map<string, Owned>>();

  constructor(all: Servers, log: (line: string) => void) {
    this.#all = all;
    this.#log = log;
  }

  /** A list of all servers, as one page. */
  async list(method: ListMethod, signal: AbortSignal): Promise<string> {
    const { key, name, capability } = lists[method];
    const told = new Map<string, Owned>();
    const texts: string[] = [];
    const having = (await this.#all.reachable()).filter(({ relay }) => capability in relay.handshake.capabilities);
    const entries = await this.#all.ofEach(
      having.map(({ server }) => server),
      (server) => this.#entries(server, method, signal),
    );
    for (const { text, owned } of entries.flat()) {
      const server = owned.server.name;
      const shown = key === 'prompts' ? `${server}_${owned.name}` : owned.name;
      if (told.has(shown)) this.#log(`${server}: ${shown} is another server's as well, and left out`);
      else texts.push(shown === owned.name ? text : withMember(text, [name], JSON.stringify(shown)));
      if (!told.has(shown)) told.set(shown, owned);
    }
    this.#listed.set(method, told);
    return `{"${key}":[${texts.join(',')}]}`;
  }

  async #entries(server: ServerBehind, method: ListMethod, signal: AbortSignal): Promise<Listed[]> {
    const { key, name } = lists[method];
    const entries: Listed[] = [];
    const cursors = new Set<unknown>();
    let params: JsonObject = {};
    for (let page = 0; page < mostPages; page++) {
      const text = await resultOf(server, { ...ofTheRelay, method, params, signal });
      const items = memberText(text, [key]);
      if (items !== undefined) {
        const json = new JsonText(items);
        for (const span of json.items(json.root())) {
          const own = parseJson(memberText(json.slice(span), [name]) ?? '');
          if (typeof own === 'string') entries.push({ text: json.slice(span), owned: { server, name: own } });
        }
      }
      const cursor = parseJson(memberText(text, ['nextCursor']) ?? '');
      if (typeof cursor !== 'string' || cursors.has(cursor)) return entries;
      cursors.add(cursor);
      params = { cursor };
    }
    return entries;
  }

  /** Has the servers say when these resources change. */
  async subscribe(uris: readonly string[]): Promise<void> {
    const { signal } = new AbortController();
    for (const uri of uris)
      for (const server of this.#all.isSingle ? this.#all.servers : await this.ownersOf(uri, signal)) {
        await server.subscribe(uri);
        if (!server.isStateless)
          await resultOf(server, { ...ofTheRelay, method: 'resources/subscribe', params: { uri }, signal }).catch(
            () => {},
          );
      }
  }

  /** Whose prompt, resource or template it is. */
  async owner(method: ListMethod, shown: string, signal: AbortSignal): Promise<Owned | undefined> {
    if (!this.#listed.get(method)?.has(shown)) await this.list(method, signal);
    return this.#listed.get(method)?.get(shown);
  }

  /** The servers that may have a resource: whoever lists it, or else those that have any. */
  async ownersOf(uri: string, signal: AbortSignal): Promise<ServerBehind[]> {
    const owned = await this.owner('resources/list', uri, signal);
    if (owned) return [owned.server];
    const reached = await this.#all.reachable(false);
    return reached.filter(({ relay }) => 'resources' in relay.handshake.capabilities).map(({ server }) => server);
  }
}

/** What a request of the relay itself has in place of a client's. */
const ofTheRelay = {
  id: -1,
  asker: { announce: () => {}, ask: () => Promise.reject(new Error('nobody to ask')) } satisfies Asker,
};
