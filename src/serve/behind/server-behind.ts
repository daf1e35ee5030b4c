import { approvedTools, McpError, readCatalogue } from '../../index.js';
import type { Catalogue, CatalogueTool, FixedArguments, Pins, ServerAddress } from '../../index.js';
import { isObject, withMember, type JsonObject } from '../../json/index.js';
import {
  atMost,
  openRelay,
  taskParams,
  wireSlice,
  RefusedRequest,
  type AnswerText,
  type Origin,
  type Relay,
  type RelayedTools,
  type RequestId,
  type ServerRequest,
} from '../../mcp/index.js';
import { inEnvelope, type Identity } from '../revisions.js';

/** A server as the user named it. */
export interface NamedServer {
  readonly name: string;
  readonly address: ServerAddress;
  /** Arguments that are not the model's, by the names of tools. */
  readonly fixed?: Readonly<Record<string, FixedArguments>> | undefined;
  /** Characters of an answer's text, of which more is left out; all of it where nothing is said. */
  readonly longestAnswer?: number | undefined;
  /** What was approved of its tools; those that differ from it are set aside. */
  readonly pins?: Pins | undefined;
}

/** Whoever has requests under way at a server, and hears what the server sends. */
export interface Asker {
  /** @param related the client's own request that this belongs to, where that is known */
  announce(method: string, paramsText: string, params: JsonObject, related: RequestId | undefined): void;
  ask(request: ServerRequest, related: RequestId | undefined): Promise<AnswerText>;
  /** The server has ended the response to a request before its answer, which is to be asked for again. */
  pause?(id: RequestId): void;
}

/** A client's request on its way to the server. */
export interface Forwarded {
  readonly asker: Asker;
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
  readonly paramsText: string;
  readonly signal: AbortSignal;
  readonly onAnswer: (answer: AnswerText) => void;
  /** Called when it is on its way. */
  readonly onSent?: (() => void) | undefined;
  readonly headers?: Record<string, string> | undefined;
  /** Aborted when no more is to be heard of its progress, where that is not with its answer. */
  readonly over?: AbortSignal;
}

interface UnderWay {
  readonly asker: Asker;
  readonly id: RequestId;
  /** The client's own token for reports of progress, where it is not the one that the server was given. */
  readonly token: unknown;
}

/** Changes, which concern every client and no single request. */
const isChange = /^notifications\/(?:(?:tools|prompts|resources)\/list_changed|resources\/updated)$/;

/** How long a server may take to open where there are others to go on with: clients wait for a minute at most. */
const patienceMs = 10_000;

/**
 * One server behind, for one client, or for several who say the same of themselves. It is started when it is first
 * needed, and again when something is asked of it after it has ended.
 */
export class ServerBehind {
  readonly name: string;
  readonly fixed: Readonly<Record<string, FixedArguments>>;
  readonly longestAnswer: number;
  /** Everybody who is to hear of changes. */
  readonly askers = new Set<Asker>();
  logLevel: string | undefined;

  readonly #address: ServerAddress;
  readonly #pins: Pins | undefined;
  readonly #client: Identity;
  readonly #closing = new AbortController();
  readonly #options: { timeoutMs: number; log: (line: string) => void };
  #opening: Promise<Relay> | undefined;
  #relay: Relay | undefined;
  #tools: RelayedTools | undefined;
  /** By the id that the server knows them by. */
  readonly #underWay = new Map<RequestId, UnderWay>();
  readonly #tokens = new Map<unknown, UnderWay>();
  readonly #subscriptions = new Set<string>();
  #nextToken = 0;
  /** Until it is open, or has been opening for longer than others wait. */
  #patience: Promise<void> = Promise.resolve();
  #isLate = false;
  /** Whether somebody went on without it, and so has not heard of its tools. */
  #isMissed = false;
  #isDown = false;

  constructor(
    { name, address, fixed = {}, longestAnswer = Infinity, pins }: NamedServer,
    client: Identity,
    options: { timeoutMs: number; log: (line: string) => void },
  ) {
    this.name = name;
    this.fixed = fixed;
    this.longestAnswer = longestAnswer;
    this.#address = address;
    this.#pins = pins;
    this.#client = client;
    this.#options = options;
  }

