import type { HttpAddress } from '../transport/address.js';
import { anySignal } from '../runtime/node-runtime.js';
import { Aborted, HttpFailure, type Redirect } from '../errors/failures.js';
import type { SecretMask } from '../../secrets/index.js';
import { authorizationOf, type Authorization } from '../authorization/authorization.js';
import { loadSdk } from '../authorization/sdk.js';
import {
  beginningOf,
  throughFetch,
  type AuthorizationFetch,
  type Exchange,
  type HttpRequest,
  type HttpResponse,
} from './exchange.js';
import { nodeExchange } from './node-exchange.js';
import { basicOf } from './request-headers.js';

/** One MCP server over HTTP, with the user's credentials: what all its transports send goes through here. */
export interface Endpoint {
  readonly url: URL;
  /** Sends a request; redirects within the server are followed, and credentials renewed, before this resolves. */
  request(request: Omit<HttpRequest, 'url'> & { url?: URL }): Promise<HttpResponse>;
  readonly finishAuthorization: (() => Promise<void>) | undefined;
}

const mostRedirects = 5;

export async function openEndpoint(address: HttpAddress, mask: SecretMask): Promise<Endpoint> {
  const { url, headers: own } = readCredentials(address);
  const base = address.fetch ? throughFetch(address.fetch) : nodeExchange;
  const exchange = await withProof(address, base);
  const authorization = authorizationOf(address, url, fetchThrough(base, url, own), mask);

  const hasOwn = Object.keys(own).length > 0;
  const withOwn = (request: HttpRequest): HttpRequest =>
    hasOwn && isSameServer(url, request.url) ? { ...request, headers: { ...own, ...request.headers } } : request;

  /** Where the server has moved for good. */
  let moved = url;

  async function follow(request: HttpRequest): Promise<HttpResponse> {
    let current = request;
    let visited: Set<string> | undefined;
    for (;;) {
      if (current.isWanted?.() === false) throw new Aborted();
      const response = await exchange(withOwn(current));
      const target = redirectTarget(response);
      if (!target) return response;
      visited ??= new Set([request.url.href]);
      if (
        visited.size > mostRedirects ||
        // What it has been sent at that address already must not be sent there again.
        visited.has(target.href) ||
        !keepsMethod(response.status, current.method) ||
        !staysWithin(current.url, target)
      )
        return response;
      response.cancel();
      visited.add(target.href);
      if (isPermanent(response.status) && current.url.href === moved.href) moved = target;
      current = { ...current, url: target };
    }
  }

  return {
    url,
    finishAuthorization: authorization?.finish,
    request(request) {
      const placed = { ...request, url: request.url ?? moved };
      return authorization ? authorized(placed, authorization) : follow(placed);
    },
  };

  async function authorized(request: HttpRequest, authorization: Authorization): Promise<HttpResponse> {
    let renewed = false;
    for (let steps = 0; ;) {
      const header = await authorization.header();
      const response = await follow({
        ...request,
        headers: { ...request.headers, ...(header !== undefined && { authorization: header }) },
      });
      try {
        if (response.status === 401 && !renewed) {
          await authorization.renew(response, header);
          renewed = true;
        } else if (response.status === 403 && steps === 0 && (await stepsUp(authorization, response))) {
          steps++;
        } else return response;
      } catch (error) {
        // Nobody reads it any more, and its socket would keep the process alive.
        response.cancel();
        throw error;
      }
      response.cancel();
    }
  }
}

async function stepsUp(authorization: Authorization, response: HttpResponse): Promise<boolean> {
  return response.header('www-authenticate') !== undefined && authorization.stepUp(response);
}

/** A provider with a key of its own signs every request (RFC 9449), which the SDK does in a `fetch`. */
async function withProof({ authProvider }: HttpAddress, base: Exchange): Promise<Exchange> {
  if (!authProvider || !('dpop' in authProvider)) return base;
  const { withDpopFromProvider } = await loadSdk();
  const provider = authProvider as unknown as Parameters<typeof withDpopFromProvider>[0]; // what has `dpop` is one of the SDK's
  return throughFetch(withDpopFromProvider(provider)(fetchOver(base)) as typeof fetch);
}

/**
 * The error for a response whose status means failure.
 *
 * @param longest how much is read of its body, where that may be the answer all the same
 */
export async function failureOf(response: HttpResponse, longest?: number): Promise<HttpFailure> {
  const target = redirectTarget(response);
  const retryAfter = readRetryAfter(response.header('retry-after'));
  return new HttpFailure(
    response.status,
    await beginningOf(response, longest),
    retryAfter,
    target && describeRedirect(response.url, target, response.status),
  );
}

/** RFC 9110, 10.2.3: seconds, or a date. */
function readRetryAfter(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '') return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/**
 * The user's headers, which are for the server alone and for no authorization server that it names. A user name and
 * password in the URL travel as a header, too.
 */
function readCredentials(address: HttpAddress): { url: URL; headers: Record<string, string> } {
  const url = new URL(address.url);
  const own = new Headers(address.headers);
  const basic = basicOf(url);
  if (basic !== undefined && !own.has('authorization')) own.set('authorization', basic);
  url.username = url.password = '';
  return { url, headers: Object.fromEntries(own) };
}

/** The same origin, or the one that it becomes when a server moves its visitors from http to https. */
function isSameServer(own: URL, target: URL): boolean {
  if (own === target) return true;
  const movedToTls =
    own.protocol === 'http:' &&
    target.protocol === 'https:' &&
    own.hostname === target.hostname &&
    !own.port &&
    !target.port;
  return own.origin === target.origin || movedToTls;
}

