import { version } from '../../../package.json';
import {
  aFunction,
  anObject,
  checkOptions,
  type JsonObject,
  milliseconds,
  oneOf,
  type Option,
  signal,
} from '../../json/index.js';
import { addressSecrets, secretMask } from '../../secrets/index.js';
import type { Connection, ConnectionListener } from '../connection/connection.js';
import { subscribe } from '../connection/listen-requests.js';
import { openConnection, type OpenOptions } from '../connection/open-connection.js';
import type { McpError } from '../errors/errors.js';
import { connecting, explain, ofAnswer, type FailureContext } from '../errors/explain.js';
import { timerMs } from '../runtime/timers.js';
import { checkAddress, describeAddress, type ServerAddress } from '../transport/address.js';
import { isClientTransport, type ClientTransport } from '../transport/own-transport.js';
import { withDebugLog } from './debug-log.js';
import { features } from './features.js';
import { LiveConnection } from './live-connection.js';
import { defaultListLimits } from './pages.js';
import { requester, type Requester } from './requests.js';
import { serverInfoFrom, type ConnectOptions, type Session } from './session.js';
import { subscriptions } from './subscriptions.js';
import { tasksExtension } from './tasks.js';
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
 * @throws McpError of the kind that fits: the address is wrong, the server cannot be reached, does not start, refuses
 *   the credentials, does not answer in time, or does not speak MCP
 */
export async function connect(server: ServerAddress | ClientTransport, options: ConnectOptions = {}): Promise<Session> {
  checkOptions('connect', options, connectOptions);
  return (await openSession(server, options)).session;
}

/** What a host adds that stands between a client of its own and the server. */
export interface HostOptions extends Partial<ConnectionListener> {
  readonly capabilities?: JsonObject;
  /** The revision that its client asks for in a handshake. */
  readonly offering?: string | undefined;
  /** Called when the connection ends, with the reason unless it was asked for. */
  readonly onEnd?: (failure: McpError | undefined) => void;
  /** Called when the server has forgotten its HTTP session, and so all that it was asked for. */
  readonly onReconnect?: () => void;
}

/** A session, and for a host what a session keeps to itself. */
export interface HostSession extends Pick<ReturnType<typeof toolsOf>, 'sendCall'> {
  readonly session: Session;
  /** The connection in use; throws once the session is over. */
  readonly connection: () => Connection;
  /** Sends any request, and gives back the answer as it stood on the wire. */
  readonly request: Requester;
}

