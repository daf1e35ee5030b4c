import { jsonText, type JsonObject } from '../../json/index.js';
import { codes, Refusal } from '../errors.js';
import type { Caller } from './calls-under-way.js';
import type { Group } from './group.js';
import type { Upstream } from './upstream.js';

const lists = {
  'prompts/list': { key: 'prompts', id: 'name', read: 'listPrompts' },
  'resources/list': { key: 'resources', id: 'uri', read: 'listResources' },
  'resources/templates/list': { key: 'resourceTemplates', id: 'uriTemplate', read: 'listResourceTemplates' },
} as const;

export type ListMethod = keyof typeof lists;

/**
 * The prompts and resources of a principal. A single server's lists pass unchanged. Several servers' lists become one
 * page each; a prompt has its server's name in front, a resource belongs to the server that lists its address.
 */
export class Lists {
  /** The servers of the entries listed last, by name or address. */
  readonly #owners = new Map<ListMethod, Map<unknown, Upstream>>();

  constructor(readonly group: Group) {}

  async list(method: ListMethod, params: JsonObject, caller: Caller): Promise<string> {
    const { single } = this.group;
    if (single) return single.request(method, params, caller);
    const { key, id, read } = lists[method];
    const entries = await this.group.ofEach(await this.group.reachable(), async (upstream) => {
      const { session } = await upstream.permitted(caller.signal);
      return (await session[read]({ signal: caller.signal })).map((entry) => ({ entry, upstream }));
    });
    const texts: string[] = [];
    const owners = new Map<unknown, Upstream>();
    for (const { entry, upstream } of entries.flat()) {
      const own = String((entry as JsonObject)[id]); // handed on as it came
      const shown = key === 'prompts' ? `${upstream.prefix}${own}` : own;
      if (owners.has(shown)) upstream.log(`${shown} is left out, as another server has it as well`);
      else {
        texts.push(jsonText({ ...entry, [id]: shown }));
        owners.set(shown, upstream);
      }
    }
    this.#owners.set(method, owners);
    return `{"${key}":[${texts.join(',')}]}`;
  }

  /** Forwards a request about a prompt, under the name that its server uses. */
  async ofPrompt(shown: unknown, send: (upstream: Upstream, name: string) => Promise<string>): Promise<string> {
    const { single, upstreams } = this.group;
    if (typeof shown !== 'string') throw new Refusal(codes.invalidParams, 'The name of the prompt is missing.');
    if (single) return send(single, shown);
    const listed = this.#owners.get('prompts/list')?.get(shown);
    const owner = listed ?? upstreams.find(({ prefix }) => shown.startsWith(prefix));
    if (!owner) throw new Refusal(codes.invalidParams, `Unknown prompt: ${shown}`);
    return send(owner, shown.slice(owner.prefix.length));
  }

  /**
   * Forwards a request about a resource or template: to the server that listed it, or else to each until one answers.
   */
  async ofResource(uri: unknown, send: (upstream: Upstream) => Promise<string>): Promise<string> {
    // Before the refusal: a rejected promise that nothing waits for yet ends the process.
    const owners = await this.#ownersOf(uri);
    let result = Promise.reject<string>(new Refusal(codes.invalidParams, `Unknown resource: ${String(uri)}`));
    for (const upstream of owners) result = result.catch(() => send(upstream));
    return result;
  }

  async subscribe(uri: string, subscriber: object): Promise<void> {
    for (const upstream of await this.#ownersOf(uri)) await upstream.subscribe(uri, subscriber);
  }

  async unsubscribe(uri: string, subscriber: object): Promise<void> {
    for (const upstream of this.group.upstreams) await upstream.unsubscribe(uri, subscriber);
  }

  async #ownersOf(uri: unknown): Promise<readonly Upstream[]> {
    const listed = (method: ListMethod) => this.#owners.get(method)?.get(uri);
    const owner = this.group.single ?? listed('resources/list') ?? listed('resources/templates/list');
    if (owner) return [owner];
    await this.group.open();
    // One that has ended is started again by the request.
    return this.group.upstreams.filter((upstream) => upstream.has('resources'));
  }
}
