import { isInstance, isMcpVerbatimError, ownClass } from '../../json/index.js';
import type { Repair } from '../../repair/index.js';

/**
 * What can go wrong between this client and a server. Every error has a stable `code` and, where there is one, the way
 * out in its `hint`. The session masks secrets in its texts: header and environment values, tokens, and the user name,
 * password and query of an address.
 */
export type McpErrorCode =
  /** Nothing reached the server: no such host, nobody listens, no trust, no such program. */
  | 'CONNECTION_FAILED'
  /** The connection ended before the answer came; whether the server has carried out the request is unknown. */
  | 'CONNECTION_LOST'
  /** A server that was started as a process has ended. */
  | 'SERVER_EXITED'
  /** An HTTP status that means failure, other than 401 and 403. */
  | 'HTTP_STATUS'
  | 'AUTHORIZATION_REQUIRED'
  | 'FORBIDDEN'
  | 'TIMEOUT'
  | 'CANCELLED'
  /** A JSON-RPC error answer. */
  | 'SERVER_ERROR'
  | 'INPUT_REQUIRED'
  | 'UNSUPPORTED_PROTOCOL_VERSION'
  /** What came is not MCP, or not the answer to what was asked. */
  | 'PROTOCOL_VIOLATION'
  | 'LIMIT_EXCEEDED'
  | 'INCOMPLETE_LIST'
  | 'INVALID_ADDRESS'
  /** The server's tools differ from the approved ones. */
  | 'NOT_AS_APPROVED'
  /** An option or a call names a tool that the server does not have. */
  | 'UNKNOWN_TOOL'
  | 'SESSION_CLOSED';

/** The text for a request that may have reached the server and got no answer ({@link McpError.outcomeUnknown}). */
export const unknownOutcome = 'Whether the server has carried out the request is unknown; it was not sent again.';

/** The properties of an {@link McpError} beside its message. */
export interface McpErrorOptions {
  code: McpErrorCode;
  /** See {@link McpError.hint}. */
  hint?: string | undefined;
  /** See {@link McpError.details}. */
  details?: string | undefined;
  /** See {@link McpError.status}. */
  status?: number | undefined;
  /** See {@link McpError.outcomeUnknown}. */
  outcomeUnknown?: boolean | undefined;
}

/**
 * A failure of a connection, a session or a request, and the base of these. `instanceof McpError` tells every error of
 * this package, from whichever copy of it, as {@link isMcpVerbatimError} does: also where the class extends another one.
 */
export class McpError extends Error {
  /** @internal */
  static readonly [ownClass]: string = 'McpError';
  readonly code: McpErrorCode;
  /** What happened, in one sentence, without any text of the server. */
  readonly title: string;
  /** What the server answered or printed, where it did; `message` is the title and these details. */
  readonly details?: string;
  /** What the user can do about it, in a sentence or two. */
  readonly hint?: string;
  /** HTTP status of the answer, where there was one. */
  readonly status?: number;
  /** Whether the server may have carried out the request, which was not sent again. */
  readonly outcomeUnknown: boolean;
  /** What the server asked before this happened; absent where nobody was to be asked. */
  readonly asked?: readonly Asked[];

  /** @internal */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return this[ownClass] === 'McpError' && Object.hasOwn(this, ownClass)
      ? isMcpVerbatimError(value)
      : isInstance(this, value);
  }

  /** @param title ends with its punctuation: a full stop, or a colon that the details follow */
  constructor(title: string, options: McpErrorOptions) {
    const { code, details, hint, status, outcomeUnknown = false } = options;
    super(details === undefined ? title : `${title} ${details}`);
    this.name = new.target.name;
    this.code = code;
    this.title = title.replace(/:$/, '.');
    if (details !== undefined) this.details = details;
    if (hint !== undefined) this.hint = hint;
    if (status !== undefined) this.status = status;
    this.outcomeUnknown = outcomeUnknown;
  }
}

/** What a session has thrown, of which more is known than of other errors of this package. */
export function isRequestFailure(error: unknown): error is McpError {
  return isMcpVerbatimError(error) && 'title' in error && 'outcomeUnknown' in error;
}

/** The server cannot be reached, went away, or answered with something that is not MCP. */
export class ConnectionError extends McpError {
  /** @internal */
  static override readonly [ownClass]: string = 'ConnectionError';
  /** Exit code of a stdio server that ended; null when a signal ended it. */
  readonly exitCode?: number | null;
  /** The last lines that a stdio server wrote to stderr. */
  readonly stderr?: string;

