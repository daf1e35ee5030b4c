import { randomUUID } from 'node:crypto';
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type JSONRPCMessage,
  type McpHttpHandler,
  type Transport,
} from '@modelcontextprotocol/server';
import { isObject, jsonText, type JsonObject } from '../../json/index.js';
import type { Joined } from '../behind/joined.js';
import { ClientRelay, type ClientRelayOptions } from '../client-relay.js';
import type { Hub } from '../hub.js';
import { identityInEnvelope, subscribedIn, type Identity, type Introduction } from '../revisions.js';
import { LatestEvents } from './events.js';
import { readIncoming } from './payload.js';
import { RelayServer } from './relay-server.js';

/** How long a client may be away before its servers are closed. */
const idleMs = 30 * 60_000;

/**
 * How many sessions and kinds of clients there may be at a time. Beyond it, one that nobody uses is closed; where all
 * are in use, whoever comes is turned away.
 */
const mostClients = 100;

/** A request, the text of its body and what that says. */
interface HttpExchange {
  readonly request: Request;
  readonly text: string;
  readonly body: unknown;
}

/** Something that is kept for clients as long as they come back. */
interface Kept {
  open: number;
  timer: NodeJS.Timeout | undefined;
  close: () => Promise<void>;
}

interface Session extends Kept {
  readonly transport: WebStandardStreamableHTTPServerTransport;
}

interface Shared extends Kept {
  readonly joined: Joined;
}

/**
 * All clients over HTTP. Those of 2025-11-25 and before have a session each, with servers of its own behind; those of
 * 2026-07-28 share what is behind: with everybody where the servers behind are of that revision as well, or else with all
 * who say the same of themselves, as a handshake asks for that.
 */
export class HttpClients {
  readonly #hub: Hub;
  readonly #sessions = new Map<string, Session>();
  readonly #shared = new Map<string, Shared>();
  /** What was sent, by the request that the SDK hands on with each message. */
  readonly #exchanges = new WeakMap<Request, HttpExchange>();
  readonly #stateless: McpHttpHandler;

  constructor(hub: Hub) {
    this.#hub = hub;
    const onerror = (error: Error) => {
      hub.log(error.message);
    };
    this.#stateless = createMcpHandler(({ requestInfo }) => this.#exchange(requestInfo), { legacy: 'reject', onerror });
  }

