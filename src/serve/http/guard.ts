import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { hostname } from 'node:os';

/** What one of those who may come sends as `Authorization: Bearer`. Tokens of one name are one principal. */
export interface Token {
  readonly name: string;
  readonly value: string;
}

/** Where the server listens, and what it asks of whoever comes. */
export interface Door {
  /** A name or address of this machine. */
  readonly host: string;
  /** Asked of every request where there are any; have to be there where others than this machine can come. */
  readonly tokens: readonly Token[];
  /** Pages elsewhere whose scripts may come: `https://app.example`. */
  readonly origins: readonly string[];
}

/** Who comes: the name of the token, empty where none is asked for. */
export type Visitor = { readonly name: string } | { readonly status: number; readonly message: string };

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/**
 * Who a request comes from, or why it is turned away.
 *
 * A page on the web can send requests to this machine from its visitor's browser, and can give itself a name that leads
 * here (DNS rebinding). Both show in the headers `Origin` and `Host` (2025-11-25, Transports, Security Warning).
 */
export function visitor({ host, origin, authorization = '' }: IncomingHttpHeaders, door: Door): Visitor {
  const names = ['localhost', '127.0.0.1', '[::1]', ...(isLoopback(door.host) ? [] : [door.host, hostname()])];
  const named = hostnameOf(`http://${host ?? ''}`);
  const isAddress = !isLoopback(door.host) && isIP(named.replace(/^\[|\]$/g, '')) !== 0;
  if (!isAddress && !names.includes(named)) return { status: 403, message: `Invalid Host: ${named}` };
  if (origin !== undefined && !door.origins.includes(origin) && !names.includes(hostnameOf(origin)))
    return { status: 403, message: 'Invalid Origin. Pages of other machines are let in with --allow-origin.' };
  if (door.tokens.length === 0) return { name: '' };
  // The scheme's name is the same in any case (RFC 9110, section 11.1).
  const given = digest(authorization.replace(/^bearer +/i, ''));
  // Each is looked at: it takes as long whichever it is.
  const [token] = door.tokens.filter(({ value }) => timingSafeEqual(given, digest(value)));
  return token ?? { status: 401, message: 'A token is needed: Authorization: Bearer …' };
}

/** What lets scripts of a named page read the answers (Fetch, CORS protocol). */
export function corsHeaders({ origin, ...headers }: IncomingHttpHeaders, { origins }: Door): Record<string, string> {
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
