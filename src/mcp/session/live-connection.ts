import { version } from '../../../package.json';
import type { JsonObject } from '../../json/index.js';
import { addressSecrets, secretMask } from '../../secrets/index.js';
import type { Note } from '../catalogue/tool.js';
import type { Connection, ConnectionListener } from '../connection/connection.js';
import { openConnection, type OpenOptions } from '../connection/open-connection.js';
import { McpError } from '../errors/errors.js';
import { explain } from '../errors/explain.js';
import { connecting } from '../errors/outcome.js';
import { connectionEnded } from '../errors/wire-problem.js';
import { pause, timerMs, unlessAborted } from '../runtime/timers.js';
import { anySignal, debugLog } from '../runtime/node-runtime.js';
import { checkAddress, describeAddress, type ServerAddress } from '../transport/address.js';
import { isClientTransport, type ClientTransport } from '../transport/own-transport.js';
import type { ConnectOptions, Session } from './session.js';
import { tasksExtension } from './tasks.js';

/** V8's strings hold no more characters, and a character has a byte at the least. */
const longestText = 2 ** 29 - 24;

/** Options of a host that sits between its own client and the server. */
export interface HostOptions extends Partial<ConnectionListener> {
  readonly capabilities?: JsonObject;
  readonly offering?: string | undefined;
  readonly written?: string | undefined;
  readonly onEnd?: (failure: McpError | undefined) => void;
  /** Called when the server has forgotten its session and another one was begun. Subscriptions wait for it. */
  readonly onForgotten?: () => Promise<unknown>;
  /** True if this session takes the place of one that has ended by itself. */
  readonly isAgain?: boolean;
}

function sessionLost(what: string): Note {
  return { code: 'session-lost', message: `${what} State such as open pages is gone.` };
}

export type LiveConnection = Awaited<ReturnType<typeof liveConnection>>;

