import { isList, isObject, type JsonObject } from '../../json/index.js';
import { answerText, oneLine, wireSlice, type AnswerText, type Message, type RequestId } from '../../mcp/index.js';
import { AnsweredError, codes, failed, Refusal } from '../answers.js';
import type { Principal } from '../principal.js';
import {
  discoverResult,
  envelopeProblem,
  identityInHandshake,
  initializeResult,
  inSubscription,
  metaIn,
  statelessResult,
  type Era,
  type Identity,
} from '../revisions.js';
import type { ListMethod } from '../upstream/lists.js';
import type { Caller, Question } from '../upstream/upstream.js';
import { SuspendableCall } from './suspended.js';

/** The way to one client. */
export interface Wire {
  /** @param related the client's request that the message belongs to, or whose answer it is */
  send(text: string, related?: RequestId, isAnswer?: boolean): void;
  /** Ends the response to a request before its answer, where the client can ask for it again. */
  pause?(related: RequestId): void;
}

/** A request of the client. */
interface Request extends Caller {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
  readonly paramsText: string;
}

/** Gives the text of a result. */
type Handler = (client: Client, principal: Principal, request: Request) => Promise<string>;

/** So many requests of a client may be under way, and so much may wait until it says that it is ready. */
const mostUnderWay = 4096;
const mostHeld = 1000;

/** One client: its messages mean what is in the tables below, and nothing else. */
export class Client {
  readonly #era: Era;
  readonly #wire: Wire;
  readonly #open: (identity: Identity) => Principal;
  #principal: Principal | undefined;
  readonly #underWay = new Map<RequestId, { method: string; abort: AbortController }>();
  /** What the client was asked, by the id it was asked under. */
  readonly #asked = new Map<RequestId, (answer: AnswerText) => void>();
  #nextId = 0;
  /** What is held back until the client says that it is ready; undefined from then on. */
  #held: (() => void)[] | undefined;

  /** @param principal a function that opens one, for a client that begins with a handshake */
  constructor(principal: Principal | ((identity: Identity) => Principal), wire: Wire) {
    this.#wire = wire;
    if (typeof principal === 'function') {
      this.#era = 'handshake';
      this.#open = principal;
      this.#held = [];
    } else {
      this.#era = 'stateless';
      this.#principal = principal;
      this.#open = () => principal;
    }
  }

