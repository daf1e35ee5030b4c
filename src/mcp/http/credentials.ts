import type { HttpAddress } from '../address.js';

/**
 * Makes a `fetch` that sends the user's headers, but only to the server they are for: the SDK's would go with every
 * request that authorization takes, to whatever authorization server the MCP server names. What the SDK sets itself
 * goes first. A user name and password in the URL, where `fetch` refuses them, travel as a header, too.
 *
 * @returns the `fetch`, and the URL without credentials
 */
export function withOwnHeaders(address: HttpAddress, base: typeof fetch): { url: URL; fetch: typeof fetch } {
  const url = new URL(address.url);
  const own = new Headers(address.headers);
  if ((url.username || url.password) && !own.has('authorization')) own.set('authorization', basic(url));
  url.username = url.password = '';
  const pairs = [...own];
  if (pairs.length === 0) return { url, fetch: base };
  const guarded: typeof fetch = (input, init) => {
    const target = new URL(input instanceof Request ? input.url : input);
    if (!isSameServer(url, target)) return base(input, init);
    const headers = new Headers(init?.headers);
    for (const [name, value] of pairs) if (!headers.has(name)) headers.set(name, value);
    return base(input, { ...init, headers });
  };
  return { url, fetch: guarded };
}

function basic({ username, password }: URL): string {
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`;
}

/** The same origin, or the one that it becomes when a server moves its visitors from http to https. */
function isSameServer(own: URL, target: URL): boolean {
  const movedToTls =
    own.protocol === 'http:' &&
    target.protocol === 'https:' &&
    own.hostname === target.hostname &&
    !own.port &&
    !target.port;
  return own.origin === target.origin || movedToTls;
}
