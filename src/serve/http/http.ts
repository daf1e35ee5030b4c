import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jsonText, messageOf } from '../../json/index.js';
import { answerText, handshakeRevisions, type Message } from '../../mcp/index.js';
import { Client, drained, idTextIn, stopping } from '../clients/client.js';
import { codes, httpRefusal, Refusal } from '../errors.js';
import { checkingBudget, maxMessageBytes, messageIn, ownTurn, sizeProblem } from '../message-size.js';
import type { Outbox } from '../outbox.js';
import { withSafeLog } from '../log.js';
import { Principal, statelessIdentity, type ServeOptions } from '../principal.js';
import { clientInfoKey, clientTitle, headerProblem, isStateless, metaIn } from '../revisions.js';
import { healthOf, trialOf, tryOut } from '../operator.js';
import type { Group } from '../upstream/group.js';
import { admit, corsHeaders, hasToken, type Access } from './access.js';
import { responseWire } from './event-stream.js';
import { OpenSessions } from './open-sessions.js';
import { HttpSession } from './session.js';

export interface HttpOptions extends Access {
  readonly port: number;
  /** The most open sessions; the clients of 2026-07-28 count as one. Default 100. */
  readonly maxSessions?: number | undefined;
  /** An unused session is closed after so many milliseconds. Default 30 minutes. */
  readonly idleMs?: number | undefined;
  /** Calls may go on for so many milliseconds when the gateway stops. */
  readonly graceMs: number;
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
    await Promise.race([stopped, tryOut(gateway.trial, serving)]);
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

class Gateway {
  /** Sessions by their ids, and the one of all clients of 2026-07-28. */
  readonly #sessions: OpenSessions<HttpSession | Principal>;
  readonly #clients = new Set<Client>();
  readonly #ofStateless = new Set<Outbox>();
  readonly trial: Group;
  #reading = 0;
  #isStopping = false;

  constructor(
    readonly options: ServeOptions,
    readonly http: HttpOptions,
  ) {
    const { maxSessions, idleMs } = http;
    this.#sessions = new OpenSessions(maxSessions, idleMs);
    this.trial = trialOf(options);
  }

  async answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { remoteAddress: from } = incoming.socket;
    try {
      const cors = Object.entries(corsHeaders(incoming.headers, this.http));
      for (const header of cors) outgoing.setHeader(...header);
      if (incoming.method === 'OPTIONS' && cors.length > 0) {
        outgoing.writeHead(204).end();
        return;
      }
      admit(incoming.headers, this.http);
      const isAdmitted = hasToken(incoming.headers, this.http);
      const [path] = (incoming.url ?? '').split('?');
      if (path === '/health') this.#health(outgoing, isAdmitted && incoming.headers.authorization !== undefined);
      else if (!isAdmitted)
        throw httpRefusal(401, 'A token is needed: Authorization: Bearer …', { 'www-authenticate': 'Bearer' });
      else if (path !== '/mcp') throw httpRefusal(404, 'Not found; try /mcp.');
      else if (incoming.method === 'POST') await this.#posted(incoming, outgoing);
      else this.#listenOrEnd(incoming, outgoing);
    } catch (error) {
      if (!(error instanceof Refusal)) this.options.log(messageOf(error));
      const refusal = error instanceof Refusal ? error : new Refusal(codes.internal, 'Internal error', { status: 500 });
      const { status = 400 } = refusal.more;
      if (loggedStatus.includes(status)) this.options.log('refused', { status, reason: refusal.message, from });
      refuse(outgoing, refusal);
    }
  }

