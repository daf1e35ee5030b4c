import { messageOf } from '../../json/index.js';
import type { OAuthClientProvider, OAuthDiscoveryState, OAuthTokens } from '@modelcontextprotocol/client';
import type { AuthProvider, HttpAddress, OAuthProvider } from '../transport/address.js';
import { Unauthorized } from '../errors/failures.js';
import type { SecretMask } from '../../secrets/index.js';
import { beginningOf, privateAddress, type AuthorizationFetch, type HttpResponse } from '../http/exchange.js';
import { mayBeAsked, networkOf } from '../http/private-network.js';
import { isHeaderValue } from '../http/request-headers.js';
import { loadSdk } from './sdk.js';

/** What a request for tools needs to know of authorization. */
export interface Authorization {
  /** The header Authorization for the next request. */
  header(): Promise<string | undefined>;
  /**
   * Deals with a refusal. Resolves when the request may be sent once more; requests that are refused at the same time,
   * or with a token that has been renewed meanwhile, share one renewal.
   *
   * @param used the header that the refused request had
   * @throws Unauthorized where nothing more can be done, or the user has to agree first
   */
  renew(response: HttpResponse, used: string | undefined): Promise<void>;
  /**
   * Asks for more scope where a server wants that (403 with `insufficient_scope`).
   *
   * @returns whether the request may be sent once more
   */
  stepUp(response: HttpResponse): Promise<boolean>;
  /** Waits for the user to agree, and exchanges what came of it for tokens. */
  readonly finish?: () => Promise<void>;
}

/** The authorization of an address, with its tokens masked in every message; undefined where it has none. */
export function authorizationOf(
  { authProvider }: HttpAddress,
  url: URL,
  fetch: AuthorizationFetch,
  mask: SecretMask,
): Authorization | undefined {
  if (!authProvider) return undefined;
  return 'token' in authProvider
    ? ofTokens(authProvider, url, fetch, mask)
    : ofOAuth(authProvider as unknown as OAuthClientProvider, authProvider, url, fetch, mask); // OAuthProvider names only what is looked at here; its objects are the SDK's providers
}

/** Tokens that come from somewhere else. */
function ofTokens(provider: AuthProvider, url: URL, fetch: AuthorizationFetch, mask: SecretMask): Authorization {
  const shared = sharedBy(provider);
  const header = () =>
    guarded(async () => {
      const token = await provider.token();
      if (token === undefined) return undefined;
      mask.add(token);
      return bearer(token);
    });
  return {
    header,
    async renew(response, used) {
      if (!provider.onUnauthorized) throw new Unauthorized();
      // The SDK's own providers ask for tokens with the `fetch` that they are given.
      const context = { response: await foreignResponse(response), serverUrl: url, fetchFn: fetch };
      await oneAtATime(shared, url, async () => {
        if (used === (await header())) await guarded(async () => provider.onUnauthorized?.(context));
      });
    },
    stepUp: () => Promise.resolve(false),
  };
}

