import type { HttpAddress } from '../address.js';
import type { Channel } from '../connection.js';
import { ConnectionError, unknownOutcome } from '../errors.js';
import type { Sdk } from '../open.js';
import type { SecretMask } from '../../secrets/index.js';
import { answering } from './answers.js';
import { boundedFetch } from './bounded-fetch.js';
import { withOwnHeaders } from './credentials.js';
import { renewOnce } from './renewal.js';
import { shortcut } from './shortcut.js';

interface ChannelOptions {
  maxMessageBytes: number;
  mask: SecretMask;
}

/** Streamable HTTP (2025-03-26 and later). */
export function openHttpChannel(sdk: Sdk, address: HttpAddress, options: ChannelOptions): Channel {
  const { url, fetch, ...settings } = httpSettings(address, options);
  const short = shortcut(url, fetch);
  const transport = new sdk.StreamableHTTPClientTransport(url, { fetch: answering(short.fetch), ...settings });
  // Authorization is the transport's affair from the first header on.
  if (!address.authProvider) short.attach(transport);
  return {
    kind: 'http',
    transport,
    retryAfterMs: fetch.retryAfterMs,
    takeStreamFailure: fetch.takeFailure,
    terminate: () => transport.terminateSession(),
    ...finishing(address, transport),
  };
}

/** HTTP with SSE, as of 2024-11-05. */
export function openSseChannel(sdk: Sdk, address: HttpAddress, options: ChannelOptions): Channel {
  const { url, fetch, ...settings } = httpSettings(address, options);
  const transport = new sdk.SSEClientTransport(url, { fetch, ...settings });
  let open = false;
  let lost = false;
  const start = transport.start.bind(transport);
  transport.start = async () => {
    await start();
    open = true;
  };
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    try {
      await send(message);
    } catch (error) {
      throw withStatus(error);
    }
  };
  return {
    kind: 'sse',
    transport,
    // All answers come over the one stream, and the session is bound to it: one that opens anew knows nothing of it.
    isFatal: (error) => (lost ||= open && error instanceof sdk.SseError),
    failure: () => (lost ? streamLost() : undefined),
    retryAfterMs: fetch.retryAfterMs,
    takeStreamFailure: fetch.takeFailure,
    ...finishing(address, transport),
  };
}

/** The SDK tells the status of a refused POST in words only; its other transport has it as properties. */
function withStatus(error: unknown): unknown {
  const told =
    error instanceof Error ? /^Error POSTing to endpoint \(HTTP (\d{3})\): ?([^]*)$/.exec(error.message) : null;
  return told ? Object.assign(error as Error, { status: Number(told[1]), data: { text: told[2] } }) : error;
}

function streamLost(): ConnectionError {
  return new ConnectionError("The server's event stream has broken off.", {
    code: 'CONNECTION_LOST',
    hint: `Connect again. ${unknownOutcome}`,
  });
}

/** Goes on with an authorization that waits for the user, where the provider can tell when the user has agreed. */
function finishing(
  { authProvider }: HttpAddress,
  transport: { finishAuth(response: URLSearchParams): Promise<void> },
): Pick<Channel, 'finishAuthorization'> {
  if (!authProvider || !('authorizationResponse' in authProvider) || !authProvider.authorizationResponse) return {};
  return { finishAuthorization: async () => transport.finishAuth(await authProvider.authorizationResponse!()) };
}

function httpSettings(address: HttpAddress, { maxMessageBytes, mask }: ChannelOptions) {
  const own = withOwnHeaders(address, address.fetch ?? globalThis.fetch);
  const fetch = boundedFetch(own.fetch, maxMessageBytes);
  return {
    url: own.url,
    // The SDK follows a redirect only within the origin it was given, so tokens do not leave it either.
    fetch,
    ...(address.authProvider && { authProvider: renewOnce(address.authProvider, fetch.authorizationOf, mask) }),
  };
}
