import { authorizationOf, openProvider, type Authorization } from '../authorization/authorization.js';
import { Unauthorized } from '../errors/failures.js';
import { fetchClient, followRedirects } from '../http-client/http-client.js';
import type { HttpClient, HttpRequest, HttpResponse } from '../http-client/http-client.js';
import { nodeHttpClient } from '../http-client/node-http-client.js';
import { fetchOver, fetchWithin } from '../http-client/sdk-fetch.js';
import type { HttpAddress } from '../transport/address.js';
import type { SecretMask } from '../../secrets/index.js';
import { readCredentials, withAddressHeaders, withToken } from './request-headers.js';

/** An MCP server over HTTP, with the user's headers and credentials: all requests of its transports go through here. */
export interface Endpoint {
  readonly url: URL;
  request(request: Omit<HttpRequest, 'url'> & { url?: URL }): Promise<HttpResponse>;
  readonly finishAuthorization: (() => Promise<void>) | undefined;
}

export async function openEndpoint(address: HttpAddress, mask: SecretMask): Promise<Endpoint> {
  const { url, addressHeaders } = readCredentials(address);
  const baseClient = address.fetch ? fetchClient(address.fetch) : nodeHttpClient;
  const authProvider = await openProvider(address);
  const client = await provingKey(authProvider, baseClient);
  const authorization = authorizationOf(authProvider, url, mask, (input, init, isNamedByServer) => {
    const target = new URL(input instanceof Request ? input.url : input);
    const request = { url: target, headers: Object.fromEntries(new Headers(init?.headers)) };
    const { headers } = withAddressHeaders(request, url, addressHeaders);
    return fetchWithin(baseClient, input, { ...init, headers }, isNamedByServer ? url : undefined);
  });

  let movedTo = url;
  const sendHop: HttpClient = (hop) => client(withAddressHeaders(hop, url, addressHeaders));
  const onMoved = (from: URL, to: URL) => {
    if (from.href === movedTo.href) movedTo = to;
  };
  const send: HttpClient = (request) => followRedirects(sendHop, request, onMoved);

  return {
    url,
    finishAuthorization: authorization?.finish,
    request(given) {
      const request = { ...given, url: given.url ?? movedTo };
      return authorization ? sendAuthorized(request, authorization, send) : send(request);
    },
  };
}

/** Sends a request once more if its token could be renewed, or given more scope. */
async function sendAuthorized(
  request: HttpRequest,
  authorization: Authorization,
  send: HttpClient,
): Promise<HttpResponse> {
  const refused = new Set<number>();
  for (;;) {
    const used = await authorization.header();
    const response = await send(withToken(request, used));
    const { status } = response;
    if ((status !== 401 && status !== 403) || refused.has(status)) return response;
    refused.add(status);
    try {
      if (!(await authorization.renew(response, used))) return response;
    } catch (error) {
      // Its socket would keep the process alive.
      response.cancel();
      if (error instanceof Unauthorized) error.status = status;
      throw error;
    }
    response.cancel();
  }
}

/** A provider with a key of its own signs every request (RFC 9449), which the SDK does in a `fetch`. */
async function provingKey(authProvider: object | undefined, client: HttpClient): Promise<HttpClient> {
  if (!authProvider || !('dpop' in authProvider)) return client;
  const { withDpopFromProvider } = await import('../authorization/sdk.js');
  const provider = authProvider as Parameters<typeof withDpopFromProvider>[0]; // what has `dpop` is one of the SDK's
  return fetchClient(withDpopFromProvider(provider)(fetchOver(client)) as typeof fetch);
}
