import { once } from 'node:events';
import { McpError, unknownOutcome } from '../../internal.js';
import { doubledName, memberText, memberTexts, parseJson, quote, sentences, shortened } from '../../json/index.js';
import { withMember } from '../../json/index.js';
import type { JsonObject } from '../../json/index.js';
import { answerText, definedParams, definedText, oneLine, pause, unlessAborted, wireSlice } from '../../mcp/index.js';
import type { AnswerText, Message, RequestId, WireText } from '../../mcp/index.js';
import { codes, failureOf, Refusal } from '../errors.js';
import { loggedName } from '../log.js';
import { Principal, statelessIdentity, type ServeOptions } from '../principal.js';
import { clientInfoKey, clientTitle, envelopeProblem, identityInHandshake, isStateless, metaIn } from '../revisions.js';
import { statelessResult } from '../revisions.js';
import type { Identity } from '../revisions.js';
import type { Question } from '../upstream/calls-under-way.js';
import { requestMethods, type Request } from './methods.js';

/** Requests are known by the texts of their ids, which may be numbers that JavaScript does not hold. */
export interface Wire {
  /** In the log. */
  readonly session?: string;
  /** @param related the client's request that the message belongs to */
  send(text: string, related?: string): void;
  answer(related: string, text: string, code?: number): void;
  /** Ends the response to a request before its answer, if the client can resume it. */
  pause?(related: string): void;
  /** Ends the response to a request that is not answered, as the client has taken it back. */
  drop?(related: string): void;
}

/** Notifications are buffered until the client sends `initialized`, up to so many characters. */
const maxHeld = 8 * 1024 * 1024;

/** One client. The table of methods handles its requests; all others are refused, other notifications dropped. */
export class Client {
  readonly #underWay = new Map<string, { method: string; abort: AbortController }>();
  readonly #questions = new Map<RequestId, (answer: AnswerText) => void>();
  #lastId = 0;
  isStopping = false;
  /** Aborted when a client with a handshake may be asked, and be sent what nobody asked for. */
  readonly #ready = new AbortController();
  #held = 0;

  constructor(
    readonly options: ServeOptions,
    readonly wire: Wire,
    /** The one of all clients of 2026-07-28; without it, the first message opens a principal. */
    public principal?: Principal,
  ) {}

