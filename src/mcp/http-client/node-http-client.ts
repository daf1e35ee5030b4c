import { promises as dns } from 'node:dns';
import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { type Duplex, pipeline, Readable } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { constants, createBrotliDecompress, createGunzip } from 'node:zlib';
import { cut } from '../../json/index.js';
import { messageTooLarge } from '../errors/wire-problem.js';
import { Chunks } from '../wire/lines.js';
import { privateAddress, withoutByteOrderMark } from './http-client.js';
import type { HttpClient, HttpRequest, HttpResponse } from './http-client.js';
import { mayBeAsked } from './private-network.js';
import { type Proxy, proxyFor, requestTo, tunnelAgent, withoutBrackets } from './proxy.js';

/** When idle sockets are closed: before servers close them (Node's after 5 s), as a request on such a socket is lost. */
const idleMs = 4000;

/** For each origin. There are as many sockets as requests at once. */
const keepAlive = { keepAlive: true, timeout: idleMs, maxFreeSockets: 32 } as const;

/** Shared by all sessions of this process. Idle ones do not keep it alive. */
const agents = {
  'http:': new HttpAgent(keepAlive),
  'https:': new HttpsAgent(keepAlive),
  tunnels: new Map<string, HttpsAgent>(),
};

/** Takes a third of the time of the global `fetch`, and goes through the proxy of the environment. */
export const nodeHttpClient: HttpClient = async (request) => {
  try {
    return await sent(request);
  } catch (error) {
    if (!staleErrors.has(error as object) || !request.mayRepeat || request.signal.aborted) throw error;
    return await sent(request, true);
  }
};

const staleErrors = new WeakSet();

/** @param onFreshSocket whether no kept connection is used, nor this one kept */
function sent(request: HttpRequest, onFreshSocket = request.namedBy !== undefined): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const { url, namedBy, signal, onWritten } = request;
    if (signal.aborted) throw new Error('aborted');
    // A name is looked up before it is refused.
    if (namedBy && isIP(withoutBrackets(url.hostname)) > 0 && !mayBeAsked(url.hostname, [namedBy.hostname]))
      throw privateAddress(url);
    const proxy = proxyFor(url);
    const outgoing = open(request, proxy, onFreshSocket);
    const abort = () => outgoing.destroy();
    signal.addEventListener('abort', abort);
    outgoing.on('socket', (socket) => {
      const write = () => onWritten?.();
      const ready = socket instanceof TLSSocket ? 'secureConnect' : 'connect';
      if (outgoing.reusedSocket) write();
      else socket.once(ready, write);
      outgoing.on('close', () => socket.off(ready, write));
    });
    outgoing.on('close', () => signal.removeEventListener('abort', abort));
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (outgoing.reusedSocket && /^(?:ECONNRESET|EPIPE)$/.test(error.code ?? '')) staleErrors.add(error);
      reject(proxy ? Object.assign(error, { proxy: proxy.url.host }) : error);
    });
    outgoing.on('response', (response) => {
      response.on('error', () => undefined);
      // A server that has answered need not read the rest, and would keep the socket.
      if (!outgoing.writableFinished) response.once('end', () => outgoing.writableFinished || outgoing.destroy());
      resolve(responseOf(response, url));
    });
    outgoing.on('upgrade', (_, socket) => {
      socket.destroy();
      reject(new Error('it switched to another protocol (HTTP 101)'));
    });
    const { body = '' } = request;
    if (body.length <= pieceLength) outgoing.end(body);
    else Readable.from(piecesOf(body)).pipe(outgoing);
  });
}

/** Characters of a body that are sent at once: a long one is not copied as bytes. */
const pieceLength = 1 << 16;

function* piecesOf(text: string): Generator<string> {
  for (let rest = text; rest !== '';) {
    const piece = cut(rest, pieceLength);
    yield piece;
    rest = rest.slice(piece.length);
  }
}

