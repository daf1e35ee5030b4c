import type { HttpAddress, OAuthProvider } from '../../internal.js';
import { isObject, type JsonObject } from '../../json/index.js';
import type { Env } from '../context.js';
import { readSettings, writeSettings } from '../settings.js';

/** What was kept of a sign-in, in the shapes of the MCP SDK's `OAuthClientProvider`. */
export interface SignIn {
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

/**
 * A provider that keeps its tokens for the server in the file.
 *
 * @param signIn what it knows; tokens are put into it
 */
export function keepingProvider(url: string, env: Env, redirectUrl: string, signIn: () => SignIn | undefined) {
  let verifier = '';
  return {
    redirectUrl,
    clientMetadata: {
      client_name: 'mcp-verbatim',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => signIn()?.clientInformation,
    tokens: () => signIn()?.tokens,
    saveTokens: (fresh: unknown) => {
      const { tokens, clientInformation } = Object.assign(signIn() ?? {}, { tokens: fresh });
      writeSettings(env, file, { ...othersThan(url, env), [keyOf(url) ?? '']: { tokens, clientInformation } });
    },
    saveCodeVerifier: (fresh: string) => {
      verifier = fresh;
    },
    codeVerifier: () => verifier,
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
  const provider = keepingProvider(url, env, 'http://127.0.0.1/callback', () => signInAt(url, env));
  const authProvider = {
    ...provider,
    tokens: () => (isRefused ? undefined : provider.tokens()),
    // Not in the file: another process may have renewed them a moment ago.
    invalidateCredentials: () => {
      isRefused = true;
    },
    redirectToAuthorization: () => {
      throw new Error('the sign-in is not accepted any more; sign in again with mcp-verbatim login');
    },
  };
  return { ...address, authProvider: authProvider satisfies OAuthProvider };
}
