import { randomUUID } from 'node:crypto';
import { onlyApproved, McpError, readCatalogue } from '../../internal.js';
import type {
  Catalogue,
  CatalogueTool,
  Elicit,
  FixedArguments,
  ApprovedTools,
  ServerAddress,
  ToolResult,
} from '../../internal.js';
import { isObject, messageOf, parseJson, type JsonObject } from '../../json/index.js';
import {
  openSession,
  type HostOptions,
  settlesWithin,
  unlimitedMs,
  wireSlice,
  type AnswerText,
  type HostSession,
  type Origin,
  type ServerRequest,
} from '../../mcp/index.js';
import { codes, Refusal } from '../answers.js';
import type { SharedSessions } from './shared-sessions.js';
import { metaIn, wantsLog, withLogLevel, type Era, type Identity } from '../revisions.js';

/** A server as the user named it. */
export interface NamedServer {
  readonly name: string;
  readonly address: ServerAddress;
  /** Arguments that are not the model's, by the names of tools. */
  readonly fixed?: Readonly<Record<string, FixedArguments>> | undefined;
  /** Characters of an answer's text, of which more is left out; all of it where nothing is said. */
  readonly maxResultLength?: number | undefined;
  /** What was approved of its tools; those that differ from it are rejected. */
  readonly approved?: ApprovedTools | undefined;
}

/** What a server wants to know of the client. */
export interface Question {
  readonly method: string;
  readonly paramsText: string;
  /** Aborted when the answer is of no use any more. */
  readonly signal: AbortSignal;
}

/** A client's request under way. What its server sends in response is handed to it alone. */
export interface Caller {
  readonly era: Era;
  readonly signal: AbortSignal;
  /** The envelope of the request (2026-07-28). */
  readonly envelope: JsonObject | undefined;
  notify(method: string, paramsText: string): void;
  ask(question: Question): Promise<AnswerText>;
  /** The server has ended the response before its answer, which is to be asked for again. */
  pause(): void;
}

/** The principal, as its servers know it. */
export interface Owner {
  readonly identity: Identity;
  /** A message that belongs to no request. */
  announce(method: string, params: JsonObject, paramsText: string): void;
  ask(question: Question): Promise<AnswerText>;
}

/** What holds for all servers of a principal. */
export interface UpstreamOptions {
  readonly idleTimeoutMs: number;
  readonly log: (line: string) => void;
  /** Where sessions are that this principal may share. */
  readonly sharedSessions?: SharedSessions | undefined;
}

/** Changes, which concern every client of the owner and no single request. */
const changes = /^notifications\/(?:(?:tools|prompts|resources)\/list_changed|resources\/updated)$/;

/** What else a server may send unasked. Progress is reported by the session. */
const announcements = ['notifications/message', 'notifications/elicitation/complete', 'notifications/tasks/status'];

/** What a server may ask. */
const questions = ['elicitation/create', 'sampling/createMessage', 'roots/list'];

/** How long a server may take to open where there are others to go on with: clients wait for a minute at most. */
const patienceMs = 10_000;

/**
 * One server of one principal. It is started when it is first needed, and again when something is asked of it after it
 * has ended.
 */
export class Upstream {
  readonly name: string;
  readonly fixed: Readonly<Record<string, FixedArguments>>;
  readonly maxResultLength: number;
  logLevel: string | undefined;

  readonly #server: NamedServer;
  readonly #owner: Owner;
  readonly #options: UpstreamOptions;
  readonly #closing = new AbortController();
  #opening: Promise<HostSession> | undefined;
  #open: HostSession | undefined;
  /** Who has subscribed to which resource. */
  readonly #subscriptions = new Map<string, Set<object>>();
  readonly #underWay = new Set<Caller>();
  /** Whether a request was given up that the server may still be at: what it sends then may belong to that. */
  #hasLoose = false;
  /** Whether the server asks where only the order of its messages says for which call. */
  #asksAnywhere = false;
  #turn: Promise<unknown> = Promise.resolve();
  #approved: { of: Catalogue; catalogue: Catalogue } | undefined;
  #patience: Promise<void> = Promise.resolve();
  #isLate = false;
  /** Whether somebody went on without it, and so has not heard of its tools. */
  #isMissed = false;
  #isDown = false;

  constructor(server: NamedServer, owner: Owner, options: UpstreamOptions) {
    this.name = server.name;
    this.fixed = server.fixed ?? {};
    this.maxResultLength = server.maxResultLength ?? Infinity;
    this.#server = server;
    this.#owner = owner;
    this.#options = options;
  }

