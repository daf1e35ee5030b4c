import { isObject } from '../json/index.js';
import { unlessAborted } from './abortable.js';
import type { ServerAddress } from './address.js';
import type { Connection, RawRequestOptions } from './connection.js';
import { ConnectionError, InputRequiredError, TimeoutError, type McpError } from './errors.js';
import { explain, ofAnswer, type FailureContext } from './failure.js';
import type { SecretMask } from '../secrets/index.js';
import type { CallOptions } from './session.js';
import { isUnauthorized } from './unauthorized.js';
import { timerMs } from './timer.js';
import type { WireAnswer } from './wire-answer.js';

export interface RequesterOptions {
  address: ServerAddress;
  mask: SecretMask;
  timeoutMs: number;
  /** The connection to use; throws when the session is over. */
  current(): Connection;
  /** The error for whatever comes after, or is interrupted by, the session's close. */
  closed(): McpError | undefined;
  /** Replaces a connection whose session the server has forgotten, for everyone who notices. */
  reconnect(stale: Connection): Promise<Connection>;
}

export interface SendOptions extends CallOptions {
  headers?: Record<string, string>;
  /** Whether to wait and ask again when the server is too busy, as one may for what changes nothing. */
  retryWhenBusy?: boolean;
}

export type Requester = (
  method: string,
  params: Record<string, unknown>,
  options?: SendOptions,
) => Promise<Record<string, unknown>>;

/** How often a busy server is asked again. */
const busyRetries = 3;
/** How long to wait for a busy server that does not say. */
const busyWaitMs = 1000;

/**
 * Makes the function that sends every request of a session: one place that knows about time limits, forgotten
 * sessions, busy servers, and what errors look like.
 */
export function requester(options: RequesterOptions): Requester {
  return async (method, params, send = {}) => {
    const timeoutMs = timerMs(send.timeoutMs ?? options.timeoutMs);
    const deadline = Date.now() + timeoutMs;
    for (let attempt = 0; ; attempt++) {
      try {
        return await once(options, method, params, send, timeoutMs);
      } catch (error) {
        const wait =
          send.retryWhenBusy && attempt < busyRetries && isBusy(error) ? busyWait(options.current()) : undefined;
        if (wait === undefined || Date.now() + wait >= deadline) throw error;
        await pause(wait, send.signal);
      }
    }
  };
}

async function once(
  options: RequesterOptions,
  method: string,
  params: Record<string, unknown>,
  send: SendOptions,
  timeoutMs: number,
): Promise<Record<string, unknown>> {
  const limit = totalLimit(method, send);
  let connection = options.current();
  const context: FailureContext = {
    address: options.address,
    mask: options.mask,
    method,
    timeoutMs,
    signal: send.signal,
  };
  const raw = { ...send, timeoutMs, ...(limit.signal && { signal: limit.signal }) };
  try {
    let answer;
    try {
      answer = await settled(connection, method, params, raw);
    } catch (error) {
      // Either way the server refused the request unread, so it can be sent again without being carried out twice.
      if (isForgottenSession(error, connection))
        connection = await unlessAborted(options.reconnect(connection), limit.signal, method);
      else if (isUnauthorized(error) && connection.finishAuthorization) await connection.finishAuthorization();
      else throw error;
      answer = await settled(connection, method, params, raw);
    }
    if ('failure' in answer) throw answer.failure;
    if ('error' in answer) throw ofAnswer(answer.error, context);
    if (answer.result['resultType'] === 'input_required') throw inputRequired(method, answer.result);
    return answer.result;
  } catch (error) {
    throw (
      options.closed() ??
      limit.exceeded() ??
      explain(error, { ...context, connectionFailure: connection.failure, remark: connection.remark() })
    );
  } finally {
    limit.clear();
  }
}

/** How often a server may put off its answer. */
const mostRounds = 10;

/**
 * Sends a request, and again for as long as the server only wants to be given back its state (2026-07-28, Multi Round
 * Trip Requests): that needs no user, unlike everything else that it may ask for.
 */
async function settled(
  connection: Connection,
  method: string,
  params: Record<string, unknown>,
  options: RawRequestOptions,
): Promise<WireAnswer> {
  let answer = await connection.request(method, params, options);
  for (let round = 1; round < mostRounds && 'result' in answer; round++) {
    const { resultType, requestState, inputRequests } = answer.result;
    const wantsMore = isObject(inputRequests) && Object.keys(inputRequests).length > 0;
    if (resultType !== 'input_required' || typeof requestState !== 'string' || wantsMore) break;
    answer = await connection.request(method, { ...params, requestState }, options);
  }
  return answer;
}

/**
 * HTTP 404 says that a session is gone (2025-03-26 and later, Session Management). Servers that keep sessions in
 * memory answer 400 after a restart, and say that they know no such session.
 */
function isForgottenSession(error: unknown, connection: Connection): boolean {
  if (connection.sessionId === undefined) return false;
  const { status, data } = (error ?? {}) as { status?: unknown; data?: { text?: unknown } };
  return status === 404 || (status === 400 && noSession.test(String(data?.text)));
}

/** That there is no such session, in either order of the words; a `session_id` among a tool's arguments is none. */
const noSession =
  /\b(no|not|invalid|unknown|missing|expired|required)\b.*\bsession\b|\bsession\b.*\b(no|not|invalid|unknown|missing|expired|required)\b|not initialized/is;

function isBusy(error: unknown): boolean {
  return error instanceof ConnectionError && (error.status === 429 || error.status === 503);
}

function busyWait(connection: Connection): number {
  return connection.retryAfterMs() ?? busyWaitMs;
}

function inputRequired(method: string, result: Record<string, unknown>): InputRequiredError {
  const requests = isObject(result['inputRequests']) ? Object.values(result['inputRequests']) : [];
  const wanted = requests.map((request) =>
    isObject(request) && typeof request['method'] === 'string' ? request['method'] : 'unknown',
  );
  const what = wanted.length ? wanted.join(', ') : 'another round of the same request';
  return new InputRequiredError(
    `The server wants more before it answers ${method}: ${what}. This client cannot give it.`,
    wanted,
  );
}

/** The caller's signal, and a timer over the whole call where one was asked for. */
function totalLimit(method: string, { signal, totalTimeoutMs }: SendOptions) {
  if (totalTimeoutMs === undefined) return { signal, exceeded: () => undefined, clear: () => {} };
  const timer = new AbortController();
  const handle = setTimeout(() => timer.abort(), timerMs(totalTimeoutMs));
  return {
    signal: signal ? AbortSignal.any([signal, timer.signal]) : timer.signal,
    exceeded: () =>
      timer.signal.aborted && !signal?.aborted
        ? new TimeoutError(`The server did not finish ${method} within ${totalTimeoutMs} ms in all.`, totalTimeoutMs)
        : undefined,
    clear: () => clearTimeout(handle),
  };
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
    if (signal?.aborted) done();
  });
}
