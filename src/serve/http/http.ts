import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jsonText, messageOf } from '../../json/index.js';
import { handshakeRevisions, type Message } from '../../mcp/index.js';
import { codes, Refusal } from '../errors.js';
import { checkingBudget, maxMessageBytes, ownTurn, sizeProblem } from '../message-size.js';
import { messagesIn } from '../messages.js';
import { Principal, statelessIdentity, withSafeLog, type ServeOptions } from '../principal.js';
import type { Upstream } from '../upstream/upstream.js';
import { admit, corsHeaders, type Access } from './access.js';
import { OpenSessions } from './open-sessions.js';
import { headerProblem, isStateless } from './request-headers.js';
import { HttpSession } from './session.js';
import { StatelessPrincipal } from './stateless.js';

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

/** Serves any number of clients over streamable HTTP. Resolves once the signal is aborted and all is closed. */
export async function serveHttp(options: ServeOptions, http: HttpOptions): Promise<void> {
  const { port, host, signal, onListening } = http;
  const tool = { ...options.tool, budget: checkingBudget };
  const gateway = new Gateway({ ...withSafeLog(options), tool }, http);
  const server = createServer((incoming, outgoing) => void gateway.answer(incoming, outgoing));
  await once(server.listen(port, host), 'listening');
  const { address, family, port: taken } = server.address() as AddressInfo; // it listens on a port
  onListening(`http://${family === 'IPv6' ? `[${address}]` : address}:${taken}/mcp`);
  const stopped = signal.aborted ? Promise.resolve() : once(signal, 'abort');
  try {
    await Promise.race([stopped, gateway.tryServers()]);
    await stopped;
  } finally {
    const closed = new Promise((resolve) => server.close(resolve));
    await gateway.close();
    server.closeAllConnections();
    await closed;
  }
}

/** How much of unfinished messages is held for one token, in bytes. */
const maxReadingBytes = 64 * 1024 * 1024;

/** One HTTP request of a client that was admitted. */
interface Admitted {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Of every response. */
  readonly headers: Record<string, string>;
  /** The name of the client's token. */
  readonly owner: string;
}

class Gateway {
  readonly #options: ServeOptions;
  readonly #access: Access;
  /** By their ids, and those of 2026-07-28 by the names of their tokens. */
  readonly #sessions: OpenSessions<HttpSession | StatelessPrincipal>;
  /** How many bytes of unfinished messages are held, by the names of tokens. */
  readonly #reading = new Map<string, number>();
  #shared: readonly Upstream[] = [];
  #sharing: Principal | undefined;

  constructor(options: ServeOptions, { maxSessions: max = 100, idleMs = 30 * 60_000, ...access }: HttpOptions) {
    this.#options = options;
    this.#access = access;
    this.#sessions = new OpenSessions({ max, idleMs });
  }

