import { Deadline } from '../runtime/timers.js';
import { followRedirects, type HttpClient, type HttpRequest, type HttpResponse } from './http-client.js';
import { nodeHttpClient } from './node-http-client.js';

const limits = { ms: 30_000, bytes: 1024 * 1024 };

/** Knows of proxies, unlike the global one. For requests to authorization servers. */
export const ownFetch: typeof fetch = (input, init) => fetchWithin(nodeHttpClient, input, init);

/** With redirects inside the server alone. @param namedBy as {@link HttpRequest.namedBy} */
export async function fetchWithin(
  client: HttpClient,
  input: string | URL | Request,
  init?: RequestInit,
  namedBy?: URL,
): Promise<Response> {
  const deadline = new Deadline(limits.ms, init?.signal ?? undefined);
  try {
    const request = { ...(await requestOf(input, { ...init, signal: deadline.signal })), namedBy };
    const mayFollow = request.method === 'GET' && init?.redirect !== 'manual';
    const response = await (mayFollow ? followRedirects(client, request) : client(request));
    return responseOf(response, await response.text(limits.bytes));
  } finally {
    deadline.clear();
  }
}

/** Follows no redirects, and hands on streams. */
export function fetchOver(client: HttpClient): typeof fetch {
  return async (input, init) => {
    const response = await client(await requestOf(input, init));
    return responseOf(response, streamOf(response));
  };
}

async function requestOf(input: string | URL | Request, init?: RequestInit): Promise<HttpRequest> {
  const { url, method, headers, body, signal } = init || !(input instanceof Request) ? new Request(input, init) : input;
  return {
    url: new URL(url),
    method: method as HttpRequest['method'], // the SDK sends nothing else
    headers: Object.fromEntries(headers),
    signal,
    ...(body && { body: await new Response(body).text() }),
  };
}

const sdkHeaders = [
  ...['content-type', 'www-authenticate', 'location', 'cache-control'],
  ...['mcp-session-id', 'dpop-nonce', 'retry-after'],
];

function responseOf(response: HttpResponse, body: string | ReadableStream<Uint8Array>): Response {
  const headers = sdkHeaders.flatMap((name): [string, string][] => {
    const value = response.header(name);
    return value === undefined ? [] : [[name, value]];
  });
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
