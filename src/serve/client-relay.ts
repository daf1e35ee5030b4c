import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { isObject, messageOf, withMember, type JsonObject } from '../json/index.js';
import { RefusedRequest, wireSlice, type AnswerText, type RequestId, type ServerRequest } from '../mcp/index.js';
import type { Joined } from './behind/joined.js';
import { isListMethod, type ListMethod } from './behind/joined-lists.js';
import { resultOf, type Asker, type Forwarded, type ServerBehind } from './behind/server-behind.js';
import { answerMessage, notificationMessage, requestMessage, type Incoming } from './front/payload.js';
import { ToolOffer, type OfferSettings } from './offer.js';
import { answerFor, errorAnswer, errorCodes, refused } from './refusals.js';
import { identityInHandshake, logLevelIn, statelessResult, type Era, type Identity } from './revisions.js';
import { mostRounds, nextRound, SuspendableCall, wantedInput, type SuspendedCalls } from './rounds.js';
import { forwardToItsEnd } from './tasks.js';

export interface ClientRelayOptions {
  readonly settings: OfferSettings;
  /** The servers for a client that says this of itself. */
  readonly behind: (client: Identity) => Joined;
  /** The same, where it is known already. */
  readonly joined?: Joined;
  readonly era: Era;
  readonly suspended: SuspendedCalls;
  /** @param related the client's request that the message belongs to */
  readonly send: (message: JSONRPCMessage, related: RequestId | undefined) => void;
  /** Ends the response to a request before its answer, where the client can ask for it again. */
  readonly pause?: (id: RequestId) => void;
  /** Stands in for `send` where changes have a way of their own. */
  readonly announceChange?: (method: string, params: JsonObject) => void;
}

/** What 2026-07-28 has no more. */
const withHandshakeOnly = ['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'];

/** So much may wait for a client that does not say that it is ready. */
const mostHeld = 1000;

/** What a server of 2026-07-28 is told in another way, or not at all. */
const ofHandshakes = ['ping', 'resources/subscribe', 'resources/unsubscribe'];

/** A request of the client. */
interface Request extends Incoming {
  readonly id: RequestId;
  readonly method: string;
  readonly signal: AbortSignal;
  readonly reply: (answer: AnswerText) => void;
  /** Whether it is a call of a client that is to get its result, whatever tasks the server makes of it. */
  readonly toItsEnd?: boolean;
  /** Called when the next message may be looked at. */
  readonly onItsWay: () => void;
}

/** The servers behind, and what is offered of their tools. */
interface Behind {
  readonly joined: Joined;
  readonly offer: ToolOffer;
}

/**
 * Between one client and the servers behind. What it does not know it hands on, in the order in which it came: answers
 * and announcements as they arrive, requests when the one before is on its way.
 */
export class ClientRelay implements Asker {
  readonly #options: ClientRelayOptions;
  #behind: Behind | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  readonly #underWay = new Map<RequestId, AbortController>();
  /** What the client was asked, by the id it was asked under. */
  readonly #asked = new Map<RequestId, (answer: AnswerText) => void>();
  /** Calls for a client of 2026-07-28 at servers with a handshake, by the client's id. */
  readonly #suspendable = new Map<RequestId, SuspendableCall>();
  #nextId = 0;
  /** What is held back until the client says that it is ready; undefined from then on. */
  #held: (() => void)[] | undefined;

