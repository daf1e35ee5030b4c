import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jsonText, messageOf } from '../../json/index.js';
import { answerText, handshakeRevisions, type Message } from '../../mcp/index.js';
import { Client, drained, idTextIn, stopping } from '../clients/client.js';
import { codes, HttpRefusal, Refusal } from '../errors.js';
import { checkingBudget, maxMessageBytes, messageIn, ownTurn, sizeProblem } from '../message-size.js';
import type { Outbox } from '../outbox.js';
import { Principal, statelessIdentity, withSafeLog, type ServeOptions } from '../principal.js';
import { clientInfoKey, clientTitle, headerProblem, isStateless, metaIn } from '../revisions.js';
import { Trial } from '../trial.js';
import { admit, corsHeaders, hasToken, type Access } from './access.js';
import { ResponseWire } from './event-stream.js';
import { healthOf } from './health.js';
import { OpenSessions } from './open-sessions.js';
import { HttpSession } from './session.js';

export interface HttpOptions extends Access {
  readonly port: number;
  /** The most open sessions; the clients of 2026-07-28 count as one. Default 100. */
  readonly maxSessions?: number | undefined;
  /** An unused session is closed after so many milliseconds. Default 30 minutes. */
  readonly idleMs?: number | undefined;
  /** Calls may go on for so many milliseconds when the gateway stops. Default 5 s. */
  readonly graceMs?: number | undefined;
  readonly signal: AbortSignal;
  readonly onListening: (url: string) => void;
}

/** Resolves once the signal is aborted. @throws McpError if nothing can ever be served */
export async function serveHttp(options: ServeOptions, http: HttpOptions): Promise<void> {
  const { port, host, signal, onListening } = http;
  const serving = { ...withSafeLog(options), tool: { ...options.tool, budget: checkingBudget } };
  const gateway = new Gateway(serving, http);
  const server = createServer((incoming, outgoing) => void gateway.answer(incoming, outgoing));
  await once(server.listen(port, host), 'listening');
  const { address, family, port: taken } = server.address() as AddressInfo; // it listens on a port
  onListening(`http://${family === 'IPv6' ? `[${address}]` : address}:${taken}/mcp`);
  const stopped = signal.aborted ? Promise.resolve() : once(signal, 'abort');
  try {
    await Promise.race([stopped, gateway.trial.run()]);
    await stopped;
  } finally {
    await gateway.close();
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }
}

/** The operator hears of these refusals: the client, the token or a limit is wrong. */
const loggedStatus = [401, 403, 413, 503];

const maxReadingBytes = 64 * 1024 * 1024;

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly headers: Record<string, string>;
}

class Gateway {
  /** Sessions by their ids, and the one of all clients of 2026-07-28. */
  readonly #sessions: OpenSessions<HttpSession | Principal>;
  readonly #clients = new Set<Client>();
  readonly #ofStateless = new Set<Outbox>();
  readonly trial: Trial;
  #reading = 0;
  #isStopping = false;

  constructor(
    readonly options: ServeOptions,
    readonly http: HttpOptions,
  ) {
    const { maxSessions: max = 100, idleMs = 30 * 60_000 } = http;
    this.#sessions = new OpenSessions({ max, idleMs });
    this.trial = new Trial(options);
  }

