import { once } from 'node:events';
import { shortenedResult } from '../../internal.js';
import { isList, isObject, itemTexts, memberText, parseJson, valueAt, withMember } from '../../json/index.js';
import type { JsonObject } from '../../json/index.js';
import { codes, Refusal } from '../errors.js';
import type { Principal } from '../principal.js';
import { inSubscription, introductionText } from '../revisions.js';
import type { Caller } from '../upstream/calls-under-way.js';
import type { ListMethod } from '../upstream/lists.js';
import { isWithin } from '../upstream/upstream.js';

export interface Request extends Caller {
  readonly idText: string;
  readonly method: string;
  readonly params: JsonObject;
  readonly paramsText: string;
  /** A name that stands twice in an object of the params. */
  readonly doubled: string | undefined;
}

/** Gives the text of a result. The client is who subscribes to resources. */
type Handler = (principal: Principal, request: Request, client: object) => Promise<string>;

const ofBoth: Record<string, Handler> = {
  'tools/list': ({ tools }, { params, signal }) => tools.list(params, signal),
  'tools/call': suspendable(call),
  'prompts/list': list,
  'prompts/get': suspendable(({ lists }, { method, params }, caller) =>
    lists.ofPrompt(textIn(params, 'name'), (upstream, name) => upstream.request(method, { ...params, name }, caller)),
  ),
  'resources/list': list,
  'resources/templates/list': list,
  'resources/read': suspendable(({ lists }, request, caller) =>
    lists.ofResource(textIn(request.params, 'uri'), request, caller),
  ),
  'completion/complete': ({ lists }, request) => {
    const { method, params } = request;
    const ref = isObject(params['ref']) ? params['ref'] : {};
    if (ref['type'] !== 'ref/prompt') return lists.ofResource(textIn(ref, 'uri'), request, request);
    return lists.ofPrompt(textIn(ref, 'name'), (upstream, name) =>
      upstream.request(method, { ...params, ref: { ...ref, name } }, request),
    );
  },
  'tasks/get': ofSingle,
  'tasks/cancel': ofSingle,
};

/** The requests that each revision defines. There is no other way to a server. */
export const requestMethods: Record<'handshake' | 'stateless', Record<string, Handler>> = {
  handshake: {
    ...ofBoth,
    initialize: introduce,
    ping: () => Promise.resolve('{}'),
    'logging/setLevel': async ({ group }, request) => {
      const { method, params } = request;
      const logging = (await group.reachable()).filter((upstream) => upstream.has('logging') && !upstream.isStateless);
      await group.ofEach(logging, (upstream) => upstream.request(method, params, request));
      return '{}';
    },
    'resources/subscribe': ({ lists }, { params }, client) =>
      lists.subscribe(textIn(params, 'uri'), client).then(() => '{}'),
    'resources/unsubscribe': ({ lists }, { params }, client) =>
      lists.unsubscribe(textIn(params, 'uri'), client).then(() => '{}'),
    'tasks/list': ofSingle,
    'tasks/result': ofSingle,
  },
  stateless: {
    ...ofBoth,
    'server/discover': introduce,
    'subscriptions/listen': listen,
    'tasks/update': ofSingle,
  },
};

async function introduce({ group, identity }: Principal): Promise<string> {
  return introductionText(await group.introduction(), identity);
}

function list({ lists }: Principal, request: Request): Promise<string> {
  return lists.list(request.method as ListMethod, request.params, request); // the table has it under this name
}

const maxTasks = 10_000;
const longestTaskId = 1000;

async function call({ tools, tasks }: Principal, request: Request, caller: Caller): Promise<string> {
  const text = await tools.call(textIn(request.params, 'name'), request, caller);
  const id = 'task' in request.params ? valueAt(parseJson(text), '/task/taskId') : undefined;
  if (typeof id === 'string' && id.length <= longestTaskId) tasks.add(id);
  const [oldest] = tasks;
  if (tasks.size > maxTasks) tasks.delete(oldest);
  return text;
}

