import { filtered, isMcpVerbatimError, isOwnInstance, ownClass } from '../../json/index.js';
import type { Repair } from '../../repair/index.js';

/** The `code` of an error of this package. Secrets are masked in the texts of errors. */
export type McpErrorCode =
  /** Nothing reached the server: no such host, nobody listens, no trust, no such program. */
  | 'CONNECTION_FAILED'
  /** The connection ended before the response; whether the server has carried out the request is unknown. */
  | 'CONNECTION_LOST'
  /** A server that was started as a process has ended. */
  | 'SERVER_EXITED'
  /** An HTTP status that means failure, other than 401 and 403; see `status`. */
  | 'HTTP_STATUS'
  /** HTTP 401, or a sign-in that failed. */
  | 'AUTHORIZATION_REQUIRED'
  /** HTTP 403. */
  | 'FORBIDDEN'
  | 'TIMEOUT'
  /** By the caller's AbortSignal. */
  | 'CANCELLED'
  /** The server answered with a JSON-RPC error. */
  | 'SERVER_ERROR'
  /** The server asks the user, and there is no `elicit`. */
  | 'INPUT_REQUIRED'
  | 'UNSUPPORTED_PROTOCOL_VERSION'
  /** The server's message is not valid MCP. */
  | 'PROTOCOL_VIOLATION'
  /** A message is larger than `maxMessageBytes`. */
  | 'LIMIT_EXCEEDED'
  /** A list could not be read to its end. */
  | 'INCOMPLETE_LIST'
  /** The server's tools differ from the approved ones. */
  | 'NOT_AS_APPROVED'
  /** An option or a call names a tool that the server does not have. */
  | 'UNKNOWN_TOOL'
  | 'SESSION_CLOSED'
  /** {@link ConfigurationError} */
  | 'INVALID_CONFIGURATION'
  /** {@link InvalidArgumentsError}, and LangChain's `InvalidToolInputException` */
  | 'INVALID_ARGUMENTS'
  /** {@link FixedArgumentsError} */
  | 'INVALID_FIXED_ARGUMENTS'
  /** {@link InvalidResultError} */
  | 'INVALID_RESULT'
  /** {@link FormValueError} */
  | 'INVALID_FORM_VALUE'
  /** {@link CallPaused} */
  | 'CALL_PAUSED'
  /** LangChain's `McpToolError` */
  | 'TOOL_ERROR'
  /** LangChain's `McpServersError` */
  | 'SERVERS_FAILED';

/** Tells a model or a person that {@link McpError.outcomeUnknown} is true. Silent about retries, which the caller may make. */
export const unknownOutcome = 'Whether the server has carried out the request is unknown.';

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
 * An error of this package. `instanceof McpError` and {@link isMcpVerbatimError} are true of every one, also if its class
 * extends another one or comes from another copy of the package. Failures of a session or a request have a title.
 */
export class McpError extends Error {
  declare readonly code: McpErrorCode;
  /** The failure in one sentence, without any text of the server. */
  declare readonly title?: string;
  /** The server's answer or output; `message` is the title followed by these details. */
  declare readonly details?: string;
  /** Advice for the user, in a sentence or two. */
  declare readonly hint?: string;
  /** HTTP status of the response. */
  declare readonly status?: number;
  /** True if the server may have carried out the request: look before you repeat it. */
  declare readonly outcomeUnknown?: boolean;
  /** The questions that the server asked the user before the failure. */
  declare readonly asked?: readonly Asked[];

  /** @internal */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return this === McpError ? isMcpVerbatimError(value) : isOwnInstance.call(this, value);
  }

  /** @param title ends with its punctuation: a full stop, or a colon that the details follow */
  constructor(title: string, options: McpErrorOptions) {
    const { details, outcomeUnknown = false } = options;
    super(details === undefined ? title : `${title} ${details}`);
    this.name = new.target.name;
    const all = { ...options, title: title.replace(/:$/, '.'), outcomeUnknown };
    const facts = filtered(all, (_name, value) => value !== undefined);
    Object.assign(this, facts);
  }
}

export type RequestFailure = McpError & Required<Pick<McpError, 'title' | 'outcomeUnknown'>>;

/** True if a session threw the error: it has more properties than other errors of this package. */
export function isRequestFailure(error: unknown): error is RequestFailure {
  return isMcpVerbatimError(error) && 'title' in error && 'outcomeUnknown' in error;
}

/** The server cannot be reached, went away, or its response is not MCP. */
export class ConnectionError extends McpError {
  /** Exit code of a stdio server that ended; null when a signal ended it. */
  declare readonly exitCode?: number | null;
  /** The last lines that a stdio server wrote to stderr. */
  declare readonly stderr?: string;
  /** How long the server asks to wait until the next request (`Retry-After`), in milliseconds. */
  declare readonly retryAfterMs?: number;