  /** Whether it is open, and takes from each request who asks (2026-07-28). */
  get isStateless(): boolean {
    return this.#relay?.isStateless === true && !this.#relay.ended;
  }

  /** Whether calls are held to what the user said of its tools, so that what nobody lists is not called. */
  get isRestricted(): boolean {
    return this.#pins !== undefined || Object.keys(this.fixed).length > 0;
  }

  /** Whether it could not be reached when that was tried last, or takes long to be. */
  get isDown(): boolean {
    return this.#isDown || this.#isLate;
  }

  /** Whether it has been opening for longer than others wait. */
  get isLate(): boolean {
    return this.#isLate;
  }

  /** What the server says about how it wants to be used, as far as that was approved. */
  async instructions(): Promise<string | undefined> {
    const { instructions, serverInfo = {} } = (await this.relay()).handshake;
    if (!this.#pins) return instructions;
    const { catalogue, differences } = approvedTools(
      { ...readCatalogue([]), instructions, serverInfo },
      { ...this.#pins, tools: {} },
      { address: this.#address },
    );
    for (const { message } of differences) this.#options.log(`${this.name}: ${message}`);
    return catalogue.instructions;
  }

  /** What the server calls itself, or else what the user does. */
  get title(): string {
    const { title, name } = this.#relay?.handshake.serverInfo ?? {};
    return [title, name].find((text): text is string => typeof text === 'string' && text !== '') ?? this.name;
  }

  /** @throws McpError when it cannot be reached */
  async relay(): Promise<Relay> {
    if (this.#closing.signal.aborted) throw closed();
    if (this.#relay && !this.#relay.ended) return this.#relay;
    if (this.#opening) return this.#opening;
    const opening = this.#open().finally(() => {
      this.#isDown = this.#relay?.ended !== false;
      this.#isLate = false;
      this.#opening = undefined;
      if (!this.#isMissed || this.#isDown) return;
      this.#isMissed = false;
      for (const asker of this.askers) asker.announce('notifications/tools/list_changed', '{}', {}, undefined);
    });
    this.#opening = opening;
    this.#patience = atMost(patienceMs, opening).then(() => {
      this.#isLate = this.#opening === opening;
    });
    return opening;
  }

  /**
   * The same for whoever has other servers to go on with: one that takes long to open is not waited for.
   *
   * @throws McpError when it cannot be reached, or not yet
   */
  async relayInTime(): Promise<Relay> {
    const relay = this.relay();
    relay.catch(() => {}); // says so itself where somebody waits for it
    await this.#patience;
    if (!this.#isLate) return relay;
    this.#isMissed = true;
    throw new McpError('It takes long to start; the others go on without it until it has.', { code: 'TIMEOUT' });
  }

  async #open(): Promise<Relay> {
    const isAgain = this.#relay !== undefined;
    const { era, clientInfo, capabilities, offering } = this.#client;
    const relay = await openRelay(
      this.#address,
      {
        clientInfo,
        capabilities,
        offering,
        revisions: era === 'stateless' ? 'stateless-first' : 'handshake-first',
        timeoutMs: this.#options.timeoutMs,
        onNotification: (method, params, origin) => {
          this.#announced(method, params, origin);
        },
        onRequest: (request) => this.#asked(request),
        onPause: (id) => {
          const underWay = this.#underWay.get(id);
          if (underWay) underWay.asker.pause?.(underWay.id);
        },
        onEnd: (failure) => {
          this.#tools = undefined;
          if (failure) this.#options.log(`${this.name}: ${failure.message}`);
        },
      },
      this.#closing.signal,
    );
    if (this.#closing.signal.aborted) {
      await relay.close();
      throw closed();
    }
    this.#relay = relay;
    this.#tools = undefined;
    if (relay.isStateless) this.#listen(relay);
    if (isAgain) await this.#restore(relay);
    return relay;
  }

  /** A server that was started again knows nothing of what the client had asked for. */
  async #restore(relay: Relay): Promise<void> {
    this.#options.log(`${this.name}: started again`);
    if (relay.isStateless) return;
    const asked = [
      ...(this.logLevel === undefined ? [] : [['logging/setLevel', { level: this.logLevel }] as const]),
      ...[...this.#subscriptions].map((uri) => ['resources/subscribe', { uri }] as const),
    ];
    for (const [method, params] of asked) {
      await relay
        .request(method, {
          params,
          paramsText: JSON.stringify(params),
          signal: AbortSignal.timeout(this.#options.timeoutMs),
          onId: () => {},
          onAnswer: () => {},
        })
        .catch(() => {});
    }
  }

  /** What a server of 2026-07-28 announces has to be asked for. */
  #listen(relay: Relay): void {
    const { capabilities } = relay.handshake;
    const changes = (name: string) => isObject(capabilities[name]) && capabilities[name]['listChanged'] === true;
    const wanted = {
      ...(changes('tools') && { toolsListChanged: true }),
      ...(changes('prompts') && { promptsListChanged: true }),
      ...(changes('resources') && { resourcesListChanged: true }),
      ...(this.#subscriptions.size > 0 && { resourceSubscriptions: [...this.#subscriptions] }),
    };
    if (Object.keys(wanted).length > 0) relay.listen(wanted);
  }

  /** Takes note of a subscription. A server of 2026-07-28 learns of it here; the others have a request for it. */
  async subscribe(uri: string): Promise<void> {
    const relay = await this.relay();
    if (relay.isStateless && !this.#subscriptions.has(uri)) relay.listen({ resourceSubscriptions: [uri] });
    this.#subscriptions.add(uri);
  }

  /** A server of 2026-07-28 goes on to announce it; from here on nobody hears of that. */
  unsubscribe(uri: string): void {
    this.#subscriptions.delete(uri);
  }

  /** What is announced may be a part of what was subscribed to. */
  #isSubscribed(uri: unknown): boolean {
    return [...this.#subscriptions].some((subscribed) => String(uri).startsWith(subscribed));
  }

  /** Hands on a request. Resolves once it is answered; the answer has been given to `onAnswer` by then. */
  async forward(request: Forwarded): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#send(await this.relay(), request);
        return;
      } catch (error) {
        const isForgotten =
          error instanceof McpError && error.code === 'SESSION_CLOSED' && !this.#closing.signal.aborted;
        if (!isForgotten || attempt > 1) throw error;
        // Refused unread: the server has forgotten its sessions, so it is asked again in a new one.
        await this.#relay?.close();
      }
    }
  }

  async #send(
    relay: Relay,
    { asker, id, method, params, paramsText, signal, onAnswer, onSent, headers, over }: Forwarded,
  ): Promise<void> {
    const meta = isObject(params['_meta']) ? params['_meta'] : {};
    const clientToken = meta['progressToken'];
    const hasToken = clientToken !== undefined;
    const token = hasToken && this.#tokens.has(clientToken) ? `mcp-verbatim:${this.#nextToken++}` : clientToken;
    const underWay = { asker, id, token: clientToken };
    let sentText =
      token === clientToken ? paramsText : withMember(paramsText, ['_meta', 'progressToken'], JSON.stringify(token));
    let sentId: RequestId | undefined;
    if (relay.isStateless) sentText = inEnvelope(sentText, this.#client, this.logLevel);
    if (hasToken) this.#tokens.set(token, underWay);
    const done = () => {
      if (sentId !== undefined) this.#underWay.delete(sentId);
      if (hasToken && (!over || over.aborted)) this.#tokens.delete(token);
    };
    over?.addEventListener('abort', done, { once: true });
    try {
      await relay.request(method, {
        params,
        paramsText: sentText,
        signal,
        headers,
        onId: (fresh) => {
          sentId = fresh;
          this.#underWay.set(fresh, underWay);
          onSent?.();
        },
        onAnswer: (answer) => {
          done();
          onAnswer(answer);
        },
      });
    } finally {
      done();
    }
  }

  async notify(method: string, paramsText: string): Promise<void> {
    if (this.#relay && !this.#relay.ended) await this.#relay.notify(method, paramsText).catch(() => {});
  }

  /** The list of tools as it is now. */
  async listTools(paramsText: string, signal?: AbortSignal): Promise<RelayedTools> {
    const relay = await this.relay();
    const text = relay.isStateless ? inEnvelope(paramsText, this.#client, this.logLevel) : paramsText;
    const tools = await relay.listTools(text, signal);
    return (this.#tools = { ...tools, catalogue: this.#approved(tools.catalogue) });
  }

  /** The catalogue that calls are checked with: the one that was listed last, unless the server has changed it. */
  async catalogue(signal?: AbortSignal): Promise<Catalogue | undefined> {
    const { handshake } = await this.relay();
    if (!('tools' in handshake.capabilities)) return undefined;
    return (this.#tools ?? (await this.listTools('{}', signal))).catalogue;
  }

  #approved(catalogue: Catalogue): Catalogue {
    if (!this.#pins) return catalogue;
    const { catalogue: approved, differences } = approvedTools(catalogue, this.#pins, { address: this.#address });
    // What is set aside is said where the tools are listed.
    for (const { kind, message } of differences) if (kind === 'removed') this.#options.log(`${this.name}: ${message}`);
    return approved;
  }

  async headersFor({ inputSchema }: CatalogueTool, args: unknown): Promise<Record<string, string> | undefined> {
    return (await this.relay()).headersFor(inputSchema, isObject(args) ? args : {});
  }

  /** What a call says besides that has to become a task. */
  async taskFor(tool: CatalogueTool): Promise<{ task: JsonObject } | undefined> {
    return taskParams(tool, await this.relay());
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#opening?.catch(() => {});
    await this.#relay?.close();
  }

  #announced(method: string, params: JsonObject, { wire, within }: Origin): void {
    // Those of requests that were cancelled are over, and the server's own requests are taken back by their signals.
    if (method === 'notifications/cancelled' || method === 'notifications/subscriptions/acknowledged') return;
    if (method === 'notifications/tools/list_changed') this.#tools = undefined;
    if (method === 'notifications/resources/updated' && this.isStateless && !this.#isSubscribed(params['uri'])) return;
    const paramsText = wireSlice(wire, ['params']) ?? '{}';
    if (method === 'notifications/progress') {
      const underWay = this.#tokens.get(params['progressToken']);
      if (!underWay) return;
      const { asker, id, token } = underWay;
      const isSame = token === params['progressToken'];
      const text = isSame ? paramsText : withMember(paramsText, ['progressToken'], JSON.stringify(token));
      asker.announce(method, text, { ...params, progressToken: token }, id);
      return;
    }
    const related = isChange.test(method) ? undefined : this.#relatedTo(within);
    if (related) related.asker.announce(method, paramsText, params, related.id);
    else for (const asker of this.askers) asker.announce(method, paramsText, params, undefined);
  }

  async #asked(request: ServerRequest): Promise<AnswerText> {
    const related = this.#relatedTo(request.within);
    const [first] = this.askers;
    const asker = related?.asker ?? first;
    if (!asker) throw new Error('nobody to ask');
    return asker.ask(request, related?.id);
  }

  /** What something belongs to: known over HTTP; over stdio the request that was sent last is as good as any. */
  #relatedTo(within: RequestId | undefined): UnderWay | undefined {
    if (within !== undefined) return this.#underWay.get(within);
    return this.#relay?.transport === 'stdio' ? [...this.#underWay.values()].at(-1) : undefined;
  }
}

function closed(): McpError {
  return new McpError('The relay is closed.', { code: 'SESSION_CLOSED' });
}

/**
 * Asks a server something whose answer is read here, in place of being handed on.
 *
 * @throws RefusedRequest with the server's own error
 */
export async function resultOf(
  server: ServerBehind,
  request: Omit<Forwarded, 'paramsText' | 'onAnswer'>,
): Promise<string> {
  let answer: AnswerText = { result: '{}' };
  await server.forward({
    ...request,
    paramsText: JSON.stringify(request.params),
    onAnswer: (came) => {
      answer = came;
    },
  });
  return resultIn(answer);
}

/** @throws RefusedRequest with the error that came instead */
export function resultIn(answer: AnswerText): string {
  if ('error' in answer) throw new RefusedRequest(answer.error);
  return answer.result;
}
