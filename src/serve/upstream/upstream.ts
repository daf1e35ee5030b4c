import { randomUUID } from 'node:crypto';
import { McpError, overSession } from '../../internal.js';
import type { Admission, CallOptions, Catalogue, CatalogueTool, ListOptions, ServerAddress } from '../../internal.js';
import type { ToolPolicy, ToolResult, ToolServer } from '../../internal.js';
import { filtered, memberText, messageOf, withMember, type JsonObject } from '../../json/index.js';
import { definedText, openSession, settlesWithin, unlessAborted, unlimitedMs, wireSlice } from '../../mcp/index.js';
import type { AnswerText, HostSession, Origin, ServerRequest, WireText } from '../../mcp/index.js';
import { codes, Refusal } from '../errors.js';
import type { Log } from '../log.js';
import { metaIn, type Identity } from '../revisions.js';
import { CallsUnderWay, type Caller, type Question } from './calls-under-way.js';

export interface NamedServer {
  readonly name: string;
  readonly address: ServerAddress;
  readonly policy?: ToolPolicy | undefined;
  /** The most characters of a result's text. Default: no maximum. */
  readonly maxResultLength?: number | undefined;
  /** For connecting and for listing its tools, in milliseconds. Default a minute. */
  readonly idleTimeoutMs?: number | undefined;
  /** Why it cannot start. The names of others do not depend on that. */
  readonly problem?: Error | undefined;
}

/** A call of a tool on its way from a client. */
export interface ServedCall {
  readonly params: JsonObject;
  readonly caller: Caller;
}

export interface Owner {
  readonly identity: Identity;
  readonly announce?: (method: string, params: JsonObject, paramsText: string) => void;
  /** Set if one client alone can be asked. */
  readonly ask?: Caller['ask'];
}

export interface UpstreamOptions {
  /** The timeout for an elicitation, in milliseconds. Default a minute. */
  readonly questionTimeoutMs?: number | undefined;
  readonly log: Log;
}

const cancelled: AnswerText = { result: '{"action":"cancel"}' };

const changes = /^notifications\/(?:(?:tools|prompts|resources)\/list_changed|resources\/updated)$/;

/** Other notifications that pass. The session reports progress. */
const otherNotifications = /^notifications\/(?:message|elicitation\/complete|tasks\/status)$/;

const stateExpired =
  'requestState has expired. The call was not retried, but may already have run. Call again without requestState.';

const questions = ['elicitation/create', 'sampling/createMessage', 'roots/list'];

/** The most subscriptions at a server, and the longest URI of one. */
const maxSubscriptions = 1000;
const maxUriLength = 8192;

/** One of several servers may take so long to start: clients wait for a minute at most. */
const patienceMs = 10_000;

