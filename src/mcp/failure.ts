import { describeAddress, type ServerAddress } from './address.js';
import {
  AuthorizationError,
  CancelledError,
  ConnectionError,
  McpError,
  ProtocolError,
  ServerError,
  TimeoutError,
  unknownOutcome,
} from './errors.js';
import { ConnectGivenUp } from './given-up.js';
import { networkProblem } from './http/network-problem.js';
import { rpcErrorIn, statusProblem } from './http/status-problem.js';
import type { SecretMask } from '../secrets/index.js';
import { isAuthorizationProblem, isUnauthorized } from './unauthorized.js';
import type { RpcError } from './wire-answer.js';

/** What was going on when something went wrong. */
export interface FailureContext {
  address: ServerAddress;
  mask: SecretMask;
  /** The method that was asked for, such as `tools/call`. */
  method: string;
  timeoutMs: number;
  /** The caller's own signal. */
  signal?: AbortSignal | undefined;
  /** Why the connection itself is broken, if it is. */
  connectionFailure?: Error | undefined;
  /** What came in place of the answer, in a sentence. */
  remark?: string | undefined;
}

/** Stands for the method while there is no session yet. */
export const connecting = 'the attempt to connect';

/** How much of a server's own words goes into a message. */
const longestQuote = 400;

/** Turns whatever the SDK, fetch or a transport threw into one of this client's own errors. */
export function explain(error: unknown, context: FailureContext): McpError {
  if (context.signal?.aborted) return new CancelledError(`${context.method} was cancelled by the caller.`);
  if (error instanceof McpError) return masked(error, context.mask);
  const cause = context.connectionFailure;
  const { code, status } = (error ?? {}) as { code?: unknown; status?: unknown };
  if (error instanceof ConnectGivenUp) return timedOut(context);
  if (code === 'REQUEST_TIMEOUT') return timedOut(context);
  if (cause instanceof McpError)
    return masked(context.method === connecting ? cause : inTheMiddle(cause), context.mask);
  if (isRefusal(error)) return unauthorized(error, context);
  const httpStatus = typeof status === 'number' ? status : isSseError(error) ? error.code : undefined;
  if (httpStatus !== undefined) {
    const answer = rpcErrorIn(httpStatus, error);
    if (answer) return ofAnswer(answer, context);
    const { method, mask } = context;
    return statusProblem(httpStatus, error, {
      method,
      where: describeAddress(context.address),
      mask,
      inSession: method !== connecting,
    });
  }
  if (typeof code === 'number')
    return ofAnswer({ code, message: messageOf(error), data: (error as { data?: unknown }).data }, context);
  if (code === 'CLIENT_HTTP_UNEXPECTED_CONTENT' || error instanceof SyntaxError) return notMcp(error, context);
  const during = context.method === connecting ? undefined : context.method;
  return networkProblem(error, describeAddress(context.address), during) ?? lost(error, context);
}

/** A server that ends during a request may have been about to answer it; whether it starts at all is not the question. */
function inTheMiddle(cause: McpError): McpError {
  if (!(cause instanceof ConnectionError) || cause.code !== 'SERVER_EXITED') return cause;
  const { message, code, exitCode, stderr } = cause;
  return new ConnectionError(message, {
    code,
    ...(exitCode !== undefined && { exitCode }),
    ...(stderr !== undefined && { stderr }),
    hint: unknownOutcome,
  });
}

/** The error for a JSON-RPC error answer. */
export function ofAnswer(answer: RpcError, context: FailureContext): McpError {
  const quoted = context.mask(answer.message).slice(0, longestQuote * 4);
  if (answer.code === -32022) {
    return new ProtocolError(`The server does not support this client's protocol revisions: ${quoted}`, {
      code: 'UNSUPPORTED_PROTOCOL_VERSION',
    });
  }
  return new ServerError(
    `The server answered ${context.method} with error ${answer.code}: ${quoted}`,
    answer.code,
    answer.data,
    hintFor(answer.code),
  );
}

function hintFor(rpcCode: number): string | undefined {
  if (rpcCode === -32601) return 'The server does not know this method; list what it offers instead.';
  if (rpcCode === -32602) return 'Compare the arguments with the schema that the server lists for this tool.';
  return undefined;
}

function timedOut({ method, timeoutMs, address, remark, mask }: FailureContext): TimeoutError {
  const beside = remark === undefined ? '' : ` ${mask(remark)}`;
  return new TimeoutError(
    `${describeAddress(address)} did not answer ${method} within ${timeoutMs} ms.${beside}`,
    timeoutMs,
  );
}

function isRefusal(error: unknown): boolean {
  const { status } = (error ?? {}) as { status?: unknown };
  return (
    status === 401 ||
    (isSseError(error) && error.code === 401) ||
    isUnauthorized(error) ||
    isAuthorizationProblem(error)
  );
}

function isSseError(error: unknown): error is Error & { code: number } {
  return (
    error instanceof Error &&
    error.message.startsWith('SSE error') &&
    typeof (error as { code?: unknown }).code === 'number'
  );
}

function unauthorized(error: unknown, { address, mask }: FailureContext): AuthorizationError {
  // What the SDK says about a mere 401 is what is said here.
  const detail =
    isAuthorizationProblem(error) && !isUnauthorized(error) && !('status' in error)
      ? `: ${mask(error.message).slice(0, longestQuote)}`
      : '';
  return new AuthorizationError(`${describeAddress(address)} requires authorization (HTTP 401)${detail}.`, {
    code: 'AUTHORIZATION_REQUIRED',
    status: 401,
    hint: 'Check the token or credential; it may be missing, expired or meant for another server.',
  });
}

function notMcp(error: unknown, { address, mask }: FailureContext): ProtocolError {
  const contentType = (error as { data?: { contentType?: unknown } }).data?.contentType;
  const what =
    typeof contentType === 'string'
      ? `content of type ${mask(contentType).slice(0, 100)}`
      : contentType === null
        ? 'content of no type'
        : 'something that is not JSON';
  return new ProtocolError(`${describeAddress(address)} answered with ${what}, not with MCP.`, {
    hint: 'Check the URL: this looks like a web page or another kind of API.',
  });
}

function lost(error: unknown, { address, mask, method }: FailureContext): ConnectionError {
  const cause = (error as { cause?: unknown } | undefined)?.cause;
  const detail = mask(cause instanceof Error ? `${messageOf(error)} (${cause.message})` : messageOf(error)).slice(
    0,
    longestQuote,
  );
  if (method === connecting) {
    return new ConnectionError(`${describeAddress(address)} cannot be reached: ${detail}`, {
      code: 'CONNECTION_FAILED',
      hint: 'Check the address, and whether the server is up.',
    });
  }
  return new ConnectionError(`The connection to ${describeAddress(address)} was lost during ${method}: ${detail}`, {
    code: 'CONNECTION_LOST',
    hint: unknownOutcome,
  });
}

function masked(error: McpError, mask: SecretMask): McpError {
  error.message = mask(error.message);
  // The stack begins with the message as it was when the error was made.
  if (error.stack !== undefined) error.stack = mask(error.stack);
  if (error instanceof ConnectionError && error.stderr !== undefined)
    Object.assign(error, { stderr: mask(error.stderr) });
  return error;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
