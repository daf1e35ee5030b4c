import { isObject, type JsonObject } from '../../json/index.js';
import { shownText, type SecretMask } from '../../secrets/index.js';
import type { ServerAddress } from '../address.js';
import type { Connection, RawRequestOptions } from '../connection/connection.js';
import type { WireAnswer, WireText } from '../connection/envelope.js';
import { timerMs, unlessAborted, whileBusy } from '../connection/waiting.js';
import { InputRequiredError, TimeoutError, type McpError } from '../errors/errors.js';
import { changesSomething, explain, ofAnswer, type FailureContext } from '../errors/explain.js';
import { HttpFailure, Unauthorized } from '../errors/failures.js';
import type { CallOptions } from './session.js';

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
  /** Whether to wait and ask again when the server is too busy, as one may for what changes nothing. */
  retryWhenBusy?: boolean;
}

/** A result, and the text that it stood in. */
export interface Reply {
  result: JsonObject;
  wire: WireText;
}

export type Requester = (method: string, params: JsonObject, options?: SendOptions) => Promise<Reply>;

/**
 * Makes the function that sends every request of a session: one place that knows about time limits, forgotten
 * sessions, busy servers, and what errors look like.
 */
export function requester(options: RequesterOptions): Requester {
  return async (method, params, send = {}) => {
    const timeoutMs = timerMs(send.timeoutMs ?? options.timeoutMs);
    const limit = totalLimit(method, send);
    let connection = options.current();
    const context: FailureContext = {
      address: options.address,
      mask: options.mask,
      method,
      timeoutMs,
      signal: send.signal,
    };
    const raw: RawRequestOptions = { ...send, timeoutMs, signal: limit.signal };

    async function once(): Promise<WireAnswer> {
      try {
        return await settled(connection, method, params, raw);
      } catch (error) {
        // Either way the server refused the request unread, so it can be sent again without being carried out twice.
        if (isForgottenSession(error, connection)) {
          connection = await unlessAborted(options.reconnect(connection), limit.signal, method);
        } else if (error instanceof Unauthorized && error.awaitsUser && connection.finishAuthorization) {
          await connection.finishAuthorization();
        } else throw error;
        return settled(connection, method, params, raw);
      }
    }

    try {
      const answer = await (send.retryWhenBusy ? whileBusy(once, { timeoutMs, signal: limit.signal }) : once());
      if ('error' in answer) throw ofAnswer(answer.error, context);
      if (answer.result['resultType'] === 'input_required') throw inputRequired(method, answer.result);
      return answer;
    } catch (error) {
      throw (
        options.closed() ??
        limit.exceeded() ??
        explain(error, { ...context, connectionFailure: connection.failure, remark: connection.remark() })
      );
    } finally {
      limit.clear();
    }
  };
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
  params: JsonObject,
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
 * memory answer 400 after a restart, and say that they know no such session. An answer to the request itself, with its
 * id, never gets here, whatever it speaks of.
 */
function isForgottenSession(error: unknown, connection: Connection): boolean {
  if (connection.sessionId === undefined || !(error instanceof HttpFailure)) return false;
  return error.status === 404 || (error.status === 400 && noSession.test(error.body));
}

/** That there is no such session, in either order of the words; a `session_id` among a tool's arguments is none. */
const noSession =
  /\b(no|not|invalid|unknown|missing|expired|required)\b.*\bsession\b|\bsession\b.*\b(no|not|invalid|unknown|missing|expired|required)\b|not initialized/is;

function inputRequired(method: string, result: JsonObject): InputRequiredError {
  const requests = isObject(result['inputRequests']) ? Object.values(result['inputRequests']) : [];
  const wanted = requests
    .slice(0, 20)
    .map((request) =>
      isObject(request) && typeof request['method'] === 'string'
        ? shownText(request['method']).slice(1, -1)
        : 'unknown',
    );
  const what = wanted.length ? wanted.join(', ') : 'another round of the same request';
  return new InputRequiredError(
    `The server wants more before it answers ${method}: ${what}. This client cannot give it.`,
    wanted,
  );
}

/** How long a call with progress may take where nobody has said: a server could report progress for ever. */
const longestProgressMs = 3_600_000;

/** The caller's signal, and a timer over the whole call where one is needed. */
function totalLimit(method: string, send: SendOptions) {
  const { signal, timeoutMs = 0, onProgress } = send;
  const totalTimeoutMs = send.totalTimeoutMs ?? (onProgress && Math.max(longestProgressMs, timeoutMs));
  if (totalTimeoutMs === undefined) return { signal, exceeded: () => undefined, clear: () => {} };
  const timer = new AbortController();
  const handle = setTimeout(() => {
    timer.abort();
  }, timerMs(totalTimeoutMs));
  return {
    signal: signal ? AbortSignal.any([signal, timer.signal]) : timer.signal,
    exceeded: () =>
      timer.signal.aborted && !signal?.aborted
        ? new TimeoutError(`The server did not finish ${method} within ${totalTimeoutMs} ms in all.`, totalTimeoutMs, {
            outcomeUnknown: changesSomething(method),
          })
        : undefined,
    clear: () => {
      clearTimeout(handle);
    },
  };
}