  /** Whether calls are held to what the user said of its tools, so that what nobody lists is not called. */
  get isRestricted(): boolean {
    return this.#server.approved !== undefined || Object.keys(this.fixed).length > 0;
  }

  /** Whether it could not be reached when that was tried last, or takes long to be. */
  get isDown(): boolean {
    return this.#isDown || this.#isLate;
  }

  /** Whether it has been opening for longer than others wait. */
  get isLate(): boolean {
    return this.#isLate;
  }

  get handshake() {
    return this.#open?.connection().handshake;
  }

  /** What the server calls itself, or else what the user does. */
  get title(): string {
    const { title, name } = this.#open?.session.serverInfo ?? {};
    return [title, name].find((text) => text !== undefined && text !== '') ?? this.name;
  }

  /** @throws McpError when it cannot be reached */
  async open(): Promise<HostSession> {
    if (this.#closing.signal.aborted) throw closed();
    if (this.#open && !this.#open.session.ended) return this.#open;
    if (this.#opening) return this.#opening;
    const opening = this.#opened().finally(() => {
      this.#isDown = this.#open?.session.ended !== false;
      this.#isLate = false;
      this.#opening = undefined;
      if (!this.#isMissed || this.#isDown) return;
      this.#isMissed = false;
      this.#owner.announce('notifications/tools/list_changed', {}, '{}');
    });
    this.#opening = opening;
    this.#patience = settlesWithin(patienceMs, opening).then(() => {
      this.#isLate = this.#opening === opening;
    });
    return opening;
  }

  /**
   * The same for whoever has other servers to go on with: one that takes long to open is not waited for.
   *
   * @throws McpError when it cannot be reached, or not yet
   */
  async openInTime(): Promise<HostSession> {
    const open = this.open();
    open.catch(() => {}); // says so itself where somebody waits for it
    await this.#patience;
    if (!this.#isLate) return open;
    this.#isMissed = true;
    throw new McpError('It takes long to start; the others go on without it until it has.', { code: 'TIMEOUT' });
  }

  async #opened(): Promise<HostSession> {
    const { log, idleTimeoutMs, sharedSessions } = this.#options;
    const { era, clientInfo, capabilities, offering } = this.#owner.identity;
    const isAgain = this.#open !== undefined;
    const revisions: 'stateless-first' | 'handshake-first' =
      era === 'stateless' ? 'stateless-first' : 'handshake-first';
    const options = { clientInfo, revisions, idleTimeoutMs, signal: this.#closing.signal };
    const host: HostOptions = {
      capabilities,
      offering,
      onNotification: (method, params, origin) => {
        this.#notified(method, params, origin);
      },
      onRequest: (request) => this.#asked(request),
      onPause: (context) => {
        (context as Caller | undefined)?.pause(); // as it was given with the request
      },
      onEnd: (failure) => {
        if (failure) log(`${this.name}: ${failure.message}`);
      },
      onReconnect: () => void this.#restore(),
    };
    const shared = await sharedSessions?.open(this.#server, options, host);
    const open = shared ?? (await openSession(this.#server.address, options, host));
    if (this.#closing.signal.aborted) {
      await open.session.close();
      throw closed();
    }
    this.#open = open;
    this.#hasLoose = false;
    if (isAgain) log(`${this.name}: started again`);
    await this.#restore();
    return open;
  }

  /** A server that was started, or started again, knows nothing of what the clients have asked for. */
  async #restore(): Promise<void> {
    const uris = [...this.#subscriptions.keys()];
    if (this.#open?.connection().envelope) this.#listen(uris);
    else {
      if (this.logLevel !== undefined) await this.#tell('logging/setLevel', { level: this.logLevel });
      for (const uri of uris) await this.#tell('resources/subscribe', { uri });
    }
  }

  /** What a server of 2026-07-28 announces has to be asked for. */
  #listen(uris: readonly string[]): void {
    const { capabilities } = this.handshake ?? {};
    const announces = (name: string) => isObject(capabilities?.[name]) && capabilities[name]['listChanged'] === true;
    const wanted = {
      ...(announces('tools') && { toolsListChanged: true }),
      ...(announces('prompts') && { promptsListChanged: true }),
      ...(announces('resources') && { resourcesListChanged: true }),
      ...(uris.length > 0 && { resourceSubscriptions: uris }),
    };
    if (Object.keys(wanted).length > 0) void this.#open?.connection().listen(wanted);
  }

  /** Asks for something whose answer says nothing. */
  async #tell(method: string, params: JsonObject): Promise<void> {
    const { idleTimeoutMs } = this.#options;
    await this.#open?.request(method, params, { idleTimeoutMs }).catch((error: unknown) => {
      this.#options.log(`${this.name}: ${messageOf(error)}`);
    });
  }

  /** Sends a request on. @returns the text of the result */
  async request(method: string, params: JsonObject, caller: Caller): Promise<string> {
    const { wire } = await this.#inTurn(caller, (open) =>
      open.request(method, without(params, '_meta'), this.#sending(open, params, caller)),
    );
    return wireSlice(wire, ['result']) ?? '{}';
  }

  /** @param params of the request, for what they say besides the tool and its arguments */
  async call(
    tool: CatalogueTool,
    args: Record<string, unknown>,
    options: object,
    params: JsonObject,
    caller: Caller,
  ): Promise<ToolResult> {
    const more = without(params, '_meta', 'name', 'arguments');
    return this.#inTurn(caller, (open) =>
      open.sendCall(tool, args, { ...options, ...this.#sending(open, params, caller), more, isForCaller: true }),
    );
  }

  #sending({ connection }: HostSession, params: JsonObject, caller: Caller) {
    const { envelope } = connection();
    const { progressToken, rest } = metaIn(params);
    const isOld = caller.era === 'handshake';
    return {
      context: caller,
      signal: caller.signal,
      // A client may wait as long as it likes.
      idleTimeoutMs: unlimitedMs,
      meta: rest,
      envelope: envelope && (isOld ? withLogLevel(envelope, this.logLevel) : caller.envelope),
      // Who speaks as the server does is asked as the server asks, and whoever wants a task has it.
      asIs: (!isOld && envelope !== undefined) || 'task' in params,
      elicitor: isOld && envelope ? elicitFrom(caller) : undefined,
      onProgress:
        progressToken === undefined
          ? undefined
          : (report: object) => {
              caller.notify('notifications/progress', JSON.stringify({ progressToken, ...report }));
            },
    };
  }

  /** Runs a request; one after the other where questions could not be attributed otherwise. */
  async #inTurn<T>(caller: Caller, work: (open: HostSession) => Promise<T>): Promise<T> {
    const before = this.#asksAnywhere ? this.#turn : undefined;
    const run = async () => {
      await before;
      const open = await this.open();
      this.#underWay.add(caller);
      try {
        return await work(open);
      } finally {
        this.#underWay.delete(caller);
        if (caller.signal.aborted) this.#hasLoose = true;
      }
    };
    const running = run();
    this.#turn = Promise.allSettled([this.#turn, running]).then(() => {}); // without what came of them, which would add up
    return running;
  }

