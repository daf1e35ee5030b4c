import { aFunction, anObject, checkOptions, milliseconds, oneOf, signal } from '../../json/index.js';
import type { JsonObject, Option } from '../../json/index.js';
import type { Connection } from '../connection/connection.js';
import type { ServerAddress } from '../transport/address.js';
import { isClientTransport, type ClientTransport } from '../transport/own-transport.js';
import { features } from './features.js';
import { LiveConnection, type HostOptions } from './live-connection.js';
import { defaultListLimits } from './pages.js';
import { requester, type Requester } from './requests.js';
import { serverInfoFrom, type ConnectOptions, type Session } from './session.js';
import { subscriptions } from './subscriptions.js';
import { toolsOf } from './tools.js';

const connectOptions: Record<keyof ConnectOptions, Option> = {
  clientInfo: anObject,
  elicit: aFunction,
  listLimits: anObject,
  maxMessageBytes: { words: 'a number of bytes above 0', accepts: (value) => typeof value === 'number' && value > 0 },
  onNotification: aFunction,
  revisions: oneOf('handshake-first', 'stateless-first'),
  signal,
  idleTimeoutMs: milliseconds,
};

/**
 * Opens a session with an MCP server of any revision, over streamable HTTP, SSE or stdio.
 *
 * ```ts
 * await using session = await connect({ url: 'https://example.com/mcp' });
 * const { tools } = await session.listTools();
 * const result = await callTool(session, tools[0]!, { query: 'verbatim' });
 * ```
 *
 * @throws McpError of the kind that fits: the address is wrong, the server cannot be reached, does not start, rejects
 *   the credentials, does not answer in time, or does not speak MCP
 */
export async function connect(server: ServerAddress | ClientTransport, options: ConnectOptions = {}): Promise<Session> {
  checkOptions('connect', options, connectOptions);
  return (await openSession(server, options)).session;
}

export interface HostSession extends Pick<ReturnType<typeof toolsOf>, 'sendCall'> {
  readonly session: Session;
  readonly connection: () => Connection;
  readonly request: Requester;
}

export async function openSession(
  server: ServerAddress | ClientTransport,
  options: ConnectOptions,
  host: HostOptions = {},
): Promise<HostSession> {
  const live = new LiveConnection(server, options, host);
  await live.open();
  const request = requester(live);
  const limits = { ...defaultListLimits, ...options.listLimits };
  const { sendCall, ...tools } = toolsOf(live, request, limits);
  const { renew, ...changes } = subscriptions(live, request);
  live.reconnectListeners.add(() => void renew(host.onForgotten).catch(() => undefined));

  const notify = async (method: string, params: JsonObject) =>
    live.explained(live.current().notify(method, params, live.idleTimeoutMs), method);
  const { handshake, transport } = live.current();
  const close = () => live.close();
  const session: Session = Object.assign(new Life(live), {
    protocolVersion: handshake.protocolVersion,
    capabilities: handshake.capabilities,
    ...(handshake.instructions !== undefined && { instructions: handshake.instructions }),
    ...(handshake.serverInfo && { serverInfo: serverInfoFrom(handshake.serverInfo) }),
    transport: isClientTransport(server) ? 'custom' : transport.kind,
    ...tools,
    ...features(request, limits, () => live.current().handshake.capabilities, notify),
    ...changes,
    onNotification: (listener) => live.onNotification(listener),
    onEnd: (listener) => added(live.endListeners, listener),
    onReconnect: (listener) => added(live.reconnectListeners, listener),
    close,
    [Symbol.asyncDispose]: close,
  } satisfies Omit<Session, 'ended'>);
  if (!isClientTransport(server)) Object.defineProperty(session, 'address', { value: placeOf(server) });
  return { session, connection: () => live.current(), request, sendCall };
}

/** V8 keeps an object with a getter of its own as a dictionary, of five times the size. */
class Life {
  readonly #live: LiveConnection;

  constructor(live: LiveConnection) {
    this.#live = live;
  }

  get ended(): boolean {
    return this.#live.ended;
  }
}

function added<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function placeOf(server: ServerAddress): ServerAddress {
  if (server.transport !== 'stdio') return { url: server.url };
  const { transport, command, args } = server;
  return { transport, command, ...(args && { args }) };
}
