import { itemTexts, memberText, parseJson, withMember, type JsonObject } from '../../json/index.js';
import { defaultListLimits, readAllPages, wireSlice, type WireText } from '../../mcp/index.js';
import { codes, failureOf, Refusal } from '../errors.js';
import type { Caller } from './calls-under-way.js';
import type { Group } from './group.js';
import type { Upstream } from './upstream.js';

const lists = {
  'prompts/list': { capability: 'prompts', key: 'prompts', id: 'name' },
  'resources/list': { capability: 'resources', key: 'resources', id: 'uri' },
  'resources/templates/list': { capability: 'resources', key: 'resourceTemplates', id: 'uriTemplate' },
} as const;

export type ListMethod = keyof typeof lists;

/**
 * The prompts and resources of a principal. A single server's lists pass unchanged. Several servers' lists become one
 * page each; a prompt has its server's name in front, a resource belongs to the server that lists its address.
 */
export function listsOf(group: Group) {
  /** The servers of the resources that were listed last, by address. */
  const allOwners = new Map<ListMethod, Map<unknown, Upstream>>();
  return { list, ofPrompt, ofResource, subscribe, unsubscribe };

  async function list(method: ListMethod, params: JsonObject, caller: Caller): Promise<string> {
    const { single } = group;
    if (single) return single.request(method, params, caller);
    const { capability, key, id } = lists[method];
    const reached = (await group.reachable()).filter((upstream) => upstream.has(capability));
    const entries = await group.ofEach(reached, (upstream) => entriesOf(upstream, method, caller.signal));
    const texts: string[] = [];
    const owners = new Map<unknown, Upstream>();
    for (const { text, upstream } of entries.flat()) {
      const own = String(parseJson(memberText(text, [id]) ?? ''));
      const shown = key === 'prompts' ? `${upstream.prefix}${own}` : own;
      if (owners.has(shown)) upstream.log(`${shown} is left out, as another server has it as well`);
      else {
        texts.push(shown === own ? text : withMember(text, [id], JSON.stringify(shown)));
        owners.set(shown, upstream);
      }
    }
    allOwners.set(method, owners);
    return `{"${key}":[${texts.join(',')}]}`;
  }

  async function ofPrompt(shown: string, send: (upstream: Upstream, name: string) => Promise<string>): Promise<string> {
    const { single, upstreams } = group;
    if (single) return send(single, shown);
    // No prefix begins with another one.
    const owner = upstreams.find(({ prefix }) => shown.startsWith(prefix));
    if (!owner) throw new Refusal(codes.invalidParams, `Unknown prompt: ${shown}`);
    return send(owner, shown.slice(owner.prefix.length));
  }

  /** Asks the server that listed the resource or template, or else each until one answers. */
  async function ofResource(
    uri: string,
    { method, params }: { readonly method: string; readonly params: JsonObject },
    caller: Caller,
  ): Promise<string> {
    // Before the refusal: a rejected promise that nothing waits for yet ends the process.
    const owners = await ownersOf(uri);
    let result = Promise.reject<string>(new Refusal(codes.invalidParams, `Unknown resource: ${uri}`));
    for (const upstream of owners) result = result.catch(() => upstream.request(method, params, caller));
    return result;
  }

  async function subscribe(uri: string, subscriber: object): Promise<void> {
    for (const upstream of await ownersOf(uri)) await upstream.subscribe(uri, subscriber);
  }

  async function unsubscribe(uri: string, subscriber: object): Promise<void> {
    for (const upstream of group.upstreams) await upstream.unsubscribe(uri, subscriber);
  }

  async function ownersOf(uri: string): Promise<readonly Upstream[]> {
    const listed = (method: ListMethod) => allOwners.get(method)?.get(uri);
    const owner = group.single ?? listed('resources/list') ?? listed('resources/templates/list');
    if (owner) return [owner];
    await group.open();
    // The request starts a server again that has ended.
    return group.upstreams.filter((upstream) => upstream.has('resources'));
  }
}

interface Entry {
  readonly text: string;
  readonly upstream: Upstream;
}

/** All entries of a list, read to its end. */
async function entriesOf(upstream: Upstream, method: ListMethod, signal: AbortSignal): Promise<readonly Entry[]> {
  const { key } = lists[method];
  const open = await upstream.permitted(signal);
  const ask = (params: JsonObject) => open.request(method, params, { signal, mayRepeat: true });
  const entryOf = (text: string) => ({ text, upstream });
  const entriesIn = ({ wire }: { wire: WireText }) => itemTexts(wireSlice(wire, ['result', key]) ?? '[]').map(entryOf);
  const reading = readAllPages(method, key, ask, defaultListLimits, (pages) => pages.flatMap(entriesIn));
  return reading.catch((error: unknown) => {
    // A capability for resources says nothing of templates.
    const isUnknown = failureOf(error, false).code === codes.methodNotFound;
    if (isUnknown && method === 'resources/templates/list') return [];
    throw error;
  });
}
