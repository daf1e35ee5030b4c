import { promises as dns } from 'node:dns';
import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Duplex, pipeline, Readable } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { cut } from '../../json/index.js';
import { Chunks } from '../wire/chunks.js';
import { messageTooLarge } from '../errors/wire-problem.js';
import { privateAddress, textOf, withoutMark, type Exchange, type HttpRequest, type HttpResponse } from './exchange.js';
import { mayBeAsked } from './private-network.js';
import { type Proxy, proxyFor, requestProxy, TunnelAgent, withoutBrackets } from './proxy.js';

/**
 * Idle sockets are closed after this time. Servers close theirs after 5 seconds and more (Node's default), and a request
 * on a socket that the server is closing at that moment is lost.
 */
const idleMs = 4000;

/** Sockets for one origin: as many as there are requests at once, so many kept while idle. */
const keepAlive = {
  keepAlive: true,
  timeout: idleMs,
  maxFreeSockets: 32,
} as const;

/**
 * The sockets of this process: sessions with one server, one after the other, share them. Idle ones do not keep it
 * alive.
 */
const agents = {
  'http:': new HttpAgent(keepAlive),
  'https:': new HttpsAgent(keepAlive),
  tunnels: new Map<string, TunnelAgent>(),
};

/**
 * An exchange over Node's own HTTP client: a third of what a request through the global `fetch` takes on this machine.
 * Keeps connections, unpacks what is compressed, and goes through the proxy that HTTP_PROXY, HTTPS_PROXY and NO_PROXY
 * say.
 */
export const nodeExchange: Exchange = async (request) => {
  try {
    return await exchanged(request);
  } catch (error) {
    // The server has ended an idle connection while this request was written on it, as one that was started anew has.
    if (!request.mayRepeat || !(error instanceof StaleSocket) || request.signal.aborted) throw causeOf(error);
    return await exchanged({ ...request, lasting: true }).catch((second: unknown) => {
      throw causeOf(second);
    });
  }
};

/** A request was lost on a connection that an earlier one had left open. */
class StaleSocket extends Error {
  override readonly name = 'StaleSocket';
}

function causeOf(error: unknown): unknown {
  return error instanceof StaleSocket ? error.cause : error;
}

function exchanged(request: HttpRequest): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const { signal, body, isWanted, onWritten } = request;
    if (signal.aborted) {
      reject(new Error('aborted'));
      return;
    }
    const proxy = proxyFor(request.url);
    const { url, namedBy } = request;
    if (namedBy && isIP(withoutBrackets(url.hostname)) > 0 && !mayBeAsked(url.hostname, [namedBy.hostname])) {
      reject(privateAddress(url));
      return;
    }
    const sent = open(request, proxy);
    const abort = () => {
      sent.destroy();
    };
    signal.addEventListener('abort', abort);
    sent.on('close', () => {
      signal.removeEventListener('abort', abort);
    });
    sent.on('socket', (socket) => {
      const check = () => isWanted?.() !== false || sent.destroy();
      const write = () => {
        if (check() === true) onWritten?.();
      };
      if (sent.reusedSocket) {
        write();
        return;
      }
      check();
      // Until then Node keeps what is written.
      const ready = socket instanceof TLSSocket ? 'secureConnect' : 'connect';
      socket.once(ready, write);
      sent.on('close', () => socket.off(ready, write));
    });
    // Behind the response an error belongs to the body; it reaches whoever reads that, and is nobody's else.
    sent.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = sent.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      const problem = proxy ? Object.assign(error, { proxy: proxy.url.host }) : error;
      reject(isStale ? new StaleSocket(error.message, { cause: problem }) : problem);
    });
    sent.on('response', (response) => {
      response.on('error', () => {});
      // A server that has answered need not read the rest, and would keep the socket.
      if (!sent.writableFinished) response.once('end', () => sent.writableFinished || sent.destroy());
      resolve(responseOf(response, request.url));
    });
    // Node tells of it in no other way.
    sent.on('upgrade', (_, socket) => {
      socket.destroy();
      reject(new Error('it switched to another protocol (HTTP 101)'));
    });
    if (body === undefined || body.length <= pieceLength) sent.end(body);
    else Readable.from(piecesOf(body)).pipe(sent);
  });
}

/** Characters of a body that are sent at once: of a long one, no copy is made as bytes. */
const pieceLength = 1 << 16;

function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    const piece = cut(text.slice(at), pieceLength);
    at += piece.length;
    yield piece;
  }
}

