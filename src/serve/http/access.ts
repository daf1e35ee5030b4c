import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { shortened } from '../../json/index.js';
import { httpRefusal } from '../errors.js';

export interface Access {
  readonly host: string;
  /** Required of every request as `Authorization: Bearer`. */
  readonly token?: string | undefined;
  /** Pages elsewhere whose scripts may connect: `https://app.example`. */
  readonly origins: readonly string[];
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/**
 * Refuses requests from web pages. A page can send requests to this machine from its visitor's browser, and can give
 * itself a name that resolves to this machine (DNS rebinding). The headers `Origin` and `Host` reveal both (2025-11-25,
 * Transports, Security Warning).
 *
 * @throws Refusal if the request is not admitted
 */
export function admit({ host, origin }: IncomingHttpHeaders, access: Access): void {
  const isLocal = isLoopback(access.host);
  const ofMachine = isLocal ? [] : [hostname()];
  const names = ['localhost', '127.0.0.1', '[::1]', access.host, ...ofMachine].map((name) => name.toLowerCase());
  const named = nameIn(host);
  const isAddress = !isLocal && isIP(named.replace(/^\[|\]$/g, '')) !== 0;
  if (!isAddress && !names.includes(named)) throw httpRefusal(403, `Invalid Host: ${shortened(host ?? '', 100)}`);
  const [, ofPage] = /^https?:\/\/(.*)$/.exec(origin ?? '') ?? [];
  if (origin !== undefined && !access.origins.includes(origin) && !names.includes(nameIn(ofPage)))
    throw httpRefusal(403, 'Invalid Origin. Pages of other machines are admitted with --allow-origin.');
}

/** True if a request has the token, or none is required. Digests are compared, so that the time says nothing. */
export function hasToken({ authorization = '' }: IncomingHttpHeaders, { token }: Access): boolean {
  // The scheme's name is the same in any case (RFC 9110, section 11.1).
  const [, given = ''] = /^bearer +(.+)$/i.exec(authorization) ?? [];
  return token === undefined || timingSafeEqual(digest(given), digest(token));
}

/** The headers that let scripts of an allowed origin read the answers (Fetch, CORS protocol). */
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

/** The name in `NAME:PORT`, as it stands there: a parser of URLs takes `0x7f000001` for 127.0.0.1. */
function nameIn(authority = ''): string {
  const [, name = ''] = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d*)?$/i.exec(authority) ?? [];
  return name.toLowerCase();
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