  /** Whether nothing waits for an answer. */
  get isIdle(): boolean {
    return [...this.#underWay.values()].every(({ method }) => method === 'subscriptions/listen');
  }

  take(message: Message): void {
    if (message.kind === 'request') this.#requested(message);
    else if (message.kind === 'notification') {
      const { method, params } = message;
      if (Object.hasOwn(notifications[this.#era], method)) notifications[this.#era][method]?.(this, params);
    } else if (message.kind === 'answer' && message.id !== undefined) {
      const { wire } = message.answer;
      const [result, error] = [wireSlice(wire, ['result']), wireSlice(wire, ['error'])];
      this.#asked.get(message.id)?.('error' in message.answer ? { error: error ?? '{}' } : { result: result ?? '{}' });
    }
  }

  /** The client is gone. */
  close(): void {
    for (const { abort } of this.#underWay.values()) abort.abort('The client is gone.');
    for (const settle of this.#asked.values()) settle(failed(new Error('The client is gone.')));
    this.#principal?.listeners.delete(this.#announce);
  }

  /** The principal of a handshake, whose only client this is. */
  begin(identity: Identity): Principal {
    if (this.#principal) return this.#principal;
    this.#principal = this.#open(identity);
    this.#principal.listeners.add(this.#announce);
    this.#principal.onQuestion = (question) => this.#ask(question);
    return this.#principal;
  }

  ready(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const action of held) action();
  }

  cancel(id: unknown, reason: unknown): void {
    this.#underWay.get(id as RequestId)?.abort.abort(reason); // whatever it is, it is only looked up
  }

  tellServers(method: string, params: JsonObject): void {
    for (const upstream of this.#principal?.group.upstreams ?? []) void upstream.notify(method, params);
  }

  readonly #announce = (method: string, _params: JsonObject, paramsText: string): void => {
    this.#whenReady(() => {
      this.#wire.send(notificationText(method, paramsText));
    });
  };

  #whenReady(action: () => void): void {
    if (!this.#held) action();
    else if (this.#held.length < mostHeld) this.#held.push(action);
  }

  #ask({ method, paramsText, signal }: Question, related?: RequestId): Promise<AnswerText> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const over = () => {
        this.#asked.delete(id);
        signal.removeEventListener('abort', onAbort);
      };
      const onAbort = () => {
        over();
        const reason = typeof signal.reason === 'string' ? { reason: signal.reason } : {};
        const params = JSON.stringify({ requestId: id, ...reason });
        this.#wire.send(notificationText('notifications/cancelled', params), related);
        reject(new Error('taken back'));
      };
      this.#asked.set(id, (answer) => {
        over();
        resolve(answer);
      });
      signal.addEventListener('abort', onAbort, { once: true });
      this.#whenReady(() => {
        const head = `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)}`;
        this.#wire.send(`${head},"params":${oneLine(paramsText)}}`, related);
      });
    });
  }

  #requested({ id, method, params, wire }: Extract<Message, { kind: 'request' }>): void {
    if (this.#underWay.has(id)) {
      this.#reply(id, failed(new Refusal(codes.invalidRequest, 'A request with this id is under way.')));
      return;
    }
    const abort = new AbortController();
    this.#underWay.set(id, { method, abort });
    const request: Request = {
      id,
      method,
      params,
      paramsText: wireSlice(wire, ['params']) ?? '{}',
      era: this.#era,
      signal: abort.signal,
      envelope: metaIn(params).envelope,
      notify: (notification, paramsText) => {
        if (!abort.signal.aborted) this.#wire.send(notificationText(notification, paramsText), id);
      },
      ask: (question) =>
        this.#era === 'handshake'
          ? this.#ask(question, id)
          : Promise.reject(new Error('This client is asked within its own requests alone.')),
      pause: () => this.#wire.pause?.(id),
    };
    void this.#handled(request)
      .then(
        (result): AnswerText => ({ result }),
        (error: unknown) => failed(error, this.#era === 'stateless'),
      )
      .then((answer) => {
        this.#underWay.delete(id);
        // What the client took back is not answered.
        if (!abort.signal.aborted) this.#reply(id, answer);
      });
  }

  #reply(id: RequestId, answer: AnswerText): void {
    this.#wire.send(answerText(id, answer), id, true);
  }

  async #handled(request: Request): Promise<string> {
    const { method, params, envelope } = request;
    const handler = Object.hasOwn(requests[this.#era], method) ? requests[this.#era][method] : undefined;
    if (!handler) throw new Refusal(codes.methodNotFound, `Method not found: ${method}`);
    if (this.#underWay.size > mostUnderWay)
      throw new Refusal(codes.internal, `More than ${mostUnderWay} requests are under way. Wait for some answers.`);
    if (method !== 'initialize' && method !== 'ping') this.ready();
    if (this.#era === 'handshake') {
      const principal = method === 'initialize' ? this.begin(identityInHandshake(params)) : this.#principal;
      if (!principal) throw new Refusal(codes.internal, 'The first request has to be initialize.');
      return handler(this, principal, request);
    }
    const problem = envelopeProblem(envelope ?? {});
    if (problem !== undefined) throw new Refusal(codes.invalidParams, `Invalid _meta envelope: ${problem}`);
    return statelessResult(method, await handler(this, this.#open(identityInHandshake({})), request));
  }
}

function notificationText(method: string, paramsText: string): string {
  return `{"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":${oneLine(paramsText)}}`;
}

/** What a client may say without wanting an answer. */
const notifications: Record<Era, Record<string, ((client: Client, params: JsonObject) => void) | undefined>> = {
  handshake: {
    'notifications/initialized': (client) => {
      client.ready();
    },
    'notifications/cancelled': cancelled,
    'notifications/roots/list_changed': (client, params) => {
      client.tellServers('notifications/roots/list_changed', params);
    },
  },
  stateless: { 'notifications/cancelled': cancelled },
};

function cancelled(client: Client, { requestId, reason }: JsonObject): void {
  client.cancel(requestId, reason);
}

const ofBoth: Record<string, Handler> = {
  'tools/list': (_client, { tools }, { params, signal }) => tools.list(params, signal),
  'tools/call': suspendably(({ tools }, request, caller) => tools.call(request, caller)),
  'prompts/list': list,
  'prompts/get': suspendably(({ group }, { method, params }, caller) =>
    group.lists.forward(method, params, { list: 'prompts/list', path: ['name'] }, caller),
  ),
  'resources/list': list,
  'resources/templates/list': list,
  'resources/read': suspendably(({ group }, { method, params }, caller) =>
    group.lists.forward(method, params, { list: 'resources/list', path: ['uri'] }, caller),
  ),
  'completion/complete': (_client, { group }, request) => {
    const { method, params } = request;
    const isPrompt = isObject(params['ref']) && params['ref']['type'] === 'ref/prompt';
    const of = isPrompt
      ? { list: 'prompts/list' as const, path: ['ref', 'name'] }
      : { list: 'resources/templates/list' as const, path: ['ref', 'uri'] };
    return group.lists.forward(method, params, of, request);
  },
  'tasks/get': ofSingle,
  'tasks/cancel': ofSingle,
};

/** The requests that each revision defines. There is no other way to a server. */
const requests: Record<Era, Record<string, Handler>> = {
  handshake: {
    ...ofBoth,
    initialize: async (_client, { group, identity }) => initializeResult(await group.introduction(), identity),
    ping: () => Promise.resolve('{}'),
    'logging/setLevel': async (_client, { group }, { params }) => {
      const level = String(params['level']);
      await group.ofEach(await group.reachable(), (upstream) => upstream.setLogLevel(level));
      return '{}';
    },
    'resources/subscribe': async (client, { group }, request) => {
      const uri = uriIn(request.params);
      for (const upstream of await group.lists.ownersOf(uri, request)) await upstream.subscribe(uri, client);
      return '{}';
    },
    'resources/unsubscribe': async (client, { group }, { params }) => {
      for (const upstream of group.upstreams) await upstream.unsubscribe(uriIn(params), client);
      return '{}';
    },
    'tasks/list': ofSingle,
    'tasks/result': ofSingle,
  },
  stateless: {
    ...ofBoth,
    'server/discover': async (_client, { group }) => discoverResult(await group.introduction()),
    'subscriptions/listen': listen,
    'tasks/update': ofSingle,
  },
};

function list(_client: Client, { group }: Principal, request: Request): Promise<string> {
  return group.lists.list(request.method as ListMethod, request.params, request); // it stands in the table by this name
}

/** Tasks are known by names that only their own server knows. */
function ofSingle(_client: Client, { group }: Principal, request: Request): Promise<string> {
  const { method, params } = request;
  if (group.single) return group.single.request(method, params, request);
  throw new Refusal(codes.methodNotFound, `${method} is not known where several servers are one.`);
}

/** A request in whose middle a server may ask. */
function suspendably(work: (principal: Principal, request: Request, caller: Caller) => Promise<string>): Handler {
  return async (_client, principal, request) => {
    if (request.era === 'handshake') return work(principal, request, request);
    const { suspended } = principal;
    const call =
      suspended.resume(request.params, request.paramsText) ??
      new SuspendableCall(request.envelope, (caller) => work(principal, request, caller));
    const outcome = await call.next(request);
    if ('question' in outcome) return suspended.suspend(call, outcome);
    if ('error' in outcome) throw new AnsweredError(outcome.error);
    return outcome.result;
  };
}

/** Hears of changes for as long as the request lasts (2026-07-28, Subscriptions). */
async function listen(_client: Client, principal: Principal, request: Request): Promise<string> {
  const { id, params, signal } = request;
  const wanted = params['notifications'];
  if (!isObject(wanted)) throw new Refusal(codes.invalidParams, 'notifications has to be an object.');
  const { capabilities } = await principal.group.introduction();
  const announces = (name: string, flag: string) => isObject(capabilities[name]) && capabilities[name][flag] === true;
  const given = wanted['resourceSubscriptions'];
  const uris = isList(given) ? given.filter((uri) => typeof uri === 'string') : [];
  const heard = {
    ...(wanted['toolsListChanged'] === true && announces('tools', 'listChanged') && { toolsListChanged: true }),
    ...(wanted['promptsListChanged'] === true && announces('prompts', 'listChanged') && { promptsListChanged: true }),
    ...(wanted['resourcesListChanged'] === true &&
      announces('resources', 'listChanged') && { resourcesListChanged: true }),
    ...(uris.length > 0 && announces('resources', 'subscribe') && { resourceSubscriptions: uris }),
  };
  const tell = (method: string, about: JsonObject) => {
    request.notify(method, inSubscription(id, about));
  };
  const listener = (method: string, about: JsonObject) => {
    const [, kind = ''] = /^notifications\/(\w+)\/list_changed$/.exec(method) ?? [];
    const isHeard =
      `${kind}ListChanged` in heard ||
      (method === 'notifications/resources/updated' && heard.resourceSubscriptions?.includes(String(about['uri'])));
    if (isHeard) tell(method, about);
  };
  principal.listeners.add(listener);
  const owners = new Map<string, Awaited<ReturnType<typeof principal.group.lists.ownersOf>>>();
  try {
    for (const uri of heard.resourceSubscriptions ?? []) {
      owners.set(uri, await principal.group.lists.ownersOf(uri, request));
      for (const upstream of owners.get(uri) ?? []) await upstream.subscribe(uri, listener);
    }
    tell('notifications/subscriptions/acknowledged', { notifications: heard });
    if (Object.keys(heard).length > 0 && !signal.aborted)
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve);
      });
  } finally {
    principal.listeners.delete(listener);
    for (const [uri, upstreams] of owners) for (const upstream of upstreams) void upstream.unsubscribe(uri, listener);
  }
  return inSubscription(id);
}

function uriIn({ uri }: JsonObject): string {
  if (typeof uri === 'string') return uri;
  throw new Refusal(codes.invalidParams, 'uri has to be a text.');
}
