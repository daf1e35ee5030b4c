import { base64Of, bytesOf, decodedUrl } from '../../json/index.js';
import { messageTooLarge } from '../errors/wire-problem.js';
import { nextTurn } from '../runtime/node-runtime.js';
import { background } from '../runtime/timers.js';
import { Chunks } from '../wire/lines.js';
import { mayBeAsked } from './private-network.js';
import { Aborted } from '../errors/failures.js';

export interface HttpRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  readonly onWritten?: (() => void) | undefined;
  /** True if it may be sent again when the server had closed the connection. */
  readonly mayRepeat?: boolean | undefined;
  /** The server that names this URL: no private network is reached but its own. */
  readonly namedBy?: URL | undefined;
}

/** A response whose body has to be read or cancelled. */
export interface HttpResponse {
  readonly url: URL;
  readonly status: number;
  header(name: string): string | undefined;
  /** @throws LimitError when it has more bytes than that, unpacked */
  text(maxBytes: number): Promise<string>;
  chunks(): AsyncIterable<Uint8Array>;
  cancel(): void;
}

/** Sends one request, follows no redirect, and resolves with the response once its headers are there. */
export type HttpClient = (request: HttpRequest) => Promise<HttpResponse>;

export function fetchClient(fetch: typeof globalThis.fetch): HttpClient {
  return async ({ url, method, headers, body, signal, onWritten, namedBy }) => {
    if (namedBy && !mayBeAsked(url.hostname, [namedBy.hostname])) throw privateAddress(url);
    onWritten?.();
    const init = { method, headers, signal, redirect: 'manual', ...(body !== undefined && { body }) } as const;
    const response = await fetch(url.href, init);
    return {
      url,
      status: response.status,
      header: (name) => response.headers.get(name) ?? undefined,
      text: (maxBytes) => textOf(response.body ?? none(), maxBytes),
      chunks: () => response.body ?? none(),
      cancel: () => void response.body?.cancel().catch(() => undefined),
    };
  };
}

export function privateAddress({ host }: URL): Error {
  return new Error(`the server names ${host}, which is in a private network that it is not in itself`);
}

async function* none(): AsyncGenerator<Uint8Array> {
  /* nothing */
}

async function textOf(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const read = new Chunks();
  for await (const chunk of chunks) {
    read.push(chunk);
    if (read.length > maxBytes) throw messageTooLarge(maxBytes);
  }
  return withoutByteOrderMark(read.takeText());
}

/** Bytes that are read of a body that is no message: an error's, a web page. */
const longestNonMessage = 64 * 1024;

export async function beginningOf(response: HttpResponse, longest = longestNonMessage): Promise<string> {
  const read = new Chunks();
  try {
    for await (const chunk of response.chunks()) {
      read.push(chunk.subarray(0, longest - read.length));
      if (read.length >= longest) break;
    }
  } catch {}
  return withoutByteOrderMark(read.takeText());
}

/** How long a body that should be empty may stay open. */
const drainMs = 10_000;

/** Frees the socket of a response that should have no body. Returns its beginning, or '' if it is late. */
export async function drained(response: HttpResponse): Promise<string> {
  const late = background(() => response.cancel(), drainMs);
  const text = await response.text(longestNonMessage).catch(() => '');
  clearTimeout(late);
  return text;
}

/** True if a body ends at once. Another body may stay open without sending anything. */
export function endsAtOnce(reading: Promise<unknown>): Promise<boolean> {
  return Promise.race([reading.then(() => true), nextTurn().then(() => false)]);
}

export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

export function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}

export function basicOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  return `Basic ${base64Of(bytesOf(`${decodedUrl(username)}:${decodedUrl(password)}`))}`;
}

const mostRedirects = 5;

/**
 * Follows redirects within the same server, with the same method, and to no URL twice; any other redirect is the
 * response. `onMoved` is called if the server has moved for good (301, 308).
 */
export async function followRedirects(
  client: HttpClient,
  request: HttpRequest,
  onMoved?: (from: URL, to: URL) => void,
): Promise<HttpResponse> {
  let current = request;
  const visited = new Set([request.url.href]);
  for (;;) {
    if (current.signal.aborted) throw new Aborted();
    const response = await client(current);
    const target = redirectTarget(response);
    if (!target || visited.size > mostRedirects || visited.has(target.href)) return response;
    // A server that moved has not carried out the request; one that answers 303 has.
    const isDone = response.status === 303 && current.method !== 'GET';
    if (isDone || !staysWithin(current.url, target)) return response;
    response.cancel();
    visited.add(target.href);
    if (response.status === 301 || response.status === 308) onMoved?.(current.url, target);
    current = { ...current, url: target };
  }
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export function redirectTarget({ status, url, ...response }: HttpResponse): URL | undefined {
  const location = redirects.has(status) ? response.header('location') : undefined;
  if (location === undefined || !URL.canParse(location, url.href)) return undefined;
  const target = new URL(location, url);
  target.hash = '';
  return target;
}

export function staysWithin(from: URL, target: URL): boolean {
  return isSameServer(from, target) && !target.username && !target.password;
}

/** The same origin, or the one that it becomes when a server moves its visitors from http to https. */
export function isSameServer(own: URL, target: URL): boolean {
  if (own.origin === target.origin) return true;
  const isMovedToTls = own.protocol === 'http:' && target.protocol === 'https:' && !own.port && !target.port;
  return isMovedToTls && own.hostname === target.hostname;
}