/** A complete OAuth 2 client; the SDK does what the specification asks of one. */
function ofOAuth(
  provider: OAuthClientProvider,
  user: OAuthProvider,
  url: URL,
  fetch: AuthorizationFetch,
  mask: SecretMask,
): Authorization {
  const shared = sharedBy(provider);
  const careful = carefulProvider(provider, shared, { mask, awaitsUser: user.authorizationResponse !== undefined });
  /** What the server's refusals have said so far. */
  const known: { resourceMetadataUrl?: URL; scope?: string } = {};
  const fetchFn: typeof globalThis.fetch = (input, init) =>
    fetch(input, init, new Request(input).url === known.resourceMetadataUrl?.href);

  async function learn({ resourceMetadataUrl, scope }: Challenge, had?: string): Promise<void> {
    const scopes = (await loadSdk()).computeScopeUnion(known.scope, had, scope);
    if (resourceMetadataUrl) known.resourceMetadataUrl = checkedMetadataUrl(resourceMetadataUrl, url);
    if (scopes !== undefined) known.scope = scopes;
  }

  async function authorize(more: {
    forceReauthorization?: boolean;
    authorizationCode?: string;
    iss?: string;
  }): Promise<void> {
    const sdk = await loadSdk();
    const outcome = await sdk.auth(careful, {
      serverUrl: url,
      fetchFn,
      ...known,
      ...more,
    });
    if (outcome !== 'AUTHORIZED') throw new Unauthorized(undefined, true);
  }

  const header = () =>
    guarded(async () => {
      const tokens = await careful.tokens();
      return tokens && bearer(tokens.access_token);
    });

  /** Where the store can lock, other processes wait meanwhile. */
  const locked = async (work: () => Promise<void>) => (user.lock ? user.lock(work) : work());

  return {
    header,
    async renew(response, used) {
      if (used !== (await header())) return;
      await oneAtATime(shared, url, () =>
        guarded(() =>
          locked(async () => {
            if (used !== (await header())) return;
            await learn(await challengeOf(response));
            await authorize({});
          }),
        ),
      );
    },
    stepUp: (response) =>
      guarded(async () => {
        const challenge = await challengeOf(response);
        if (challenge.error !== 'insufficient_scope') return false;
        const sdk = await loadSdk();
        const tokens = await careful.tokens();
        // Tokens that do not say have what was asked for (RFC 6749, 5.1).
        await learn(challenge, tokens?.scope ?? careful.clientMetadata.scope);
        await authorize({ forceReauthorization: sdk.isStrictScopeSuperset(known.scope, tokens?.scope) });
        return true;
      }),
    ...(user.authorizationResponse && {
      finish: () =>
        (shared.finishing ??= guarded(async () => {
          // Somebody else has waited for it.
          if (!shared.redirected) return;
          const answer = await (user as Required<OAuthProvider>).authorizationResponse(); // it is there, as is found above
          if (answer.get('state') !== shared.redirected.state)
            throw new Error('what came back is no answer to where the user was sent: its "state" is another one');
          const code = answer.get('code');
          const iss = answer.get('iss');
          if (code !== null) await authorize({ authorizationCode: code, ...(iss !== null && { iss }) });
          // The user or the server has refused. The SDK checks who says so before it tells why.
          else await refusedBy(careful, url, fetchFn, answer);
        }).finally(() => {
          delete shared.finishing;
          delete shared.redirected;
        })),
    }),
  };
}

/** What all sessions with one provider have in common: its tokens are renewed, and its user is asked, once for all. */
interface Shared {
  renewing?: { server: string; done: Promise<void> };
  finishing?: Promise<void>;
  /** Where the user was sent last, until the answer has come. */
  redirected?: { state: string | null };
  discovery?: OAuthDiscoveryState | undefined;
}

const sharedByProvider = new WeakMap<object, Shared>();

function sharedBy(provider: object): Shared {
  let shared = sharedByProvider.get(provider);
  if (!shared) sharedByProvider.set(provider, (shared = {}));
  return shared;
}

/** Renews one after the other; who wants the same meanwhile waits for it, and has what comes of it. */
async function oneAtATime(shared: Shared, { href: server }: URL, renew: () => Promise<void>): Promise<void> {
  // The user is in the browser already.
  if (shared.finishing) return shared.finishing;
  while (shared.renewing) {
    const { server: other, done } = shared.renewing;
    if (other === server) return done;
    await done.catch(() => {});
  }
  const done = renew().finally(() => {
    delete shared.renewing;
  });
  shared.renewing = { server, done };
  return done;
}

/**
 * Where a server says that its metadata are (RFC 9728).
 *
 * @throws Unauthorized where that is on another origin without TLS, which loopback does not need, or in a private network
 *   that the server itself is not in
 */
function checkedMetadataUrl(named: URL, server: URL): URL {
  if (named.origin === server.origin) return named;
  if (!mayBeAsked(named.hostname, [server.hostname])) throw new Unauthorized(messageOf(privateAddress(named)));
  if (named.protocol === 'https:' || networkOf(named.hostname) === 'this machine') return named;
  throw new Unauthorized(`the server names ${named.origin} for its metadata, which is asked over https only`);
}

function bearer(token: string): string {
  if (!isHeaderValue(token))
    throw new Error('the token has a line break, or another character that no header can carry');
  return `Bearer ${token}`;
}

