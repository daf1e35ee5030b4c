import { isObject, type JsonObject } from '../../json/index.js';
import type { SecretMask } from '../../secrets/index.js';
import type { HttpAddress, ServerAddress } from '../transport/address.js';
import { ConnectionError, ProtocolError, type McpError } from '../errors/errors.js';
import {
  HandshakeRefused,
  HttpFailure,
  NoEventStream,
  TimedOut,
  Unauthorized,
  unsupportedRevision,
} from '../errors/failures.js';
import { openEndpoint } from '../http/endpoint.js';
import { revisionKey } from '../http/request-headers.js';
import { SseTransport } from '../http/sse.js';
import { StreamableHttp } from '../http/streamable-http.js';
import { StdioTransport } from '../stdio/stdio.js';
import { Connection, type ConnectionListener, type Handshake } from './connection.js';
import type { WireText } from '../wire/envelope.js';
import { isClientTransport, OwnTransport, type ClientTransport } from '../transport/own-transport.js';
import type { Transport } from '../transport/transport.js';
import { Deadline, unlessAborted } from '../runtime/deadline.js';
import { whileBusy } from './while-busy.js';
import { wireSlice } from '../wire/wire-text.js';

export interface OpenOptions extends ConnectionListener {
  idleTimeoutMs: number;
  clientInfo: { name: string; version: string };
  maxMessageBytes: number;
  revisions: 'handshake-first' | 'stateless-first';
  signal?: AbortSignal | undefined;
  mask: SecretMask;
  /** What the client offers to do for the server; nothing by default. */
  capabilities?: JsonObject | undefined;
  /** The extensions that it knows, for a server without a handshake; none by default. */
  extensions?: JsonObject | undefined;
  /** The revision that a handshake offers; the newest by default. */
  offering?: string | undefined;
  /** Told what the server printed or sent that is not MCP, when an attempt has failed. */
  onRemark: (remark: string | undefined) => void;
}

/** The revisions that a handshake can agree upon, the newest first. */
export const handshakeRevisions: readonly string[] = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
];

const newestHandshake = '2025-11-25';

/** How long a server may be silent when it is asked whether it knows the revision without a handshake. */
const discoveryMs = 5000;

/** The revision without a handshake. */
export const statelessRevision = '2026-07-28';

const clientInfoKey = 'io.modelcontextprotocol/clientInfo';
const clientCapabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';
const serverInfoKey = 'io.modelcontextprotocol/serverInfo';

/**
 * How to agree with a server upon a revision: the handshake of 2024-11-05 to 2025-11-25, which offers one and takes what
 * the server offers instead, or the discovery of 2026-07-28, which asks what there is.
 */
type NegotiationMode = 'discovery' | { offering: string };

/**
 * Opens a connection in whatever revision, and over whichever of its HTTP transports, the server speaks.
 *
 * The handshake comes first, because nearly every server knows it, including those that know the latest revision as
 * well, and because servers exist that exit or hang when anything else comes before it. Where it is refused, discovery
 * is tried over the same process or endpoint, and for HTTP the SSE transport of 2024-11-05 as well. So a server costs
 * no probe, and no second process, unless it is of the latest revision only.
 *
 * @throws what the first attempt failed with, unless another one found out more
 */
export async function openConnection(
  address: ServerAddress | ClientTransport,
  options: OpenOptions,
): Promise<Connection> {
  if (isClientTransport(address)) return overTransport(new OwnTransport(address, options), options);
  if (address.transport === 'sse') return overSse(address, options);
  if (address.transport === 'stdio') return overTransport(new StdioTransport(address, options), options);
  const endpoint = await openEndpoint(address, options.mask);
  return overTransport(new StreamableHttp(endpoint, options.maxMessageBytes), options, address);
}