  constructor(options: ClientRelayOptions) {
    this.#options = options;
    if (options.joined) this.#isInFrontOf(options.joined);
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
      this.#enqueue(() => this.#requested({ ...incoming, id, method }, abort.signal));
    }
  }

  /** The client is gone. */
  close(): void {
    for (const abort of this.#underWay.values()) abort.abort('The client is gone.');
    for (const settle of this.#asked.values()) settle(errorAnswer(errorCodes.internal, 'The client is gone.'));
    this.#behind?.joined.leave(this);
  }

  announce(method: string, paramsText: string, params: JsonObject, related: RequestId | undefined): void {
    this.#whenReady(() => {
      const { announceChange, send } = this.#options;
      if (announceChange && related === undefined) announceChange(method, params);
      else send(notificationMessage(method, paramsText), related);
    });
  }

  pause(id: RequestId): void {
    this.#options.pause?.(id);
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
    else await Promise.all(this.#behind?.joined.servers.map((server) => server.notify(method, paramsText)) ?? []);
  }

  #isInFrontOf(joined: Joined): Behind {
    joined.join(this);
    return (this.#behind = { joined, offer: new ToolOffer(joined, this.#options.settings) });
  }

  /** Resolves when the next message may be looked at: when this one is on its way, or answered. */
  #requested(asked: Omit<Request, 'signal' | 'reply' | 'onItsWay'>, signal: AbortSignal): Promise<void> {
    const { id, method } = asked;
    if (method !== 'initialize' && method !== 'ping') this.#ready();
    return new Promise((onItsWay) => {
      const reply = (text: AnswerText) => {
        // What the client took back is not answered.
        if (!this.#underWay.delete(id) || signal.aborted) return;
        const isOld = this.#options.era === 'stateless' && 'result' in text;
        this.#options.send(answerMessage(id, isOld ? { result: statelessResult(method, text.result) } : text), id);
      };
      this.#handle({ ...asked, signal, reply, onItsWay })
        .catch((error: unknown) => {
          reply(answerFor(error));
        })
        .finally(() => {
          this.#underWay.delete(id);
          onItsWay();
        });
    });
  }

  async #handle(request: Request): Promise<void> {
    const { method, params, signal, reply, onItsWay } = request;
    const isStateless = this.#options.era === 'stateless';
    if (isStateless && withHandshakeOnly.includes(method))
      throw refused(errorCodes.methodNotFound, `${method} is no method of this revision.`);
    if (method === 'initialize') {
      const client = identityInHandshake(params);
      const { joined } = this.#behind ?? this.#isInFrontOf(this.#options.behind(client));
      reply({ result: await joined.introduction() });
      return;
    }
    if (!this.#behind) throw refused(errorCodes.internal, 'The first request has to be initialize.');
    const { joined, offer } = this.#behind;
    const level = logLevelIn(params);
    if (level !== undefined) await this.#setLevel(joined, level, signal);
    if (method === 'server/discover' && isStateless) reply({ result: await joined.introduction() });
    else if (method === 'tools/list') {
      onItsWay();
      reply({ result: await offer.list(request, signal) });
    } else if (method === 'tools/call') await this.#call(offer, request);
    else if (method === 'logging/setLevel') await this.#askedForLevel(joined, request);
    else if (joined.isSingle) await this.#passOn(joined.servers[0], request);
    else {
      onItsWay();
      await this.#routed(joined, request);
    }
  }

  async #call(offer: ToolOffer, request: Request): Promise<void> {
    const call = await offer.call(request, request.signal);
    if ('answer' in call) {
      request.reply({ result: call.answer });
      return;
    }
    const { server, params, paramsText, headers, told } = call;
    const reply = (text: AnswerText) => {
      request.reply('result' in text ? { result: told(text.result) } : text);
    };
    const toItsEnd = !('task' in request.params);
    await this.#forward(server, { ...request, params, paramsText, reply, toItsEnd }, headers);
  }

  /** What goes to a server as it is, unless its revision has another way for it. */
  async #passOn(server: ServerBehind, request: Request): Promise<void> {
    const { method, params, reply } = request;
    const { uri } = params;
    const { isStateless } = await server.relay();
    if (method === 'resources/subscribe' && typeof uri === 'string') await server.subscribe(uri);
    if (method === 'resources/unsubscribe' && typeof uri === 'string') server.unsubscribe(uri);
    if (isStateless && ofHandshakes.includes(method)) reply({ result: '{}' });
    else await this.#forward(server, request);
  }

  /**
   * Sends a request on to a server, and its answer back; where the two speak otherwise, with the questions in between.
   */
  async #forward(server: ServerBehind, request: Request, headers?: Record<string, string>): Promise<void> {
    const { reply, onItsWay } = request;
    const { isStateless } = await server.relay();
    const { era } = this.#options;
    const forwarded = { ...request, asker: this, headers, onSent: onItsWay };
    if (era === 'stateless' && !isStateless) {
      await this.#suspendably(server, request);
      return;
    }
    if (era === 'stateless' || !isStateless) {
      const isFollowed = request.toItsEnd && era === 'handshake';
      await this.#send(server, { ...forwarded, onAnswer: reply }, isFollowed);
      return;
    }
    let { paramsText } = request;
    for (let round = 0; round < mostRounds; round++) {
      let came: AnswerText | undefined;
      const onAnswer = (text: AnswerText) => {
        came = text;
        if ('error' in text || !wantedInput(text.result)) reply(text);
      };
      await this.#send(server, { ...forwarded, paramsText, onAnswer }, request.toItsEnd);
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
    throw refused(errorCodes.internal, `The server asked more than ${mostRounds} times before it answered.`);
  }

  #send(server: ServerBehind, request: Forwarded, toItsEnd = false): Promise<void> {
    if (!toItsEnd) return server.forward(request);
    return forwardToItsEnd(server, request, (paramsText) =>
      this.#askClient('elicitation/create', paramsText, request.id, request.signal),
    );
  }

  async #suspendably(server: ServerBehind, { onItsWay, reply, ...request }: Request): Promise<void> {
    const { suspended } = this.#options;
    let call = suspended.resume(request.params, request.paramsText);
    if (!call) {
      const fresh = (call = new SuspendableCall());
      this.#suspendable.set(request.id, fresh);
      const settle = (text: AnswerText) => {
        fresh.settle(text);
      };
      const forwarded = { ...request, signal: fresh.abort.signal, asker: this, onSent: onItsWay, onAnswer: settle };
      this.#send(server, forwarded, request.toItsEnd)
        .catch((error: unknown) => {
          settle(answerFor(error));
        })
        .finally(() => this.#suspendable.delete(request.id));
    }
    const current = call;
    const onAbort = () => {
      current.abort.abort(request.signal.reason);
    };
    request.signal.addEventListener('abort', onAbort, { once: true });
    const outcome = await current.next();
    request.signal.removeEventListener('abort', onAbort);
    reply('request' in outcome ? { result: suspended.suspend(current, outcome) } : outcome);
  }

  /** Requests at several servers: each goes to whom it belongs. */
  async #routed(joined: Joined, request: Request): Promise<void> {
    const { method, params, paramsText, signal, reply } = request;
    const { ref, name, uri } = params;
    const { type, name: refName, uri: refUri } = isObject(ref) ? ref : {};
    const to = async (list: ListMethod, shown: unknown, path: readonly string[]) => {
      const owned = typeof shown === 'string' ? await joined.lists.owner(list, shown, signal) : undefined;
      if (!owned) throw refused(errorCodes.invalidParams, `Unknown: ${String(shown)}`);
      const text = owned.name === shown ? paramsText : withMember(paramsText, path, JSON.stringify(owned.name));
      await this.#forward(owned.server, { ...request, paramsText: text });
    };
    if (method === 'ping') reply({ result: '{}' });
    else if (isListMethod(method)) reply({ result: await joined.lists.list(method, signal) });
    else if (method === 'prompts/get') await to('prompts/list', name, ['name']);
    else if (method === 'completion/complete' && type === 'ref/prompt')
      await to('prompts/list', refName, ['ref', 'name']);
    else if (method === 'completion/complete') await to('resources/templates/list', refUri, ['ref', 'uri']);
    else if (method.startsWith('resources/') && typeof uri === 'string') {
      let last = errorAnswer(errorCodes.invalidParams, `Unknown resource: ${uri}`);
      const keep = (text: AnswerText) => {
        last = text;
      };
      for (const server of await joined.lists.ownersOf(uri, signal)) {
        await this.#passOn(server, { ...request, reply: keep });
        if ('result' in last) break;
      }
      reply(last);
    } else throw refused(errorCodes.methodNotFound, `${method} is not known where several servers are joined.`);
  }

  /**
   * The client's own `logging/setLevel`. A single server with a handshake has it as well; the others learn it in their
   * ways.
   */
  async #askedForLevel(joined: Joined, request: Request): Promise<void> {
    const level = String(request.params['level']);
    const [first] = joined.servers;
    if (joined.isSingle && !(await first.relay()).isStateless) {
      first.logLevel = level;
      await this.#forward(first, request);
      return;
    }
    await this.#setLevel(joined, level, request.signal, true);
    request.reply({ result: '{}' });
  }

  /** Has servers with a handshake log from this level on, where a client of 2026-07-28 asks for it with its request. */
  async #setLevel(joined: Joined, level: string, signal: AbortSignal, isAsked = false): Promise<void> {
    for (const { server, relay } of await joined.reachable(isAsked)) {
      const isSet = server.logLevel === level && !isAsked;
      server.logLevel = level;
      if (relay.isStateless || isSet || !('logging' in relay.handshake.capabilities)) continue;
      const id = `level:${this.#nextId++}`;
      const request = { asker: this, id, method: 'logging/setLevel', params: { level }, signal };
      await resultOf(server, request).catch(() => {});
    }
  }
}
