import { Chunks } from '../wire/chunks.js';
import { messageTooLarge } from '../errors/wire-problem.js';
import { mayBeAsked } from './private-network.js';
import { background, nextTurn } from '../runtime/timers.js';

/** One HTTP request. */
export interface HttpRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** Whether the response may last as long as the connection, and so must not keep others waiting for a socket. */
  readonly lasting?: boolean;
  /** Asked before it is sent: a token, a redirect or a socket may take longer than anybody waits. */
  readonly isWanted?: (() => boolean) | undefined;
  /** Called once it may have reached the server. */
  readonly onWritten?: (() => void) | undefined;
  /** Whether it may be sent again where the connection that it was sent on had ended before. */
  readonly mayRepeat?: boolean | undefined;
  /** The server that has named this URL: no private network is reached but the one that the server itself is in. */
  readonly namedBy?: URL | undefined;
}

/** Its response, of which nothing has been read yet. One of the three has to be called. */
export interface HttpResponse {
  /** Where it came from, which after a redirect is not where the request was meant for. */
  readonly url: URL;
  readonly status: number;
  header(name: string): string | undefined;
  /**
   * Reads the whole body.
   *
   * @throws LimitError when it has more bytes than that, unpacked
   */
  text(maxBytes: number): Promise<string>;
  /** The body piece by piece. To stop before its end is to cancel the rest. */
  chunks(): AsyncIterable<Uint8Array>;
  cancel(): void;
}

/** Sends one request, follows no redirect, and resolves with the response once its headers are there. */
export type Exchange = (request: HttpRequest) => Promise<HttpResponse>;

/** Fetches what a server names for its authorization. */
export type AuthorizationFetch = (
  input: string | URL | Request,
  init?: RequestInit,
  /** Whether a server named it that nobody trusts so far: see {@link HttpRequest.namedBy}. */
  isNamed?: boolean,
) => Promise<Response>;

/** The caller's own `fetch` as an exchange. */
export function throughFetch(fetch: typeof globalThis.fetch): Exchange {
  return async ({ url, method, headers, body, signal, onWritten, namedBy }) => {
    if (namedBy && !mayBeAsked(url.hostname, [namedBy.hostname])) throw privateAddress(url);
    onWritten?.();
    const response = await fetch(url.href, {
      method,
      headers,
      signal,
      redirect: 'manual',
      ...(body !== undefined && { body }),
    });
    const chunks = (): AsyncIterable<Uint8Array> => response.body ?? none();
    return {
      url,
      status: response.status,
      header: (name) => response.headers.get(name) ?? undefined,
      text: (maxBytes) => textOf(chunks(), maxBytes),
      chunks,
      cancel: () => {
        void response.body?.cancel().catch(() => {});
      },
    };
  };
}

/** The error for what a server names in a network that it is not in itself. */
export function privateAddress({ host }: URL): Error {
  return new Error(`the server names ${host}, which is in a private network that it is not in itself`);
}

async function* none(): AsyncGenerator<Uint8Array> {
  /* nothing */
}

/** @throws LimitError when there are more bytes than that */
export async function textOf(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const read = new Chunks();
  for await (const chunk of chunks) {
    read.push(chunk);
    if (read.length > maxBytes) throw messageTooLarge(maxBytes);
  }
  return withoutMark(read.takeText());
}

/** Of what is no message (an error's body, a web page), this much is read. */
const longestNonMessage = 64 * 1024;

/** The beginning of a body; the rest is not waited for. */
export async function beginningOf(response: HttpResponse, longest = longestNonMessage): Promise<string> {
  const read = new Chunks();
  try {
    for await (const chunk of response.chunks()) {
      read.push(chunk.subarray(0, longest - read.length));
      if (read.length >= longest) break;
    }
  } catch {
    // What could be read says more than how reading the rest of an error failed.
  }
  return withoutMark(read.takeText());
}

/** How long the rest of a response is waited for that says nothing; nobody waits with it. */
const drainMs = 10_000;

/**
 * Reads a response that should say nothing, so that its socket is free again.
 *
 * @returns the beginning of what it says all the same; nothing where that is not over in ten seconds
 */
export async function drained(response: HttpResponse): Promise<string> {
  const late = background(() => {
    response.cancel();
  }, drainMs);
  const text = await response.text(longestNonMessage).catch(() => '');
  clearTimeout(late);
  return text;
}

/** Whether a body that is being read ends where it begins. Another one may stay open although nothing comes. */
export function endsAtOnce(reading: Promise<unknown>): Promise<boolean> {
  return Promise.race([reading.then(() => true), nextTurn().then(() => false)]);
}

/** Texts of Windows may begin with a mark of byte order. */
export function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}