/** @param address where the SSE transport may be instead */
async function overTransport(transport: Transport, options: OpenOptions, address?: HttpAddress): Promise<Connection> {
  const handshake = { offering: options.offering ?? newestHandshake };
  const modes: [NegotiationMode, NegotiationMode] =
    options.revisions === 'stateless-first' ? ['discovery', handshake] : [handshake, 'discovery'];
  const connection = new Connection(transport, options);
  const negotiate = (mode: NegotiationMode) => negotiated(connection, mode, options);
  try {
    await started(connection, options);
    // Whoever does not know discovery may be silent: the handshake comes next, though not after all the time there is.
    const limits = modes[0] === 'discovery' ? { idleTimeoutMs: Math.min(options.idleTimeoutMs, discoveryMs) } : {};
    return await negotiated(connection, modes[0], { ...options, ...limits }).catch(inAnotherWay);
  } catch (error) {
    options.onRemark(connection.remark());
    const failure = connection.failure;
    await connection.close();
    throw failure ?? error;
  }

  async function inAnotherWay(first: unknown): Promise<Connection> {
    if (!isRefusal(first) && !isSilence(first)) throw first;
    for (const attempt of waysAfter(first)) {
      try {
        const used = await attempt();
        if (used !== connection) await connection.close();
        return used;
      } catch (error) {
        if (!isRefusal(error)) throw saysMore(error, first) ? error : first;
      }
    }
    throw first;
  }

  function isSilence(error: unknown): boolean {
    return error instanceof TimedOut && modes[0] === 'discovery' && !options.signal?.aborted;
  }

  function waysAfter(refusal: unknown): readonly (() => Promise<Connection>)[] {
    // One that knows nothing else was only slow.
    if (isSilence(refusal)) return [() => negotiate(modes[1]), () => negotiate(modes[0])];
    const named = offeredBy(refusal);
    if (named) return [() => negotiate({ offering: named })];
    const inOtherMode = () => negotiate(modes[1]);
    if (!address || address.automaticSSEFallback === false) return [inOtherMode];
    const sse = sseAddresses(address).map((place) => () => overSse(place, options));
    return refusal instanceof HandshakeRefused ? [inOtherMode, ...sse] : [...sse, inOtherMode];
  }
}

async function overSse(address: HttpAddress, options: OpenOptions): Promise<Connection> {
  const endpoint = await openEndpoint(address, options.mask);
  const connection = new Connection(new SseTransport(endpoint, options.maxMessageBytes), options);
  try {
    await started(connection, options);
    return await negotiated(connection, { offering: options.offering ?? newestHandshake }, options);
  } catch (error) {
    const failure = connection.failure;
    await connection.close();
    throw failure ?? error;
  }
}

/** The SSE transport is looked for at the same address, and where servers have it beside one that ends in /mcp. */
function sseAddresses(address: HttpAddress): HttpAddress[] {
  const beside = new URL(address.url);
  beside.pathname = beside.pathname.replace(/\/mcp\/?$/, '/sse');
  const places = beside.href === new URL(address.url).href ? [address.url] : [address.url, beside.href];
  return places.map((url) => ({ ...address, url }));
}

/** The best of the revisions that a refusal names, unless discovery is what it asks for. */
function offeredBy(refusal: unknown): string | undefined {
  const named = namesIn(refusal);
  return named.includes(statelessRevision)
    ? undefined
    : handshakeRevisions.find((revision) => named.includes(revision));
}

/**
 * The revisions that a refusal says are supported. A server should offer another one instead (2025-11-25, Lifecycle), but
 * the specification's own example names them like this.
 */
function namesIn(refusal: unknown): readonly unknown[] {
  const data = refusal instanceof HandshakeRefused ? refusal.answer.data : undefined;
  return isObject(data) && Array.isArray(data['supported']) ? data['supported'] : [];
}

/** Whether a later attempt has found out what is really the matter: where the first one was at the wrong address, say. */
function saysMore(later: unknown, first: unknown): boolean {
  if (later instanceof Unauthorized || (later instanceof HttpFailure && [401, 403].includes(later.status))) return true;
  return first instanceof HttpFailure && [404, 405].includes(first.status);
}

/**
 * Whether the server is there but does not want to be spoken to in this way: a JSON-RPC error, or an HTTP status that
 * is about the request rather than about credentials (401, 403), load (429) or the server's health (5xx).
 */
function isRefusal(error: unknown): boolean {
  if (error instanceof HandshakeRefused || error instanceof NoEventStream) return true;
  if (error instanceof HttpFailure) {
    return error.status >= 400 && error.status < 500 && ![401, 403, 407, 408, 429].includes(error.status);
  }
  // An event stream that ends at once is how a server of the SSE transport may take a request to the wrong address.
  return error instanceof ConnectionError && error.code === 'CONNECTION_LOST';
}

/** Starts the transport, which may wait for the user to agree, within the time limit. */
async function started(connection: Connection, options: OpenOptions): Promise<void> {
  const deadline = new Deadline(options.idleTimeoutMs, options.signal);
  try {
    await deadline.wait(authorized(connection, options, () => connection.start()));
  } finally {
    deadline.clear();
  }
}

