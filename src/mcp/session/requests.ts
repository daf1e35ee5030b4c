import type { JsonObject } from '../../json/index.js';
import type { Secret, SecretMask } from '../../secrets/index.js';
import type { ServerAddress } from '../address.js';
import type { Connection, RawRequestOptions } from '../connection/connection.js';
import type { WireAnswer, WireText } from '../connection/envelope.js';
import { timeLimit, timerMs, unlessAborted, whileBusy, type Pausable } from '../connection/waiting.js';
import { asker, HandlerFailure, type Asker } from '../elicitation/asking.js';
import type { Asked, Elicit } from '../elicitation/elicitation.js';
import { startRounds } from '../elicitation/rounds.js';
import { unansweredLines } from '../elicitation/unanswered.js';
import { TimeoutError, type McpError } from '../errors/errors.js';
import { changesSomething, explain, ofAnswer, type FailureContext } from '../errors/explain.js';
import { HttpFailure, Unauthorized } from '../errors/failures.js';
import { isOfForgottenSession } from '../errors/forgotten-session.js';
import type { CallOptions } from './session.js';

export interface RequesterOptions {
  address: ServerAddress;
  mask: SecretMask;
  timeoutMs: number;
  /** Answers the server's questions, where there is somebody to ask. */
  elicit: Elicit | undefined;
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
  /** What of this request must not appear in an error; asked for where there is one. */
  secrets?: () => Iterable<Secret>;
}

/** A result, and the text that it stood in. */
export interface Reply {
  result: JsonObject;
  wire: WireText;
  /** What the server asked in between. */
  asked: readonly Asked[];
}

/** The requests in whose middle a server may ask (2026-07-28, Multi Round-Trip Requests, Supported Requests). */
const mayAsk: readonly string[] = ['tools/call', 'prompts/get', 'resources/read'];

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
      get mask() {
        return send.secrets ? options.mask.with(send.secrets()) : options.mask;
      },
      method,
      timeoutMs,
      signal: send.signal,
    };
    const questions =
      options.elicit && mayAsk.includes(method) ? questionsOf(options.elicit, params, send, limit) : undefined;
    const onAsked: RawRequestOptions['onAsked'] = questions && ((asked, about) => questions.ask(asked, about));
    const raw: RawRequestOptions = {
      ...send,
      timeoutMs,
      signal: limit.signal,
      onAsked,
    };
    const rounds = startRounds(method, params, questions, send.continuation);

    async function once(): Promise<WireAnswer> {
      const request = (all: JsonObject) => connection.request(method, all, raw);
      try {
        return await rounds(request);
      } catch (error) {
        // Either way the server refused the request unread, so it can be sent again without being carried out twice.
        if (isForgottenSession(error, connection)) {
          connection = await unlessAborted(options.reconnect(connection), limit.signal, method);
        } else if (error instanceof Unauthorized && error.awaitsUser && connection.finishAuthorization) {
          await connection.finishAuthorization();
        } else throw error;
        return rounds(request);
      }
    }

    try {
      const answer = await (send.retryWhenBusy ? whileBusy(once, { timeoutMs, signal: limit.signal }) : once());
      if ('error' in answer) throw ofAnswer(answer.error, context);
      return { ...answer, asked: questions?.asked ?? [] };
    } catch (error) {
      if (error instanceof HandlerFailure) throw error.cause;
      const explained =
        options.closed() ??
        limit.exceeded() ??
        explain(error, { ...context, connectionFailure: connection.failure, remark: connection.remark() });
      throw questions?.asked.length ? withQuestions(explained, questions.asked) : explained;
    } finally {
      limit.clear();
    }
  };
}

/** What the server asked in vain is likely to be the reason of a failure. */
function withQuestions(error: McpError, asked: readonly Asked[]): McpError {
  const hint = [...(error.hint === undefined ? [] : [error.hint]), ...unansweredLines(asked)].join('\n');
  return Object.assign(error, { asked, ...(hint !== '' && { hint }) });
}

function questionsOf(elicit: Elicit, { name }: JsonObject, send: SendOptions, limit: Pausable): Asker {
  return asker({
    elicit: send.elicit ?? elicit,
    ...(typeof name === 'string' && { tool: name }),
    signal: send.signal,
    limit,
  });
}

/** An answer to the request itself, with its id, never gets here, whatever it speaks of. */
export function isForgottenSession(error: unknown, connection: Connection): boolean {
  return error instanceof HttpFailure && isOfForgottenSession(error, connection.sessionId);
}

/** How long a call with progress may take where nobody has said: a server could report progress for ever. */
const longestProgressMs = 3_600_000;

/** The caller's signal, and a limit for the whole call where one is needed; it stands still while the user thinks. */
function totalLimit(method: string, send: SendOptions) {
  const { signal, timeoutMs = 0, onProgress } = send;
  const totalTimeoutMs = send.totalTimeoutMs ?? (onProgress && Math.max(longestProgressMs, timeoutMs));
  if (totalTimeoutMs === undefined)
    return { signal, exceeded: () => undefined, pause: () => {}, resume: () => {}, clear: () => {} };
  const late = new AbortController();
  const limit = timeLimit(totalTimeoutMs, () => {
    late.abort();
  });
  return {
    ...limit,
    signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
    exceeded: () =>
      late.signal.aborted && !signal?.aborted
        ? new TimeoutError(`The server did not finish ${method} within ${totalTimeoutMs} ms in all.`, totalTimeoutMs, {
            outcomeUnknown: changesSomething(method),
          })
        : undefined,
  };
}
