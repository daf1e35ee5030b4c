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

/**
 * The connection of a session: opened, listened to, and replaced once the server has forgotten its HTTP session. A class,
 * since a gateway keeps hundreds of sessions, and methods cost each of them nothing.
 */
export class LiveConnection {
  readonly server: string;
  readonly mask: ReturnType<typeof secretMask>;
  readonly idleTimeoutMs: number;
  readonly elicit: ConnectOptions['elicit'];
  readonly listeners = new Set<Parameters<Session['onNotification']>[0]>();
  readonly endListeners = new Set<Parameters<Session['onEnd']>[0]>();
  readonly reconnectListeners = new Set<() => void>();

  /** The notes for the first call of a new session. */
  notes: Note[] = [];
  /** The newest one, even if it has ended. */
  connection!: Connection;
  #retired: readonly Connection[] = [];
  #whenClosed: AbortController | undefined;
  #reconnecting: Promise<Connection> | undefined;
  #closing: Promise<unknown> | undefined;
  /** True if anybody hears the server's notifications; questions may arrive on that stream, too. */
  #isHeard: boolean;

  constructor(
    readonly address: ServerAddress | ClientTransport,
    readonly options: ConnectOptions,
    readonly host: HostOptions,
  ) {
    const place = isClientTransport(address) ? undefined : address;
    if (place) checkAddress(place);
    this.server = place ? describeAddress(place) : 'The server';
    this.mask = secretMask(place ? addressSecrets(place) : []);
    this.idleTimeoutMs = timerMs(options.idleTimeoutMs ?? 60_000);
    this.elicit = options.elicit;
    this.#isHeard = [options.onNotification, options.elicit, host.onNotification].some((each) => each !== undefined);
    if (host.onEnd) this.endListeners.add(host.onEnd);
    const again =
      place?.transport === 'stdio' ? 'The server was started again.' : 'The connection was lost and opened again.';
    if (host.isAgain) this.notes.push(sessionLost(again));
  }

  async open(): Promise<void> {
    this.#use(await this.#opened(this.options.signal));
  }

  get ended(): boolean {
    return this.#closing !== undefined || this.connection.ended;
  }

  current(): Connection {
    const over = this.closed();
    if (over) throw over;
    if (this.connection.ended) throw this.connection.failure ?? connectionEnded();
    return this.connection;
  }

  closed(): McpError | undefined {
    if (!this.#closing) return undefined;
    return new McpError('The session is closed.', { code: 'SESSION_CLOSED', hint: 'Connect again.' });
  }

  /** Waits between two requests. @throws Aborted once the signal is aborted or the session closed */
  async pause(ms: number, signal: AbortSignal): Promise<void> {
    this.#whenClosed ??= new AbortController();
    if (this.#closing) this.#whenClosed.abort();
    const either = anySignal([signal, this.#whenClosed.signal]);
    await unlessAborted(pause(ms, either), either);
  }

  async explained<T>(work: Promise<T>, method: string, about: { signal?: AbortSignal; idleTimeoutMs?: number } = {}) {
    return work.catch((error: unknown) => {
      const { server, mask, idleTimeoutMs } = this;
      const { failure: connectionFailure } = this.connection;
      throw explain(error, { server, mask, idleTimeoutMs, method, connectionFailure, ...about });
    });
  }

  onNotification(listener: Parameters<Session['onNotification']>[0]): () => void {
    this.listeners.add(listener);
    this.#isHeard = true;
    if (!this.ended) this.#hear();
    return () => void this.listeners.delete(listener);
  }

  async reconnect(stale: Connection): Promise<Connection> {
    if (this.connection !== stale) return this.current();
    this.#reconnecting ??= this.#replace(stale).finally(() => (this.#reconnecting = undefined));
    return this.#reconnecting;
  }

  async close(): Promise<void> {
    this.#closing ??= Promise.all([this.connection, ...this.#retired].map((each) => each.close()));
    this.#whenClosed?.abort();
    await this.#closing;
  }

  async #replace(stale: Connection): Promise<Connection> {
    const fresh = await this.#opened();
    const over = this.closed();
    if (over) {
      await fresh.close();
      throw over;
    }
    this.#use(fresh);
    this.notes = [sessionLost('The server had lost its session; a new one was opened.')];
    debugLog?.(`${this.mask(this.server)} has forgotten its session; a new one is open`);
    callEach(this.reconnectListeners);
    this.#retired = [...this.#retired, stale];
    void stale.closeWhenIdle().then(() => (this.#retired = this.#retired.filter((each) => each !== stale)));
    return fresh;
  }

  #use(fresh: Connection): void {
    this.connection = fresh;
    fresh.onEnd = (reason) => {
      // The end of a replaced connection concerns nobody.
      if (fresh !== this.connection) return;
      callEach(this.endListeners, reason);
      this.endListeners.clear();
    };
    this.#hear();
  }

  #hear(): void {
    if (this.#isHeard) void this.connection.listen();
  }

  async #opened(signal?: AbortSignal): Promise<Connection> {
    const { mask, idleTimeoutMs, host, listeners } = this;
    const { clientInfo, maxMessageBytes, revisions, elicit, onNotification } = this.options;
    let diagnostics: string | undefined;
    try {
      return await openConnection(this.address, {
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
      throw explain(error, { server: this.server, mask, idleTimeoutMs, method: connecting, signal, diagnostics });
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
