import type { AuthProvider as SdkAuthProvider, OAuthClientProvider } from '@modelcontextprotocol/client';
import type { AuthProvider, OAuthProvider } from '../address.js';
import type { SecretMask } from '../../secrets/index.js';

/**
 * Fits a provider of tokens for the SDK: requests that are refused at the same time, or after a token has been renewed
 * that they did not know yet, share one renewal; and every token is masked in messages.
 *
 * @param authorizationOf the Authorization header that a response is the answer to
 */
export function renewOnce(
  provider: AuthProvider | OAuthProvider,
  authorizationOf: (response: Response) => string | undefined,
  mask: SecretMask,
): SdkAuthProvider | OAuthClientProvider {
  if (!('token' in provider)) return maskingTokens(provider, mask);
  let renewing: Promise<void> | undefined;
  const token = async () => {
    const current = await provider.token();
    if (current !== undefined) mask.add(current);
    return current;
  };
  if (!provider.onUnauthorized) return { token };
  return {
    token,
    async onUnauthorized({ response, serverUrl }) {
      const used = authorizationOf(response);
      if (used !== undefined && used !== `Bearer ${await token()}`) return;
      renewing ??= provider.onUnauthorized!({ response, serverUrl }).finally(() => {
        renewing = undefined;
      });
      await renewing;
    },
  };
}

/** The provider itself, but for an ear on its tokens. */
function maskingTokens(provider: OAuthProvider, mask: SecretMask): OAuthClientProvider {
  const listening = new Proxy(provider, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      if (key !== 'tokens') return value.bind(target);
      return async (...context: never[]) => {
        const tokens = (await target.tokens(...context)) as
          { access_token?: string; refresh_token?: string } | undefined;
        for (const token of [tokens?.access_token, tokens?.refresh_token]) if (token !== undefined) mask.add(token);
        return tokens;
      };
    },
  });
  // OAuthProvider names only what is looked at here; its objects are the SDK's providers.
  return listening as unknown as OAuthClientProvider;
}
