import { once } from 'node:events';
import {
  Agent as HttpAgent,
  createServer,
  request as httpRequest,
  ServerResponse,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type AddressInfo, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { proxyFor, TunnelAgent } from '../mcp/node.js';

/** Answers a request. Where the socket is asked to speak another protocol, there is an `upgrade` to be made. */
export type Answer = (incoming: IncomingMessage, outgoing: ServerResponse, isUpgrade: boolean) => void;

export interface ListenOptions {
  /** 0 takes any that is free. */
  readonly port: number;
  readonly signal: AbortSignal;
  /** Called with the origin that stands for the provider's, once requests can come. */
  readonly onListening: (origin: string) => void;
}

/** So long may nothing move on a connection: longer than any client or provider waits. */
const idleMs = 60 * 60_000;

/**
 * Listens on loopback until the signal is aborted.
 *
 * @throws Error of Node where the port cannot be had
 */
export async function listen(answer: Answer, { port, signal, onListening }: ListenOptions): Promise<void> {
  // A connection that the provider would keep is kept, however long its client says nothing.
  const server = createServer({ requestTimeout: 0, keepAliveTimeout: idleMs }, (incoming, outgoing) => {
    take(incoming, outgoing, false);
  });
  server.setTimeout(idleMs);
  server.on('upgrade', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.unshift(head);
    // It is no connection of the server's any more.
    signal.addEventListener('abort', () => socket.destroy());
    const outgoing = new ServerResponse(incoming);
    outgoing.assignSocket(socket);
    outgoing.once('finish', () => socket.end());
    take(incoming, outgoing, true);
  });
  const take: Answer = (incoming, outgoing, isUpgrade) => {
    const reason = refusal(incoming);
    if (reason === undefined) answer(incoming, outgoing, isUpgrade);
    else refuse(outgoing, 403, reason);
  };
  // Rejects with what keeps it from listening.
  await once(server.listen(port, '127.0.0.1'), 'listening');
  onListening(`http://127.0.0.1:${(server.address() as AddressInfo).port}`); // it listens on a port
  if (!signal.aborted) await once(signal, 'abort');
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

/** Answers with an error as the clients of all providers show it. */
export function refuse(outgoing: ServerResponse, status: number, message: string): void {
  const headers = { 'content-type': 'application/json', connection: 'close' };
  outgoing.writeHead(status, headers).end(JSON.stringify({ error: { message, type: 'refused', code: null } }));
}

const ownNames = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

/**
 * Why a request is turned away. A page on the web can send requests to this machine from its visitor's browser, and can
 * give itself a name that leads here: both show in `Origin` and `Host`.
 */
function refusal({ headers: { host = '', origin }, url = '' }: IncomingMessage): string | undefined {
  if (!ownNames.test(host)) return 'Only requests to localhost are taken: the header Host names something else.';
  if (origin !== undefined && !ownNames.test(origin.replace(/^https?:\/\//, '')))
    return 'Only pages of localhost may send requests here: the header Origin names something else.';
  return url.startsWith('/') ? undefined : 'This is no proxy for other addresses: a path is expected.';
}

/** Hands a request on and its answer back. `onAnswer` is told of the answer before that goes on. */
type Forward = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  more: { readonly isUpgrade: boolean; readonly onAnswer?: (answer: IncomingMessage) => void },
) => void;

/**
 * Hands requests on to a provider and its answers back, as they are. What fails on the way there ends the connection, as
 * it would have without this.
 *
 * @param note told in a sentence of what failed
 */
export function forwarder(upstream: URL, note: (text: string) => void): Forward {
  const agent = agentFor(upstream);
  return (incoming, outgoing, { isUpgrade, onAnswer }) => {
    const sent = open(upstream, agent, incoming, isUpgrade);
    sent.on('response', (answer) => {
      onAnswer?.(answer);
      outgoing.sendDate = false;
      outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, endToEnd(answer.rawHeaders));
      outgoing.flushHeaders();
      pipeline(answer, outgoing, () => {});
    });
    sent.on('upgrade', (answer, socket: Socket, head: Buffer) => {
      const lines = pairsOf(answer.rawHeaders).map(([name, value]) => `${name}: ${value}`);
      const { socket: client } = incoming;
      client.write(`HTTP/1.1 101 ${answer.statusMessage ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1');
      client.write(head);
      pipeline(socket, client, () => {});
      pipeline(client, socket, () => {});
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (outgoing.headersSent || outgoing.destroyed) return;
      note(`${upstream.host} could not be reached, or broke off (${error.code ?? error.message}).`);
      outgoing.destroy();
    });
    outgoing.on('close', () => sent.destroy());
    // What a provider that has answered does not read is nobody's.
    sent.on('close', () => incoming.unpipe(sent).resume());
    // A request for another protocol has no body, and no end.
    if (isUpgrade) sent.end();
    else incoming.pipe(sent);
  };
}

/** Connections are not kept: the provider would close one at the moment when it is used again, and that request would fail. */
function agentFor(upstream: URL): HttpAgent {
  const proxy = proxyFor(upstream);
  if (upstream.protocol === 'http:') return new HttpAgent({ keepAlive: false });
  if (proxy) return new TunnelAgent(proxy.url, proxy.authorization, { keepAlive: false });
  return new HttpsAgent({ keepAlive: false });
}

function open(upstream: URL, agent: HttpAgent, incoming: IncomingMessage, isUpgrade: boolean): ClientRequest {
  const { method, url: path, rawHeaders } = incoming;
  const hostname = upstream.hostname.replace(/^\[|\]$/g, '');
  const isTls = upstream.protocol === 'https:';
  const upgrade = isUpgrade ? ['Connection', 'Upgrade', 'Upgrade', incoming.headers.upgrade ?? ''] : [];
  return (isTls ? httpsRequest : httpRequest)({
    ...{ agent, method, path, hostname, port: upstream.port },
    ...(isTls && { servername: isIP(hostname) > 0 ? '' : hostname }),
    headers: ['Host', upstream.host, ...endToEnd(rawHeaders), ...upgrade],
  });
}

/** Of one connection alone (RFC 9110, 7.6.1), or already answered here. Chunks are made anew where there were some. */
const hopByHop = /^(?:host|connection|keep-alive|proxy-.*|te|trailer|upgrade|expect)$/i;

/** The headers that are for the other end, in their spelling and order. */
function endToEnd(raw: readonly string[]): string[] {
  const pairs = pairsOf(raw);
  const named = pairs
    .filter(([name]) => /^connection$/i.test(name))
    .flatMap(([, value]) => value.toLowerCase().split(/[\s,]+/));
  return pairs.filter(([name]) => !hopByHop.test(name) && !named.includes(name.toLowerCase())).flat();
}

function pairsOf(raw: readonly string[]): [name: string, value: string][] {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? '']] : []));
}
