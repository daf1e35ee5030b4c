import { isObject, messageOf, parseJson } from '../../json/index.js';
import type { SecretMask } from '../../secrets/index.js';
import { readMessages, type RpcError, type WireText } from '../wire/envelope.js';
import { wireSlice } from '../wire/wire-text.js';
import { AuthorizationError, CancelledError, InputRequiredError, isRequestFailure, ProtocolError } from './errors.js';
import { ServerError, TimeoutError } from './errors.js';
import type { ConnectionError, McpError } from './errors.js';
import { HandshakeRefused, HttpFailure, NoEventStream, TimedOut, Unauthorized } from './failures.js';
import { unsupportedRevision } from './failures.js';
import { connecting, isOutcomeUnknown, type Progressed } from './outcome.js';
import { checkPathOfSse, longestQuote, networkProblem, statusProblem } from './http-problem.js';
import { connectionLost, unreachable } from './wire-problem.js';

export interface FailureContext {
  server: string;
  mask: SecretMask;
  method: string;
  idleTimeoutMs: number;
  signal?: AbortSignal | undefined;
  connectionFailure?: McpError | undefined;
  diagnostics?: string | undefined;
  /** Default: a request of this method that was sent. */
  progressed?: Progressed | undefined;
}

export function explain(error: unknown, context: FailureContext): McpError {
  return judged(explanationOf(error, context), context.progressed ?? { method: context.method, isUnderWay: true });
}

export function judged(error: McpError, progressed: Progressed): McpError {
  const outcomeUnknown = isOutcomeUnknown(error, progressed);
  return error.outcomeUnknown === outcomeUnknown ? error : changed(error, { outcomeUnknown });
}

function explanationOf(error: unknown, context: FailureContext): McpError {
  const { method, mask, connectionFailure } = context;
  if (context.signal?.aborted) return new CancelledError(`${method} was cancelled by the caller.`);
  if (error instanceof TimedOut) return timedOut(error.wasSent || method === connecting, context);
  if (connectionFailure && method !== connecting) {
    // Later requests fail with this error too, which must not show their secrets.
    return changed(masked(connectionFailure, mask), {});
  }
  if (isRequestFailure(error)) return masked(error, mask);
  if (error instanceof HandshakeRefused) return ofAnswer({ error: error.answer }, context);
  // A path may hold a token.
  const where = mask(context.server);
  if (error instanceof NoEventStream) return unreachable(`${where} has no event stream there.`, checkPathOfSse);
  if (error instanceof Unauthorized) return unauthorized(error, where, mask);
  if (error instanceof HttpFailure) {
    if (error.status === 401) return unauthorized(new Unauthorized(), where, mask);
    const answer = errorIn(error);
    if (answer) return ofAnswer(answer, context);
    return statusProblem(error, method, where, mask);
  }
  return networkProblem(error, where, method === connecting ? undefined : method) ?? lost(error, where, context);
}

/** The JSON-RPC error that some servers answer with a status of its own, after the habit of JSON-RPC over HTTP. */
function errorIn({ status, body, isAnswer }: HttpFailure): { error: RpcError; wire: WireText } | undefined {
  // No batch, which may hold the answers to others; without an id or "jsonrpc", the status says more.
  const value = parseJson(body);
  const mayAnswer =
    isAnswer || ([400, 500].includes(status) && isObject(value) && ('id' in value || 'jsonrpc' in value));
  const [message] = mayAnswer ? (readMessages(body) ?? []) : [];
  return message?.kind === 'answer' && 'error' in message.answer ? message.answer : undefined;
}

/** A copy, as other requests of the same connection may end with this error as well. */
function changed(error: McpError, properties: Partial<McpError>): McpError {
  const prototype = Object.getPrototypeOf(error) as McpError; // of the same class
  const copy = Object.create(prototype, Object.getOwnPropertyDescriptors(error)) as McpError; // with all that it holds
  Object.assign(copy, properties);
  return copy;
}

export function ofAnswer(
  { error: { code, message, data }, wire }: { error: RpcError; wire?: WireText },
  { method, mask }: Pick<FailureContext, 'method' | 'mask'>,
): McpError {
  const details = mask(message, longestQuote * 4);
  if (code === unsupportedRevision) {
    const hint = 'Look for a newer version of the server, or of this client.';
    const about = { code: 'UNSUPPORTED_PROTOCOL_VERSION', details, hint } as const;
    return new ProtocolError("The server does not support this client's protocol revisions:", about);
  }
  const text = wire && wireSlice(wire, ['error', 'data']);
  const what = code === undefined ? 'an error' : `error ${code}`;
  const hint = hintFor(code, method);
  const written = { message: mask(message), dataText: text === undefined ? undefined : mask.knownInJson(text) };
  const title = `The server answered ${method} with ${what}:`;
  return new ServerError(title, code, mask.known(data), { details, hint, written });
}

function hintFor(rpcCode: number | undefined, method: string): string | undefined {
  if (rpcCode === -32601) return 'The server does not know this method; list what it has instead.';
  return rpcCode === -32602 && method === 'tools/call'
    ? 'Compare the arguments with the schema that the server lists for this tool.'
    : undefined;
}

function timedOut(
  wasSent: boolean,
  { server, method, idleTimeoutMs, diagnostics, mask }: FailureContext,
): TimeoutError {
  const where = mask(server);
  const details = diagnostics === undefined ? undefined : mask(diagnostics);
  const late = `${where} did not answer ${method} within ${idleTimeoutMs} ms.`;
  if (wasSent) return new TimeoutError(late, idleTimeoutMs, { details });
  const unsent = `${method} could not be sent to ${where} within ${idleTimeoutMs} ms; the server has not got it.`;
  const hint = 'Check that the server accepts connections, and that tokens and proxies answer; then send it again.';
  return new TimeoutError(unsent, idleTimeoutMs, { hint });
}

function unauthorized({ problem, status }: Unauthorized, where: string, mask: SecretMask): AuthorizationError {
  const details = problem === undefined ? undefined : `${mask(problem, longestQuote)}.`;
  const end = problem === undefined ? '.' : ':';
  if (status === 403)
    return new AuthorizationError(`${where} denied access (HTTP 403)${end}`, { code: 'FORBIDDEN', status, details });
  const hint = 'Check the token or credential; it may be missing, expired or meant for another server.';
  const about = { code: 'AUTHORIZATION_REQUIRED', status, details, hint } as const;
  return new AuthorizationError(`${where} requires authorization (HTTP 401)${end}`, about);
}

function lost(error: unknown, where: string, { mask, method }: FailureContext): ConnectionError {
  const cause = error instanceof Error ? error.cause : undefined;
  const text = cause instanceof Error ? `${messageOf(error)} (${cause.message})` : messageOf(error);
  const details = mask(text, longestQuote);
  return method === connecting
    ? unreachable(`${where} cannot be reached:`, 'Check the address, and whether the server is up.', details)
    : connectionLost(`The connection to ${where} was lost during ${method}:`, undefined, details);
}

function masked(error: McpError, mask: SecretMask): McpError {
  // The stack begins with the message as it was when the error was made.
  const texts = ['message', 'title', 'stack', 'details', 'stderr'] as const;
  const shown = error as Partial<Record<(typeof texts)[number], string>>; // if there are such texts
  for (const text of texts) if (shown[text] !== undefined) shown[text] = mask(shown[text]);
  if (error instanceof InputRequiredError) Object.assign(error, { wanted: error.wanted.map((name) => mask(name)) });
  return error;
}
