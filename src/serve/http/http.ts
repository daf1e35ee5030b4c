import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jsonText, messageOf } from '../../json/index.js';
import { handshakeRevisions, type Message } from '../../mcp/index.js';
import { Client } from '../clients/client.js';
import { codes, Refusal } from '../errors.js';
import { checkingBudget, maxMessageBytes, messageIn, ownTurn, sizeProblem } from '../message-size.js';
import { maxRequests, Principal, statelessIdentity, withSafeLog, type ServeOptions } from '../principal.js';
import { admit, corsHeaders, type Access } from './access.js';
import { ResponseWire } from './event-stream.js';
import { OpenSessions } from './open-sessions.js';
import { headerProblem, isStateless } from './request-headers.js';
import { HttpSession } from './session.js';

export interface HttpOptions extends Access {
  /** 0 takes any that is free. */
  readonly port: number;
  /** How many sessions may be open, a principal without sessions counting as one. Default 100. */
  readonly maxSessions?: number | undefined;
  /** How long one is kept that nobody uses, in milliseconds. Default 30 minutes. */
  readonly idleMs?: number | undefined;
  readonly signal: AbortSignal;
  /** Called with the address for clients, once they can connect. */
  readonly onListening: (url: string) => void;
}

/**
 * Serves any number of clients over streamable HTTP. Resolves once the signal is aborted and all is closed.
 *
 * @throws McpError where all servers are programs and none starts
 */
export async function serveHttp(options: ServeOptions, http: HttpOptions): Promise<void> {
  const { port, host, signal, onListening } = http;
  const serving = { ...withSafeLog(options), tool: { ...options.tool, budget: checkingBudget } };
  const gateway = new Gateway(serving, http);
  const server = createServer((incoming, outgoing) => void gateway.answer(incoming, outgoing));
  await once(server.listen(port, host), 'listening');
  const { address, family, port: taken } = server.address() as AddressInfo; // it listens on a port
  onListening(`http://${family === 'IPv6' ? `[${address}]` : address}:${taken}/mcp`);
  const stopped = signal.aborted ? Promise.resolve() : once(signal, 'abort');
  // All servers are opened once, so that the log says what is wrong with them before the first client comes.
  const trial = new Principal(serving, statelessIdentity);
  const tried = trial.group.reachable().finally(() => trial.close());
  try {
    await Promise.race([stopped, tried]).catch((error: unknown) => {
      if (options.servers.every(({ address: { transport } }) => transport === 'stdio')) throw error;
    });
    await stopped;
  } finally {
    const closed = new Promise((resolve) => server.close(resolve));
    await Promise.all([gateway.close(), trial.close()]);
    server.closeAllConnections();
    await closed;
  }
}

/** How much of unfinished messages is held for one token, in bytes. */
const maxReadingBytes = 64 * 1024 * 1024;

/** One HTTP request. */
interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Of every response. */
  readonly headers: Record<string, string>;
}

/** One of a client that was admitted. */
interface Admitted extends Exchange {
  /** The name of the client's token. */
  readonly owner: string;
}

class Gateway {
  readonly #options: ServeOptions;
  readonly #access: Access;
  /** Sessions by their ids, and the principals of 2026-07-28 by the names of their tokens. */
  readonly #sessions: OpenSessions<HttpSession | Principal>;
  /** How many bytes of unfinished messages are held, by the names of tokens. */
  readonly #reading = new Map<string, number>();

  constructor(options: ServeOptions, { maxSessions: max = 100, idleMs = 30 * 60_000, ...access }: HttpOptions) {
    this.#options = options;
    this.#access = access;
    this.#sessions = new OpenSessions({ max, idleMs });
  }

  /** Never rejects. */
  async answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const exchange = { incoming, outgoing, headers: corsHeaders(incoming.headers, this.#access) };
    try {
      await this.#answer(exchange);
    } catch (error) {
      if (!(error instanceof Refusal)) this.#options.log(messageOf(error));
      refuse(exchange, error instanceof Refusal ? error : new HttpRefusal(500, 'Internal error', {}, codes.internal));
    }
  }

  close(): Promise<void> {
    return this.#sessions.closeAll();
  }

  async #answer(exchange: Exchange): Promise<void> {
    const { incoming, outgoing, headers } = exchange;
    const { method, url = '/' } = incoming;
    if (method === 'OPTIONS' && 'access-control-allow-origin' in headers) {
      outgoing.writeHead(204, headers).end();
      return;
    }
    const admitted = admit(incoming.headers, this.#access);
    if ('status' in admitted) {
      const isToken = admitted.status === 401;
      throw new HttpRefusal(admitted.status, admitted.message, isToken ? { 'www-authenticate': 'Bearer' } : {});
    }
    if (new URL(url, 'http://localhost').pathname !== '/mcp') throw new HttpRefusal(404, 'Not found; try /mcp.');
    const request = { ...exchange, owner: admitted.name };
    if (method === 'POST') await this.#posted(request);
    else this.#ofSession(this.#session(request), request);
  }

  #ofSession(session: HttpSession, { incoming, outgoing, headers }: Admitted): void {
    const { method, headers: given } = incoming;
    this.#use(session.id, outgoing);
    if (method === 'DELETE') {
      void this.#sessions.close(session.id);
      outgoing.writeHead(200, headers).end();
    } else if (method !== 'GET') throw new HttpRefusal(405, 'Method not allowed.', { allow: 'GET, POST, DELETE' });
    else if (!given.accept?.includes('text/event-stream'))
      throw new HttpRefusal(406, 'Not Acceptable: Client must accept text/event-stream');
    else if (!session.listen(outgoing, headers, headerOf(incoming, 'last-event-id')))
      throw new HttpRefusal(409, 'Conflict: Only one SSE stream is allowed per session');
  }

