import type { JsonObject } from '../../json/index.js';
import { answerText, oneLine, wireSlice, type AnswerText, type Message, type RequestId } from '../../mcp/index.js';
import { codes, failed, Refusal } from '../errors.js';
import type { Principal } from '../principal.js';
import {
  envelopeProblem,
  identityInHandshake,
  metaIn,
  statelessResult,
  type Era,
  type Identity,
} from '../revisions.js';
import type { Question } from '../upstream/calls-under-way.js';
import { notificationMethods, requestMethods, type Request } from './methods.js';

/** The way to one client. */
export interface Wire {
  /** @param related the client's request that the message belongs to, or whose answer it is */
  send(text: string, related?: RequestId, isAnswer?: boolean): void;
  /** Ends the response to a request before its answer, where the client can ask for it again. */
  pause?(related: RequestId): void;
  /** Ends the response to a request that is not answered, as the client has taken it back. */
  drop?(related: RequestId): void;
}

/** How many requests of a client may be under way, how long they may be together, and what may wait until it is ready. */
export const maxUnderWay = 4096;
export const maxUnderWayLength = 64 * 1024 * 1024;
const maxHeldLength = 8 * 1024 * 1024;

/** One client. Its messages mean what the table of methods says, and all others are refused or dropped. */
export class Client {
  readonly #era: Era;
  readonly #wire: Wire;
  readonly #open: (identity: Identity) => Principal;
  #principal: Principal | undefined;
  readonly #underWay = new Map<unknown, { method: string; length: number; abort: AbortController }>();
  /** The questions that the client has not answered, by their ids. */
  readonly #questions = new Map<RequestId, (answer: AnswerText) => void>();
  #lastId = 0;
  /** Messages that wait until the client says that it is ready; undefined from then on. */
  #held: { text: string; related: RequestId | undefined }[] | undefined;
  #heldLength = 0;

  /** @param principal a function that opens one, for a client that begins with a handshake */
  constructor(principal: Principal | ((identity: Identity) => Principal), wire: Wire) {
    this.#wire = wire;
    const isHandshake = typeof principal === 'function';
    this.#era = isHandshake ? 'handshake' : 'stateless';
    this.#open = isHandshake ? principal : () => principal;
    this.#principal = isHandshake ? undefined : principal;
    this.#held = isHandshake ? [] : undefined;
  }

  /** Whether no request waits for its answer. */
  get isIdle(): boolean {
    return [...this.#underWay.values()].every(({ method }) => method === 'subscriptions/listen');
  }

  take(message: Message): void {
    if (message.kind === 'request') void this.#answer(message);
    else if (message.kind === 'notification') {
      const { method, params } = message;
      const handlers = notificationMethods[this.#era];
      if (Object.hasOwn(handlers, method)) handlers[method]?.(this, params);
    } else if (message.kind === 'answer' && message.id !== undefined) {
      const { wire } = message.answer;
      const isError = 'error' in message.answer;
      const text = wireSlice(wire, [isError ? 'error' : 'result']) ?? '{}';
      this.#questions.get(message.id)?.(isError ? { error: text } : { result: text });
    }
  }

  /** The client is gone. */
  close(): void {
    for (const { abort } of this.#underWay.values()) abort.abort('The client is gone.');
    for (const settle of this.#questions.values()) settle(failed(new Error('The client is gone.'), false));
    this.#principal?.listeners.delete(this.#announce);
  }

  ready(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const { text, related } of held) this.#wire.send(text, related);
  }

  cancel({ requestId, reason }: JsonObject): void {
    this.#underWay.get(requestId)?.abort.abort(reason);
  }

  notifyServers(method: string, params: JsonObject): void {
    for (const upstream of this.#principal?.group.upstreams ?? []) void upstream.notify(method, params);
  }

  readonly #announce = (method: string, _params: JsonObject, paramsText: string): void => {
    this.#sendWhenReady(notificationText(method, paramsText));
  };

  #sendWhenReady(text: string, related?: RequestId): void {
    if (!this.#held) this.#wire.send(text, related);
    else if ((this.#heldLength += text.length) <= maxHeldLength) this.#held.push({ text, related });
  }

  #ask({ method, paramsText, signal }: Question, related?: RequestId): Promise<AnswerText> {
    const id = this.#lastId++;
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#questions.delete(id);
        const reason = typeof signal.reason === 'string' ? signal.reason : undefined;
        const params = JSON.stringify({ requestId: id, reason });
        this.#wire.send(notificationText('notifications/cancelled', params), related);
        reject(new Error('The server has taken its question back.'));
      };
      this.#questions.set(id, (answer) => {
        this.#questions.delete(id);
        signal.removeEventListener('abort', onAbort);
        resolve(answer);
      });
      signal.addEventListener('abort', onAbort, { once: true });
      const head = `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)}`;
      this.#sendWhenReady(`${head},"params":${oneLine(paramsText)}}`, related);
    });
  }

  async #answer({ id, method, params, wire }: Extract<Message, { kind: 'request' }>): Promise<void> {
    const reply = (answer: AnswerText) => {
      this.#wire.send(answerText(id, answer), id, true);
    };
    if (this.#underWay.has(id)) {
      reply(failed(new Refusal(codes.invalidRequest, 'A request with this id is under way.'), false));
      return;
    }
    const abort = new AbortController();
    this.#underWay.set(id, { method, abort, length: wire.text.length });
    const answer = await this.#handled({
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
      ask: (question) => this.#ask(question, id),
      pause: () => this.#wire.pause?.(id),
    }).then(
      (result): AnswerText => ({ result }),
      (error: unknown) => failed(error, this.#era === 'stateless'),
    );
    this.#underWay.delete(id);
    // What the client took back is not answered.
    if (abort.signal.aborted) this.#wire.drop?.(id);
    else reply(answer);
  }

  async #handled(request: Request): Promise<string> {
    const { method, params, envelope = {} } = request;
    const handlers = requestMethods[this.#era];
    const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
    if (!handler) throw new Refusal(codes.methodNotFound, `Method not found: ${method}`);
    if (this.#underWay.size > maxUnderWay)
      throw new Refusal(codes.internal, `More than ${maxUnderWay} requests are under way. Wait for some answers.`);
    const length = [...this.#underWay.values()].reduce((sum, each) => sum + each.length, 0);
    // A single request may be longer.
    if (this.#underWay.size > 1 && length > maxUnderWayLength)
      throw new Refusal(
        codes.internal,
        `The requests under way have more than ${maxUnderWayLength} characters. Wait for some answers.`,
      );
    if (method === 'initialize') this.#begin(identityInHandshake(params));
    else if (method !== 'ping') this.ready();
    if (!this.#principal) throw new Refusal(codes.internal, 'The first request has to be initialize.');
    const result = (): Promise<string> => handler(this.#principal as Principal, request, this); // looked at just before
    if (this.#era === 'handshake') return result();
    const problem = envelopeProblem(envelope);
    if (problem !== undefined) throw new Refusal(codes.invalidParams, `Invalid _meta envelope: ${problem}`);
    return statelessResult(method, await result());
  }

  /** Opens the principal of a handshake, whose only client this is. */
  #begin(identity: Identity): void {
    if (this.#principal) return;
    this.#principal = this.#open(identity);
    this.#principal.listeners.add(this.#announce);
    this.#principal.onQuestion = (question) => this.#ask(question);
  }
}

function notificationText(method: string, paramsText: string): string {
  return `{"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":${oneLine(paramsText)}}`;
}
