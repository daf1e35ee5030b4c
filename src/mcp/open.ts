import type { Client } from '@modelcontextprotocol/client';
import type { ServerAddress } from './address.js';
import { connectionOf, type Channel, type Connection } from './connection.js';
import { ProtocolError } from './errors.js';
import { ConnectGivenUp } from './given-up.js';
import { openHttpChannel, openSseChannel } from './http/channel.js';
import { revisionsIn } from './refused-revision.js';
import { loadSdk } from './sdk.js';
import type { SecretMask } from '../secrets/index.js';
import type { ConnectOptions } from './session.js';
import { openStdioChannel } from './stdio/channel.js';
import { WireTap } from './tap.js';
import { isUnauthorized } from './unauthorized.js';

export type Sdk = Awaited<ReturnType<typeof loadSdk>>;

export interface OpenOptions extends Required<
  Pick<ConnectOptions, 'timeoutMs' | 'clientInfo' | 'maxMessageBytes' | 'revisions'>
> {
  signal?: AbortSignal;
  mask: SecretMask;
  onNotification(method: string, params: Record<string, unknown>): void;
}

/**
 * The two ways in: the handshake of 2024-11-05 to 2025-11-25, which offers the first of a list of revisions, and the
 * stateless discovery of 2026-07-28.
 */
type Way = 'handshake' | 'discovery' | { handshake: string[] };

/**
 * Opens a connection in whatever revision, and over whichever of its HTTP transports, the server speaks.
 *
 * The handshake comes first, because nearly every server knows it, including those that know the latest revision as
 * well, and because servers exist that exit or hang when anything else comes before it. Where it is refused, discovery
 * is tried over the same process or endpoint, and for HTTP the SSE transport of 2024-11-05 as well. So a server costs
 * no probe, and no second process, unless it is of the latest revision only.
 *
 * Rejects with the SDK's errors, those of the first attempt where all of them fail.
 */
export async function openConnection(address: ServerAddress, options: OpenOptions): Promise<Connection> {
  const sdk = await loadSdk();
  const [first, second]: Way[] =
    options.revisions === 'stateless-first' ? ['discovery', 'handshake'] : ['handshake', 'discovery'];
  if (address.transport === 'stdio') {
    const channel = openStdioChannel(address, options);
    return firstOf(
      () => negotiate(sdk, first!, channel, options, { keep: true }),
      (refusal) => [() => negotiate(sdk, namedBy(sdk, refusal) ?? second!, channel, options)],
    );
  }
  const overHttp = (way: Way) => authorized(sdk, way, () => openHttpChannel(sdk, address, options), options);
  const overSse = () => authorized(sdk, 'handshake', () => openSseChannel(sdk, address, options), options);
  if (address.transport === 'sse') return overSse();
  return firstOf(
    () => overHttp(first!),
    (refusal) => {
      const named = namedBy(sdk, refusal);
      if (named) return [() => overHttp(named)];
      const inOtherWay = () => overHttp(second!);
      return speaksJsonRpc(refusal) ? [inOtherWay, overSse] : [overSse, inOtherWay];
    },
  );
}

/** Tries one attempt, and others for as long as the refusals leave hope; rejects with the first one's error. */
async function firstOf<T>(
  attempt: () => Promise<T>,
  others: (refusal: unknown) => ReadonlyArray<() => Promise<T>>,
): Promise<T> {
  try {
    return await attempt();
  } catch (first) {
    if (!isRefusal(first)) throw first;
    for (const other of others(first)) {
      try {
        return await other();
      } catch (error) {
        if (!isRefusal(error)) break;
      }
    }
    throw first;
  }
}

/** Whether a refusal came from an MCP server over this transport, and not from a server that only knows another one. */
function speaksJsonRpc(refusal: unknown): boolean {
  const { code, data } = refusal as { code?: unknown; data?: { text?: unknown } };
  return typeof code === 'number' || (typeof data?.text === 'string' && /"jsonrpc"/.test(data.text));
}

