import { isObject, jsonText, type JsonObject, parseJson, withMember } from '../../json/index.js';
import { codes, Refusal } from '../answers.js';
import type { Caller, Upstream } from './upstream.js';

/** A prompt or resource, by its own name at its server. */
interface Owned {
  readonly upstream: Upstream;
  readonly name: string;
}

const mostPages = 1000;

/** What lists the entries of which method, and by what they are known. */
const lists = {
  'prompts/list': { key: 'prompts', name: 'name', capability: 'prompts' },
  'resources/list': { key: 'resources', name: 'uri', capability: 'resources' },
  'resources/templates/list': { key: 'resourceTemplates', name: 'uriTemplate', capability: 'resources' },
} as const;

export type ListMethod = keyof typeof lists;

/** The servers that these are the lists of. */
interface Servers {
  readonly single: Upstream | undefined;
  reachable(isTriedAgain?: boolean): Promise<Upstream[]>;
  ofEach<T>(upstreams: readonly Upstream[], work: (upstream: Upstream) => Promise<T>): Promise<T[]>;
}

/** The prompts and resources of all servers of a principal: each list as one page, and whose an entry of it is. */
export class Lists {
  readonly #servers: Servers;
  readonly #log: (line: string) => void;
  /** What was listed last, by what clients know it by. */
  readonly #listed = new Map<ListMethod, Map<string, Owned>>();

  constructor(servers: Servers, log: (line: string) => void) {
    this.#servers = servers;
    this.#log = log;
  }

  /** A single server's own page, or the lists of all servers as one. */
  async list(method: ListMethod, params: JsonObject, caller: Caller): Promise<string> {
    const { single } = this.#servers;
    if (single) return single.request(method, params, caller);
    const { key, name, capability } = lists[method];
    const byName = new Map<string, Owned>();
    const texts: string[] = [];
    const having = (await this.#servers.reachable()).filter((upstream) => has(upstream, capability));
    const entries = await this.#servers.ofEach(having, (upstream) => entriesOf(upstream, method, caller));
    for (const { entry, owned } of entries.flat()) {
      const server = owned.upstream.name;
      const shown = key === 'prompts' ? `${server}_${owned.name}` : owned.name;
      if (byName.has(shown)) {
        this.#log(`${server}: ${shown} is another server's as well, and left out`);
        continue;
      }
      byName.set(shown, owned);
      texts.push(jsonText({ ...entry, [name]: shown }));
    }
    this.#listed.set(method, byName);
    return `{"${key}":[${texts.join(',')}]}`;
  }

  /** Sends on what is about one entry of a list, by the name that its server knows it by. */
  async forward(
    method: string,
    params: JsonObject,
    { list, path }: { list: ListMethod; path: readonly string[] },
    caller: Caller,
  ): Promise<string> {
    const { single } = this.#servers;
    if (single) return single.request(method, params, caller);
    const shown = path.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), params);
    if (typeof shown !== 'string') throw new Refusal(codes.invalidParams, `${path.join('/')} is missing.`);
    const owned = await this.#owner(list, shown, caller);
    if (!owned && list !== 'resources/list') throw new Refusal(codes.invalidParams, `Unknown: ${shown}`);
    if (owned) return owned.upstream.request(method, renamed(params, path, owned.name), caller);
    // Whoever has resources may have one that it does not list.
    let last: unknown = new Refusal(codes.invalidParams, `Unknown resource: ${shown}`);
    for (const upstream of await this.#havingResources()) {
      try {
        return await upstream.request(method, params, caller);
      } catch (error) {
        last = error;
      }
    }
    throw last;
  }

  /** The servers that may have a resource: whoever lists it, or else those that have any. */
  async ownersOf(uri: string, caller: Caller): Promise<readonly Upstream[]> {
    const { single } = this.#servers;
    if (single) return [single];
    const owned = await this.#owner('resources/list', uri, caller).catch(() => undefined);
    return owned ? [owned.upstream] : this.#havingResources();
  }

  async #havingResources(): Promise<Upstream[]> {
    return (await this.#servers.reachable(false)).filter((upstream) => has(upstream, 'resources'));
  }

  async #owner(method: ListMethod, shown: string, caller: Caller): Promise<Owned | undefined> {
    if (!this.#listed.get(method)?.has(shown)) await this.list(method, {}, caller);
    return this.#listed.get(method)?.get(shown);
  }
}

/** The entries of all pages of one server. */
async function entriesOf(upstream: Upstream, method: ListMethod, caller: Caller) {
  const { key, name } = lists[method];
  const entries: { entry: JsonObject; owned: Owned }[] = [];
  const cursors = new Set<unknown>();
  let params: JsonObject = {};
  for (let page = 0; page < mostPages; page++) {
    const result = parseJson(await upstream.request(method, params, caller));
    const items = isObject(result) && Array.isArray(result[key]) ? result[key] : [];
    for (const entry of items.filter(isObject)) {
      const own = entry[name];
      if (typeof own === 'string') entries.push({ entry, owned: { upstream, name: own } });
    }
    const cursor = isObject(result) ? result['nextCursor'] : undefined;
    if (typeof cursor !== 'string' || cursors.has(cursor)) break;
    cursors.add(cursor);
    params = { cursor };
  }
  return entries;
}

function has(upstream: Upstream, capability: string): boolean {
  return capability in (upstream.handshake?.capabilities ?? {});
}

function renamed(params: JsonObject, path: readonly string[], name: string): JsonObject {
  return parseJson(withMember(jsonText(params), path, jsonText(name))) as JsonObject; // it was one
}
