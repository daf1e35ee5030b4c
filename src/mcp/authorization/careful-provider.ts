import type { OAuthClientProvider, OAuthDiscoveryState, OAuthTokens } from '@modelcontextprotocol/client';
import { Unauthorized } from '../errors/failures.js';
import { networkOf } from '../http-client/private-network.js';
import { hexOf } from '../../json/index.js';
import type { SecretMask } from '../../secrets/index.js';
import type { ProviderState } from './token-changes.js';

/**
 * The provider itself, but that its secrets are masked once they are known (its tokens, its client secret, its assertions),
 * and that its user is sent to safe addresses alone.
 */
export function carefulProvider(
  provider: OAuthClientProvider,
  state: ProviderState,
  { mask, awaitsUser }: { mask: SecretMask; awaitsUser: boolean },
): OAuthClientProvider {
  const own: Partial<OAuthClientProvider> = {
    // Without a state, an answer could belong to another request.
    ...((provider.state ?? awaitsUser) && {
      state: async () => provider.state?.() ?? hexOf(crypto.getRandomValues(new Uint8Array(16))),
    }),
    async saveDiscoveryState(discovery) {
      state.discovery = discovery;
      await provider.saveDiscoveryState?.(discovery);
    },
    async discoveryState() {
      // For the answer of a user who was sent to a server; without that it is found anew each time.
      const kept = provider.discoveryState ? await provider.discoveryState() : state.finishing && state.discovery;
      if (kept) state.discovery = kept;
      return kept;
    },
    async redirectToAuthorization(to) {
      checkAuthorizationUrl(to, state.discovery?.authorizationServerMetadata);
      state.redirected = { state: to.searchParams.get('state') };
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
        mask.add((result ? secretsOf(result as never) : []).filter((secret) => typeof secret === 'string')); // as the SDK's provider has it
        return result;
      };
    },
  });
}

/**
 * @throws Unauthorized where the user would be sent over plain http (2025-11-25, Authorization, Communication Security),
 *   or to a server that does not declare PKCE (Authorization Code Protection)
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

/** By the provider's method, what of its result is secret. */
const secretsIn: Record<string, ((result: never) => (string | null | undefined)[]) | undefined> = {
  tokens: ({ access_token, refresh_token }: OAuthTokens) => [access_token, refresh_token],
  clientInformation: ({ client_secret }: { client_secret?: string }) => [client_secret],
  prepareTokenRequest: (form: URLSearchParams) => [form.get('assertion')],
};
