import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { localhostAllowedHostnames, validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';

/** Where the server listens, and what it asks of whoever comes. */
export interface Door {
  /** A name or address of this machine. */
  readonly host: string;
  /** Asked of every request as `Authorization: Bearer`; has to be there where others than this machine can come. */
  readonly token: string | undefined;
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/**
 * Why a request is turned away, or undefined where it is not.
 *
 * A page on the web can send requests to this machine from its visitor's browser, and can give itself a name that leads
 * here (DNS rebinding). Both show in the headers `Origin` and `Host` (2025-11-25, Transports, Security Warning).
 */
export function refusal(
  { headers, url = '/' }: Pick<IncomingMessage, 'headers' | 'url'>,
  { host, token }: Door,
): { status: number; message: string } | undefined {
  const names = namesOf(host);
  const { host: named, origin, authorization } = headers;
  const isAddress = !isLoopback(host) && isIP(hostnameIn(named)) !== 0;
  const checked = isAddress ? undefined : validateHostHeader(named, names);
  if (checked?.ok === false) return { status: 403, message: checked.message };
  const from = validateOriginHeader(origin, names);
  if (!from.ok) return { status: 403, message: from.message };
  // The scheme's name is the same in any case (RFC 9110, section 11.1).
  if (token !== undefined && !isSame((authorization ?? '').replace(/^bearer +/i, 'Bearer '), `Bearer ${token}`))
    return { status: 401, message: 'A token is needed: Authorization: Bearer …' };
  if (new URL(url, 'http://localhost').pathname !== '/mcp') return { status: 404, message: 'Not found; try /mcp.' };
  return undefined;
}

function namesOf(host: string): string[] {
  const own = isLoopback(host) ? [] : [host, hostname()];
  return [...localhostAllowedHostnames(), ...own];
}

/** The name in a Host header; an IPv6 address stands in brackets there. */
function hostnameIn(header = ''): string {
  const url = `http://${header}`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : '';
}

/** Takes as long whatever is wrong. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
