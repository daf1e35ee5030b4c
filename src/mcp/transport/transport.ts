import type { McpError } from '../errors/errors.js';
import type { RequestId } from '../wire/envelope.js';

export interface Outgoing {
  /** JSON, in one line. */
  readonly text: string;
  /** Empty for an answer to the server. */
  readonly method: string;
  readonly id?: RequestId | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** True if sending it twice does no harm: it only reads, or begins. */
  readonly mayRepeat?: boolean;
  readonly onWritten?: (() => void) | undefined;
  readonly signal: AbortSignal;
}

export interface Receiver {
  /**
   * @param within the id of the request that the text came in response to, if responses belong to requests
   * @returns true if it contained messages
   */
  receive(text: string, within?: RequestId): boolean;
  isPending(id: RequestId): boolean;
  /** The server has ended the response to a request before its answer, which another response brings (2025-11-25). */
  paused?(id: RequestId): void;
  /** Called if notifications may have been missed: the stream broke off, or was opened again. */
  missed?(): void;
  /** Called once, when nothing more will come; with the reason unless it was asked for. */
  ended(failure: McpError | undefined): void;
}

export interface ResponseEnd {
  failure(): McpError;
  /** True if the answer may come by another way, as after HTTP 202. */
  mayComeElsewhere?: boolean;
}

export interface Transport {
  readonly kind: 'http' | 'sse' | 'stdio';
  start(receiver: Receiver): Promise<void> | void;
  /**
   * Resolves when the request's own response is over, or else when the message is written; rejects when it could not be
   * sent, or was refused.
   */
  send(message: Outgoing): Promise<ResponseEnd | undefined>;
  /** Never rejects. Nothing is received afterwards. */
  close(): Promise<void> | void;
  sessionId?: string | undefined;
  protocolVersion?: string | undefined;
  /** Opens a channel for notifications. Resolves once that is settled; never rejects. */
  listen?(): Promise<unknown>;
  terminate?(): Promise<void>;
  diagnostics?(): string | undefined;
  readonly endpoint?: {
    /** Waits for the user to agree to the authorization that the server requires; absent if nobody can. */
    readonly finishAuthorization: (() => Promise<void>) | undefined;
  };
}
