import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jsonText, messageOf, parseJson } from '../../json/index.js';
import { handshakeRevisions, readMessages, type Message } from '../../mcp/index.js';
import { codes, Refusal } from '../answers.js';
import { Client } from '../clients/client.js';
import { tooMuch } from '../message-size.js';
import { Outbox } from '../outbox.js';
import { Principal, statelessIdentity, withSafeLog, type ServeOptions } from '../principal.js';
import { EventStream } from './event-stream.js';
import { SharedSessions } from '../upstream/shared-sessions.js';
import { corsHeaders, visitor, type Door, type Token } from './guard.js';
import { Places } from './places.js';
import { HttpSession } from './session.js';
import { headerProblem, isOfEnvelopes } from './request-headers.js';

export type { Token };

export interface HttpOptions extends Door {
  /** 0 takes any that is free. */
  readonly port: number;
  /** How many sessions, and principals without, may be open. Default 100. */
  readonly mostSessions?: number | undefined;
  /** How long one is kept that nobody uses, in milliseconds. Default 30 minutes. */
  readonly idleMs?: number | undefined;
  readonly signal: AbortSignal;
  /** Called with the address that clients are given, once they can come. */
  readonly onListening: (url: string) => void;
}

/** The longest message that is read, in bytes. */
const longestMessage = 32 * 1024 * 1024;

/** Serves any number of clients over streamable HTTP. Resolves once the signal is aborted and all is closed. */
export async function serveHttp(options: ServeOptions, http: HttpOptions): Promise<void> {
  const { port, host, signal, onListening } = http;
  const front = new HttpFront(withSafeLog(options), http);
  const server = createServer((incoming, outgoing) => {
    void front.answer(incoming, outgoing);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { address, family, port: taken } = server.address() as AddressInfo; // it listens on a port
  onListening(`http://${family === 'IPv6' ? `[${address}]` : address}:${taken}/mcp`);
  const stopped = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => {
      resolve();
    });
  });
  try {
    await Promise.race([stopped, tried(front.options)]);
    await stopped;
  } finally {
    const closed = new Promise((resolve) => server.close(resolve));
    await front.close();
    server.closeAllConnections();
    await closed;
  }
}

/**
 * Opens the servers once, so that whoever starts this hears of what is wrong with them, and not only its first client.
 *
 * @throws McpError where all are programs and none starts
 */
async function tried(options: ServeOptions): Promise<void> {
  const first = new Principal(options, statelessIdentity);
  try {
    await first.group.reachable();
  } catch (error) {
    if (options.servers.every(({ address }) => address.transport === 'stdio')) throw error;
    options.log(messageOf(error));
  } finally {
    await first.close();
  }
}

/** One request over HTTP, as far as it was understood. */
interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Of every response. */
  readonly headers: Record<string, string>;
  /** Whose it is. */
  readonly owner: string;
}

class HttpFront {
  readonly options: ServeOptions;
  readonly #door: Door;
  readonly #sessions: Places<HttpSession>;
  /** Those of 2026-07-28, by their tokens. */
  readonly #principals: Places<Principal>;

  readonly #shared: SharedSessions | undefined;

  constructor(options: ServeOptions, { mostSessions = 100, idleMs = 30 * 60_000, ...door }: HttpOptions) {
    this.options = options;
    this.#door = door;
    this.#shared = options.shared === true ? new SharedSessions() : undefined;
    this.#sessions = new Places({ most: mostSessions, idleMs });
    this.#principals = new Places({ most: mostSessions, idleMs });
  }

