import type { AuthProvider as SdkAuthProvider, OAuthClientProvider } from '@modelcontextprotocol/client';
import type { HttpAddress } from '../address.js';
import type { Channel } from '../connection.js';
import type { Sdk } from '../open.js';
import type { SecretMask } from '../secrets.js';
import { boundedFetch } from './bounded-fetch.js';

interface ChannelOptions {
  maxMessageBytes: number;
  mask: SecretMask;
}

/** Streamable HTTP (2025-03-26 and later). */
export function openHttpChannel(sdk: Sdk, address: HttpAddress, options: ChannelOptions): Channel {
  const { fetch, ...settings } = httpSettings(address, options);
  const transport = new sdk.StreamableHTTPClientTransport(new URL(address.url), { fetch, ...settings });
  return {
    kind: 'http',
    transport,
    retryAfterMs: () => fetch.retryAfterMs(),
    terminate: () => transport.terminateSession(),
  };
}

/** HTTP with SSE, as of 2024-11-05. */
export function openSseChannel(sdk: Sdk, address: HttpAddress, options: ChannelOptions): Channel {
  const { fetch, ...settings } = httpSettings(address, options);
  const transport = new sdk.SSEClientTransport(new URL(address.url), { fetch, ...settings });
  return { kind: 'sse', transport, retryAfterMs: () => fetch.retryAfterMs() };
}

function httpSettings(address: HttpAddress, { maxMessageBytes, mask }: ChannelOptions) {
  return {
    fetch: boundedFetch(address.fetch ?? globalThis.fetch, maxMessageBytes),
    // The SDK follows a redirect only within the origin it was given, so headers and tokens never leave it.
    ...(address.headers && { requestInit: { headers: address.headers } }),
    ...(address.authProvider && { authProvider: withMaskedTokens(address.authProvider, mask) }),
  };
}

/** Teaches the mask every token on its way to the server. */
function withMaskedTokens(provider: NonNullable<HttpAddress['authProvider']>, mask: SecretMask): SdkAuthProvider | OAuthClientProvider {
  // OAuthProvider names only what is looked at here; its objects are the SDK's providers.
  if (!('token' in provider)) return provider as unknown as OAuthClientProvider;
  return {
    async token() {
      const token = await provider.token();
      if (token !== undefined) mask.add(token);
      return token;
    },
    ...(provider.onUnauthorized && {
      onUnauthorized: ({ response, serverUrl }) => provider.onUnauthorized!({ response, serverUrl }),
    }),
  };
}