  async #posted(request: Admitted): Promise<void> {
    const { incoming, outgoing, headers, owner } = request;
    if (!/^application\/json\s*(?:;|$)/i.test(incoming.headers['content-type'] ?? ''))
      throw new HttpRefusal(415, 'Unsupported Media Type: Content-Type must be application/json');
    const text = await this.#bodyOf(request);
    await ownTurn(text.length);
    const problem = sizeProblem(text);
    if (problem !== undefined) throw new HttpRefusal(413, problem);
    const message = messageIn(text);
    if (isStateless(message, incoming.headers)) {
      this.#stateless(message, request);
      return;
    }
    const { accept = '' } = incoming.headers;
    if (!accept.includes('application/json') || !accept.includes('text/event-stream'))
      throw new HttpRefusal(406, 'Not Acceptable: Client must accept both application/json and text/event-stream');
    const isHandshake = message.kind === 'request' && message.method === 'initialize';
    const session = isHandshake ? this.#newSession(owner) : this.#session(request);
    const revision = headerOf(incoming, 'mcp-protocol-version');
    if (!isHandshake && revision !== undefined && !handshakeRevisions.includes(revision))
      throw new HttpRefusal(400, `Bad Request: Unsupported protocol version: ${revision}`);
    this.#use(session.id, outgoing);
    if (!session.post(message, outgoing, headers))
      throw new HttpRefusal(400, 'Bad Request: a request with this id is under way.');
  }

  async #bodyOf({ incoming, owner }: Admitted): Promise<string> {
    const chunks: Buffer[] = [];
    let length = 0;
    const count = (bytes: number) => {
      length += bytes;
      const ofOwner = (this.#reading.get(owner) ?? 0) + bytes;
      this.#reading.set(owner, ofOwner);
      return ofOwner;
    };
    try {
      for await (const chunk of incoming as AsyncIterable<Buffer>) {
        const ofOwner = count(chunk.length);
        const close = { connection: 'close' };
        if (length > maxMessageBytes) throw new HttpRefusal(413, `A message may have ${maxMessageBytes} bytes.`, close);
        if (ofOwner > maxReadingBytes) throw new HttpRefusal(503, 'Too many long messages are being read.', close);
        chunks.push(chunk);
      }
      return Buffer.concat(chunks).toString('utf8');
    } finally {
      count(-length);
    }
  }

  #session({ incoming, owner }: Admitted): HttpSession {
    const id = headerOf(incoming, 'mcp-session-id');
    if (id === undefined) throw new HttpRefusal(400, 'Bad Request: no session; the first request has to be initialize');
    const session = this.#sessions.get(id);
    // A session of another token does not exist for this one.
    if (session instanceof HttpSession && session.owner === owner) return session;
    throw new HttpRefusal(404, 'Session not found', {}, -32001);
  }

  #newSession(owner: string): HttpSession {
    const id = randomUUID();
    return this.#added(id, () => new HttpSession(this.#options, id, owner, () => void this.#sessions.close(id)));
  }

  #added<S extends HttpSession | Principal>(key: string, open: () => S): S {
    const session = this.#sessions.add(key, open);
    if (session) return session;
    throw new HttpRefusal(503, 'There are as many busy sessions as there may be.');
  }

  #stateless(message: Message, request: Admitted): void {
    const { incoming, outgoing, headers, owner } = request;
    const problem = headerProblem(message, incoming.headers);
    if (problem) {
      refuse(request, problem, 'id' in message ? message.id : null);
      return;
    }
    if (message.kind !== 'request') {
      outgoing.writeHead(202, headers).end();
      return;
    }
    const key = `token ${owner}`; // ids of sessions have no space
    const known = this.#sessions.get(key) as Principal | undefined;
    const principal = known ?? this.#added(key, () => new Principal(this.#options, statelessIdentity));
    this.#use(key, outgoing);
    const onGivenUp = (reason: string) => {
      this.#options.log(`A client was disconnected: ${reason}.`);
    };
    const client = new Client(this.#options, new ResponseWire(outgoing, headers, onGivenUp), principal);
    outgoing.once('close', () => void client.close());
    client.take(message);
  }

  /** @throws HttpRefusal where too many of its responses are open */
  #use(key: string, outgoing: ServerResponse): void {
    if (this.#sessions.use(key, outgoing) > maxRequests)
      throw new HttpRefusal(503, 'There are as many requests under way as there may be.');
  }
}

/** A refusal with an HTTP status of its own; that of any other is 400. */
class HttpRefusal extends Refusal {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Record<string, string> = {},
    code = -32000,
  ) {
    super(code, message);
  }
}

function refuse({ outgoing, headers }: Exchange, refusal: Refusal, id: unknown = null): void {
  const { status, headers: more } = refusal instanceof HttpRefusal ? refusal : { status: 400, headers: {} };
  if (outgoing.headersSent) outgoing.destroy();
  else {
    outgoing.writeHead(status, { ...headers, ...more, 'content-type': 'application/json' });
    outgoing.end(jsonText({ jsonrpc: '2.0', error: refusal, id }));
  }
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