  constructor(message: string, options: McpErrorOptions & { exitCode?: number | null; stderr?: string }) {
    super(message, options);
    if (options.exitCode !== undefined) this.exitCode = options.exitCode;
    if (options.stderr !== undefined) this.stderr = options.stderr;
  }
}

/** The server wants other credentials (HTTP 401), or these do not suffice (HTTP 403). */
export class AuthorizationError extends McpError {
  /** @internal */
  static override readonly [ownClass]: string = 'AuthorizationError';
}

/** No answer within the time allowed. */
export class TimeoutError extends McpError {
  /** @internal */
  static override readonly [ownClass]: string = 'TimeoutError';
  /** The limit that was exceeded, in milliseconds. */
  readonly idleTimeoutMs: number;

  constructor(title: string, idleTimeoutMs: number, options: Omit<McpErrorOptions, 'code'> = {}) {
    super(title, {
      code: 'TIMEOUT',
      hint: 'Raise the timeout if the server is known to take long; otherwise check that it is up and not stuck.',
      ...options,
    });
    this.idleTimeoutMs = idleTimeoutMs;
  }
}

/** The caller's AbortSignal ended the operation. */
export class CancelledError extends McpError {
  /** @internal */
  static override readonly [ownClass]: string = 'CancelledError';
  constructor(message: string) {
    super(message, { code: 'CANCELLED' });
  }
}

/** The server answered the request with a JSON-RPC error. */
export class ServerError extends McpError {
  /** @internal */
  static override readonly [ownClass]: string = 'ServerError';
  /** The JSON-RPC error code, such as -32602 (invalid params). */
  readonly rpcCode: number;
  /** What the server put beside the message; the session has masked credentials of the address in it. */
  readonly data: unknown;

  constructor(title: string, rpcCode: number, data: unknown, options: Omit<McpErrorOptions, 'code'> = {}) {
    super(title, { code: 'SERVER_ERROR', ...options });
    this.rpcCode = rpcCode;
    this.data = data;
  }
}

/** The server wants something from the user before it goes on (revision 2026-07-28), which this client cannot give. */
export class InputRequiredError extends McpError {
  /** @internal */
  static override readonly [ownClass]: string = 'InputRequiredError';
  /** The methods that the server asked for, such as `elicitation/create`. */
  readonly wanted: readonly string[];

  constructor(message: string, wanted: readonly string[]) {
    super(message, {
      code: 'INPUT_REQUIRED',
      hint: 'Give the tool everything it needs as arguments, or use a client that can ask the user in between.',
    });
    this.wanted = wanted;
  }
}

/** The peer broke the protocol in a way that cannot be read around. */
export class ProtocolError extends McpError {
  /** @internal */
  static override readonly [ownClass]: string = 'ProtocolError';
  constructor(
    title: string,
    options: Omit<McpErrorOptions, 'code'> & { code?: 'PROTOCOL_VIOLATION' | 'UNSUPPORTED_PROTOCOL_VERSION' } = {},
  ) {
    super(title, { ...options, code: options.code ?? 'PROTOCOL_VIOLATION' });
  }
}

/** A message of the server exceeds the bound in bytes. */
export class LimitError extends McpError {
  /** @internal */
  static override readonly [ownClass]: string = 'LimitError';

  constructor(message: string, hint?: string) {
    super(message, { code: 'LIMIT_EXCEEDED', hint });
  }
}

/** A list could not be read to its end. What was read until then is kept. */
export class IncompleteListError<Partial = unknown> extends McpError {
  /** @internal */
  static override readonly [ownClass]: string = 'IncompleteListError';
  /** A {@link Catalogue} where tools were listed, a list of entries otherwise. */
  readonly partial: Partial;

  /** @param options with neither a `cause` nor the `limit` that was reached, the server is at fault */
  constructor(title: string, partial: Partial, { cause, limit }: { cause?: unknown; limit?: string } = {}) {
    const fault = cause === undefined ? ' The server is at fault.' : '';
    const remedy = limit === undefined ? fault : ` Raise listLimits.${limit} if the list is really that long.`;
    super(title, { code: 'INCOMPLETE_LIST', hint: `What was read until then is in "partial".${remedy}` });
    this.partial = partial;
    if (cause !== undefined) this.cause = cause;
  }
}

/** A question and what became of it. */
export interface Asked {
  readonly mode: 'form' | 'url';
  readonly message: string;
  readonly url?: string;
  readonly action: 'accept' | 'decline' | 'cancel';
  /** What the server received. */
  readonly content?: Readonly<Record<string, unknown>>;
  readonly repairs: readonly Repair[];
  /** Why it was not accepted. */
  readonly reason?: string;
}