  /** Never rejects. */
  async answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const headers = corsHeaders(incoming.headers, this.http);
    const { remoteAddress: from } = incoming.socket;
    try {
      if (incoming.method === 'OPTIONS' && 'access-control-allow-origin' in headers)
        outgoing.writeHead(204, headers).end();
      else {
        admit(incoming.headers, this.http);
        const isAdmitted = hasToken(incoming.headers, this.http);
        const [path] = (incoming.url ?? '').split('?');
        if (path === '/health') this.#health(outgoing, isAdmitted && incoming.headers.authorization !== undefined);
        else if (!isAdmitted)
          throw new HttpRefusal(401, 'A token is needed: Authorization: Bearer …', { 'www-authenticate': 'Bearer' });
        else if (path !== '/mcp') throw new HttpRefusal(404, 'Not found; try /mcp.');
        else await this.#answer({ incoming, outgoing, headers });
      }
    } catch (error) {
      if (!(error instanceof Refusal)) this.options.log(messageOf(error));
      const refusal = error instanceof Refusal ? error : new HttpRefusal(500, 'Internal error', {}, codes.internal);
      if (refusal instanceof HttpRefusal && loggedStatus.includes(refusal.status)) {
        const { status, message: reason } = refusal;
        this.options.log('refused', { status, reason, from });
      }
      refuse(outgoing, headers, refusal);
    }
  }

  async close(): Promise<void> {
    this.#isStopping = true;
    await drained(() => [...this.#clients, ...this.#sessions.all.flatMap(clientOf)], this.http.graceMs);
    await Promise.all([this.#sessions.closeAll(stopping), this.trial.group.close()]);
  }

  /** @param isWhole whether the request has the token */
  #health(outgoing: ServerResponse, isWhole: boolean): void {
    const status = this.#isStopping ? 'stopping' : 'ok';
    const sessions = this.#sessions.all;
    const whole = () =>
      jsonText(healthOf(status, sessions.length, [this.trial.group, ...sessions.flatMap(({ group }) => group ?? [])]));
    outgoing.writeHead(this.#isStopping ? 503 : 200, { 'content-type': isWhole ? 'application/json' : 'text/plain' });
    outgoing.end(isWhole ? whole() : status);
  }

  async #answer(exchange: Exchange): Promise<void> {
    const { incoming, outgoing, headers } = exchange;
    const { method } = incoming;
    if (method === 'POST') {
      await this.#posted(exchange);
      return;
    }
    const session = this.#session(exchange);
    if (method === 'DELETE') {
      void this.#sessions.close(session.id, 'the client has ended it');
      outgoing.writeHead(200, headers).end();
    } else if (method !== 'GET') throw new HttpRefusal(405, 'Method not allowed.', { allow: 'GET, POST, DELETE' });
    else if (!incoming.headers.accept?.includes('text/event-stream'))
      throw new HttpRefusal(406, 'Not Acceptable: Client must accept text/event-stream');
    else session.listen(outgoing, headers, headerOf(incoming, 'last-event-id'));
  }

  async #posted(exchange: Exchange): Promise<void> {
    const { incoming, outgoing, headers } = exchange;
    const { accept = '', 'content-type': type = '' } = incoming.headers;
    if (!/^application\/json\s*(?:;|$)/i.test(type))
      throw new HttpRefusal(415, 'Unsupported Media Type: Content-Type must be application/json');
    const text = await this.#bodyOf(exchange);
    await ownTurn(text.length);
    const problem = sizeProblem(text);
    if (problem !== undefined) throw new HttpRefusal(413, problem);
    const message = messageIn(text);
    if (isStateless(message, incoming.headers)) {
      this.#stateless(message, exchange);
      return;
    }
    if (!accept.includes('application/json') || !accept.includes('text/event-stream'))
      throw new HttpRefusal(406, 'Not Acceptable: Client must accept both application/json and text/event-stream');
    const isHandshake = message.kind === 'request' && message.method === 'initialize';
    const session = isHandshake ? this.#newSession(exchange) : this.#session(exchange);
    const revision = headerOf(incoming, 'mcp-protocol-version');
    if (!isHandshake && revision !== undefined && !handshakeRevisions.includes(revision))
      throw new HttpRefusal(400, `Bad Request: Unsupported protocol version: ${revision}`);
    session.post(message, outgoing, headers);
  }

  async #bodyOf({ incoming }: Exchange): Promise<string> {
    const chunks: Buffer[] = [];
    let length = 0;
    try {
      for await (const chunk of incoming as AsyncIterable<Buffer>) {
        length += chunk.length;
        this.#reading += chunk.length;
        const close = { connection: 'close' };
        if (length > maxMessageBytes) throw new HttpRefusal(413, `A message may have ${maxMessageBytes} bytes.`, close);
        if (this.#reading > maxReadingBytes)
          throw new HttpRefusal(503, 'Too many long messages are being read.', close);
        chunks.push(chunk);
      }
      return Buffer.concat(chunks).toString('utf8');
    } finally {
      this.#reading -= length;
    }
  }

  #session({ incoming, outgoing }: Exchange): HttpSession {
    const id = headerOf(incoming, 'mcp-session-id');
    if (id === undefined) throw new HttpRefusal(400, 'Bad Request: no session; the first request has to be initialize');
    const session = this.#sessions.get(id);
    if (!(session instanceof HttpSession)) throw new HttpRefusal(404, 'Session not found', {}, -32001);
    this.#sessions.use(id, outgoing);
    return session;
  }

  #newSession({ outgoing }: Exchange): HttpSession {
    const id = randomUUID();
    const end = (reason: string) => void this.#sessions.close(id, reason);
    return this.#added(id, outgoing, () => new HttpSession(this.options, id, end));
  }

  #added<S extends HttpSession | Principal>(key: string, outgoing: ServerResponse, open: () => S): S {
    if (this.#isStopping) throw new HttpRefusal(503, stopping);
    const session = this.#sessions.add(key, open);
    if (!session) throw new HttpRefusal(503, 'All sessions are busy. Try again later.');
    this.#sessions.use(key, outgoing);
    return session;
  }

  #stateless(message: Message, { incoming, outgoing, headers }: Exchange): void {
    const problem = headerProblem(message, incoming.headers);
    if (problem) {
      refuse(outgoing, headers, problem, 'wire' in message ? idTextIn(message.wire) : undefined);
      return;
    }
    if (message.kind !== 'request') {
      outgoing.writeHead(202, headers).end();
      return;
    }
    const client = clientTitle(metaIn(message.params).envelope?.[clientInfoKey]);
    const onGivenUp = (reason: string) => this.options.log('client disconnected', { client, reason });
    const wire = new ResponseWire(outgoing, headers, onGivenUp, this.#ofStateless);
    const request = new Client(this.options, wire, this.#principal(outgoing));
    this.#clients.add(request);
    outgoing.once('close', () => {
      this.#clients.delete(request);
      void request.close();
    });
    request.take(message);
  }

  #principal(outgoing: ServerResponse): Principal {
    const key = 'stateless'; // ids of sessions are longer
    const known = this.#sessions.get(key);
    if (this.#isStopping) throw new HttpRefusal(503, stopping);
    if (!(known instanceof Principal))
      return this.#added(key, outgoing, () => new Principal(this.options, statelessIdentity));
    this.#sessions.use(key, outgoing);
    return known;
  }
}

function clientOf(session: HttpSession | Principal): Client[] {
  return session instanceof HttpSession ? [session.client] : [];
}

function refuse(outgoing: ServerResponse, headers: Record<string, string>, refusal: Refusal, idText = 'null'): void {
  const { status, headers: more } = refusal instanceof HttpRefusal ? refusal : { status: 400, headers: {} };
  if (outgoing.headersSent) outgoing.destroy();
  else {
    outgoing.writeHead(status, { ...headers, ...more, 'content-type': 'application/json' });
    outgoing.end(answerText(idText, { error: refusal.text }));
  }
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