  constructor(
    title: string,
    options: McpErrorOptions & { exitCode?: number | null; stderr?: string; retryAfterMs?: number | undefined },
  ) {
    super(title, { ...options });
  }
}

/** The server requires other credentials (HTTP 401), or these do not suffice (HTTP 403). */
export class AuthorizationError extends McpError {}

/** No response within the time limit. */
export class TimeoutError extends McpError {
  /** The limit that was exceeded, in milliseconds. */
  declare readonly idleTimeoutMs: number;

  constructor(title: string, idleTimeoutMs: number, options: Omit<McpErrorOptions, 'code'> = {}) {
    const hint = 'Raise the timeout if the server is known to take long; otherwise check that it is up and not stuck.';
    super(title, { code: 'TIMEOUT', hint, ...options });
    this.idleTimeoutMs = idleTimeoutMs;
  }
}

/** The caller's AbortSignal ended the operation. */
export class CancelledError extends McpError {
  constructor(message: string) {
    super(message, { code: 'CANCELLED' });
  }
}

interface WrittenError {
  readonly message: string;
  readonly dataText: string | undefined;
}

/** The server answered the request with a JSON-RPC error. */
export class ServerError extends McpError {
  /** The JSON-RPC error code, such as -32602 (invalid params); undefined if the server gave none. */
  declare readonly rpcCode: number | undefined;
  /** The `data` of the JSON-RPC error, with secrets masked. */
  declare readonly data: unknown;
  /** @internal The whole message, and the data as they are written; secrets are masked in both. */
  declare readonly written?: WrittenError | undefined;

  constructor(
    title: string,
    rpcCode: number | undefined,
    data: unknown,
    { written, ...options }: Omit<McpErrorOptions, 'code'> & { readonly written?: WrittenError | undefined } = {},
  ) {
    super(title, { code: 'SERVER_ERROR', ...options });
    this.rpcCode = rpcCode;
    this.data = data;
    // Loggers would print it twice.
    Object.defineProperty(this, 'written', { value: written, enumerable: false });
  }
}

/** The server asks for input that this client cannot give, such as an answer of the user without `elicit`. */
export class InputRequiredError extends McpError {
  /** The methods that the server asked for, such as `elicitation/create`. */
  declare readonly wanted: readonly string[];

  constructor(message: string, wanted: readonly string[]) {
    const hint = 'Give the tool everything it needs as arguments, or use a client that can ask the user in between.';
    super(message, { code: 'INPUT_REQUIRED', hint });
    this.wanted = wanted;
  }
}

/** The server broke the protocol in a way that cannot be tolerated. */
export class ProtocolError extends McpError {
  constructor(
    title: string,
    options: Omit<McpErrorOptions, 'code'> & { code?: 'PROTOCOL_VIOLATION' | 'UNSUPPORTED_PROTOCOL_VERSION' } = {},
  ) {
    super(title, { ...options, code: options.code ?? 'PROTOCOL_VIOLATION' });
  }
}

/** A message of the server is larger than `maxMessageBytes`. */
export class LimitError extends McpError {
  constructor(message: string, hint?: string) {
    super(message, { code: 'LIMIT_EXCEEDED', hint });
  }
}

/** A list could not be read to its end; `partial` has the part that was read. */
export class IncompleteListError<Partial = unknown> extends McpError {
  /** The part that was read: a {@link Catalogue} for tools, otherwise a list of entries. */
  declare readonly partial: Partial;

  /** @param options with neither a `cause` nor the `limit` that was reached, the server is at fault */
  constructor(title: string, partial: Partial, { cause, limit }: { cause?: unknown; limit?: string } = {}) {
    const fault = cause === undefined ? ' The server is at fault.' : '';
    const remedy = limit === undefined ? fault : ` Raise listLimits.${limit} if the list is really that long.`;
    super(title, { code: 'INCOMPLETE_LIST', hint: `What was read until then is in "partial".${remedy}` });
    this.partial = partial;
    if (cause !== undefined) this.cause = cause;
  }
}

// Not as static members, which declarations would show.
const ofConnection = { AuthorizationError, CancelledError, ConnectionError, LimitError, McpError, TimeoutError };
const ofAnswer = { IncompleteListError, InputRequiredError, ProtocolError, ServerError };
for (const [name, own] of Object.entries({ ...ofConnection, ...ofAnswer }))
  Object.defineProperty(own, ownClass, { value: name });

/** A question of the server, and how it was answered. */
export interface Asked {
  readonly mode: 'form' | 'url';
  readonly message: string;
  readonly url?: string;
  readonly action: 'accept' | 'decline' | 'cancel';
  /** The content that the server received. */
  readonly content?: Readonly<Record<string, unknown>>;
  readonly repairs: readonly Repair[];
  /** Why it was not accepted. */
  readonly reason?: string;
}