function open(
  { url, method, headers, body, signal, namedBy }: HttpRequest,
  proxy: Proxy | undefined,
  onFreshSocket: boolean,
): ClientRequest {
  const { protocol, port } = url;
  const isTls = protocol === 'https:';
  const all: Record<string, string> = { 'accept-encoding': isTls ? 'gzip, br' : 'gzip', ...headers };
  if (body !== undefined) all['content-length'] = String(Buffer.byteLength(body));
  const options: RequestOptions = {
    method,
    protocol,
    port,
    headers: all,
    hostname: withoutBrackets(url.hostname),
    path: `${url.pathname}${url.search}`,
    ...(namedBy && { lookup: lookupNear(url, namedBy) }),
  };
  const agentFor = (scheme: string) => (onFreshSocket ? false : agents[scheme === 'https:' ? 'https:' : 'http:']);
  // A list is written as it is, in half the time. Node would close the connection behind one without a body.
  if (!proxy && !isTls && body !== undefined) options.headers = Object.entries({ host: url.host, ...all }).flat();
  if (!proxy) return (isTls ? httpsRequest : httpRequest)(Object.assign(options, { agent: agentFor(protocol) }));
  if (isTls) {
    const agent = onFreshSocket ? tunnelAgent(proxy, { keepAlive: false }) : tunnelTo(proxy);
    return httpsRequest({ ...options, agent, given: signal } as RequestOptions); // `given` is handed on to the agent
  }
  return requestTo(proxy.url, {
    ...options,
    agent: agentFor(proxy.url.protocol),
    path: url.href,
    headers: { ...all, host: url.host, ...(proxy.authorization && { 'proxy-authorization': proxy.authorization }) },
  });
}

/** Looks a host up, and refuses it for any address in a private network that the other host has none in. */
function lookupNear(url: URL, namedBy: URL): LookupFunction {
  return (hostname, options, done) => {
    const near = dns.lookup(withoutBrackets(namedBy.hostname), { all: true }).catch(() => []);
    const looking = Promise.all([dns.lookup(hostname, { ...options, all: true }), near]).then(([found, own]) => {
      const places = [namedBy.hostname, ...own.map(({ address }) => address)];
      if (found.some(({ address }) => !mayBeAsked(address, places))) throw privateAddress(url);
      return found;
    });
    looking.then(
      (found) => (options.all ? done(null, found) : done(null, found[0]?.address ?? '', found[0]?.family)),
      (error: unknown) => done(error as NodeJS.ErrnoException, []), // of `lookup`, or the one above
    );
  };
}

function tunnelTo(proxy: Proxy): HttpsAgent {
  const key = `${proxy.url.href} ${proxy.authorization ?? ''}`;
  const agent = agents.tunnels.get(key) ?? tunnelAgent(proxy, keepAlive);
  agents.tunnels.set(key, agent);
  return agent;
}

function responseOf(message: IncomingMessage, url: URL): HttpResponse {
  const encoding = message.headers['content-encoding']?.trim().toLowerCase();
  const body = unpacked(message, encoding);
  return {
    url,
    status: message.statusCode ?? 0,
    header: (name) => {
      const value = message.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    text: (maxBytes) => textOfStream(body, maxBytes),
    chunks: () => body,
    cancel: () => body.destroy(),
  };
}

/** By events, as an iterator of Node's takes as long as all else here. */
function textOfStream(body: Readable, maxBytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const read = new Chunks();
    const end = () => {
      if (body.readableEnded) resolve(withoutByteOrderMark(read.takeText()));
      else reject(body.errored ?? new Error('the response was given up'));
    };
    body.on('data', (chunk: Buffer) => {
      read.push(chunk);
      if (read.length > maxBytes) body.destroy(messageTooLarge(maxBytes));
    });
    for (const event of ['end', 'error', 'close']) body.on(event, end);
    // A body that broke off before it is read emits no more events.
    if (body.closed) end();
  });
}

/** Passes data on as soon as it arrives, even if the stream ends early. */
const flushing = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };

const unpackers: Readonly<Record<string, () => Duplex>> = {
  gzip: () => createGunzip(flushing),
  'x-gzip': () => createGunzip(flushing),
  br: () =>
    createBrotliDecompress({
      flush: constants.BROTLI_OPERATION_FLUSH,
      finishFlush: constants.BROTLI_OPERATION_FLUSH,
    }),
};

const mostEncodings = 5;

/** RFC 9110, 8.4. */
function unpacked(message: IncomingMessage, encoding = ''): Readable {
  const names = encoding.split(/\s*,\s*/).filter((name) => name !== '' && name !== 'identity');
  const steps = names.flatMap((name) => unpackers[name]?.() ?? []).reverse();
  if (steps.length === 0 || steps.length < names.length || steps.length > mostEncodings) return message;
  pipeline([message, ...steps], () => undefined);
  return steps.at(-1) ?? message;
}