  async answer(exchange: HttpExchange): Promise<Response> {
    const { request, body } = exchange;
    this.#exchanges.set(request, exchange);
    if (!(await isLegacyRequest(request, body))) {
      if (!this.#sharedNow(body) && !makeRoom(this.#shared)) return tooMany();
      const shared = await this.#prepared(exchange);
      return this.#during(shared, await withStatus(await this.#stateless.fetch(request, { parsedBody: body })));
    }
    const id = request.headers.get('mcp-session-id');
    const session = id === null ? undefined : this.#sessions.get(id);
    if (session) return this.#during(session, await session.transport.handleRequest(request, { parsedBody: body }));
    if (id !== null) return refused(404, -32001, 'Session not found');
    const isHandshake = [body].flat().some((message) => isObject(message) && message['method'] === 'initialize');
    if (!isHandshake) return refused(400, -32000, 'Bad Request: no session; the first request has to be initialize');
    if (!makeRoom(this.#sessions)) return tooMany();
    const transport = await this.#newSession();
    const response = await transport.handleRequest(request, { parsedBody: body });
    const opened = this.#sessions.get(transport.sessionId ?? '');
    if (opened) return this.#during(opened, response);
    await transport.close();
    return response;
  }

  async close(): Promise<void> {
    await this.#stateless.close();
    await Promise.all([...this.#sessions.values(), ...this.#shared.values()].map((kept) => kept.close()));
  }

  async #newSession(): Promise<WebStandardStreamableHTTPServerTransport> {
    let joined: Joined | undefined;
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: new LatestEvents(),
      retryInterval: 1000,
      onsessioninitialized: (id) => {
        makeRoom(this.#sessions);
        this.#sessions.set(id, { transport, open: 0, timer: undefined, close: () => transport.close() });
      },
    });
    const server = new RelayServer(undefined, (attached) => {
      const relay = this.#relayOver(attached, {
        behind: (client) => (joined = this.#hub.behind(client)),
        era: 'handshake',
        pause: (id) => {
          transport.closeSSEStream(id);
        },
      });
      attached.onclose = () => {
        relay.close();
        const id = transport.sessionId ?? '';
        clearTimeout(this.#sessions.get(id)?.timer);
        this.#sessions.delete(id);
        if (joined) void this.#hub.release(joined);
      };
    });
    await server.connect(transport);
    return transport;
  }

  /** What is behind for the client of a request of 2026-07-28, open; and what it wants to hear of, asked for. */
  async #prepared({ body }: HttpExchange): Promise<Shared> {
    const shared = this.#sharedFor(body);
    await shared.joined.lists.subscribe(subscribedIn(body)).catch(() => {});
    return shared;
  }

  /** What is open for whoever sends this. */
  #sharedNow(body: unknown): Shared | undefined {
    const ofAll = [...this.#shared.values()].find(({ joined }) => joined.servers.every((server) => server.isStateless));
    return this.#shared.get(keyOf(clientIn(body))) ?? ofAll;
  }

  #sharedFor(body: unknown): Shared {
    const present = this.#sharedNow(body);
    if (present) return present;
    const client = clientIn(body);
    const key = keyOf(client);
    makeRoom(this.#shared);
    const joined = this.#hub.behind(client);
    joined.join({
      announce: (method, _text, params) => {
        this.#changed(method, params);
      },
      ask: () => Promise.reject(new Error('A client of this revision is asked within its own requests alone.')),
    });
    const shared: Shared = {
      joined,
      open: 0,
      timer: undefined,
      close: () => {
        this.#shared.delete(key);
        return this.#hub.release(joined);
      },
    };
    this.#shared.set(key, shared);
    return shared;
  }

  async #exchange(request: Request | undefined): Promise<RelayServer> {
    const { joined } = this.#sharedFor(request && this.#exchanges.get(request)?.body);
    // Where no server can be reached, the client hears why in answer to its request.
    const introduced = await joined.introduced().catch((): Introduction | undefined => undefined);
    return new RelayServer(introduced, (attached) => {
      const relay = this.#relayOver(attached, { joined, era: 'stateless', announceChange: () => {} });
      attached.onclose = () => {
        relay.close();
      };
    });
  }

  /** A relay for the client at the other end of a transport. */
  #relayOver(
    transport: Transport,
    options: Pick<ClientRelayOptions, 'era'> & Partial<ClientRelayOptions>,
  ): ClientRelay {
    const relay = new ClientRelay({
      ...this.#hub.forClients,
      ...options,
      send: (message, related) =>
        // A client that has closed its stream has to do without.
        void transport.send(message, related === undefined ? {} : { relatedRequestId: related }).catch(() => {}),
    });
    transport.onmessage = (message, extra) => {
      relay.take(readIncoming(message, this.#textOf(message, extra?.request)));
    };
    return relay;
  }

  /** To those who have subscribed to it, which the SDK knows. */
  #changed(method: string, { uri }: JsonObject): void {
    const { notify } = this.#stateless;
    if (method === 'notifications/tools/list_changed') notify.toolsChanged();
    else if (method === 'notifications/prompts/list_changed') notify.promptsChanged();
    else if (method === 'notifications/resources/list_changed') notify.resourcesChanged();
    else if (method === 'notifications/resources/updated' && typeof uri === 'string') notify.resourceUpdated(uri);
  }

  /** The text of a message; in a batch (2025-03-26) of what it says. */
  #textOf(message: JSONRPCMessage, request: Request | undefined): string {
    const exchange = request && this.#exchanges.get(request);
    return exchange && !Array.isArray(exchange.body) ? exchange.text : JSON.stringify(message);
  }

  /** Keeps something open while a response lasts, and for a while after that. */
  #during(kept: Kept, response: Response): Response {
    clearTimeout(kept.timer);
    kept.open++;
    const over = () => {
      if (--kept.open > 0) return;
      kept.timer = setTimeout(() => void kept.close(), idleMs);
      kept.timer.unref();
    };
    if (!response.body) {
      over();
      return response;
    }
    const reader = (response.body as ReadableStream<Uint8Array>).getReader(); // of bytes, by the type of fetch
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done, value } = await reader.read();
        if (!done) {
          controller.enqueue(value);
          return;
        }
        over();
        controller.close();
      },
      async cancel(reason) {
        over();
        await reader.cancel(reason);
      },
    });
    return new Response(body, response);
  }
}

/**
 * What a server does not know is HTTP's Not Found in 2026-07-28; the SDK says so of what it finds out by itself alone.
 */
async function withStatus(response: Response): Promise<Response> {
  if (response.status !== 200 || !response.headers.get('content-type')?.startsWith('application/json')) return response;
  const text = await response.text();
  const status = text.includes('"error":{"code":-32601,') ? 404 : 200;
  return new Response(text, { status, headers: response.headers });
}

function clientIn(body: unknown): Identity {
  return identityInEnvelope(isObject(body) && isObject(body['params']) ? body['params'] : {});
}

function keyOf({ clientInfo, capabilities }: Identity): string {
  return jsonText([clientInfo, capabilities]);
}

/** Of what nobody uses, that goes which came first. @returns whether there is room for another */
function makeRoom(kept: Map<string, Kept>): boolean {
  if (kept.size < mostClients) return true;
  const idle = [...kept.values()].find(({ open }) => open === 0);
  void idle?.close();
  return idle !== undefined;
}

function tooMany(): Response {
  return refused(503, -32000, `There are ${mostClients} clients already.`);
}

export function refused(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });
}