/** The connection of a session: opened, listened to, and replaced once the server has forgotten its HTTP session. */
export async function liveConnection(
  address: ServerAddress | ClientTransport,
  options: ConnectOptions,
  host: HostOptions,
) {
  const place = isClientTransport(address) ? undefined : address;
  if (place) checkAddress(place);
  const server = place ? describeAddress(place) : 'The server';
  const mask = secretMask(place ? addressSecrets(place) : []);
  const idleTimeoutMs = timerMs(options.idleTimeoutMs ?? 60_000);
  const { elicit } = options;
  const listeners = new Set<Parameters<Session['onNotification']>[0]>();
  const endListeners = new Set<Parameters<Session['onEnd']>[0]>(host.onEnd ? [host.onEnd] : []);
  const reconnectListeners = new Set<() => void>();
  const retired = new Set<Connection>();
  const whenClosed = new AbortController();
  let reconnecting: Promise<Connection> | undefined;
  let closing: Promise<unknown> | undefined;
  /** True if anybody hears the server's notifications; questions may arrive on that stream, too. */
  let isHeard = [options.onNotification, elicit, host.onNotification].some((each) => each !== undefined);
  let notes: Note[] = [];
  let connection = await opened(options.signal);
  const isProcess = place?.transport === 'stdio';
  if (host.isAgain)
    notes.push(sessionLost(isProcess ? 'The server was started again.' : 'The connection was lost and opened again.'));
  use(connection);

  return {
    ...{ server, mask, idleTimeoutMs, elicit, listeners, endListeners, reconnectListeners, current, closed, explained },
    get ended() {
      return closing !== undefined || connection.ended;
    },
    /** The notes for the first call of a new session. */
    takeNotes: (): Note[] => notes.splice(0),
    isCurrent: (other: Connection) => connection === other,
    /** Waits between two requests. @throws Aborted once the signal is aborted or the session closed */
    async pause(ms: number, signal: AbortSignal): Promise<void> {
      const either = anySignal([signal, whenClosed.signal]);
      await unlessAborted(pause(ms, either), either);
    },
    onNotification(listener: Parameters<Session['onNotification']>[0]): () => void {
      listeners.add(listener);
      isHeard = true;
      if (!closing && !connection.ended) hear();
      return () => void listeners.delete(listener);
    },
    async reconnect(stale: Connection): Promise<Connection> {
      if (connection !== stale) return current();
      reconnecting ??= replace(stale).finally(() => (reconnecting = undefined));
      return reconnecting;
    },
    async close(): Promise<void> {
      closing ??= Promise.all([connection, ...retired].map((each) => each.close()));
      whenClosed.abort();
      await closing;
    },
  };

  function current(): Connection {
    const over = closed();
    if (over) throw over;
    if (connection.ended) throw connection.failure ?? connectionEnded();
    return connection;
  }

  function closed(): McpError | undefined {
    if (!closing) return undefined;
    return new McpError('The session is closed.', { code: 'SESSION_CLOSED', hint: 'Connect again.' });
  }

  async function explained<T>(
    work: Promise<T>,
    method: string,
    about: { signal?: AbortSignal; idleTimeoutMs?: number } = {},
  ) {
    return work.catch((error: unknown) => {
      const { failure: connectionFailure } = connection;
      throw explain(error, { server, mask, idleTimeoutMs, method, connectionFailure, ...about });
    });
  }

  async function replace(stale: Connection): Promise<Connection> {
    const fresh = await opened();
    const over = closed();
    if (over) {
      await fresh.close();
      throw over;
    }
    use(fresh);
    notes = [sessionLost('The server had lost its session; a new one was opened.')];
    debugLog?.(`${mask(server)} has forgotten its session; a new one is open`);
    callEach(reconnectListeners);
    retired.add(stale);
    void stale.closeWhenIdle().then(() => retired.delete(stale));
    return fresh;
  }

  function use(fresh: Connection): void {
    connection = fresh;
    fresh.onEnd = (reason) => {
      // The end of a replaced connection concerns nobody.
      if (fresh !== connection) return;
      callEach(endListeners, reason);
      endListeners.clear();
    };
    hear();
  }

  function hear(): void {
    if (isHeard) void connection.listen();
  }

  async function opened(signal?: AbortSignal): Promise<Connection> {
    const { clientInfo, maxMessageBytes, revisions, onNotification } = options;
    let diagnostics: string | undefined;
    try {
      return await openConnection(address, {
        ...{ mask, idleTimeoutMs, signal },
        clientInfo: clientInfo ?? { name: 'mcp-verbatim', version },
        maxMessageBytes: Math.min(maxMessageBytes ?? 128 * 1024 * 1024, longestText),
        revisions: revisions ?? 'handshake-first',
        extensions: { [tasksExtension]: {} },
        ...(elicit && elicitsInRequests),
        ...host,
        onNotification: (method, params, origin) => {
          callEach(listeners, method, params);
          onNotification?.(method, params);
          host.onNotification?.(method, params, origin);
        },
        onDiagnostics: (text) => (diagnostics = text),
      });
    } catch (error) {
      throw explain(error, { server, mask, idleTimeoutMs, method: connecting, signal, diagnostics });
    }
  }
}

/** The listeners are the host's: if one fails, the others must still be called. */
function callEach<A extends unknown[]>(listeners: Iterable<(...args: A) => void>, ...args: A): void {
  for (const listener of listeners) {
    try {
      listener(...args);
    } catch {
      /* the host's own affair */
    }
  }
}

/** Somebody is there to ask, though only in the middle of a request. */
const elicitsInRequests: Pick<OpenOptions, 'capabilities' | 'onRequest'> = {
  capabilities: { elicitation: { form: {}, url: {} } },
  onRequest: ({ method }) =>
    method === 'elicitation/create'
      ? Promise.resolve({ result: JSON.stringify({ action: 'decline' }) })
      : Promise.reject(new Error('This client answers nothing else.')),
};
