import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { McpError, unknownOutcome } from '../index.js';
import type { Provider, ToolOptions } from '../index.js';
import { isObject, withMember, type JsonObject } from '../json/index.js';
import { RefusedRequest, wireSlice, type AnswerText, type RequestId, type ServerRequest } from '../mcp/index.js';
import { checkedCall, refusalResult } from './calls.js';
import { isListMethod, messageOf, type Joined, type ListMethod } from './behind/joined.js';
import { answerMessage, notificationMessage, requestMessage, type Incoming } from './front/payload.js';
import { identityInHandshake, logLevelIn, statelessResult, type Era, type Identity } from './revisions.js';
import { mostRounds, nextRound, SuspendableCall, wantedInput, type SuspendedCalls } from './rounds.js';
import type { Asker, ServerBehind } from './behind/server-behind.js';
import { toldTool } from './telling.js';

/** What holds for all clients. */
export interface RelaySettings {
  readonly tool: ToolOptions;
  readonly provider: Provider | undefined;
  /** Told what was repaired, refused, set aside or told differently; a line each, for people. */
  readonly log: (line: string) => void;
}

export interface ClientRelayOptions {
  readonly settings: RelaySettings;
  /** The servers for a client that says this of itself. */
  readonly behind: (client: Identity) => Joined;
  /** The same, where it is known already. */
  readonly joined?: Joined;
  readonly era: Era;
  readonly suspended: SuspendedCalls;
  /** @param related the client's request that the message belongs to */
  readonly send: (message: JSONRPCMessage, related: RequestId | undefined) => void;
  /** Stands in for `send` where changes have a way of their own. */
  readonly announceChange?: (method: string, params: JsonObject) => void;
}

const errors = { invalidParams: -32602, methodNotFound: -32601, internal: -32603 };

/** What 2026-07-28 has no more. */
const withHandshakeOnly = ['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'];

/** So much may wait for a client that does not say that it is ready. */
const mostHeld = 1000;

interface Request extends Incoming {
  readonly id: RequestId;
  readonly method: string;
  readonly signal: AbortSignal;
}

/**
 * Between one client and the servers behind. What it does not know it hands on, in the order in which it came: answers and
 * announcements as they arrive, requests when the one before is on its way.
 */
export class ClientRelay implements Asker {
  readonly #options: ClientRelayOptions;
  #joined: Joined | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  readonly #underWay = new Map<RequestId, AbortController>();
  /** What the client was asked, by the id it was asked under. */
  readonly #asked = new Map<RequestId, (answer: AnswerText) => void>();
  /** Calls for a client of 2026-07-28 at servers with a handshake, by the client's id. */
  readonly #suspendable = new Map<RequestId, SuspendableCall>();
  #nextId = 0;
  /** What is held back until the client says that it is ready; undefined from then on. */
  #held: (() => void)[] | undefined;
  #told = new Set<string>();

  constructor(options: ClientRelayOptions) {
    this.#options = options;
    this.#joined = options.joined;
    options.joined?.join(this);
    if (options.era === 'handshake') this.#held = [];
  }

  /** Whether nothing waits for an answer. */
  get isIdle(): boolean {
    return this.#underWay.size === 0;
  }

  take(incoming: Incoming): void {
    const { id, method, params, answer } = incoming;
    if (answer) {
      if (id !== undefined) this.#asked.get(id)?.(answer);
    } else if (method === 'notifications/cancelled') {
      const { requestId, reason } = params;
      // Whatever it is, it is only looked up.
      this.#underWay.get(requestId as RequestId)?.abort(reason);
    } else if (method !== undefined && id === undefined) {
      this.#enqueue(() => this.#notified(method, incoming));
    } else if (method !== undefined && id !== undefined) {
      const abort = new AbortController();
      this.#underWay.set(id, abort);
      this.#enqueue(() => this.#requested({ ...incoming, id, method, signal: abort.signal }));
    }
  }

  /** The client is gone. */
  close(): void {
    for (const abort of this.#underWay.values()) abort.abort('The client is gone.');
    for (const settle of this.#asked.values()) settle(errorAnswer(errors.internal, 'The client is gone.'));
    this.#joined?.leave(this);
  }

  announce(method: string, paramsText: string, params: JsonObject, related: RequestId | undefined): void {
    this.#whenReady(() => {
      const { announceChange, send } = this.#options;
      if (announceChange && related === undefined) announceChange(method, params);
      else send(notificationMessage(method, paramsText), related);
    });
  }