  get #isStateless(): boolean {
    return this.principal?.identity.isStateless ?? false;
  }

  get isIdle(): boolean {
    return [...this.#underWay.values()].every(({ method }) => method === 'subscriptions/listen');
  }

  take(message: Message): void {
    if (isStateless(message, {})) this.#begin(statelessIdentity);
    if (message.kind === 'request') void this.#answer(message);
    else if (message.kind === 'notification') this.#notified(message);
    else if (message.kind === 'answer' && message.id !== undefined) {
      const { wire } = message.answer;
      const isError = 'error' in message.answer;
      const text = wireSlice(wire, [isError ? 'error' : 'result']) ?? '{}';
      this.#questions.get(message.id)?.(isError ? { error: text } : { result: text });
    }
  }

  takeBack(reason = 'The client is gone.'): void {
    for (const { abort } of this.#underWay.values()) abort.abort(reason);
  }

  #notified({ method, params: given, wire }: Extract<Message, { kind: 'notification' }>): void {
    const params = this.#defined(method, given);
    if (method === 'notifications/cancelled') {
      this.#underWay.get(idTextIn(wire, ['params', 'requestId']))?.abort.abort(params['reason']);
    } else if (this.#isStateless) return;
    else if (method === 'notifications/initialized') this.#ready.abort();
    else if (method === 'notifications/roots/list_changed')
      for (const upstream of this.principal?.group.upstreams ?? []) void upstream.notify(method, params);
  }

  #defined(method: string, given: JsonObject): JsonObject {
    const { defined, others } = definedParams(method, given);
    if (others.length > 0) {
      const names = loggedName(others.map((name) => quote(name)).join(', '), 300);
      this.options.log(`Left out of ${shortened(method, 100)}, as MCP does not define it: ${names}.`);
    }
    return defined;
  }

  #announce(text: string): void {
    const { signal } = this.#ready;
    if (signal.aborted) this.wire.send(text);
    else if ((this.#held += text.length) <= maxHeld) signal.addEventListener('abort', () => this.wire.send(text));
  }

  async #ask({ method, paramsText, signal }: Question, related?: string): Promise<AnswerText> {
    if (!this.#ready.signal.aborted) await unlessAborted(once(this.#ready.signal, 'abort'), signal);
    const id = this.#lastId++;
    const answer = new Promise<AnswerText>((resolve) => this.#questions.set(id, resolve));
    this.wire.send(messageText(method, paramsText, id), related);
    try {
      return await unlessAborted(answer, signal);
    } catch (error) {
      const reason = typeof signal.reason === 'string' ? signal.reason : undefined;
      const params = JSON.stringify({ requestId: id, reason });
      this.wire.send(messageText('notifications/cancelled', params), related);
      throw error;
    } finally {
      this.#questions.delete(id);
    }
  }

  async #answer({ method, params: given, wire }: Extract<Message, { kind: 'request' }>): Promise<void> {
    const texts = memberTexts(wire.text);
    const idText = idTextOf(texts.get('id'));
    if (this.isStopping || this.#underWay.has(idText)) {
      const reason = this.isStopping ? stopping : 'A request with this id is already in flight.';
      const { text, code } = new Refusal(codes.invalidRequest, reason);
      this.wire.answer(idText, answerText(idText, { error: text }), code);
      return;
    }
    const began = performance.now();
    const abort = new AbortController();
    this.#underWay.set(idText, { method, abort });
    const params = this.#defined(method, given);
    const paramsText = texts.get('params') ?? '{}';
    const notify: Request['notify'] = (notification, text) => {
      if (!abort.signal.aborted) this.wire.send(messageText(notification, text), idText);
    };
    const token = '_meta' in given ? memberText(paramsText, ['_meta', 'progressToken']) : undefined;
    const onProgress: Request['onProgress'] = (report, own) => {
      const progress = 'notifications/progress';
      const text = (own && wireSlice(own, ['params'])) ?? JSON.stringify(report);
      notify(progress, withMember(definedText(progress, text), ['progressToken'], token));
    };
    const doubled = doubledName(paramsText);
    // One literal without spreads, which would take ten times as long.
    const request: Request = {
      idText,
      method,
      params,
      paramsText,
      notify,
      signal: abort.signal,
      envelope: metaIn(params).envelope,
      record: {},
      doubled,
      written: doubled === undefined ? paramsText : undefined,
      onProgress: token === undefined ? undefined : onProgress,
      ask: (question) => this.#ask(question, idText),
      pause: () => this.wire.pause?.(idText),
    };
    const { record } = request;
    let code: number | undefined;
    const finished = this.#result(request, wire.text.length).then((result): AnswerText => ({ result }));
    const answer = await finished.catch((error: unknown): AnswerText => {
      const failure = failureOf(abort.signal.reason === stopping ? stopped(error) : error, this.#isStateless);
      code = failure.code;
      record.outcome ??= 'failed';
      record.error ??= error instanceof McpError ? error.code : code;
      return { error: failure.text };
    });
    this.#underWay.delete(idText);
    const isTakenBack = abort.signal.aborted && abort.signal.reason !== stopping;
    const text = isTakenBack ? '' : answerText(idText, answer);
    if (isTakenBack) this.wire.drop?.(idText);
    else this.wire.answer(idText, text, code);
    if (method !== 'tools/call') return;
    this.options.log('call', {
      client: clientTitle(request.envelope?.[clientInfoKey] ?? this.principal?.identity.clientInfo),
      session: this.wire.session,
      ...record,
      outcome: isTakenBack ? 'cancelled' : (record.outcome ?? 'asked'),
      ms: Math.round(performance.now() - began),
      received: Buffer.byteLength(wire.text),
      sent: Buffer.byteLength(text),
    });
  }

  async #result(request: Request, length: number): Promise<string> {
    const { method, params, written, envelope = {} } = request;
    const handlers = requestMethods[this.#isStateless ? 'stateless' : 'handshake'];
    const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
    if (!handler) throw new Refusal(codes.methodNotFound, `Method not found: ${method}`);
    if (method === 'initialize') this.#begin(identityInHandshake(params, written));
    else if (method !== 'ping') this.#ready.abort();
    const principal = this.principal;
    if (!principal) throw new Refusal(codes.internal, 'The first request has to be initialize.');
    const problem = this.#isStateless ? envelopeProblem(envelope) : undefined;
    if (problem !== undefined) throw new Refusal(codes.invalidParams, `Invalid _meta envelope: ${problem}`);
    const result = await principal.underWay(length, () => handler(principal, request, this));
    return this.#isStateless ? statelessResult(method, result) : result;
  }

  #begin(identity: Identity): void {
    if (this.principal) return;
    const principal = new Principal(this.options, identity, this.wire.session);
    this.principal = principal;
    if (identity.isStateless) return;
    principal.listeners.add((method, _params, paramsText) => this.#announce(messageText(method, paramsText)));
    principal.ask = (question) => this.#ask(question);
  }
}

export const stopping = 'The gateway is stopping.';

/** The last answers may take so many milliseconds. */
const lastAnswersMs = 1000;

/** Lets requests under way finish for a while, and has the rest answered with an error. */
export async function drained(clients: () => readonly Client[], graceMs: number): Promise<void> {
  for (const client of clients()) client.isStopping = true;
  await untilIdle(clients, graceMs);
  for (const client of clients()) client.takeBack(stopping);
  await untilIdle(clients, lastAnswersMs);
}

/** Resolves when no request is under way, or after so many milliseconds. */
export async function untilIdle(clients: () => readonly Client[], ms: number): Promise<void> {
  const over = AbortSignal.timeout(ms);
  while (!clients().every(({ isIdle }) => isIdle) && !over.aborted) await pause(10, over);
}

function stopped(error: unknown): Refusal {
  const isUnknown = error instanceof McpError && error.outcomeUnknown;
  const outcome = isUnknown ? unknownOutcome : undefined;
  return new Refusal(codes.internal, sentences('The gateway has stopped before the answer came.', outcome));
}

/** Texts may be written in several ways, numbers are compared as they are written. */
export function idTextIn(wire: WireText, path: readonly string[] = ['id']): string {
  return idTextOf(wireSlice(wire, path));
}

function idTextOf(text = 'null'): string {
  return text.startsWith('"') ? JSON.stringify(parseJson(text)) : text;
}

function messageText(method: string, paramsText: string, id?: number): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, method }).slice(0, -1)},"params":${oneLine(paramsText)}}`;
}
