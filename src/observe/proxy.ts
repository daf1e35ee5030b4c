import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { proxyFor, requestTo, tunnelAgent } from '../mcp/node.js';

export type Answer = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

export interface ListenOptions {
  readonly port: number;
  readonly signal: AbortSignal;
  readonly onListening: (origin: string) => void;
}

/** How long a connection may be silent: longer than any client or provider waits. */
const idleMs = 60 * 60_000;

/** The limit for a message's headers, in bytes: more than servers accept. */
const maxHeaderSize = 256 * 1024;

/** Listens on loopback until the signal is aborted. @throws Node's Error if the port is not available */
export async function listen(answer: Answer, { port, signal, onListening }: ListenOptions): Promise<void> {
  // A connection that the provider would keep open stays open, even if its client is silent.
  const server = createServer({ requestTimeout: 0, keepAliveTimeout: idleMs, maxHeaderSize }, (incoming, outgoing) => {
    const reason = refusal(incoming);
    if (reason === undefined) answer(incoming, outgoing);
    else refuse(outgoing, 403, reason);
  });
  server.setTimeout(idleMs);
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
 * Why a request is refused. A web page can send requests to this machine from its visitor's browser, and its host name
 * may resolve to this machine; `Origin` and `Host` show both.
 */
function refusal({ headers: { host = '', origin }, url = '' }: IncomingMessage): string | undefined {
  if (!ownNames.test(host)) return 'Only requests to localhost are accepted: the header Host names another host.';
  if (origin !== undefined && !ownNames.test(origin.replace(/^https?:\/\//, '')))
    return 'Only pages of localhost may send requests here: the header Origin names another origin.';
  return url.startsWith('/') ? undefined : 'This is no proxy for other addresses: a path is expected.';
}

/** Unchanged in both directions. A failure ends the connection, as without the proxy. `onAnswer` sees the answer first. */
export function forwarder(upstream: URL, note: (text: string) => void) {
  const proxy = proxyFor(upstream);
  // Connections are not reused: the provider might close one just when the next request uses it.
  const agent = proxy && upstream.protocol === 'https:' ? tunnelAgent(proxy, { keepAlive: false }) : false;
  return (incoming: IncomingMessage, outgoing: ServerResponse, onAnswer?: (answer: IncomingMessage) => void) => {
    const { method, url: path, rawHeaders } = incoming;
    const headers = ['Host', upstream.host, ...endToEnd(rawHeaders)];
    const sent = requestTo(upstream, { agent, method, path, maxHeaderSize, headers });
    sent.on('response', (answer) => {
      onAnswer?.(answer);
      outgoing.sendDate = false;
      outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, endToEnd(answer.rawHeaders));
      // In place of flushHeaders(), which writes bytes beyond ASCII anew.
      outgoing.write(Buffer.alloc(0));
      pipeline(answer, outgoing, () => undefined);
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (outgoing.headersSent || outgoing.destroyed) return;
      note(`${upstream.host} could not be reached, or closed the connection (${error.code ?? error.message}).`);
      outgoing.destroy();
    });
    outgoing.on('close', () => sent.destroy());
    // A provider may answer before it has read the whole request; the rest is discarded.
    sent.on('close', () => incoming.unpipe(sent).resume());
    incoming.pipe(sent);
  };
}

/** Headers of one connection (RFC 9110, 7.6.1), and those that this proxy answers itself. */
const hopByHop = /^(?:host|connection|keep-alive|proxy-.*|te|trailer|upgrade|expect)$/i;

function endToEnd(raw: readonly string[]): string[] {
  const pairs = raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ''] as const] : []));
  const named = pairs
    .filter(([name]) => /^connection$/i.test(name))
    .flatMap(([, value]) => value.toLowerCase().split(/[\s,]+/));
  return pairs.filter(([name]) => !hopByHop.test(name) && !named.includes(name.toLowerCase())).flat();
}
