import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { HttpRefusal } from '../errors.js';

/** What a client sends as `Authorization: Bearer`. Tokens of one name are one principal. */
export interface Token {
  readonly name: string;
  readonly value: string;
}

export interface Access {
  readonly host: string;
  /** One of them is asked of every request, unless there are none. Needed where other machines can connect. */
  readonly tokens: readonly Token[];
  /** Pages elsewhere whose scripts may connect: `https://app.example`. */
  readonly origins: readonly string[];
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/**
 * A page on the web can send requests to this machine from its visitor's browser, and can give itself a name that leads
 * here (DNS rebinding). Both show in the headers `Origin` and `Host` (2025-11-25, Transports, Security Warning).
 *
 * @returns the name of a request's token, empty where none is needed
 * @throws HttpRefusal where it is not admitted
 */
export function admit({ host, origin, authorization = '' }: IncomingHttpHeaders, access: Access): string {
  const isLocal = isLoopback(access.host);
  const names = ['localhost', '127.0.0.1', '[::1]', ...(isLocal ? [] : [access.host, hostname()])];
  const named = hostnameOf(`http://${host ?? ''}`);
  const isAddress = !isLocal && isIP(named.replace(/^\[|\]$/g, '')) !== 0;
  if (!isAddress && !names.includes(named)) throw new HttpRefusal(403, `Invalid Host: ${named}`);
  if (origin !== undefined && !access.origins.includes(origin) && !names.includes(hostnameOf(origin)))
    throw new HttpRefusal(403, 'Invalid Origin. Pages of other machines are admitted with --allow-origin.');
  if (access.tokens.length === 0) return '';
  // The scheme's name is the same in any case (RFC 9110, section 11.1).
  const given = digest(authorization.replace(/^bearer +/i, ''));
  // All are compared, so that the time says nothing.
  const [token] = access.tokens.filter(({ value }) => timingSafeEqual(given, digest(value)));
  if (token) return token.name;
  throw new HttpRefusal(401, 'A token is needed: Authorization: Bearer …', { 'www-authenticate': 'Bearer' });
}

/** What lets scripts of a named page read the answers (Fetch, CORS protocol). */
export function corsHeaders({ origin, ...headers }: IncomingHttpHeaders, { origins }: Access): Record<string, string> {
  if (origin === undefined || !origins.includes(origin)) return {};
  return {
    'access-control-allow-origin': origin,
    vary: 'origin',
    'access-control-expose-headers': 'mcp-session-id, www-authenticate',
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': headers['access-control-request-headers'] ?? '*',
    'access-control-max-age': '600',
  };
}

function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