  /**
   * The request that a message belongs to. Over HTTP the response says so. Over stdio it is the latest where all are one
   * client's, and for others the only one there is, or none: nothing is guessed.
   */
  #callerOf({ within, context }: Origin): Caller | undefined {
    if (within !== undefined || this.#open?.session.transport !== 'stdio') {
      const caller = context as Caller; // as it was given with the request, or undefined, which is not under way
      return this.#underWay.has(caller) ? caller : undefined;
    }
    const all = [...this.#underWay];
    const isSure = this.#owner.identity.era === 'handshake' || (all.length === 1 && !this.#hasLoose);
    return isSure ? all.at(-1) : undefined;
  }

  #notified(method: string, params: JsonObject, origin: Origin): void {
    const paramsText = wireSlice(origin.wire, ['params']) ?? '{}';
    if (changes.test(method)) {
      const { uri } = params;
      if (typeof uri === 'string' && ![...this.#subscriptions.keys()].some((known) => uri.startsWith(known))) return;
      // An answer that came before it is on its way by then.
      setImmediate(() => {
        this.#owner.announce(method, params, paramsText);
      });
      return;
    }
    if (!announcements.includes(method)) return;
    const caller = this.#callerOf(origin);
    if (this.#owner.identity.era === 'handshake') {
      if (caller) caller.notify(method, paramsText);
      else this.#owner.announce(method, params, paramsText);
    }
    // A server with a handshake logs for all at once, which none of these clients has asked for.
    else if (this.#open?.connection().envelope && wantsLog(caller?.envelope)) caller?.notify(method, paramsText);
  }

  /** What it rejects with is for nobody: the server hears that the client does not know the method. */
  async #asked(request: ServerRequest): Promise<AnswerText> {
    const { method, wire, signal } = request;
    if (!questions.includes(method)) throw new Error('unknown');
    const question = { method, signal, paramsText: wireSlice(wire, ['params']) ?? '{}' };
    const caller = this.#callerOf(request);
    if (this.#owner.identity.era === 'handshake') return (caller ?? this.#owner).ask(question);
    if (method !== 'elicitation/create') throw new Error('not offered');
    if (this.#open?.session.transport === 'stdio') this.#asksAnywhere = true;
    if (caller) return caller.ask(question);
    this.#options.log(`${this.name}: declined what it asked, as nothing says for which of its calls it asks`);
    return { result: '{"action":"decline"}' };
  }

  async notify(method: string, params: JsonObject): Promise<void> {
    if (this.#open && !this.#open.session.ended)
      await this.#open
        .connection()
        .notify(method, params)
        .catch(() => {});
  }

  async setLogLevel(level: string): Promise<void> {
    this.logLevel = level;
    const { connection } = await this.open();
    if (!connection().envelope && 'logging' in connection().handshake.capabilities)
      await this.#tell('logging/setLevel', { level });
  }

  /** @param subscriber for whom; the same one twice counts once */
  async subscribe(uri: string, subscriber: object): Promise<void> {
    const { connection } = await this.open();
    const known = this.#subscriptions.get(uri);
    this.#subscriptions.set(uri, (known ?? new Set()).add(subscriber));
    if (known) return;
    if (connection().envelope) this.#listen([uri]);
    else await this.#tell('resources/subscribe', { uri });
  }

  /** A server of 2026-07-28 goes on to announce it; from here on nobody hears of that. */
  async unsubscribe(uri: string, subscriber: object): Promise<void> {
    const known = this.#subscriptions.get(uri);
    if (!known?.delete(subscriber) || known.size > 0) return;
    this.#subscriptions.delete(uri);
    if (this.#open && !this.#open.session.ended && !this.#open.connection().envelope)
      await this.#tell('resources/unsubscribe', { uri });
  }

  /** The tools as they are held to what was approved; undefined where the server has none. */
  async catalogue(signal?: AbortSignal, isFresh = false): Promise<Catalogue | undefined> {
    const { session } = await this.open();
    if (!('tools' in session.capabilities)) return undefined;
    if (isFresh) session.forgetTools();
    const of = await session.listTools({ signal });
    if (this.#approved?.of !== of) this.#approved = { of, catalogue: this.#held(of) };
    return this.#approved.catalogue;
  }

  #held(catalogue: Catalogue): Catalogue {
    const { approved, address } = this.#server;
    if (!approved) return catalogue;
    const { catalogue: held, differences } = onlyApproved(catalogue, approved, { address });
    // What is rejected is said where the tools are listed.
    for (const { kind, message } of differences) if (kind === 'removed') this.#options.log(`${this.name}: ${message}`);
    return held;
  }

  /** What the server says about how it wants to be used, as far as that was approved. */
  async instructions(): Promise<string | undefined> {
    const { instructions, serverInfo = {} } = (await this.open()).connection().handshake;
    const { approved, address } = this.#server;
    if (!approved) return instructions;
    const said = { ...readCatalogue([]), instructions, serverInfo };
    const { catalogue, differences } = onlyApproved(said, { ...approved, tools: {} }, { address });
    for (const { message } of differences) this.#options.log(`${this.name}: ${message}`);
    return catalogue.instructions;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#opening?.catch(() => {});
    await this.#open?.session.close();
  }
}

/** Puts what a server of 2026-07-28 wants to know to a client with a handshake, which is asked in the middle. */
function elicitFrom(caller: Caller): Elicit {
  return async (question) => {
    const { message, signal } = question;
    const what =
      question.mode === 'form'
        ? { requestedSchema: question.schema }
        : { mode: 'url', url: question.url, elicitationId: randomUUID() };
    const paramsText = JSON.stringify({ message, ...what });
    const answer = await caller.ask({ method: 'elicitation/create', paramsText, signal });
    const result = 'result' in answer ? parseJson(answer.result) : undefined;
    if (!isObject(result))
      throw new Refusal(codes.internal, 'The server asks something that this client cannot answer.');
    return result as unknown as Awaited<ReturnType<Elicit>>; // whoever asked looks at each member
  };
}

function without(params: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name)));
}

function closed(): McpError {
  return new McpError('The connection to the server is closed.', { code: 'SESSION_CLOSED' });
}