  /**
   * Opens the servers once, so that the log says what is wrong with them before the first client comes. Those that may
   * be shared stay open.
   *
   * @throws McpError where all are programs and none starts
   */
  async tryServers(): Promise<void> {
    const { servers, shared, log } = this.#options;
    const trial = (this.#sharing = new Principal(this.#options, statelessIdentity));
    try {
      await trial.group.reachable();
    } catch (error) {
      if (servers.every(({ address }) => address.transport === 'stdio')) throw error;
      log(messageOf(error));
    }
    this.#shared = shared === true ? trial.group.upstreams.filter(({ isShareable }) => isShareable) : [];
    for (const upstream of trial.group.upstreams) if (!this.#shared.includes(upstream)) await upstream.leave(trial);
  }

  /** Never rejects. */
  async answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const headers = corsHeaders(incoming.headers, this.#access);
    try {
      await this.#answer(incoming, outgoing, headers);
    } catch (error) {
      const known = error instanceof HttpRefusal;
      if (!known) this.#options.log(messageOf(error));
      const refusal = known ? error : new HttpRefusal(500, new Refusal(codes.internal, 'Internal error'));
      if (outgoing.headersSent) outgoing.destroy();
      else refusal.send(outgoing, headers);
    }
  }

  async close(): Promise<void> {
    await this.#sessions.closeAll();
    await this.#sharing?.close();
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse, headers: Record<string, string>): Promise<void> {
    const { method, url = '/' } = incoming;
    if (method === 'OPTIONS' && 'access-control-allow-origin' in headers) {
      outgoing.writeHead(204, headers).end();
      return;
    }
    const admitted = admit(incoming.headers, this.#access);
    if ('status' in admitted) {
      const isToken = admitted.status === 401;
      throw refused(admitted.status, admitted.message, isToken ? { 'www-authenticate': 'Bearer' } : {});
    }
    if (new URL(url, 'http://localhost').pathname !== '/mcp') throw refused(404, 'Not found; try /mcp.');
    const request = { incoming, outgoing, headers, owner: admitted.name };
    if (method === 'POST') await this.#posted(request);
    else this.#ofSession(this.#session(request), request);
  }

  #ofSession(session: HttpSession, { incoming, outgoing, headers }: Admitted): void {
    this.#use(session.id, outgoing);
    if (incoming.method === 'DELETE') {
      this.#sessions.close(session.id);
      outgoing.writeHead(200, headers).end();
    } else if (incoming.method !== 'GET') throw refused(405, 'Method not allowed.', { allow: 'GET, POST, DELETE' });
    else if (!incoming.headers.accept?.includes('text/event-stream'))
      throw refused(406, 'Not Acceptable: Client must accept text/event-stream');
    else if (!session.listen(outgoing, headers, headerOf(incoming, 'last-event-id')))
      throw refused(409, 'Conflict: Only one SSE stream is allowed per session');
  }

  async #posted(request: Admitted): Promise<void> {
    const { incoming, outgoing, headers, owner } = request;
    if (!/^application\/json\s*(?:;|$)/i.test(incoming.headers['content-type'] ?? ''))
      throw refused(415, 'Unsupported Media Type: Content-Type must be application/json');
    const text = await this.#bodyOf(request);
    await ownTurn(text.length);
    const messages = boundedMessagesIn(text);
    const [first] = messages;
    if (isStateless(messages, incoming.headers)) {
      this.#stateless(first, /^\s*\[/.test(text), request);
      return;
    }
    const { accept = '' } = incoming.headers;
    if (!accept.includes('application/json') || !accept.includes('text/event-stream'))
      throw refused(406, 'Not Acceptable: Client must accept both application/json and text/event-stream');
    const isHandshake = messages.some((message) => message.kind === 'request' && message.method === 'initialize');
    const session = isHandshake ? this.#newSession(owner) : this.#session(request);
    const revision = headerOf(incoming, 'mcp-protocol-version');
    if (!isHandshake && revision !== undefined && !handshakeRevisions.includes(revision))
      throw refused(400, `Bad Request: Unsupported protocol version: ${revision}`);
    this.#use(session.id, outgoing);
    if (!session.post(messages, outgoing, headers, revision))
      throw refused(400, 'Bad Request: a request with this id is under way.');
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
        if (length > maxMessageBytes) throw refused(413, `A message may have ${maxMessageBytes} bytes.`, close);
        if (ofOwner > maxReadingBytes) throw refused(503, 'Too many long messages are being read.', close);
        chunks.push(chunk);
      }
      return Buffer.concat(chunks).toString('utf8');
    } finally {
      count(-length);
    }
  }

  #session({ incoming, owner }: Admitted): HttpSession {
    const id = headerOf(incoming, 'mcp-session-id');
    if (id === undefined) throw refused(400, 'Bad Request: no session; the first request has to be initialize');
    const session = this.#sessions.get(id);
    // A session of another token does not exist for this one.
    if (!(session instanceof HttpSession) || session.owner !== owner)
      throw new HttpRefusal(404, new Refusal(-32001, 'Session not found'));
    return session;
  }

  #newSession(owner: string): HttpSession {
    const id = randomUUID();
    const end = () => {
      this.#sessions.close(id);
    };
    return this.#added(id, () => new HttpSession(this.#options, { id, owner, end }));
  }

  #added<S extends HttpSession | StatelessPrincipal>(key: string, open: () => S): S {
    const session = this.#sessions.add(key, open);
    if (session) return session;
    throw refused(503, 'There are as many busy sessions as there may be.');
  }

  /** A message of 2026-07-28: its token is all that it has in common with others. */
  #stateless(message: Message, isBatch: boolean, { incoming, outgoing, headers, owner }: Admitted): void {
    const problem = isBatch
      ? new Refusal(codes.invalidRequest, 'Bad Request: there are no batches in revision 2026-07-28.')
      : headerProblem(message, incoming.headers);
    if (problem) throw new HttpRefusal(400, problem, {}, 'id' in message ? message.id : null);
    if (message.kind !== 'request') {
      outgoing.writeHead(202, headers).end();
      return;
    }
    const key = `token ${owner}`;
    const known = this.#sessions.get(key);
    const principal = known instanceof StatelessPrincipal ? known : this.#added(key, () => this.#newPrincipal());
    this.#use(key, outgoing);
    if (!principal.post(message, outgoing, headers))
      throw refused(503, 'There are as many requests under way as there may be.');
  }

  #newPrincipal(): StatelessPrincipal {
    return new StatelessPrincipal(new Principal(this.#options, statelessIdentity, this.#shared), this.#options.log);
  }

  /** Counts a session as used for as long as the response lasts. */
  #use(key: string, outgoing: ServerResponse): void {
    const { touch, end } = this.#sessions.use(key);
    outgoing.once('finish', touch);
    outgoing.once('close', end);
  }
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

  send(outgoing: ServerResponse, headers: Record<string, string>): void {
    const { code, message, data } = this.refusal;
    outgoing.writeHead(this.status, { ...headers, ...this.headers, 'content-type': 'application/json' });
    outgoing.end(jsonText({ jsonrpc: '2.0', error: { code, message, data }, id: this.id }));
  }
}

function refused(status: number, message: string, headers: Record<string, string> = {}): HttpRefusal {
  return new HttpRefusal(status, new Refusal(-32000, message), headers);
}

/** @throws HttpRefusal where it holds none, or too much */
function boundedMessagesIn(text: string): [Message, ...Message[]] {
  const problem = sizeProblem(text);
  if (problem !== undefined) throw refused(413, problem);
  const messages = messagesIn(text);
  if (messages instanceof Refusal) throw new HttpRefusal(400, messages);
  return messages;
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