async function negotiated(connection: Connection, mode: NegotiationMode, options: OpenOptions): Promise<Connection> {
  await authorized(connection, options, () =>
    mode === 'discovery' ? discover(connection, options) : shakeHands(connection, mode.offering, options),
  );
  return connection;
}

/** Does something, and once more when the server wanted an authorization that a user has given meanwhile. */
async function authorized<T>(connection: Connection, { signal }: OpenOptions, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Unauthorized && error.awaitsUser) || !connection.finishAuthorization) throw error;
    await unlessAborted(connection.finishAuthorization(), signal);
    return work();
  }
}

async function shakeHands(connection: Connection, offering: string, options: OpenOptions): Promise<void> {
  connection.envelope = undefined;
  connection.protocolVersion = undefined;
  // Nothing is offered that a program without a user at hand cannot do, unless the caller has one.
  const { capabilities = {}, clientInfo } = options;
  const params = { protocolVersion: offering, capabilities, clientInfo };
  const { result, wire } = await asked(connection, 'initialize', params, options);
  const revision = result['protocolVersion'];
  // Such a server is taken at its word, and asked in the way of that revision.
  if (revision === statelessRevision)
    throw noCommonRevision(`it agrees upon ${revision} in a handshake, which that revision does not have`, [revision]);
  if (typeof revision !== 'string' || !handshakeRevisions.includes(revision)) throw unknownRevision(revision);
  connection.protocolVersion = revision;
  connection.handshake = readHandshake(result, wire, revision);
  try {
    await connection.notify('notifications/initialized', undefined, options.idleTimeoutMs);
  } catch (error) {
    // Servers that do not care for it refuse it as they refuse any notification.
    if (!(error instanceof HttpFailure && error.status !== 401 && error.status < 500)) throw error;
  }
}

async function discover(connection: Connection, options: OpenOptions): Promise<void> {
  connection.protocolVersion = undefined;
  connection.envelope = {
    [revisionKey]: statelessRevision,
    [clientInfoKey]: options.clientInfo,
    [clientCapabilitiesKey]: { ...options.capabilities, ...(options.extensions && { extensions: options.extensions }) },
  };
  const { result, wire } = await asked(connection, 'server/discover', {}, options).catch((error: unknown) => {
    // A server that refuses the revision and yet names it as one that it supports is taken at its word.
    if (!namesIn(error).includes(statelessRevision)) throw error;
    return asked(connection, 'server/discover', {}, options);
  });
  const supported = result['supportedVersions'];
  if (!Array.isArray(supported) || !supported.includes(statelessRevision)) {
    throw noCommonRevision('no common revision', supported);
  }
  connection.protocolVersion = statelessRevision;
  connection.handshake = readHandshake(result, wire, statelessRevision);
}

async function asked(
  connection: Connection,
  method: string,
  params: JsonObject,
  { idleTimeoutMs, signal }: OpenOptions,
): Promise<{ result: JsonObject; wire: WireText }> {
  const answer = await whileBusy(() => connection.request(method, params, { idleTimeoutMs, signal }), {
    idleTimeoutMs,
    signal,
  });
  if ('error' in answer) throw new HandshakeRefused(answer.error);
  return answer;
}

function readHandshake(result: JsonObject, wire: WireText, protocolVersion: string): Handshake {
  const meta = isObject(result['_meta']) ? result['_meta'] : {};
  const serverInfo = result['serverInfo'] ?? meta[serverInfoKey];
  return {
    protocolVersion,
    capabilities: isObject(result['capabilities']) ? result['capabilities'] : {},
    ...(isObject(serverInfo) && { serverInfo }),
    ...(typeof result['instructions'] === 'string' && { instructions: result['instructions'] }),
    get text() {
      return wireSlice(wire, ['result']);
    },
  };
}

function noCommonRevision(message: string, supported: unknown): HandshakeRefused {
  return new HandshakeRefused({ code: unsupportedRevision, message, data: { supported } });
}

function unknownRevision(revision: unknown): McpError {
  return new ProtocolError(
    revision === undefined
      ? 'The server does not say which protocol revision it speaks.'
      : `The server speaks protocol revision ${JSON.stringify(revision).slice(0, 40)}, which this client does not know.`,
    {
      code: 'UNSUPPORTED_PROTOCOL_VERSION',
      hint: `The client knows ${[statelessRevision, ...handshakeRevisions].join(', ')}.`,
    },
  );
}