/** True for a resource itself, and for a part of it, as its address continues after `/`, `?` or `#`. */
export function isWithin(uri: string, resource: string): boolean {
  const border = uri.slice(resource.length - 1, resource.length + 1);
  return uri === resource || (uri.startsWith(resource) && /[/?#]/.test(border));
}

/**
 * A server of one principal. {@link connected} starts it when it is first needed, and again after it has ended;
 * {@link waitedForStart} resolves when it has started, has failed, or is too slow. {@link admit} compares its list with
 * the approved one.
 */
export class Upstream implements ToolServer<HostSession, ServedCall> {
  readonly name: string;
  readonly address: ServerAddress;
  readonly policy: ToolPolicy;
  waitedForStart: Promise<void> = Promise.resolve();
  handshake: ReturnType<HostSession['connection']>['handshake'] | undefined;
  readonly #isStatelessClient: boolean;
  readonly #calls: CallsUnderWay;
  readonly #closing = new AbortController();
  #starting: Promise<HostSession> | undefined;
  #connection: HostSession | undefined;
  #hasFailed = false;
  readonly #subscribers = new Map<string, Set<object>>();
  #isApproved = false;
  admit: (signal?: AbortSignal) => Promise<unknown> = () => Promise.resolve();

  constructor(
    readonly server: NamedServer,
    readonly owner: Owner,
    readonly options: UpstreamOptions,
    /** The prefix of its tools' and prompts' names, with the separator, if it is one of several. */
    readonly prefix = '',
  ) {
    this.name = server.name;
    this.address = server.address;
    this.policy = server.policy ?? {};
    this.#isStatelessClient = owner.identity.isStateless;
    this.#calls = new CallsUnderWay(!this.#isStatelessClient);
  }

  get isOpen(): boolean {
    return this.#connection?.session.ended === false;
  }

  get isStateless(): boolean {
    return this.#connection?.connection().envelope !== undefined;
  }

  get #isStdio(): boolean {
    return this.#connection?.session.transport === 'stdio';
  }

  has(capability: string): boolean {
    return capability in (this.handshake?.capabilities ?? {});
  }

  log(line: string, reason?: string): void {
    this.options.log(line, { server: this.name, reason });
  }

  get state(): 'open' | 'starting' | 'failed' | 'closed' {
    if (this.isOpen) return 'open';
    if (this.#starting) return 'starting';
    return this.#hasFailed ? 'failed' : 'closed';
  }

  async connected(): Promise<HostSession> {
    if (this.#closing.signal.aborted)
      throw new McpError('The connection to the server is closed.', { code: 'SESSION_CLOSED' });
    if (this.#connection && this.isOpen) return this.#connection;
    return (this.#starting ??= this.#start());
  }

  #start(): Promise<HostSession> {
    const starting = this.#connect().finally(() => (this.#starting = undefined));
    const started = starting.then(() => void this.#subscribeAgain());
    started.catch((error: unknown) => this.#ended('failed', error));
    this.waitedForStart = settlesWithin(patienceMs, starting).then((isInTime) => {
      if (isInTime) return;
      this.log('It is still starting. Its tools appear when it is ready.');
      // The clients have gone on without its tools.
      const announce = () => this.owner.announce?.('notifications/tools/list_changed', {}, '{}');
      starting.then(announce, () => undefined);
    });
    return starting;
  }

  async #connect(): Promise<HostSession> {
    if (this.server.problem) throw this.server.problem;
    const { clientInfo, ...identity } = this.owner.identity;
    // The context is the caller that each request was sent with.
    const open = await openSession(
      this.server.address,
      {
        clientInfo,
        idleTimeoutMs: this.server.idleTimeoutMs,
        revisions: this.#isStatelessClient ? 'stateless-first' : 'handshake-first',
        signal: this.#closing.signal,
      },
      {
        ...identity,
        isAgain: this.handshake !== undefined,
        onNotification: this.#notified,
        onRequest: this.#asked,
        onPause: (context) => (context as Caller | undefined)?.pause(),
        onEnd: (failure) => this.#ended('ended', failure),
        onForgotten: () => {
          this.#isApproved = false;
          this.log('server lost its session');
          return this.#permit();
        },
      },
    );
    this.#connection = open;
    this.#hasFailed = false;
    this.log('server started');
    this.#isApproved = false;
    this.handshake = open.connection().handshake;
    this.#calls.forgetCancelled();
    open.session.onListChanged(() => undefined); // has a server of 2026-07-28 announce changes
    return open;
  }

  async #subscribeAgain(): Promise<void> {
    for (const uri of this.#subscribers.keys())
      await this.#orLog(this.permitted().then(({ session }) => session.subscribe(uri)));
  }

  #ended(how: string, failure: unknown): void {
    const isClosing = this.#closing.signal.aborted;
    this.#hasFailed = !isClosing;
    this.log(`server ${isClosing ? 'ended' : how}`, isClosing || !failure ? undefined : messageOf(failure));
  }

  async #orLog(request: Promise<unknown> | undefined): Promise<void> {
    await request?.catch((error: unknown) => this.log(messageOf(error)));
  }

  /** True until the server is known to be the approved one. Then nothing passes. */
  get #isBarred(): boolean {
    return this.policy.approved !== undefined && !this.#isApproved;
  }

  /** What it says of itself: nothing but that it may have tools, until it is known to be the approved one. */
  get introduced(): Partial<NonNullable<Upstream['handshake']>> {
    return this.#isBarred ? { capabilities: { tools: {} } } : (this.handshake ?? {});
  }

  /** What may be sent to without asking anew; nothing is started for it. */
  get #session(): HostSession['session'] | undefined {
    return this.isOpen && !this.#isBarred ? this.#connection?.session : undefined;
  }

  async #permit(signal?: AbortSignal): Promise<void> {
    if (this.policy.approved) await this.admit(signal);
    if (this.#isBarred)
      throw new Refusal(codes.internal, `${this.name} is not the server that was approved. Nothing was sent to it.`);
  }

  async permitted(signal?: AbortSignal): Promise<HostSession> {
    const open = await this.connected();
    await this.#permit(signal);
    return open;
  }

  async request(method: string, params: JsonObject, caller: Caller): Promise<string> {
    const more = filtered(params, (name) => name !== '_meta');
    const beforeSending = ({ signal }: { readonly signal: AbortSignal }) => this.#permit(signal);
    const send = (open: HostSession) => open.request(method, more, { ...this.#sending(params, caller), beforeSending });
    const { wire } = await this.use(send, { params, caller });
    return wireSlice(wire, ['result']) ?? '{}';
  }

  async use<T>(work: (open: HostSession) => Promise<T>, call?: ServedCall): Promise<T> {
    if (!call) return work(await this.connected());
    const { caller } = call;
    if (this.#calls.isWaiting) caller.onProgress?.({ progress: 0, message: 'Waits until another call is answered.' });
    return this.#calls.run(caller, () => this.connected(), work);
  }

  list({ session }: HostSession, options: ListOptions): Promise<Catalogue> {
    return overSession.list(session, options);
  }

  send(
    open: HostSession,
    tool: CatalogueTool,
    args: Record<string, unknown>,
    options: CallOptions,
    { params, caller }: ServedCall,
  ): Promise<ToolResult> {
    const more = filtered(params, (name) => !['_meta', 'name', 'arguments'].includes(name));
    const own = { more, errorsStayWithCaller: true };
    return open.sendCall(tool, args, Object.assign({}, options, this.#sending(params, caller), own));
  }

  onAdmitted({ differences, warnings }: Admission): void {
    this.#isApproved = !differences.some(({ kind }) => kind === 'server');
    for (const { kind, message } of differences) if (kind === 'removed' || kind === 'instructions') this.log(message);
    for (const warning of warnings) this.log(warning);
  }

  #sending(params: JsonObject, caller: Caller) {
    const { isStateless } = this;
    const { rest } = metaIn(params);
    // A server with a handshake has no state: the suspended call is over.
    if (this.#isStatelessClient && !isStateless && 'requestState' in params)
      throw new Refusal(codes.invalidParams, stateExpired);
    // The client decides how long it waits. If both sides speak 2026-07-28, elicitations need no translation; a client
    // that asks for a task gets it.
    return {
      context: caller,
      signal: caller.signal,
      idleTimeoutMs: unlimitedMs,
      meta: rest,
      envelope: isStateless ? caller.envelope : undefined,
      isRelayed: (this.#isStatelessClient && isStateless) || 'task' in params,
      relay: this.#isStatelessClient
        ? undefined
        : (given: string, signal: AbortSignal) => this.#relay(caller, given, signal),
      onProgress: caller.onProgress && ((report: object, wire?: WireText) => caller.onProgress?.(report, wire)),
      written: caller.written,
    };
  }

  /** A server of 2026-07-28 asks in its answers, a client with a handshake is asked by a request. */
  async #relay(caller: Caller, given: string, signal: AbortSignal): Promise<string> {
    // Clients of 2025-11-25 know pages by their ids.
    const isPage = memberText(given, ['mode']) === '"url"';
    const paramsText = isPage ? withMember(given, ['elicitationId'], `"${randomUUID()}"`) : given;
    const answer = await this.#ask(caller, { method: 'elicitation/create', paramsText, signal });
    if ('result' in answer) return answer.result;
    throw new Refusal(codes.internal, 'The server asked, and the client could not answer.');
  }

  readonly #notified = (method: string, params: JsonObject, origin: Origin): void => {
    if (this.#isBarred) return;
    const paramsText = wireSlice(origin.wire, ['params']) ?? '{}';
    if (changes.test(method)) {
      const { uri } = params;
      if (typeof uri === 'string' && ![...this.#subscribers.keys()].some((known) => isWithin(uri, known))) return;
      // An earlier answer is on its way by then.
      setImmediate(() => this.owner.announce?.(method, params, paramsText));
    } else if (otherNotifications.test(method)) {
      const caller = this.#calls.callerOf(origin, this.#isStdio);
      // A server with a handshake logs for all at once, which no client of 2026-07-28 has asked for.
      if (caller && (!this.#isStatelessClient || this.isStateless)) caller.notify(method, paramsText);
      else if (!this.#isStatelessClient) this.owner.announce?.(method, params, paramsText);
    }
  };

  /** If it rejects, the server gets the error -32601. */
  readonly #asked = async (request: ServerRequest): Promise<AnswerText> => {
    const { method, wire, signal } = request;
    if (!questions.includes(method) || this.#isBarred) throw new Error('No revision defines it.');
    const paramsText = wireSlice(wire, ['params']) ?? '{}';
    const caller = this.#calls.callerOf(request, this.#isStdio);
    const question = { method, paramsText, signal };
    if (!this.#isStatelessClient) return this.#ask(caller ?? this.owner, question);
    if (method !== 'elicitation/create') throw new Error('Nothing else is translated for clients of 2026-07-28.');
    if (this.#isStdio) this.#calls.runOneAtATime();
    if (caller) return this.#ask(caller, question);
    this.log('cancelled its question, as nothing says which client it belongs to');
    return cancelled;
  };

  /** The defined parts of the answer. If nobody answers an elicitation in time, it is cancelled. */
  async #ask(asker: Pick<Owner, 'ask'>, question: Question): Promise<AnswerText> {
    if (!asker.ask) throw new Error('No client can answer this question.');
    const { questionTimeoutMs = 60_000 } = this.options;
    const { method } = question;
    const isOfUser = method === 'elicitation/create';
    const timeout = AbortSignal.timeout(isOfUser ? questionTimeoutMs : unlimitedMs);
    const signal = AbortSignal.any([question.signal, timeout]);
    try {
      const answer = await unlessAborted(asker.ask({ ...question, signal }), signal);
      return 'result' in answer
        ? { result: definedText(method, answer.result) }
        : { error: definedText('error', answer.error) };
    } catch (error) {
      if (!timeout.aborted || question.signal.aborted) throw error;
      this.log(`cancelled its question, as nobody answered within ${questionTimeoutMs / 1000} s`);
      return cancelled;
    }
  }

  async notify(method: string, params: JsonObject): Promise<void> {
    await this.#orLog(this.#session?.notify(method, params));
  }

  async subscribe(uri: string, subscriber: object): Promise<void> {
    const { session } = await this.permitted();
    const known = this.#subscribers.get(uri);
    if (!known && (this.#subscribers.size >= maxSubscriptions || uri.length > maxUriLength))
      throw new Refusal(codes.invalidParams, `A client may subscribe to ${maxSubscriptions} resources.`);
    this.#subscribers.set(uri, (known ?? new Set()).add(subscriber));
    if (!known) await this.#orLog(session.subscribe(uri));
  }

  async unsubscribe(uri: string, subscriber: object): Promise<void> {
    const known = this.#subscribers.get(uri);
    if (!known?.delete(subscriber) || known.size > 0) return;
    this.#subscribers.delete(uri);
    await this.#orLog(this.#session?.unsubscribe(uri));
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#starting?.catch(() => undefined);
    await this.#connection?.session.close();
  }
}
