import type { SecretMask } from '../../secrets/index.js';
import { ConnectionError } from '../errors/errors.js';
import { HandshakeRefused, HttpFailure, NoEventStream, TimedOut, Unauthorized } from '../errors/failures.js';
import { openEndpoint } from '../http/endpoint.js';
import { sseTransport } from '../http/sse.js';
import { streamableHttp } from '../http/streamable-http.js';
import { within } from '../runtime/timers.js';
import { stdioTransport } from '../stdio/stdio.js';
import type { HttpAddress, ServerAddress } from '../transport/address.js';
import { isClientTransport, ownTransport, type ClientTransport } from '../transport/own-transport.js';
import type { Transport } from '../transport/transport.js';
import { Connection, type ConnectionListener } from './connection.js';
import { handshakeRevisions, negotiate, newestHandshake, revisionsNamedIn, statelessRevision } from './negotiate.js';
import type { NegotiationMode, NegotiationOptions } from './negotiate.js';

export interface OpenOptions extends ConnectionListener, NegotiationOptions {
  maxMessageBytes: number;
  revisions: 'handshake-first' | 'stateless-first';
  mask: SecretMask;
  offering?: string | undefined;
  onDiagnostics: (text: string | undefined) => void;
}

/** How long a server may be silent when it is asked for discovery first. */
const discoveryMs = 5000;

/**
 * Opens a connection in the revision, and over the HTTP transport, that the server speaks. The handshake comes first:
 * nearly every server knows it, and some exit or hang on any other request. If it is rejected, discovery is tried, and
 * for HTTP the SSE transport of 2024-11-05 as well.
 *
 * @throws the error of the first attempt, unless another one found out more
 */
export async function openConnection(
  address: ServerAddress | ClientTransport,
  options: OpenOptions,
): Promise<Connection> {
  if (isClientTransport(address)) return overTransport(ownTransport(address, options.maxMessageBytes), options);
  if (address.transport === 'sse') return overSse(address, options);
  if (address.transport === 'stdio') return overTransport(stdioTransport(address, options), options);
  const endpoint = await openEndpoint(address, options.mask);
  return overTransport(streamableHttp(endpoint, options.maxMessageBytes), options, address);
}

async function overTransport(transport: Transport, options: OpenOptions, address?: HttpAddress): Promise<Connection> {
  const handshake = { offering: options.offering ?? newestHandshake };
  const isHandshakeFirst = options.revisions === 'handshake-first';
  return started(transport, options, async (connection) => {
    const inMode = (mode: NegotiationMode) => () => negotiate(connection, mode, options);
    const first = isHandshakeFirst ? handshake : 'discovery';
    const second = isHandshakeFirst ? 'discovery' : handshake;
    // A server that does not know discovery may stay silent. The handshake comes next, so discovery gets only a part of
    // the time.
    const limit = isHandshakeFirst ? options.idleTimeoutMs : Math.min(options.idleTimeoutMs, discoveryMs);
    try {
      return await negotiate(connection, first, { ...options, idleTimeoutMs: limit });
    } catch (error) {
      const isSilent = error instanceof TimedOut && !isHandshakeFirst && !options.signal?.aborted;
      if (isSilent) return firstOf(error, [inMode(second), inMode(first)]); // one that knows nothing else was only slow
      if (!isRefusal(error)) throw error;
      const named = revisionsNamedIn(error);
      const offering = handshakeRevisions.find((revision) => named.includes(revision));
      if (offering && !named.includes(statelessRevision)) return firstOf(error, [inMode({ offering })]);
      const sse = sseAddresses(address).map((place) => () => overSse(place, options));
      const isOfMcp = error instanceof HandshakeRefused;
      return firstOf(error, isOfMcp ? [inMode(second), ...sse] : [...sse, inMode(second)]);
    }
  });
}

async function overSse(address: HttpAddress, options: OpenOptions): Promise<Connection> {
  const transport = sseTransport(await openEndpoint(address, options.mask), options.maxMessageBytes);
  const { offering = newestHandshake } = options;
  return started(transport, options, (connection) => negotiate(connection, { offering }, options));
}

async function started(
  transport: Transport,
  options: OpenOptions,
  use: (connection: Connection) => Promise<Connection>,
): Promise<Connection> {
  const connection = new Connection(transport, options);
  try {
    await within(options.idleTimeoutMs, options.signal, ({ signal }) => connection.start(signal));
    const used = await use(connection);
    if (used !== connection) await connection.close();
    return used;
  } catch (error) {
    options.onDiagnostics(connection.diagnostics());
    const failure = connection.failure;
    await connection.close();
    throw failure ?? error;
  }
}

async function firstOf(first: unknown, ways: readonly (() => Promise<Connection>)[]): Promise<Connection> {
  for (const way of ways) {
    try {
      return await way();
    } catch (error) {
      if (!isRefusal(error)) throw saysMore(error, first) ? error : first;
    }
  }
  throw first;
}

/** The SSE transport's addresses: the same one, and the usual one beside an address that ends in /mcp. */
function sseAddresses(address: HttpAddress | undefined): HttpAddress[] {
  if (!address || address.automaticSSEFallback === false) return [];
  const beside = new URL(address.url);
  beside.pathname = beside.pathname.replace(/\/mcp\/?$/, '/sse');
  const places = beside.href === new URL(address.url).href ? [address.url] : [address.url, beside.href];
  return places.map((url) => ({ ...address, url }));
}

function saysMore(later: unknown, first: unknown): boolean {
  const asksForMore =
    later instanceof Unauthorized || (later instanceof HttpFailure && [401, 403].includes(later.status));
  return asksForMore || (first instanceof HttpFailure && [404, 405].includes(first.status));
}

function isRefusal(error: unknown): boolean {
  if (error instanceof HandshakeRefused || error instanceof NoEventStream) return true;
  // Other statuses are about credentials, load or the server's health.
  if (error instanceof HttpFailure)
    return error.status >= 400 && error.status < 500 && ![401, 403, 407, 408, 429].includes(error.status);
  // An event stream that ends at once is how a server of the SSE transport may take a request to the wrong address.
  return error instanceof ConnectionError && error.code === 'CONNECTION_LOST';
}
