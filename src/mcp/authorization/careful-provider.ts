import type { OAuthClientProvider, OAuthDiscoveryState, OAuthTokens } from '@modelcontextprotocol/client';
import { Unauthorized } from '../errors/failures.js';
import { isConfidential } from '../http-client/private-network.js';
import { hexOf } from '../../json/index.js';
import type { SecretMask } from '../../secrets/index.js';

/** The provider, with secrets masked once they are known; its user is sent to safe addresses alone. */
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
      // The user's answer belongs to the server that was found before.
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
  for (const [method, secretsOf] of Object.entries(secretsIn)) {
    const ask: unknown = Reflect.get(provider, method);
    if (typeof ask !== 'function') continue;
    const asked = async (...given: unknown[]) => {
      const result: unknown = await Reflect.apply(ask, provider, given);
      mask.add((result ? secretsOf(result as never) : []).filter((secret) => typeof secret === 'string')); // as the SDK's provider has it
      return result;
    };
    Object.assign(own, { [method]: asked });
  }
  return withOwn(provider, own);
}

/** The same object with some members of its own; it may be an instance of a class with private fields. */
export function withOwn<T extends object>(object: T, own: object): T {
  return new Proxy(object, {
    has: (target, key) => Object.hasOwn(own, key) || Reflect.has(target, key),
    get(target, key) {
      if (Object.hasOwn(own, key)) return own[key as keyof typeof own];
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/**
 * @throws Unauthorized if the user would be sent over plain http (2025-11-25, Authorization, Communication Security),
 *   or to a server that does not declare PKCE (Authorization Code Protection)
 */
function checkAuthorizationUrl(url: URL, metadata: OAuthDiscoveryState['authorizationServerMetadata']): void {
  if (!isConfidential(url))
    throw new Unauthorized(`the server would send the user to ${url.protocol}//${url.host}, which is not https`);
  if (metadata && !metadata.code_challenge_methods_supported?.includes('S256')) throw new Unauthorized(noPkce);
}

const noPkce =
  'its authorization server does not say that it supports PKCE (code_challenge_methods_supported), without which no user is sent there';

/** The secrets in each method's result. */
const secretsIn: Record<string, (result: never) => (string | null | undefined)[]> = {
  tokens: ({ access_token, refresh_token }: OAuthTokens) => [access_token, refresh_token],
  clientInformation: ({ client_secret }: { client_secret?: string }) => [client_secret],
  prepareTokenRequest: (form: URLSearchParams) => [form.get('assertion')],
};

/** Shared by all sessions with one provider: its tokens are renewed, and its user is asked, once for all. */
export interface ProviderState {
  changing?: { key: string; done: Promise<void> };
  finishing?: Promise<void>;
  /** Set while the user is in the browser. */
  redirected?: { state: string | null };
  discovery?: OAuthDiscoveryState | undefined;
}

const states = new WeakMap<object, ProviderState>();

export function stateOf(provider: object): ProviderState {
  let state = states.get(provider);
  if (!state) states.set(provider, (state = {}));
  return state;
}

/** Changes tokens one after the other; who wants the same change meanwhile waits for it, and shares its outcome. */
export async function inTurn(state: ProviderState, key: string, change: () => Promise<void>): Promise<void> {
  if (state.finishing) return state.finishing;
  while (state.changing) {
    const { key: other, done } = state.changing;
    if (other === key) return done;
    await done.catch(() => undefined);
  }
  const done = change().finally(() => {
    delete state.changing;
  });
  state.changing = { key, done };
  return done;
}