async function refusedBy(
  provider: OAuthClientProvider,
  url: URL,
  fetch: typeof globalThis.fetch,
  answer: URLSearchParams,
): Promise<void> {
  const sdk = await loadSdk();
  await new sdk.StreamableHTTPClientTransport(url, { authProvider: provider, fetch }).finishAuth(answer);
}

type Challenge = Awaited<ReturnType<typeof challengeOf>>;

async function challengeOf(response: HttpResponse) {
  const sdk = await loadSdk();
  return sdk.extractWWWAuthenticateParams(new Response(null, { headers: challengeIn(response) }));
}

/** The refusal as the shape of {@link AuthProvider} has it. */
async function foreignResponse(response: HttpResponse): Promise<Response> {
  return new Response(await beginningOf(response), { status: response.status, headers: challengeIn(response) });
}

function challengeIn(response: HttpResponse): Record<string, string> {
  const challenge = response.header('www-authenticate');
  return challenge === undefined ? {} : { 'www-authenticate': challenge };
}

/** The one reader of what providers and the SDK throw. */
async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Unauthorized) throw error;
    throw new Unauthorized(messageOf(error));
  }
}

/**
 * The provider itself, but for an ear on what must not be shown (its tokens, its secret, and what it shows for a token)
 * and an eye on where its user is sent.
 */
function carefulProvider(
  provider: OAuthClientProvider,
  shared: Shared,
  { mask, awaitsUser }: { mask: SecretMask; awaitsUser: boolean },
): OAuthClientProvider {
  const own: Partial<OAuthClientProvider> = {
    // Without a state nobody can tell the answer that was asked for from another one.
    ...((provider.state ?? awaitsUser) && { state: async () => provider.state?.() ?? randomText() }),
    async saveDiscoveryState(discovery) {
      shared.discovery = discovery;
      await provider.saveDiscoveryState?.(discovery);
    },
    async discoveryState() {
      // For the answer of a user who was sent to a server; without that it is found anew each time.
      const kept = provider.discoveryState ? await provider.discoveryState() : shared.finishing && shared.discovery;
      if (kept) shared.discovery = kept;
      return kept;
    },
    async redirectToAuthorization(to) {
      checkAuthorizationUrl(to, shared.discovery?.authorizationServerMetadata);
      shared.redirected = { state: to.searchParams.get('state') };
      await provider.redirectToAuthorization(to);
    },
  };
  return new Proxy(provider, {
    get(target, key) {
      if (Object.hasOwn(own, key)) return own[key as keyof typeof own];
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      const secretsOf = secretsIn[key as string];
      if (!secretsOf) return value.bind(target) as unknown;
      return async (...given: unknown[]) => {
        const result: unknown = await Reflect.apply(value, target, given);
        for (const secret of result ? secretsOf(result as never) : []) if (secret) mask.add(secret); // as the SDK's provider has it
        return result;
      };
    },
  });
}

/**
 * @throws Unauthorized where the user would be sent over plain http (2025-11-25, Authorization, Communication Security),
 *   or to a server that does not say that it supports PKCE (Authorization Code Protection)
 */
function checkAuthorizationUrl(url: URL, metadata: OAuthDiscoveryState['authorizationServerMetadata']): void {
  const isLocal = url.protocol === 'http:' && networkOf(url.hostname) === 'this machine';
  if (url.protocol !== 'https:' && !isLocal)
    throw new Unauthorized(`the server would send the user to ${url.protocol}//${url.host}, which is not https`);
  if (metadata && !metadata.code_challenge_methods_supported?.includes('S256'))
    throw new Unauthorized(
      'its authorization server does not say that it supports PKCE (code_challenge_methods_supported), without which no user is sent there',
    );
}

function randomText(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** By the provider's method, what of its result is secret. */
const secretsIn: Record<string, ((result: never) => (string | null | undefined)[]) | undefined> = {
  tokens: ({ access_token, refresh_token }: OAuthTokens) => [access_token, refresh_token],
  clientInformation: ({ client_secret }: { client_secret?: string }) => [client_secret],
  prepareTokenRequest: (form: URLSearchParams) => [form.get('assertion')],
};
