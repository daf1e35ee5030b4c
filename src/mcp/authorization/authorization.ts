import { messageOf } from '../../json/index.js';
import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import type { AuthProvider, HttpAddress, OAuthProvider } from '../transport/address.js';
import { Unauthorized } from '../errors/failures.js';
import type { SecretMask } from '../../secrets/index.js';
import { beginningOf, isHeaderValue, privateAddress, type HttpResponse } from '../http-client/http-client.js';
import { isConfidential, mayBeAsked } from '../http-client/private-network.js';
import { carefulProvider, inTurn, type ProviderState, stateOf } from './careful-provider.js';
import { isOfProgram } from './programs.js';

export interface Authorization {
  header(): Promise<string | undefined>;
  /**
   * Renews the tokens after HTTP 401, or asks for more scope after a 403 that requires it; once for all requests that
   * are rejected with the same token.
   *
   * @param used the header of the rejected request
   * @returns whether the request may be sent once more
   * @throws Unauthorized if nothing more can be done, or the user has to agree first
   */
  renew(response: HttpResponse, used: string | undefined): Promise<boolean>;
  readonly finish?: () => Promise<void>;
}

/** Sends a provider's requests. `isNamedByServer`: the server, which nobody trusts so far, has named the URL. */
type AuthorizationFetch = (
  input: string | URL | Request,
  init?: RequestInit,
  isNamedByServer?: boolean,
) => Promise<Response>;

export function openProvider({ authProvider }: HttpAddress): Promise<AuthProvider | OAuthProvider | undefined> {
  return guarded(async () => (authProvider && isOfProgram(authProvider) ? authProvider.open() : authProvider));
}

export function authorizationOf(
  authProvider: AuthProvider | OAuthProvider | undefined,
  url: URL,
  mask: SecretMask,
  fetch: AuthorizationFetch,
): Authorization | undefined {
  if (!authProvider) return undefined;
  return 'token' in authProvider ? ofTokens(authProvider, url, fetch, mask) : ofOAuth(authProvider, url, fetch, mask);
}

function ofTokens(provider: AuthProvider, url: URL, fetch: AuthorizationFetch, mask: SecretMask): Authorization {
  const state = stateOf(provider);
  const header = () =>
    guarded(async () => {
      const token = await provider.token();
      if (token === undefined) return undefined;
      mask.add([token]);
      return bearer(token);
    });
  return {
    header,
    async renew(response, used) {
      if (response.status === 403 || !provider.onUnauthorized) return false;
      // The SDK's own providers ask for tokens with the `fetch` that they are given.
      const context = { response: await foreignResponse(response), serverUrl: url, fetchFn: fetch };
      await inTurn(state, `renew ${url.href}`, async () => {
        if (used === (await header())) await guarded(async () => provider.onUnauthorized?.(context));
      });
      return true;
    },
  };
}

