import { Aborted } from '../errors/failures.js';
import type { HttpClient, HttpRequest, HttpResponse } from './http-client.js';

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
    if (!keepsMethod(response.status, current.method) || !staysWithin(current.url, target)) return response;
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

/** A server that moved has not carried out the request; one that answers 303 has. */
function keepsMethod(status: number, method: string): boolean {
  return status !== 303 || method === 'GET';
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