function open(
  { url, method, headers, body, signal, namedBy, lasting = namedBy !== undefined }: HttpRequest,
  proxy: Proxy | undefined,
): ClientRequest {
  const place = placeOf(url);
  const isTls = place.protocol === 'https:';
  const all: Record<string, string> = { 'accept-encoding': isTls ? 'gzip, deflate, br' : 'gzip, deflate', ...headers };
  if (body !== undefined) all['content-length'] = String(Buffer.byteLength(body));
  const { protocol, hostname, port, path } = place;
  const isTlsNext = proxy && !isTls ? proxy.url.protocol === 'https:' : isTls;
  const agent = lasting ? false : isTlsNext ? agents['https:'] : agents['http:'];
  const options: RequestOptions = { method, protocol, hostname, port, path, headers: all, agent };
  if (namedBy) options.lookup = lookupNear(url, namedBy);
  if (!proxy) {
    // A list is written as it is, in half the time. Node would close the connection behind one without a body, and takes
    // the name of a TLS server from its headers as an object.
    if (body !== undefined && !isTls) options.headers = Object.entries({ host: url.host, ...all }).flat();
    return (isTls ? httpsRequest : httpRequest)(options);
  }
  if (isTls) {
    const agent = tunnelTo(proxy.url, proxy.authorization, lasting);
    return httpsRequest({ ...options, agent, given: signal } as RequestOptions); // handed on to the agent
  }
  return requestProxy(proxy.url, {
    ...options,
    path: url.href,
    headers: { ...all, host: url.host, ...(proxy.authorization && { 'proxy-authorization': proxy.authorization }) },
  });
}

/** Looks a host up, and refuses it for any address in a private network that the other host has none in. */
function lookupNear(url: URL, namedBy: URL): LookupFunction {
  return (hostname, options, done) => {
    const near = dns.lookup(withoutBrackets(namedBy.hostname), { all: true }).catch(() => []);
    Promise.all([dns.lookup(hostname, { ...options, all: true }), near]).then(
      ([found, own]) => {
        const places = [namedBy.hostname, ...own.map(({ address }) => address)];
        if (found.some(({ address }) => !mayBeAsked(address, places))) done(privateAddress(url), []);
        else if (options.all) done(null, found);
        else done(null, found[0]?.address ?? '', found[0]?.family);
      },
      (error: unknown) => {
        done(error as NodeJS.ErrnoException, []); // of `lookup`, which throws nothing else
      },
    );
  };
}

function tunnelTo(proxy: URL, authorization: string | undefined, lasting: boolean): TunnelAgent {
  const key = `${proxy.href} ${authorization ?? ''} ${lasting}`;
  const known = agents.tunnels.get(key);
  if (known) return known;
  const agent = new TunnelAgent(proxy, authorization, lasting ? { keepAlive: false } : keepAlive);
  agents.tunnels.set(key, agent);
  return agent;
}

type Place = Pick<RequestOptions, 'protocol' | 'hostname' | 'port' | 'path'>;

/** The parts of a URL, which takes as long to take apart as the headers to build; nobody changes one in use. */
const places = new WeakMap<URL, Place>();

function placeOf(url: URL): Place {
  let place = places.get(url);
  if (!place) {
    place = {
      protocol: url.protocol,
      hostname: withoutBrackets(url.hostname),
      port: url.port,
      path: `${url.pathname}${url.search}`,
    };
    places.set(url, place);
  }
  return place;
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
    text: (maxBytes) => {
      const declared = body === message ? Number(message.headers['content-length'] ?? 0) : 0;
      if (declared > maxBytes) {
        message.destroy();
        return Promise.reject(messageTooLarge(maxBytes));
      }
      return body === message ? textOfMessage(message, maxBytes) : textOf(body, maxBytes);
    },
    chunks: () => body,
    cancel: () => {
      body.destroy();
    },
  };
}

/** What {@link textOf} does, by events: half the time for a short answer. */
function textOfMessage(message: IncomingMessage, maxBytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const read = new Chunks();
    message.on('data', (chunk: Buffer) => {
      read.push(chunk);
      if (read.length <= maxBytes) return;
      reject(messageTooLarge(maxBytes));
      message.destroy();
    });
    message.on('error', reject);
    message.on('end', () => {
      resolve(withoutMark(read.takeText()));
    });
  });
}

/** Hands on what there is of a stream at once, and does not mind one that ends early: the text shows that. */
const flushing = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };

const unpackers: Readonly<Record<string, () => Duplex>> = {
  gzip: () => createGunzip(flushing),
  'x-gzip': () => createGunzip(flushing),
  deflate: () => Duplex.from(inflated),
  br: () => createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH }),
};

/** Nobody packs a body more often. */
const mostEncodings = 5;

/** A body as it was before it was packed, in whichever steps (RFC 9110, 8.4). */
function unpacked(message: IncomingMessage, encoding = ''): Readable {
  const names = encoding.split(/\s*,\s*/).filter((name) => name !== '' && name !== 'identity');
  const steps = names.flatMap((name) => unpackers[name]?.() ?? []).reverse();
  if (steps.length === 0 || steps.length < names.length || steps.length > mostEncodings) return message;
  // What goes wrong on the way reaches whoever reads the last one.
  pipeline([message, ...steps], () => {});
  return steps.at(-1) ?? message;
}

/** "deflate" is the format of zlib; servers send it without its frame, too, as its first byte shows (RFC 1950, 2.2). */
async function* inflated(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const reading = chunks[Symbol.asyncIterator]();
  const first = await reading.next();
  if (first.done) return;
  const hasFrame = ((first.value[0] ?? 0) & 0x0f) === 8;
  const inflate = hasFrame ? createInflate(flushing) : createInflateRaw(flushing);
  pipeline(Readable.from(withFirst(first.value, reading)), inflate, () => {});
  yield* inflate as AsyncIterable<Buffer>;
}

async function* withFirst(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