  async ask(request: ServerRequest, related: RequestId | undefined): Promise<AnswerText> {
    const suspendable = related === undefined ? undefined : this.#suspendable.get(related);
    if (suspendable) return suspendable.ask(request);
    if (this.#options.era === 'stateless') throw new Error('This client is asked within its own requests alone.');
    const paramsText = wireSlice(request.wire, ['params']) ?? '{}';
    return this.#askClient(request.method, paramsText, related, request.signal);
  }

  #askClient(
    method: string,
    paramsText: string,
    related: RequestId | undefined,
    signal: AbortSignal,
  ): Promise<AnswerText> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const settle = (answer: AnswerText) => {
        this.#asked.delete(id);
        signal.removeEventListener('abort', onAbort);
        resolve(answer);
      };
      const onAbort = () => {
        this.#asked.delete(id);
        const reason = typeof signal.reason === 'string' ? { reason: signal.reason } : {};
        const params = JSON.stringify({ requestId: id, ...reason });
        this.#options.send(notificationMessage('notifications/cancelled', params), related);
        reject(new Error('taken back'));
      };
      this.#asked.set(id, settle);
      signal.addEventListener('abort', onAbort, { once: true });
      this.#whenReady(() => {
        this.#options.send(requestMessage(id, method, paramsText), related);
      });
    });
  }

  #whenReady(action: () => void): void {
    if (!this.#held) action();
    else if (this.#held.length < mostHeld) this.#held.push(action);
  }

  #ready(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const action of held) action();
  }

  #enqueue(work: () => Promise<void>): void {
    this.#queue = this.#queue.then(work).catch((error: unknown) => {
      this.#options.settings.log(messageOf(error));
    });
  }

  async #notified(method: string, { paramsText }: Incoming): Promise<void> {
    if (method === 'notifications/initialized') this.#ready();
    else await Promise.all(this.#joined?.servers.map((server) => server.notify(method, paramsText)) ?? []);
  }

  /** Resolves when the next message may be looked at: when this one is on its way, or answered. */
  #requested(request: Request): Promise<void> {
    if (request.method !== 'initialize' && request.method !== 'ping') this.#ready();
    return new Promise((onItsWay) => {
      const answer = (text: AnswerText) => {
        if (!this.#underWay.delete(request.id)) return;
        const { era } = this.#options;
        const told =
          era === 'stateless' && 'result' in text ? { result: statelessResult(request.method, text.result) } : text;
        this.#options.send(answerMessage(request.id, told), request.id);
      };
      this.#handle(request, answer, onItsWay)
        .catch((error: unknown) => {
          if (!request.signal.aborted) answer(answerFor(error));
        })
        .finally(() => {
          this.#underWay.delete(request.id);
          onItsWay();
        });
    });
  }

  async #handle(request: Request, answer: (text: AnswerText) => void, onItsWay: () => void): Promise<void> {
    const { method, params, signal } = request;
    if (this.#options.era === 'stateless' && withHandshakeOnly.includes(method))
      throw new RefusedRequest(errorText(errors.methodNotFound, `${method} is no method of this revision.`));
    if (method === 'initialize') {
      answer({ result: await this.#initialize(params) });
      return;
    }
    const joined = this.#joined;
    if (!joined) throw new RefusedRequest(errorText(errors.internal, 'The first request has to be initialize.'));
    const [first] = joined.servers;
    if (method === 'server/discover' && this.#options.era === 'stateless') {
      answer({ result: await joined.introduction() });
      return;
    }
    if (method === 'ping' && !joined.isSingle) {
      answer({ result: '{}' });
      return;
    }
    if (method === 'tools/list') {
      onItsWay();
      answer({ result: await this.#listTools(joined, request) });
      return;
    }
    const level = logLevelIn(params);
    if (level !== undefined) await this.#setLevel(joined, level, signal);
    if (method === 'tools/call') {
      await this.#call(joined, request, answer, onItsWay);
      return;
    }
    if (method === 'logging/setLevel') {
      const { relay } = { relay: await first.relay() };
      for (const server of joined.servers)
        server.logLevel = typeof params['level'] === 'string' ? params['level'] : undefined;
      if (relay.isStateless || !joined.isSingle) {
        await this.#setLevel(joined, String(params['level']), signal, true);
        answer({ result: '{}' });
        return;
      }
    }
    if (!joined.isSingle) {
      onItsWay();
      await this.#routed(joined, request, answer);
      return;
    }
    const { uri } = params;
    if (method === 'resources/subscribe' && typeof uri === 'string' && !(await first.subscribe(uri))) {
      answer({ result: '{}' });
      return;
    }
    if (method === 'resources/unsubscribe' && typeof uri === 'string') {
      first.unsubscribe(uri);
      if ((await first.relay()).isStateless) {
        answer({ result: '{}' });
        return;
      }
    }
    if (method === 'ping' && (await first.relay()).isStateless) answer({ result: '{}' });
    else await this.#forward(first, request, answer, onItsWay);
  }

  async #initialize(params: JsonObject): Promise<string> {
    const client = identityInHandshake(params);
    if (!this.#joined) {
      this.#joined = this.#options.behind(client);
      this.#joined.join(this);
    }
    return this.#joined.introduction();
  }

  async #listTools(joined: Joined, { params, paramsText, signal }: Request): Promise<string> {
    const { provider } = this.#options.settings;
    if (typeof params['cursor'] === 'string')
      throw new RefusedRequest(errorText(errors.invalidParams, 'Invalid cursor'));
    const lists = [];
    for (const server of joined.servers) {
      try {
        if (!joined.isSingle && !('tools' in (await server.relay()).handshake.capabilities)) continue;
        lists.push(await server.listTools(paramsText, signal));
      } catch (error) {
        if (joined.isSingle) throw error;
        this.#options.settings.log(`${server.name}: ${messageOf(error)}`);
      }
    }
    const texts: string[] = [];
    let isTheirs = joined.isSingle && lists[0]?.pages === 1;
    for (const [shown, { server, tool }] of await joined.tools(signal)) {
      if (!tool) continue;
      const { text, remarks } = toldTool(tool, shown, provider);
      texts.push(text);
      for (const remark of remarks) this.#remark(server, `${shown}: ${remark}`);
      if (text !== tool.text?.definition) isTheirs = false;
    }
    for (const [index, { catalogue }] of lists.entries())
      for (const { name, position, reason } of catalogue.setAside) {
        isTheirs = false;
        const server = joined.servers[index] ?? joined.servers[0];
        this.#remark(server, `set aside: ${name ?? `tool ${position + 1}`}: ${reason.message}`);
      }
    const [list] = lists;
    if (joined.isSingle && isTheirs && list) return list.resultText;
    const frame = (joined.isSingle && list?.resultText) || '{}';
    return withMember(withMember(frame, ['tools'], `[${texts.join(',')}]`), ['nextCursor'], undefined);
  }

  async #call(
    joined: Joined,
    request: Request,
    answer: (text: AnswerText) => void,
    onItsWay: () => void,
  ): Promise<void> {
    const { params, paramsText } = request;
    const { name } = params;
    const owned = typeof name === 'string' ? (await joined.tools(request.signal)).get(name) : undefined;
    const server = owned?.server ?? joined.servers[0];
    // What nobody lists is the server's to refuse.
    if (!owned?.tool) {
      if (!joined.isSingle) throw new RefusedRequest(errorText(errors.invalidParams, `Unknown tool: ${String(name)}`));
      await this.#forward(server, request, answer, onItsWay);
      return;
    }
    const checked = checkedCall(owned.tool, { params, paramsText }, this.#options.settings.tool);
    for (const remark of checked.remarks) this.#options.settings.log(`${server.name}: ${owned.name}: ${remark}`);
    if ('refusal' in checked) {
      answer({ result: refusalResult(checked.refusal) });
      return;
    }
    const isRenamed = owned.name !== name;
    const sent = {
      ...request,
      params: isRenamed ? { ...checked.params, name: owned.name } : checked.params,
      paramsText: isRenamed ? withMember(checked.paramsText, ['name'], JSON.stringify(owned.name)) : checked.paramsText,
    };
    const headers = await server.headersFor(owned.tool, sent.params['arguments']);
    await this.#forward(server, sent, answer, onItsWay, headers);
  }

  /** Sends a request on to a server, and its answer back; where the two speak otherwise, with the questions in between. */
  async #forward(
    server: ServerBehind,
    request: Request,
    answer: (text: AnswerText) => void,
    onItsWay: () => void,
    headers?: Record<string, string>,
  ): Promise<void> {
    const { isStateless } = await server.relay();
    const { era } = this.#options;
    const forwarded = { ...request, asker: this, headers, onSent: onItsWay };
    if (era === 'stateless' && !isStateless) {
      await this.#suspendably(server, request, answer, onItsWay);
      return;
    }
    if (era === 'stateless' || !isStateless) {
      await server.forward({ ...forwarded, onAnswer: answer });
      return;
    }
    let { paramsText } = request;
    for (let round = 0; round < mostRounds; round++) {
      let came: AnswerText | undefined;
      await server.forward({
        ...forwarded,
        paramsText,
        onAnswer: (text) => {
          came = text;
          if ('error' in text || !wantedInput(text.result)) answer(text);
        },
      });
      const wanted = came && 'result' in came ? wantedInput(came.result) : undefined;
      if (!came || !('result' in came) || !wanted) return;
      const responses = new Map<string, string>();
      for (const [key, method, text] of wanted.requests) {
        const response = await this.#askClient(method, text, request.id, request.signal);
        if ('error' in response) throw new RefusedRequest(response.error);
        responses.set(key, response.result);
      }
      paramsText = nextRound(request.paramsText, came.result, responses);
    }
    throw new RefusedRequest(
      errorText(errors.internal, `The server asked more than ${mostRounds} times before it answered.`),
    );
  }

  async #suspendably(
    server: ServerBehind,
    request: Request,
    answer: (text: AnswerText) => void,
    onItsWay: () => void,
  ): Promise<void> {
    const { suspended } = this.#options;
    let call = suspended.resume(request.params, request.paramsText);
    if (!call) {
      const fresh = (call = new SuspendableCall());
      this.#suspendable.set(request.id, fresh);
      server
        .forward({
          ...request,
          signal: fresh.abort.signal,
          asker: this,
          onSent: onItsWay,
          onAnswer: (text) => {
            fresh.settle(text);
          },
        })
        .catch((error: unknown) => {
          fresh.settle(answerFor(error));
        });
    }
    const current = call;
    const onAbort = () => {
      current.abort.abort(request.signal.reason);
    };
    request.signal.addEventListener('abort', onAbort, { once: true });
    const outcome = await current.next();
    request.signal.removeEventListener('abort', onAbort);
    answer('request' in outcome ? { result: suspended.suspend(current, outcome) } : outcome);
  }

  /** Requests at several servers: each goes to whom it belongs. */
  async #routed(joined: Joined, request: Request, answer: (text: AnswerText) => void): Promise<void> {
    const { method, params, paramsText, signal } = request;
    if (isListMethod(method)) {
      answer({ result: await joined.list(method, signal) });
      return;
    }
    const { ref, name, uri } = params;
    const { type, name: refName, uri: refUri } = isObject(ref) ? ref : {};
    const to = async (list: ListMethod, shown: unknown, path: readonly string[]) => {
      const owned = typeof shown === 'string' ? await joined.owner(list, shown, signal) : undefined;
      if (!owned) throw new RefusedRequest(errorText(errors.invalidParams, `Unknown: ${String(shown)}`));
      const text = owned.name === shown ? paramsText : withMember(paramsText, path, JSON.stringify(owned.name));
      await this.#forward(owned.server, { ...request, paramsText: text }, answer, () => {});
    };
    if (method === 'prompts/get') await to('prompts/list', name, ['name']);
    else if (method === 'completion/complete' && type === 'ref/prompt')
      await to('prompts/list', refName, ['ref', 'name']);
    else if (method === 'completion/complete') await to('resources/templates/list', refUri, ['ref', 'uri']);
    else if (method.startsWith('resources/') && typeof uri === 'string') {
      const owners = await joined.ownersOf(uri, signal);
      let last: AnswerText = errorAnswer(errors.invalidParams, `Unknown resource: ${uri}`);
      for (const server of owners) {
        if (method === 'resources/subscribe') await server.subscribe(uri);
        await this.#forward(
          server,
          request,
          (text) => {
            last = text;
          },
          () => {},
        );
        if ('result' in last) break;
      }
      answer(last);
    } else
      throw new RefusedRequest(
        errorText(errors.methodNotFound, `${method} is not known where several servers are joined.`),
      );
  }

  /** Has servers with a handshake log from this level on, where a client of 2026-07-28 asks for it with its request. */
  async #setLevel(joined: Joined, level: string, signal: AbortSignal, isAsked = false): Promise<void> {
    for (const server of joined.servers) {
      const { isStateless, handshake } = await server.relay();
      const isSet = server.logLevel === level && !isAsked;
      server.logLevel = level;
      if (isStateless || isSet || !('logging' in handshake.capabilities)) continue;
      const params = { level };
      await server
        .forward({
          asker: this,
          id: `level:${this.#nextId++}`,
          method: 'logging/setLevel',
          params,
          paramsText: JSON.stringify(params),
          signal,
          onAnswer: () => {},
        })
        .catch(() => {});
    }
  }

  /** Says each thing once to whoever reads the log. */
  #remark(server: ServerBehind, line: string): void {
    if (this.#told.has(line)) return;
    this.#told.add(line);
    this.#options.settings.log(`${server.name}: ${line}`);
  }
}

function errorText(code: number, message: string): string {
  return JSON.stringify({ code, message });
}

function errorAnswer(code: number, message: string): AnswerText {
  return { error: errorText(code, message) };
}

/** What the client hears when a server gave no answer: the reason, and what to do about it. */
function answerFor(error: unknown): AnswerText {
  if (error instanceof RefusedRequest) return { error: error.errorText };
  const { message, hint, outcomeUnknown } =
    error instanceof McpError ? error : { message: messageOf(error), hint: undefined, outcomeUnknown: false };
  const unknown = outcomeUnknown ? unknownOutcome : undefined;
  return errorAnswer(errors.internal, [message, unknown, hint].filter((text) => text !== undefined).join(' '));
}
