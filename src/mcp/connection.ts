import { isObject } from '../json/index.js';
import type { Client, Transport } from '@modelcontextprotocol/client';
import type { CallOptions } from './session.js';
import type { WireTap } from './tap.js';
import type { WireAnswer } from './wire-answer.js';

/** One negotiated connection: raw requests in, raw results out. */
export interface Connection {
  readonly kind: 'http' | 'sse' | 'stdio';
  readonly handshake: Handshake;
  /** Set once the connection has ended. */
  readonly ended: boolean;
  /** Why, if it was not asked to. */
  readonly failure: Error | undefined;
  /** The HTTP session's id, in revisions that know sessions. */
  readonly sessionId: string | undefined;
  /** How long a busy server asked to wait. */
  retryAfterMs(): number | undefined;
  /** What came that is no answer to anything, for the message of a request that waits in vain. */
  remark(): string | undefined;
  /** Waits for the user to agree to what an UnauthorizedError asks for; absent where there is no user to wait for. */
  finishAuthorization?: (() => Promise<void>) | undefined;
  /** Sends a request and resolves with what the server answered, unparsed. Rejects with the SDK's errors. */
  request(method: string, params: Record<string, unknown>, options: RawRequestOptions): Promise<WireAnswer>;
  /** Asks for change notifications where the revision does not send them unasked. */
  listen(): Promise<void>;
  /** Ends the session at the server, if it has one, and the transport. Never rejects. */
  close(): Promise<void>;
  /** Closes once nothing is under way any more. */
  closeWhenIdle(): Promise<void>;
}

export interface Handshake {
  protocolVersion: string;
  capabilities: Record<string, unknown>;
  serverInfo?: Record<string, unknown>;
  instructions?: string;
}

export interface RawRequestOptions extends Pick<CallOptions, 'onProgress' | 'resetTimeoutOnProgress'> {
  signal?: AbortSignal;
  timeoutMs: number;
  /** HTTP headers of this request. */
  headers?: Record<string, string>;
}

/** What a kind of transport adds to the SDK's client. */
export interface Channel {
  readonly kind: Connection['kind'];
  readonly transport: Transport;
  failure?(): Error | undefined;
  /** Whether an error of the transport that belongs to no request means that the connection is of no more use. */
  isFatal?(error: Error): boolean;
  retryAfterMs?(): number | undefined;
  /** Why a response stream was cut off on this side, if it was; given once. */
  takeStreamFailure?(): Error | undefined;
  /** What the server sent that is not MCP. */
  remark?(): string | undefined;
  /** Waits for the user to agree, and exchanges what came of it for tokens. */
  finishAuthorization?(): Promise<void>;
  /** Ends the session at the server, before the transport is closed. */
  terminate?(): Promise<void>;
}

/** The SDK's client wants a schema for results; results never reach it (see WireTap). */
const anything = {
  '~standard': { version: 1 as const, vendor: 'mcp-verbatim', validate: (value: unknown) => ({ value }) },
};

const serverInfoKey = 'io.modelcontextprotocol/serverInfo';

/** Joins an SDK client, its tap and a channel once they have been negotiated. */
export function connectionOf(client: Client, tap: WireTap, channel: Channel): Connection {
  let underWay = 0;
  let closesWhenIdle = false;

  async function close(): Promise<void> {
    if (!tap.ended && channel.terminate) await atMost(terminateMs, channel.terminate());
    await client.close().catch(() => {});
  }

  return {
    kind: channel.kind,
    handshake: readHandshake(client, tap),
    get ended() {
      return tap.ended;
    },
    get failure() {
      return channel.failure?.() ?? tap.failure;
    },
    get sessionId() {
      return tap.sessionId;
    },
    retryAfterMs: () => channel.retryAfterMs?.(),
    remark: () => (tap.stray === undefined ? channel.remark?.() : `It sent ${tap.stray}.`),
    finishAuthorization: channel.finishAuthorization,
    async request(method, params, { signal, timeoutMs, headers, onProgress, resetTimeoutOnProgress }) {
      const send = () =>
        client.request({ method, params }, anything, {
          timeout: timeoutMs,
          allowInputRequired: true,
          ...(signal && { signal }),
          ...(headers && { headers }),
          // Makes the client ask for progress; the reports themselves come from the tap.
          ...(onProgress && { onprogress: () => {} }),
          ...(resetTimeoutOnProgress && { resetTimeoutOnProgress }),
        });
      underWay++;
      const { sent, answer } = tap.capture(send, onProgress);
      try {
        await sent;
      } catch (error) {
        const received = answer();
        if (received) return received;
        throw error;
      } finally {
        if (--underWay === 0 && closesWhenIdle) void close();
      }
      const received = answer();
      if (!received) throw new Error(`The SDK settled ${method} without an answer from the wire.`);
      return received;
    },
    async listen() {
      if (client.getProtocolEra() === 'modern') await client.listen({ toolsListChanged: true });
    },
    close,
    async closeWhenIdle() {
      closesWhenIdle = true;
      if (underWay === 0) await close();
    },
  };
}

/** How long a server may take to end its session; whether it does is its own affair. */
const terminateMs = 1000;

async function atMost(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.catch(() => {}), late]).finally(() => clearTimeout(timer));
}

function readHandshake(client: Client, tap: WireTap): Handshake {
  const { result } = tap.handshake ?? { result: {} };
  const meta = isObject(result['_meta']) ? result['_meta'] : {};
  const serverInfo = result['serverInfo'] ?? meta[serverInfoKey];
  return {
    protocolVersion: client.getNegotiatedProtocolVersion() ?? '',
    capabilities: isObject(result['capabilities']) ? result['capabilities'] : {},
    ...(isObject(serverInfo) && { serverInfo }),
    ...(typeof result['instructions'] === 'string' && { instructions: result['instructions'] }),
  };
}
