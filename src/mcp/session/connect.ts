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
import { checkAddress, describeAddress, type ServerAddress } from '../transport/address.js';
import { connectionEnded, type Connection, type ConnectionListener } from '../connection/connection.js';
import { McpError } from '../errors/errors.js';
import { connecting, explain, ofAnswer } from '../errors/explain.js';
import { openConnection, type OpenOptions } from '../connection/negotiate.js';
import { withDebugLog } from './debug-log.js';
import { isClientTransport, type ClientTransport } from '../transport/own-transport.js';
import { timerMs } from '../runtime/timers.js';
import { defaultListLimits } from './pages.js';
import { requester, type Requester } from './requests.js';
import { completions, messages, prompts, resources } from './features.js';
import { subscriptions, type Announcing } from './subscriptions.js';
import { tasksExtension } from './tasks.js';
import type { ConnectOptions, Session } from './session.js';
import { toolsOf } from './tools.js';

const defaultTimeoutMs = 60_000;
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
const defaultMaxMessageBytes = 128 * 1024 * 1024;

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
  /** What its client can do. */
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
  const isOwn = isClientTransport(server);
  if (!isOwn) checkAddress(server);
  const place = isOwn ? 'The server' : describeAddress(server);
  const mask = secretMask(isOwn ? [] : addressSecrets(server));
  const idleTimeoutMs = timerMs(options.idleTimeoutMs ?? defaultTimeoutMs);
  const listeners = new Set<(method: string, params: JsonObject) => void>();
  const endListeners = new Set<(reason: McpError | undefined) => void>();
  let closed = false;
  let closing: Promise<unknown> | undefined;
  // Whether somebody wants to hear what the server sends unasked. Questions may come that way, too.
  let isListening = [options.onNotification, options.elicit, host.onNotification].some((each) => each !== undefined);
  let connection = await open(options.signal);
  hearEnd(connection);
  let reconnecting: Promise<Connection> | undefined;
  let retired: Connection[] = [];

  async function open(signal: AbortSignal | undefined): Promise<Connection> {
    let remark: string | undefined;
    try {
      const opened = await openConnection(server, {
        idleTimeoutMs,
        mask,
        clientInfo: options.clientInfo ?? { name: 'mcp-verbatim', version },
        maxMessageBytes: options.maxMessageBytes ?? defaultMaxMessageBytes,
        revisions: options.revisions ?? 'handshake-first',
        ...(options.elicit && offering),
        ...host,
        extensions: { [tasksExtension]: {} },
        signal,
        onNotification: (method, params, origin) => {
          for (const listener of listeners) listener(method, params);
          options.onNotification?.(method, params);
          host.onNotification?.(method, params, origin);
        },
        onRemark: (text) => {
          remark = text;
        },
      });
      opened.onEnd = host.onEnd;
      if (isListening && !opened.envelope) void opened.listen();
      return opened;
    } catch (error) {
      throw explain(error, { server: place, mask, method: connecting, idleTimeoutMs, signal, remark });
    }
  }

  function current(): Connection {
    if (closed) throw sessionClosed();
    if (connection.ended) throw connection.failure ?? connectionEnded();
    return connection;
  }

  function hearEnd(opened: Connection): void {
    opened.onEnd = (reason) => {
      // One that was replaced has ended for nobody.
      if (opened !== connection) return;
      for (const listener of endListeners) {
        try {
          listener(reason);
        } catch {
          // It belongs to the host; its failure must not keep others from hearing of it.
        }
      }
      endListeners.clear();
    };
  }

  /** Requests that find the session gone at the same time share one reconnection. */
  async function reconnect(stale: Connection): Promise<Connection> {
    if (connection !== stale) return current();
    reconnecting ??= replace(stale).finally(() => {
      reconnecting = undefined;
    });
    return reconnecting;
  }

  async function replace(stale: Connection): Promise<Connection> {
    const fresh = await open(undefined);
    if (closed) {
      await fresh.close();
      throw sessionClosed();
    }
    connection = fresh;
    hearEnd(fresh);
    host.onReconnect?.();
    // A server that has forgotten its sessions has been started anew, perhaps with other tools.
    tools.forgetTools();
    void changes.renew();
    // What is still under way on the old one has to find out by itself that it is gone.
    retired = [...retired.filter(({ ended }) => !ended), stale];
    void stale.closeWhenIdle();
    return fresh;
  }

  const sent = requester({
    server: place,
    mask,
    idleTimeoutMs,
    elicit: options.elicit,
    current,
    reconnect,
    closed: () => (closed ? sessionClosed() : undefined),
  });
  const ask = withDebugLog(sent, mask);
  const limits = { ...defaultListLimits, ...options.listLimits };
  const { sendCall, ...tools } = toolsOf({ ask, limits, current, listeners });
  const changes = subscriptions({ ask, announce, current, onNotification });

  async function announce(
    notifications: JsonObject,
    { signal, idleTimeoutMs: limitMs = idleTimeoutMs }: Announcing,
  ): Promise<void> {
    const context = { server: place, mask, method: 'subscriptions/listen', idleTimeoutMs: limitMs, signal };
    const refused = await current()
      .subscribe(notifications, { signal, idleTimeoutMs: timerMs(limitMs) })
      .catch((error: unknown) => {
        throw explain(error, { ...context, connectionFailure: connection.failure });
      });
    if (refused) throw ofAnswer(refused, context);
  }

  async function notify(method: string, params: JsonObject): Promise<void> {
    await current()
      .notify(method, params, idleTimeoutMs)
      .catch((error: unknown) => {
        throw explain(error, { server: place, mask, method, idleTimeoutMs, connectionFailure: connection.failure });
      });
  }

  function onEnd(listener: (reason: McpError | undefined) => void): () => void {
    endListeners.add(listener);
    return () => void endListeners.delete(listener);
  }

  function onNotification(listener: NonNullable<ConnectOptions['onNotification']>): () => void {
    listeners.add(listener);
    if (!isListening && !connection.envelope) void connection.listen();
    isListening = true;
    return () => void listeners.delete(listener);
  }

  async function close(): Promise<void> {
    closed = true;
    await (closing ??= Promise.all([connection, ...retired].map((open) => open.close())));
  }

  const { handshake, kind } = connection;
  const session: Session = {
    protocolVersion: handshake.protocolVersion,
    capabilities: handshake.capabilities,
    ...(handshake.instructions !== undefined && { instructions: handshake.instructions }),
    ...(handshake.serverInfo && { serverInfo: describeServer(handshake.serverInfo) }),
    transport: isOwn ? 'custom' : kind,
    get ended() {
      return closed || connection.ended;
    },
    ...tools,
    ...resources(ask, limits, current),
    ...prompts(ask, limits, current),
    ...completions(ask, current),
    ...messages(ask, notify),
    ...changes.session,
    onNotification,
    onEnd,
    close,
    [Symbol.asyncDispose]: close,
  };
  if (!isOwn) Object.defineProperty(session, 'address', { value: placeOf(server) });
  return { session, connection: current, request: ask, sendCall };
}

/** What of an address says where a server is, and nothing of how to get in. */
function placeOf(server: ServerAddress): ServerAddress {
  if (server.transport !== 'stdio') return { url: server.url };
  const { transport, command, args } = server;
  return { transport, command, ...(args && { args }) };
}

/** Somebody is there to ask, though only in the middle of a request. */
const offering: Pick<OpenOptions, 'capabilities' | 'onRequest'> = {
  capabilities: { elicitation: { form: {}, url: {} } },
  onRequest: ({ method }) =>
    method === 'elicitation/create'
      ? Promise.resolve({ result: JSON.stringify({ action: 'decline' }) })
      : Promise.reject(new Error('Nothing else was offered.')),
};

function sessionClosed(): McpError {
  return new McpError('The session is closed.', { code: 'SESSION_CLOSED', hint: 'Connect again.' });
}

function describeServer({ name, version, title }: Record<string, unknown>): NonNullable<Session['serverInfo']> {
  return {
    name: typeof name === 'string' ? name : '',
    version: typeof version === 'string' ? version : '',
    ...(typeof title === 'string' && { title }),
  };
}