/** The handshake with the revisions that a refusal names, unless discovery is what it asks for. */
function namedBy(sdk: Sdk, refusal: unknown): Way | undefined {
  const named = revisionsIn(refusal);
  const known = sdk.SUPPORTED_PROTOCOL_VERSIONS.filter((revision) => named.includes(revision));
  return known.length > 0 && !named.includes(latestRevision) ? { handshake: known } : undefined;
}

/** Negotiates, and once more when the server wanted an authorization that a user has given meanwhile. */
async function authorized(sdk: Sdk, way: Way, openChannel: () => Channel, options: OpenOptions): Promise<Connection> {
  const channel = openChannel();
  try {
    return await negotiate(sdk, way, channel, options);
  } catch (error) {
    if (!isUnauthorized(error) || !channel.finishAuthorization) throw error;
    await channel.finishAuthorization();
    return negotiate(sdk, way, openChannel(), options);
  }
}

/**
 * Whether the server is there but does not want to be spoken to in this way: a JSON-RPC error, or an HTTP status that
 * is about the request rather than about credentials (401, 403), load (429) or the server's health (5xx).
 */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, status } = error as { code?: unknown; status?: unknown };
  if (typeof status === 'number') return status >= 400 && status < 500 && ![401, 403, 407, 408, 429].includes(status);
  // An event stream that ends at once is how a server of the SSE transport may take a request to the wrong address.
  return typeof code === 'number' || code === 'ERA_NEGOTIATION_FAILED' || code === 'CONNECTION_LOST';
}

async function negotiate(
  sdk: Sdk,
  way: Way,
  channel: Channel,
  options: OpenOptions,
  { keep = false } = {},
): Promise<Connection> {
  const client = new sdk.Client(options.clientInfo, {
    // Nothing is offered that a program without a user at hand cannot do: no elicitation, sampling or roots.
    capabilities: {},
    versionNegotiation: way === 'discovery' ? { mode: { pin: latestRevision } } : { mode: 'legacy' },
    ...(typeof way === 'object' && { supportedProtocolVersions: way.handshake }),
  });
  const tap = new WireTap(channel.transport, {
    onNotification: options.onNotification,
    isFatal: channel.isFatal,
    takeStreamFailure: channel.takeStreamFailure,
    keep,
  });
  try {
    await connectClient(client, tap, options);
  } catch (error) {
    if (!keep || !isRefusal(error)) await channel.transport.close().catch(() => {});
    throw channel.failure?.() ?? tap.handshakeFailure ?? unsupportedVersion(sdk, tap) ?? error;
  }
  tap.keep = false;
  return connectionOf(client, tap, channel);
}

/** The error for a server that answers the handshake with a revision nobody knows. */
function unsupportedVersion(sdk: Sdk, tap: WireTap): ProtocolError | undefined {
  const version = tap.handshake?.result['protocolVersion'];
  if (version === undefined || sdk.SUPPORTED_PROTOCOL_VERSIONS.includes(version as string)) return undefined;
  return new ProtocolError(
    `The server speaks protocol revision ${JSON.stringify(version).slice(0, 40)}, which this client does not know.`,
    {
      code: 'UNSUPPORTED_PROTOCOL_VERSION',
      hint: `It knows ${[latestRevision, ...sdk.SUPPORTED_PROTOCOL_VERSIONS].join(', ')}.`,
    },
  );
}

const latestRevision = '2026-07-28';

/** The SDK bounds its requests, but not the time a transport takes to start. */
async function connectClient(client: Client, tap: WireTap, { timeoutMs, signal }: OpenOptions): Promise<void> {
  const connected = client.connect(tap, { timeout: timeoutMs, ...(signal && { signal }) });
  let onAbort: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  const givenUp = new Promise<never>((_, reject) => {
    onAbort = () => reject(new ConnectGivenUp());
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    timer = setTimeout(() => reject(new ConnectGivenUp()), timeoutMs);
  });
  try {
    await Promise.race([connected, givenUp]);
  } finally {
    connected.catch(() => {});
    clearTimeout(timer);
    if (onAbort) signal?.removeEventListener('abort', onAbort);
  }
}