  async close(): Promise<void> {
    this.#isStopping = true;
    const ofSession = (session: HttpSession | Principal) => (session instanceof HttpSession ? [session.client] : []);
    await drained(() => [...this.#clients, ...this.#sessions.all.flatMap(ofSession)], this.http.graceMs);
    await Promise.all([this.#sessions.closeAll(stopping), this.trial.close()]);
  }

  #health(outgoing: ServerResponse, isWhole: boolean): void {
    const status = this.#isStopping ? 'stopping' : 'ok';
    const sessions = this.#sessions.all;
    const groupOf = (session: HttpSession | Principal) =>
      (session instanceof HttpSession ? session.client.principal : session)?.group ?? [];
    const whole = () => jsonText(healthOf(status, sessions.length, [this.trial, ...sessions.flatMap(groupOf)]));
    outgoing.writeHead(this.#isStopping ? 503 : 200, { 'content-type': isWhole ? 'application/json' : 'text/plain' });
    outgoing.end(isWhole ? whole() : status);
  }

  #listenOrEnd(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const session = this.#session(incoming, outgoing);
    if (incoming.method === 'DELETE') {
      void this.#sessions.close(session.id, 'the client has ended it');
      outgoing.writeHead(200).end();
    } else if (incoming.method !== 'GET') throw httpRefusal(405, 'Method not allowed.', { allow: 'GET, POST, DELETE' });
    else if (!incoming.headers.accept?.includes('text/event-stream'))
      throw httpRefusal(406, 'Not Acceptable: Client must accept text/event-stream');
    else session.listen(outgoing, incoming.headers['last-event-id']);
  }

  async #posted(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { accept = '', 'content-type': type = '' } = incoming.headers;
    if (!/^application\/json\s*(?:;|$)/i.test(type))
      throw httpRefusal(415, 'Unsupported Media Type: Content-Type must be application/json');
    const text = await this.#bodyOf(incoming);
    await ownTurn(text.length);
    const problem = sizeProblem(text);
    if (problem !== undefined) throw httpRefusal(413, problem);
    const message = messageIn(text);
    if (isStateless(message, incoming.headers)) {
      this.#stateless(message, incoming, outgoing);
      return;
    }
    if (!accept.includes('application/json') || !accept.includes('text/event-stream'))
      throw httpRefusal(406, 'Not Acceptable: Client must accept both application/json and text/event-stream');
    const isHandshake = message.kind === 'request' && message.method === 'initialize';
    const id = randomUUID();
    const end = (reason: string) => void this.#sessions.close(id, reason);
    const session = isHandshake
      ? this.#opened(id, outgoing, () => new HttpSession(this.options, id, end))
      : this.#session(incoming, outgoing);
    const { 'mcp-protocol-version': revision } = incoming.headers;
    if (!isHandshake && revision !== undefined && !handshakeRevisions.includes(String(revision)))
      throw httpRefusal(400, `Bad Request: Unsupported protocol version: ${String(revision)}`);
    session.post(message, outgoing);
  }

  async #bodyOf(incoming: IncomingMessage): Promise<string> {
    const chunks: Buffer[] = [];
    let length = 0;
    const close = { connection: 'close' };
    try {
      for await (const chunk of incoming as AsyncIterable<Buffer>) {
        length += chunk.length;
        this.#reading += chunk.length;
        if (length > maxMessageBytes) throw httpRefusal(413, `A message may have ${maxMessageBytes} bytes.`, close);
        if (this.#reading > maxReadingBytes) throw httpRefusal(503, 'Too many long messages are being read.', close);
        chunks.push(chunk);
      }
      return Buffer.concat(chunks).toString('utf8');
    } finally {
      this.#reading -= length;
    }
  }

  #session(incoming: IncomingMessage, outgoing: ServerResponse): HttpSession {
    const { 'mcp-session-id': id } = incoming.headers;
    if (typeof id !== 'string')
      throw httpRefusal(400, 'Bad Request: no session; the first request has to be initialize');
    const session = this.#sessions.use(id, outgoing);
    if (session instanceof HttpSession) return session;
    throw new Refusal(codes.sessionNotFound, 'Session not found', { status: 404 });
  }

  #opened<S extends HttpSession | Principal>(key: string, outgoing: ServerResponse, open: () => S): S {
    if (this.#isStopping) throw httpRefusal(503, stopping);
    const session = this.#sessions.use(key, outgoing, open);
    if (session) return session;
    throw httpRefusal(503, 'All sessions are busy. Try again later.');
  }

  #stateless(message: Message, { headers }: IncomingMessage, outgoing: ServerResponse): void {
    if (message.kind !== 'request') {
      outgoing.writeHead(202).end();
      return;
    }
    const problem = headerProblem(message, headers);
    if (problem) {
      refuse(outgoing, problem, idTextIn(message.wire));
      return;
    }
    const client = clientTitle(metaIn(message.params).envelope?.[clientInfoKey]);
    const onGivenUp = (reason: string) => this.options.log('client disconnected', { client, reason });
    const wire = responseWire(outgoing, onGivenUp, this.#ofStateless);
    // The ids of sessions are longer.
    const principal = this.#opened('stateless', outgoing, () => new Principal(this.options, statelessIdentity));
    const request = new Client(this.options, wire, principal);
    this.#clients.add(request);
    outgoing.once('close', () => {
      this.#clients.delete(request);
      request.takeBack();
    });
    request.take(message);
  }
}

function refuse(outgoing: ServerResponse, { text, more }: Refusal, idText = 'null'): void {
  const { status = 400, headers } = more;
  if (outgoing.headersSent) outgoing.destroy();
  else {
    outgoing.writeHead(status, { ...headers, 'content-type': 'application/json' });
    outgoing.end(answerText(idText, { error: text }));
  }
}
