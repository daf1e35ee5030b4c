import { authorizationOf, openProvider, type Authorization } from '../authorization/authorization.js';
import {
  basicOf,
  fetchClient,
  type HttpClient,
  type HttpRequest,
  type HttpResponse,
} from '../http-client/http-client.js';
import { nodeHttpClient } from '../http-client/node-http-client.js';
import { followRedirects, isSameServer } from '../http-client/redirects.js';
import { fetchOver, fetchWithin } from '../http-client/sdk-fetch.js';
import type { HttpAddress } from '../transport/address.js';
import type { SecretMask } from '../../secrets/index.js';

/** An MCP server over HTTP, with the user's headers and credentials: all requests of its transports go through here. */
export interface Endpoint {
  readonly url: URL;
  /** Follows redirects within the server, and renews credentials, before it resolves. */
  request(request: Omit<HttpRequest, 'url'> & { url?: URL }): Promise<HttpResponse>;
  readonly finishAuthorization: (() => Promise<void>) | undefined;
}

export async function openEndpoint(address: HttpAddress, mask: SecretMask): Promise<Endpoint> {
  const { url, headers: own } = readCredentials(address);
  const base = address.fetch ? fetchClient(address.fetch) : nodeHttpClient;
  const authProvider = await openProvider(address);
  const client = await withProof(authProvider, base);
  const authorization = authorizationOf(authProvider, url, mask, (input, init, isNamed) => {
    const isOwn = isSameServer(url, new URL(input instanceof Request ? input.url : input));
    const headers = { ...(isOwn && own), ...Object.fromEntries(new Headers(init?.headers)) };
    return fetchWithin(base, input, { ...init, headers }, isNamed ? url : undefined);
  });
  const withOwnHeaders: HttpClient = (request) =>
    client(isSameServer(url, request.url) ? { ...request, headers: { ...own, ...request.headers } } : request);

  /** Where the server has moved for good. */
  let moved = url;
  const send = (request: HttpRequest) =>
    followRedirects(withOwnHeaders, request, (from, to) => {
      if (from.href === moved.href) moved = to;
    });

  return {
    url,
    finishAuthorization: authorization?.finish,
    request(request) {
      const placed = { ...request, url: request.url ?? moved };
      return authorization ? sendAuthorized(placed, authorization, send) : send(placed);
    },
  };
}

/** Sends a request once more where its token could be renewed, or given more scope. */
async function sendAuthorized(
  request: HttpRequest,
  authorization: Authorization,
  send: HttpClient,
): Promise<HttpResponse> {
  const refused = new Set<number>();
  for (;;) {
    const used = await authorization.header();
    const headers = { ...request.headers, ...(used !== undefined && { authorization: used }) };
    const response = await send({ ...request, headers });
    const { status } = response;
    if ((status !== 401 && status !== 403) || refused.has(status)) return response;
    refused.add(status);
    try {
      if (!(await authorization.renew(response, used))) return response;
    } catch (error) {
      // Its socket would keep the process alive.
      response.cancel();
      throw error;
    }
    response.cancel();
  }
}

/** A provider with a key of its own signs every request (RFC 9449), which the SDK does in a `fetch`. */
async function withProof(authProvider: object | undefined, base: HttpClient): Promise<HttpClient> {
  if (!authProvider || !('dpop' in authProvider)) return base;
  const { withDpopFromProvider } = await import('../authorization/sdk.js');
  const provider = authProvider as Parameters<typeof withDpopFromProvider>[0]; // what has `dpop` is one of the SDK's
  return fetchClient(withDpopFromProvider(provider)(fetchOver(base)) as typeof fetch);
}

/** The URL without user and password, which become a header. Headers are for the server alone. */
function readCredentials(address: HttpAddress): { url: URL; headers: Record<string, string> } {
  const url = new URL(address.url);
  const own = new Headers(address.headers);
  const basic = basicOf(url);
  if (basic !== undefined && !own.has('authorization')) own.set('authorization', basic);
  url.username = url.password = '';
  return { url, headers: Object.fromEntries(own) };
}