function redirectTarget(response: HttpResponse): URL | undefined {
  const { status, url } = response;
  const location = redirects.has(status) ? response.header('location') : undefined;
  if (location === undefined || !URL.canParse(location, url.href)) return undefined;
  const target = new URL(location, url);
  // No server is told of it: with another one it is the same address.
  target.hash = '';
  return target;
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** A server that moved has not carried out what it was sent, so it can be sent to the new place; 303 says that it has. */
function keepsMethod(status: number, method: string): boolean {
  return status !== 303 || method === 'GET';
}

function isPermanent(status: number): boolean {
  return status === 301 || status === 308;
}

/** Within the server, and without credentials that the redirect brings along. */
function staysWithin(from: URL, target: URL): boolean {
  return isSameServer(from, target) && !target.username && !target.password;
}

function describeRedirect(from: URL, target: URL, status: number): Redirect {
  const checkServer = 'Check the URL, and how the server, or what is in front of it, redirects.';
  // Of these all others have been followed.
  if (status !== 303 && staysWithin(from, target))
    return { said: 'It redirects in a circle, or too often', hint: checkServer };
  const shown = new URL(target);
  shown.username = shown.password = shown.search = '';
  const hint =
    'Use the address it redirects to, if that is the intended server; credentials are never sent to another origin.';
  if (target.protocol !== 'http:' || from.protocol !== 'https:')
    return { said: `Redirect to ${shown.href} not followed`, hint };
  shown.protocol = 'https:';
  const said = 'It redirects from https to plain http';
  if (shown.pathname === from.pathname && shown.origin === from.origin) return { said, hint: checkServer };
  return { said: `Redirect from https to plain http not followed; try ${shown.href} as the endpoint`, hint };
}

/** What is fetched for authorization takes so long and so many bytes at most. */
const authorizationLimits = { ms: 30_000, bytes: 1024 * 1024 };

/** A `fetch` over this client's own HTTP, which knows of proxies, for what authorization servers answer. */
export const ownFetch: typeof fetch = (input, init) => fetchWithin(nodeExchange, input, init);

/**
 * What the SDK's OAuth client asks authorization servers with. The user's headers go to the MCP server's origin alone.
 */
function fetchThrough(base: Exchange, server: URL, own: Record<string, string>): AuthorizationFetch {
  return (input, init, isNamed = false) => {
    const given = Object.fromEntries(new Headers(init?.headers));
    const headers = { ...(isSameServer(server, urlOf(input)) && own), ...given };
    return fetchWithin(base, input, { ...init, headers }, isNamed ? server : undefined);
  };
}

async function fetchWithin(
  base: Exchange,
  input: string | URL | Request,
  init?: RequestInit,
  namedBy?: URL,
): Promise<Response> {
  const { ms, bytes } = authorizationLimits;
  const signals = [AbortSignal.timeout(ms), ...(init?.signal ? [init.signal] : [])];
  const response = await followed(base, input, { ...init, signal: anySignal(signals) }, namedBy);
  return foreignResponse(response, await response.text(bytes));
}

/** An exchange as a `fetch`, for the SDK. */
function fetchOver(exchange: Exchange): typeof fetch {
  return async (input, init) => {
    const response = await followed(exchange, input, init);
    return foreignResponse(response, streamOf(response));
  };
}

/** Redirects are followed for GET alone, within the server. */
async function followed(
  exchange: Exchange,
  input: string | URL | Request,
  init: RequestInit | undefined,
  namedBy?: URL,
): Promise<HttpResponse> {
  const method = (init?.method ?? 'GET').toUpperCase() as HttpRequest['method']; // the SDK sends nothing else
  const body = init?.body ?? undefined;
  let url = urlOf(input);
  for (let redirects = 0; ; redirects++) {
    const response = await exchange({
      url,
      method,
      headers: Object.fromEntries(
        new Headers({
          ...(body instanceof URLSearchParams && { 'content-type': 'application/x-www-form-urlencoded' }),
          ...Object.fromEntries(new Headers(init?.headers)),
        }),
      ),
      signal: init?.signal ?? new AbortController().signal,
      ...(body !== undefined && { body: body instanceof URLSearchParams ? body.toString() : (body as string) }), // the SDK sends texts and forms
      namedBy,
    });
    const target = redirectTarget(response);
    const isFollowed =
      method === 'GET' &&
      init?.redirect !== 'manual' &&
      redirects < mostRedirects &&
      target &&
      isSameServer(url, target);
    if (!isFollowed) return response;
    response.cancel();
    url = target;
  }
}

function urlOf(input: string | URL | Request): URL {
  return new URL(input instanceof Request ? input.url : input);
}

function foreignResponse(response: HttpResponse, body: string | ReadableStream<Uint8Array>): Response {
  const headers = new Headers();
  for (const name of [
    'content-type',
    'www-authenticate',
    'location',
    'cache-control',
    'mcp-session-id',
    'dpop-nonce',
    'retry-after',
  ]) {
    const value = response.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  const hasBody = ![101, 204, 205, 304].includes(response.status);
  if (!hasBody) response.cancel();
  return new Response(hasBody ? body : null, { status: response.status, headers });
}

function streamOf(response: HttpResponse): ReadableStream<Uint8Array> {
  let reading: AsyncIterator<Uint8Array> | undefined;
  return new ReadableStream({
    async pull(controller) {
      reading ??= response.chunks()[Symbol.asyncIterator]();
      const next = await reading.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    cancel() {
      response.cancel();
    },
  });
}