  /** Never rejects. */
  async answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const headers = corsHeaders(incoming.headers, this.#door);
    const who = visitor(incoming.headers, this.#door);
    const { method, url = '/' } = incoming;
    const refuse = (status: number, error: Refusal, more: Record<string, string> = {}, id: unknown = null) => {
      outgoing.writeHead(status, { ...headers, ...more, 'content-type': 'application/json' });
      const { code, message, data } = error;
      outgoing.end(jsonText({ jsonrpc: '2.0', error: { code, message, data }, id }));
    };
    try {
      if (method === 'OPTIONS' && 'access-control-allow-origin' in headers) outgoing.writeHead(204, headers).end();
      else if ('status' in who)
        refuse(who.status, refused(who.message), who.status === 401 ? { 'www-authenticate': 'Bearer' } : {});
      else if (new URL(url, 'http://localhost').pathname !== '/mcp') refuse(404, refused('Not found; try /mcp.'));
      else await this.#admitted({ incoming, outgoing, headers, owner: who.name });
    } catch (error) {
      if (!(error instanceof HttpRefusal)) this.options.log(messageOf(error));
      if (outgoing.headersSent) outgoing.destroy();
      else if (error instanceof HttpRefusal) refuse(error.status, error.refusal, error.headers, error.id);
      else refuse(500, new Refusal(codes.internal, 'Internal error'));
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#sessions.closeAll(), this.#principals.closeAll()]);
    await this.#shared?.close();
  }

  async #admitted(exchange: Exchange): Promise<void> {
    const { incoming, outgoing, headers, owner } = exchange;
    if (incoming.method === 'POST') return this.#posted(exchange);
    const session = this.#session(incoming, owner);
    this.#use(this.#sessions, session.id, outgoing);
    if (incoming.method === 'DELETE') {
      this.#sessions.close(session.id);
      outgoing.writeHead(200, headers).end();
    } else if (incoming.method !== 'GET')
      throw new HttpRefusal(405, refused('Method not allowed.'), { allow: 'GET, POST, DELETE' });
    else if (!incoming.headers.accept?.includes('text/event-stream'))
      throw new HttpRefusal(406, refused('Not Acceptable: Client must accept text/event-stream'));
    else if (!session.listen(outgoing, headers, one(incoming.headers['last-event-id'])))
      throw new HttpRefusal(409, refused('Conflict: Only one SSE stream is allowed per session'));
  }

  async #posted(exchange: Exchange): Promise<void> {
    const { incoming, outgoing, headers, owner } = exchange;
    if (!/^application\/json\s*(?:;|$)/i.test(incoming.headers['content-type'] ?? ''))
      throw new HttpRefusal(415, refused('Unsupported Media Type: Content-Type must be application/json'));
    const text = await read(incoming);
    const problem = tooMuch(text);
    if (problem !== undefined) throw new HttpRefusal(413, refused(problem));
    const messages = readMessages(text);
    const [first] = messages ?? [];
    if (!messages || !first) {
      if (parseJson(text) === undefined)
        throw new HttpRefusal(400, new Refusal(codes.parse, 'Parse error: the body is not JSON'));
      throw new HttpRefusal(400, new Refusal(codes.invalidRequest, 'The body is no JSON-RPC message.'));
    }
    if (isOfEnvelopes(messages, incoming.headers)) {
      this.#stateless(first, /^\s*\[/.test(text), exchange);
      return;
    }
    if (
      !/application\/json.*text\/event-stream|text\/event-stream.*application\/json/.test(incoming.headers.accept ?? '')
    )
      throw new HttpRefusal(
        406,
        refused('Not Acceptable: Client must accept both application/json and text/event-stream'),
      );
    const isHandshake = messages.some((message) => message.kind === 'request' && message.method === 'initialize');
    const revision = one(incoming.headers['mcp-protocol-version']);
    const session = isHandshake ? this.#newSession(owner) : this.#session(incoming, owner);
    if (!isHandshake && revision !== undefined && !handshakeRevisions.includes(revision))
      throw new HttpRefusal(400, refused(`Bad Request: Unsupported protocol version: ${revision}`));
    this.#use(this.#sessions, session.id, outgoing);
    session.post(messages, outgoing, headers, revision);
  }

