import { messageOf } from '../../json/index.js';
import type { OAuthClientProvider, OAuthTokens } from '@modelcontextprotocol/client';
import type { AuthProvider, HttpAddress, OAuthProvider } from '../address.js';
import { Unauthorized } from '../errors/failures.js';
import type { SecretMask } from '../../secrets/index.js';
import { beginningOf, type HttpResponse } from '../http/exchange.js';
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
  fetch: typeof globalThis.fetch,
  mask: SecretMask,
): Authorization | undefined {
  if (!authProvider) return undefined;
  return 'token' in authProvider
    ? ofTokens(authProvider, url, fetch, mask)
    : ofOAuth(authProvider as unknown as OAuthClientProvider, authProvider, url, fetch, mask); // OAuthProvider names only what is looked at here; its objects are the SDK's providers
}

/** Tokens that come from somewhere else. */
function ofTokens(provider: AuthProvider, url: URL, fetch: typeof globalThis.fetch, mask: SecretMask): Authorization {
  const renewal = shared();
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
      if (used !== (await header())) return;
      // The SDK's own providers ask for tokens with the `fetch` that they are given.
      const context = { response: await foreignResponse(response), serverUrl: url, fetchFn: fetch };
      await renewal(() => guarded(async () => provider.onUnauthorized?.(context)));
    },
    stepUp: () => Promise.resolve(false),
  };
}

/** A complete OAuth 2 client; the SDK does what the specification asks of one. */
function ofOAuth(
  provider: OAuthClientProvider,
  user: OAuthProvider,
  url: URL,
  fetch: typeof globalThis.fetch,
  mask: SecretMask,
): Authorization {
  const renewal = shared();
  const listening = maskingSecrets(provider, mask);
  /** What the server's refusals have said so far. */
  const known: { resourceMetadataUrl?: URL; scope?: string } = {};

  async function learn({ resourceMetadataUrl, scope }: Challenge, had?: string): Promise<void> {
    const scopes = (await loadSdk()).computeScopeUnion(known.scope, had, scope);
    if (resourceMetadataUrl) known.resourceMetadataUrl = resourceMetadataUrl;
    if (scopes !== undefined) known.scope = scopes;
  }

  async function authorize(more: {
    forceReauthorization?: boolean;
    authorizationCode?: string;
    iss?: string;
  }): Promise<void> {
    const sdk = await loadSdk();
    const outcome = await sdk.auth(listening, {
      serverUrl: url,
      fetchFn: fetch,
      ...known,
      ...more,
    });
    if (outcome !== 'AUTHORIZED') throw new Unauthorized(undefined, true);
  }

  const header = () =>
    guarded(async () => {
      const tokens = await listening.tokens();
      return tokens && bearer(tokens.access_token);
    });

  return {
    header,
    async renew(response, used) {
      if (used !== (await header())) return;
      await renewal(() =>
        guarded(async () => {
          await learn(await challengeOf(response));
          await authorize({});
        }),
      );
    },
    stepUp: (response) =>
      guarded(async () => {
        const challenge = await challengeOf(response);
        if (challenge.error !== 'insufficient_scope') return false;
        const sdk = await loadSdk();
        const tokens = await listening.tokens();
        // Tokens that do not say have what was asked for (RFC 6749, 5.1).
        await learn(challenge, tokens?.scope ?? listening.clientMetadata.scope);
        await authorize({ forceReauthorization: sdk.isStrictScopeSuperset(known.scope, tokens?.scope) });
        return true;
      }),
    ...(user.authorizationResponse && {
      finish: () =>
        guarded(async () => {
          const answer = await (user as Required<OAuthProvider>).authorizationResponse(); // it is there, as the line before last has found
          const code = answer.get('code');
          const iss = answer.get('iss');
          if (code !== null) await authorize({ authorizationCode: code, ...(iss !== null && { iss }) });
          // The user or the server has refused. The SDK checks who says so before it tells why.
          else await refusedBy(listening, url, fetch, answer);
        }),
    }),
  };
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

/** Runs one renewal at a time, for all who want one. */
function shared(): (renew: () => Promise<void>) => Promise<void> {
  let running: Promise<void> | undefined;
  return (renew) =>
    (running ??= renew().finally(() => {
      running = undefined;
    }));
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
 * The provider itself, but for an ear on what must not be shown: its tokens, its secret, and what it shows for a token.
 */
function maskingSecrets(provider: OAuthClientProvider, mask: SecretMask): OAuthClientProvider {
  return new Proxy(provider, {
    get(target, key) {
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

/** By the provider's method, what of its result is secret. */
const secretsIn: Record<string, ((result: never) => (string | null | undefined)[]) | undefined> = {
  tokens: ({ access_token, refresh_token }: OAuthTokens) => [access_token, refresh_token],
  clientInformation: ({ client_secret }: { client_secret?: string }) => [client_secret],
  prepareTokenRequest: (form: URLSearchParams) => [form.get('assertion')],
};