function ofOAuth(user: OAuthProvider, url: URL, fetch: AuthorizationFetch, mask: SecretMask): Authorization {
  const state = stateOf(user);
  const awaitsUser = user.authorizationResponse !== undefined;
  // OAuthProvider declares only the members that are read here; its objects are the SDK's providers.
  const careful = carefulProvider(user as unknown as OAuthClientProvider, state, { mask, awaitsUser });
  const known: { resourceMetadataUrl?: URL; scope?: string } = {};
  const fetchFn: typeof globalThis.fetch = (input, init) =>
    fetch(input, init, new Request(input).url === known.resourceMetadataUrl?.href);

  async function learn({ resourceMetadataUrl, scope }: Challenge, had?: string): Promise<void> {
    const { computeScopeUnion } = await import('./sdk.js');
    const scopes = computeScopeUnion(known.scope, had, scope);
    if (resourceMetadataUrl) known.resourceMetadataUrl = checkedMetadataUrl(resourceMetadataUrl, url);
    if (scopes !== undefined) known.scope = scopes;
  }

  async function authorize(more: {
    forceReauthorization?: boolean;
    authorizationCode?: string;
    iss?: string;
  }): Promise<void> {
    const { auth } = await import('./sdk.js');
    const scope = known.scope ?? user.wantedScope?.();
    const outcome = await auth(careful, { serverUrl: url, fetchFn, ...known, ...(scope && { scope }), ...more });
    if (outcome !== 'AUTHORIZED') throw new Unauthorized(undefined, true);
  }

  const header = () =>
    guarded(async () => {
      const tokens = await careful.tokens();
      return tokens && bearer(tokens.access_token);
    });

  /** One after the other; if the store can lock, other processes wait as well. */
  const locked = (change: () => Promise<void>) => (user.lock ? user.lock(change) : change());
  const changeTokens = (what: string, change: () => Promise<void>) =>
    inTurn(state, `${what} ${url.href}`, () => guarded(() => locked(change)));

  async function stepUp(challenge: Challenge, used: string | undefined): Promise<void> {
    const { isStrictScopeSuperset } = await import('./sdk.js');
    const tokens = await careful.tokens();
    if (used !== (await header()) && !isStrictScopeSuperset(challenge.scope, tokens?.scope)) return;
    // Tokens without a scope have the one that was asked for (RFC 6749, 5.1).
    await learn(challenge, tokens?.scope ?? careful.clientMetadata.scope);
    await authorize({ forceReauthorization: isStrictScopeSuperset(known.scope, tokens?.scope) });
  }

  return {
    header,
    async renew(response, used) {
      const challenge = await guarded(() => challengeOf(response));
      if (response.status === 401) {
        await changeTokens('renew', async () => {
          if (used !== (await header())) return;
          await learn(challenge);
          await authorize({});
        });
        return true;
      }
      if (challenge.error !== 'insufficient_scope') return false;
      await changeTokens(`step up to ${challenge.scope ?? 'more'} for`, () => stepUp(challenge, used));
      return true;
    },
    ...(user.authorizationResponse && {
      finish: () =>
        (state.finishing ??= guarded(async () => {
          if (!state.redirected) return;
          const answer = await (user as Required<OAuthProvider>).authorizationResponse(); // it is there, as is found above
          if (answer.get('state') !== state.redirected.state)
            throw new Error('the redirect does not belong to this sign-in: its "state" differs');
          const code = answer.get('code');
          const iss = answer.get('iss');
          const more = iss === null ? {} : { iss };
          if (code !== null) await locked(() => authorize({ authorizationCode: code, ...more }));
          else await refusedBy(answer, state);
        }).finally(() => {
          delete state.finishing;
          delete state.redirected;
        })),
    }),
  };
}

/** @throws Unauthorized if metadata (RFC 9728) of another origin has no TLS, or is in a foreign private network */
function checkedMetadataUrl(named: URL, server: URL): URL {
  if (named.origin === server.origin) return named;
  if (!mayBeAsked(named.hostname, [server.hostname])) throw new Unauthorized(messageOf(privateAddress(named)));
  if (isConfidential(named)) return named;
  throw new Unauthorized(`the server names ${named.origin} for its metadata, which is asked over https only`);
}

function bearer(token: string): string {
  if (!isHeaderValue(token))
    throw new Error('the token has a line break, or another character that no header can carry');
  return `Bearer ${token}`;
}

/** @throws Error with the reason, once it is known to come from the server that the user was sent to (RFC 9207) */
async function refusedBy(answer: URLSearchParams, { discovery }: ProviderState): Promise<never> {
  const { validateAuthorizationResponseIssuer } = await import('./sdk.js');
  const metadata = discovery?.authorizationServerMetadata;
  validateAuthorizationResponseIssuer({
    iss: answer.get('iss') ?? undefined,
    expectedIssuer: metadata?.issuer,
    issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
  });
  const reason = answer.get('error_description') ?? answer.get('error');
  throw new Error(reason ?? 'the answer has neither a code nor an error');
}

type Challenge = Awaited<ReturnType<typeof challengeOf>>;

async function challengeOf(response: HttpResponse) {
  const sdk = await import('./sdk.js');
  return sdk.extractWWWAuthenticateParams(new Response(null, { headers: challengeIn(response) }));
}

async function foreignResponse(response: HttpResponse): Promise<Response> {
  return new Response(await beginningOf(response), { status: response.status, headers: challengeIn(response) });
}

function challengeIn(response: HttpResponse): Record<string, string> {
  const challenge = response.header('www-authenticate');
  return challenge === undefined ? {} : { 'www-authenticate': challenge };
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Unauthorized) throw error;
    throw new Unauthorized(messageOf(error));
  }
}
