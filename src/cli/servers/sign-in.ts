import type { HttpAddress, OAuthProvider } from '../../internal.js';
import { isObject, type JsonObject } from '../../json/index.js';
import type { Env } from '../context.js';
import { readSettings, writeSettings } from '../settings.js';

/** What was kept of a sign-in, in the shapes of the MCP SDK's `OAuthClientProvider`. */
interface SignIn {
  tokens?: unknown;
  clientInformation?: unknown;
}

const file = 'tokens.json';

/** What is kept for a server, by its URL; undefined where nobody has signed in. */
function signInAt(url: string, env: Env): SignIn | undefined {
  const all = readSettings(env, file);
  const key = keyOf(url);
  const found = key !== undefined && Object.hasOwn(all, key) ? all[key] : undefined;
  return isObject(found) ? found : undefined;
}

/** @throws UsageError where it cannot be kept */
export function keepSignIn(url: string, env: Env, { tokens, clientInformation }: SignIn): void {
  writeSettings(env, file, { ...othersThan(url, env), [keyOf(url) ?? '']: { tokens, clientInformation } });
}

/**
 * @returns whether there was anything to forget
 * @throws UsageError where it cannot be
 */
export function forgetSignIn(url: string, env: Env): boolean {
  if (!signInAt(url, env)) return false;
  writeSettings(env, file, othersThan(url, env));
  return true;
}

function othersThan(url: string, env: Env): JsonObject {
  return Object.fromEntries(Object.entries(readSettings(env, file)).filter(([key]) => key !== keyOf(url)));
}

/** Without user, password and fragment. */
function keyOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search}`;
}

/** What every sign-in says of this client. */
export function clientMetadata(redirectUrl: string): object {
  return {
    client_name: 'mcp-verbatim',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}

/**
 * The address with the tokens that were kept for it. They are read before each request, as another process may have
 * renewed them. A header Authorization on the address is used in their place.
 */
export function withSignIn(address: HttpAddress, env: Env): HttpAddress {
  const { url, headers = {} } = address;
  const isGiven = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  if (isGiven || !signInAt(url, env)) return address;
  let isRefused = false;
  const loopback = 'http://127.0.0.1/callback';
  const provider = {
    redirectUrl: loopback,
    clientMetadata: clientMetadata(loopback),
    clientInformation: () => signInAt(url, env)?.clientInformation,
    tokens: () => (isRefused ? undefined : signInAt(url, env)?.tokens),
    saveTokens: (tokens: unknown) => {
      keepSignIn(url, env, { ...signInAt(url, env), tokens });
    },
    // Not in the file: another process may have renewed them a moment ago.
    invalidateCredentials: () => {
      isRefused = true;
    },
    redirectToAuthorization: () => {
      throw new Error('the sign-in is not accepted any more; sign in again with mcp-verbatim login');
    },
    saveCodeVerifier: () => {},
    codeVerifier: () => '',
  };
  return { ...address, authProvider: provider satisfies OAuthProvider };
}