/** @throws McpError as `connect` does */
export async function openSession(
  server: ServerAddress | ClientTransport,
  options: ConnectOptions,
  host: HostOptions = {},
): Promise<HostSession> {
  const address = isClientTransport(server) ? undefined : server;
  if (address) checkAddress(address);
  const mask = secretMask(address ? addressSecrets(address) : []);
  const idleTimeoutMs = timerMs(options.idleTimeoutMs ?? 60_000);
  const context = { server: address ? describeAddress(address) : 'The server', mask, idleTimeoutMs };
  const limits = { ...defaultListLimits, ...options.listLimits };
  const notifications = notificationsFor(options, host);

  const live = await LiveConnection.open({
    signal: options.signal,
    async open(signal) {
      const opened = await connectionTo(server, { ...options, signal }, host, context, notifications);
      notifications.hearOn(opened);
      return opened;
    },
    onReconnect() {
      host.onReconnect?.();
      // A server that has forgotten its sessions has been started anew, perhaps with other tools.
      tools.forgetTools();
      void changes.renew();
    },
  });
  if (host.onEnd) live.endListeners.add(host.onEnd);

  const { current, reconnect, closed, close } = live;
  const ask = withDebugLog(requester({ ...context, elicit: options.elicit, current, reconnect, closed }), mask);
  const { sendCall, ...tools } = toolsOf({ ask, limits, current, listeners: notifications.listeners });
  const changes = subscriptions({ ask, announce, current, onNotification });

  async function announce(notifications: JsonObject, signal: AbortSignal, limitMs = idleTimeoutMs): Promise<void> {
    const about = { ...context, method: 'subscriptions/listen', idleTimeoutMs: timerMs(limitMs), signal };
    const refused = await explained(subscribe(current(), notifications, about), about);
    if (refused) throw ofAnswer(refused, about);
  }

  const notify = async (method: string, params: JsonObject) =>
    explained(current().notify(method, params, idleTimeoutMs), { ...context, method });
  const explained = <T>(work: Promise<T>, about: FailureContext) =>
    work.catch((error: unknown) => {
      throw explain(error, { ...about, connectionFailure: live.failure });
    });

  function onNotification(listener: NotificationListener): () => void {
    notifications.listeners.add(listener);
    notifications.wanted();
    if (!live.ended) notifications.hearOn(current());
    return () => void notifications.listeners.delete(listener);
  }

  const { handshake, transport } = current();
  const session: Session = {
    protocolVersion: handshake.protocolVersion,
    capabilities: handshake.capabilities,
    ...(handshake.instructions !== undefined && { instructions: handshake.instructions }),
    ...(handshake.serverInfo && { serverInfo: serverInfoFrom(handshake.serverInfo) }),
    transport: address ? transport.kind : 'custom',
    get ended() {
      return live.ended;
    },
    ...tools,
    ...features({ ask, limits, notify, capabilities: () => current().handshake.capabilities }),
    ...changes.session,
    onNotification,
    onEnd(listener) {
      live.endListeners.add(listener);
      return () => void live.endListeners.delete(listener);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  if (address) Object.defineProperty(session, 'address', { value: placeOf(address) });
  return { session, connection: current, request: ask, sendCall };
}

type NotificationListener = NonNullable<ConnectOptions['onNotification']>;

/** Who hears what the server sends on its own account, over all connections of a session. */
function notificationsFor({ onNotification, elicit }: ConnectOptions, host: HostOptions) {
  const listeners = new Set<NotificationListener>();
  // Questions may come that way, too.
  let isWanted = [onNotification, elicit, host.onNotification].some((each) => each !== undefined);
  return {
    listeners,
    wanted: () => (isWanted = true),
    /** Opens the channel of a connection, where somebody listens. Without a handshake, changes are asked for one by one. */
    hearOn(connection: Connection) {
      if (isWanted && !connection.envelope) void connection.listen();
    },
    received: ((method, params, origin) => {
      for (const listener of listeners) listener(method, params);
      onNotification?.(method, params);
      host.onNotification?.(method, params, origin);
    }) satisfies ConnectionListener['onNotification'],
  };
}

/** Opens a connection for a session, and explains why it cannot be opened. */
async function connectionTo(
  server: ServerAddress | ClientTransport,
  options: ConnectOptions,
  host: HostOptions,
  context: Omit<FailureContext, 'method'>,
  { received }: ReturnType<typeof notificationsFor>,
): Promise<Connection> {
  let diagnostics: string | undefined;
  try {
    return await openConnection(server, {
      ...context,
      clientInfo: options.clientInfo ?? { name: 'mcp-verbatim', version },
      maxMessageBytes: options.maxMessageBytes ?? 128 * 1024 * 1024,
      revisions: options.revisions ?? 'handshake-first',
      ...(options.elicit && elicitsInRequests),
      ...host,
      extensions: { [tasksExtension]: {} },
      signal: options.signal,
      onNotification: received,
      onDiagnostics: (text) => {
        diagnostics = text;
      },
    });
  } catch (error) {
    throw explain(error, { ...context, method: connecting, signal: options.signal, diagnostics });
  }
}

/** Where a server is, and nothing of how to get in. */
function placeOf(server: ServerAddress): ServerAddress {
  if (server.transport !== 'stdio') return { url: server.url };
  const { transport, command, args } = server;
  return { transport, command, ...(args && { args }) };
}

/** Somebody is there to ask, though only in the middle of a request. */
const elicitsInRequests: Pick<OpenOptions, 'capabilities' | 'onRequest'> = {
  capabilities: { elicitation: { form: {}, url: {} } },
  onRequest: ({ method }) =>
    method === 'elicitation/create'
      ? Promise.resolve({ result: JSON.stringify({ action: 'decline' }) })
      : Promise.reject(new Error('This client answers nothing else.')),
};