  #session(incoming: IncomingMessage, owner: string): HttpSession {
    const id = one(incoming.headers['mcp-session-id']);
    if (id === undefined)
      throw new HttpRefusal(400, refused('Bad Request: no session; the first request has to be initialize'));
    const session = this.#sessions.get(id);
    // Another token's is none of this one's.
    if (session?.owner !== owner) throw new HttpRefusal(404, new Refusal(-32001, 'Session not found'));
    return session;
  }

  #newSession(owner: string): HttpSession {
    const id = randomUUID();
    const end = () => {
      this.#sessions.close(id);
    };
    const isRoom = this.#sessions.add(id, () => new HttpSession(this.options, { id, owner, end }));
    const session = this.#sessions.get(id);
    if (isRoom && session) return session;
    throw new HttpRefusal(503, refused('There are as many sessions already as there may be.'));
  }

  /** A message of 2026-07-28: one exchange, with nothing but its principal behind. */
  #stateless(message: Message, isBatch: boolean, { incoming, outgoing, headers, owner }: Exchange): void {
    const id = 'id' in message ? message.id : undefined;
    const problem = isBatch
      ? new Refusal(codes.invalidRequest, 'Bad Request: there are no batches in revision 2026-07-28.')
      : headerProblem(message, incoming.headers);
    if (problem) throw new HttpRefusal(400, problem, {}, id);
    if (message.kind !== 'request') {
      outgoing.writeHead(202, headers).end();
      return;
    }
    const isRoom = this.#principals.get(owner) ?? this.#principals.add(owner, () => this.#newPrincipal());
    const principal = this.#principals.get(owner);
    if (!isRoom || !principal)
      throw new HttpRefusal(503, refused('There are as many clients already as there may be.'));
    this.#use(this.#principals, owner, outgoing);
    const wire = new ExchangeWire(outgoing, headers, this.options.log);
    const client = new Client(principal, wire);
    outgoing.once('close', () => {
      client.close();
    });
    client.take(message);
  }

  #newPrincipal(): Principal {
    return new Principal(this.options, statelessIdentity, this.#shared);
  }

  /** It is in use for as long as the response lasts. */
  #use(places: { use(key: string): () => void }, key: string, outgoing: ServerResponse): void {
    outgoing.once('close', places.use(key));
  }
}

/** The response to one request: an answer, or events that end with it. */
class ExchangeWire {
  readonly #outgoing: ServerResponse;
  readonly #headers: Record<string, string>;
  readonly #log: (line: string) => void;
  #events: EventStream | undefined;

  constructor(outgoing: ServerResponse, headers: Record<string, string>, log: (line: string) => void) {
    this.#outgoing = outgoing;
    this.#headers = headers;
    this.#log = log;
  }

  send(text: string, _related: unknown, isAnswer = false): void {
    const onStalled = (reason: string) => {
      this.#log(`A client is given up: ${reason}.`);
    };
    if (isAnswer && !this.#events) {
      this.#outgoing.writeHead(statusOf(text), { ...this.#headers, 'content-type': 'application/json' });
      const outbox = new Outbox(this.#outgoing, onStalled);
      outbox.write(text);
      outbox.end();
      return;
    }
    this.#events ??= new EventStream(this.#outgoing, this.#headers, onStalled);
    this.#events.send(text);
    if (isAnswer) this.#events.end();
  }
}

/** What a server does not know is HTTP's Not Found in 2026-07-28, and what a client cannot do its Bad Request. */
function statusOf(answer: string): number {
  const [, code] = /^\{"jsonrpc":"2\.0","id":(?:\d+|"(?:[^"\\]|\\.)*"),"error":\{"code":(-?\d+)/.exec(answer) ?? [];
  return { [codes.methodNotFound]: 404, [-32021]: 400 }[Number(code)] ?? 200;
}

/** What is answered with an HTTP status of its own. */
class HttpRefusal extends Error {
  constructor(
    readonly status: number,
    readonly refusal: Refusal,
    readonly headers: Record<string, string> = {},
    readonly id: unknown = null,
  ) {
    super(refusal.message);
  }
}

function refused(message: string): Refusal {
  return new Refusal(-32000, message);
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

async function read(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > longestMessage)
      throw new HttpRefusal(413, refused(`A message may have ${longestMessage} bytes.`), { connection: 'close' });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
