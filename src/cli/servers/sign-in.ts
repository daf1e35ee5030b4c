import type { HttpAddress, OAuthProvider } from '../../internal.js';
import { equals, isObject, member, valueAt } from '../../json/index.js';
import type { Env } from '../context.js';
import { readSettings, whileLocked, writeSettings } from '../files.js';

/** The stored data of a sign-in, in the shapes of the MCP SDK's `OAuthClientProvider`. */
export interface SignIn {
  tokens?: unknown;
  clientInformation?: unknown;
  /** The scope of the next sign-in. */
  scope?: string;
  revocationUrl?: string | undefined;
}

const file = 'tokens.json';

/** The stored sign-in to a server, by its URL without user, password and fragment. */
export function signInStore(url: string, env: Env) {
  const { origin, pathname, search } = URL.canParse(url) ? new URL(url) : { origin: url, pathname: '', search: '' };
  const key = `${origin}${pathname}${search}`;
  return {
    read: (): SignIn | undefined => {
      const found = member(readSettings(env, file), key);
      return isObject(found) ? found : undefined;
    },
    /** While no other process changes the file. */
    locked: (change: () => Promise<void> | void) => whileLocked(env, file, change),
    write: (signIn: SignIn | undefined): void => {
      const others = Object.entries(readSettings(env, file)).filter(([each]) => each !== key);
      writeSettings(env, file, Object.fromEntries([...others, ...(signIn ? [[key, signIn] as const] : [])]));
    },
  };
}

/** A provider that keeps its tokens for the server in the file; fresh ones are put into `signIn`, too. */
export function keepingProvider(url: string, env: Env, redirectUrl: string, signIn: () => SignIn | undefined) {
  let verifier = '';
  const store = signInStore(url, env);
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
    saveTokens: (tokens: unknown) => store.write(Object.assign(signIn() ?? {}, { tokens })),
    lock: store.locked,
    saveCodeVerifier: (fresh: string) => void (verifier = fresh),
    codeVerifier: () => verifier,
  };
}

/** The scopes that were granted before, and those that a sign-in is to ask for as well. */
export function scopesOf(kept: SignIn | undefined, asked?: URLSearchParams): string[] {
  const all = [kept?.scope, valueAt(kept, '/tokens/scope'), asked?.get('scope')];
  const words = all.flatMap((scope) => (typeof scope === 'string' ? scope.split(' ') : []));
  return [...new Set(words)].filter((scope) => scope !== '');
}

/**
 * The address with the tokens that were kept for it. They are read before each request, as another process may have
 * renewed them. A header Authorization on the address is used in their place.
 */
export function withSignIn(address: HttpAddress, env: Env): HttpAddress {
  const { url, headers = {} } = address;
  const { read, write } = signInStore(url, env);
  const isGiven = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  if (isGiven || !read()) return address;
  let used: unknown;
  let isRefused = false;
  const provider = keepingProvider(url, env, 'http://127.0.0.1/callback', read);
  const authProvider = {
    ...provider,
    tokens: () => (isRefused ? undefined : (used = provider.tokens())),
    // Not in the file: another process may have renewed them a moment ago.
    invalidateCredentials: () => void (isRefused = equals(used, provider.tokens())),
    wantedScope: () => scopesOf(read()).join(' '),
    redirectToAuthorization: ({ searchParams }: URL) => {
      const kept = read();
      const granted = scopesOf(kept);
      const wanted = scopesOf(kept, searchParams);
      const missing = wanted.filter((scope) => !granted.includes(scope)).join(' ');
      write({ ...kept, scope: wanted.join(' ') });
      if (missing !== '') throw new Error(`the sign-in lacks the scope "${missing}"; mcp-verbatim login asks for it`);
      throw new Error('the sign-in is not accepted any more; sign in again with mcp-verbatim login');
    },
  };
  return { ...address, authProvider: authProvider satisfies OAuthProvider };
}