/** Tasks are known by names that only their own server knows. A session reaches its own only. */
async function ofSingle({ group, identity, tasks }: Principal, request: Request): Promise<string> {
  const { method, params } = request;
  if (!group.single) throw new Refusal(codes.methodNotFound, `${method} is not available with several servers.`);
  const isOwn = (id: unknown) => identity.isStateless || tasks.has(id);
  if (method !== 'tasks/list' && !isOwn(params['taskId'])) throw new Refusal(codes.invalidParams, 'Unknown task');
  const text = await group.single.request(method, params, request);
  const { maxResultLength } = group.single.server;
  if (method === 'tasks/result') return shortenedResult(text, maxResultLength);
  // A task of 2026-07-28 that is over holds its result.
  const result = memberText(text, ['result']);
  if (result !== undefined) return withMember(text, ['result'], shortenedResult(result, maxResultLength));
  const listed = method === 'tasks/list' ? memberText(text, ['tasks']) : undefined;
  if (listed === undefined) return text;
  const own = itemTexts(listed).filter((task) => isOwn(valueAt(parseJson(task), '/taskId')));
  return withMember(text, ['tasks'], `[${own.join(',')}]`);
}

/** A request that a server may interrupt with an elicitation. */
function suspendable(work: (principal: Principal, request: Request, caller: Caller) => Promise<string>): Handler {
  return (principal, request) =>
    principal.identity.isStateless
      ? principal.suspended.run(request, (caller) => work(principal, request, caller))
      : work(principal, request, request);
}

/** Sends the changes that a client asks for, as long as its request lasts (2026-07-28, Subscriptions). */
async function listen({ group, lists, listeners }: Principal, request: Request): Promise<string> {
  const { idText, params, signal } = request;
  const { notifications: wanted } = params;
  if (!isObject(wanted)) throw new Refusal(codes.invalidParams, 'notifications has to be an object.');
  const capabilities = parseJson((await group.introduction()).capabilities);
  const announces = (name: string, flag: string) => valueAt(capabilities, `/${name}/${flag}`) === true;
  const changing = ['tools', 'prompts', 'resources'].filter(
    (name) => wanted[`${name}ListChanged`] === true && announces(name, 'listChanged'),
  );
  const { resourceSubscriptions: given } = wanted;
  const isOfResources = isList(given) && announces('resources', 'subscribe');
  const uris = isOfResources ? given.filter((uri) => typeof uri === 'string') : [];
  const agreed = {
    ...Object.fromEntries(changing.map((name) => [`${name}ListChanged`, true])),
    ...(uris.length > 0 && { resourceSubscriptions: uris }),
  };
  const listener = (method: string, about: JsonObject, aboutText: string) => {
    const isChange = method === 'notifications/resources/updated';
    const isOfResource = isChange && uris.some((uri) => isWithin(String(about['uri']), uri));
    const isOfList = changing.some((name) => method === `notifications/${name}/list_changed`);
    if (isOfResource || isOfList) request.notify(method, inSubscription(idText, aboutText));
  };
  try {
    for (const uri of uris) await lists.subscribe(uri, listener);
    const consent = JSON.stringify({ notifications: agreed });
    request.notify('notifications/subscriptions/acknowledged', inSubscription(idText, consent));
    listeners.add(listener); // nothing else comes before the acknowledgement
    if (Object.keys(agreed).length > 0 && !signal.aborted) await once(signal, 'abort');
  } finally {
    listeners.delete(listener);
    for (const uri of uris) void lists.unsubscribe(uri, listener);
  }
  return inSubscription(idText);
}

function textIn(params: JsonObject, name: 'name' | 'uri'): string {
  const { [name]: text } = params;
  if (typeof text === 'string') return text;
  throw new Refusal(codes.invalidParams, `${name} has to be a string.`);
}
