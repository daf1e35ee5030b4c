import type { JsonObject } from '../../json/index.js';
import type { SecretMask } from '../../secrets/index.js';
import type { Connection } from '../connection/connection.js';
import type { Progress, RawRequestOptions } from '../connection/pending-requests.js';
import type { WireAnswer, WireText } from '../wire/envelope.js';
import { Deadline } from '../runtime/deadline.js';
import { timerMs } from '../runtime/timers.js';
import { whileBusy } from '../connection/while-busy.js';
import { asker, HandlerFailure, type Asker } from '../elicitation/asking.js';
import type { Asked } from '../errors/asked.js';
import type { Continuation, Elicit } from '../elicitation/elicitation.js';
import { startRounds } from '../elicitation/rounds.js';
import { unansweredLines } from '../elicitation/unanswered.js';
import { ProtocolError, TimeoutError, type McpError } from '../errors/errors.js';
import { changesSomething, explain, ofAnswer, type FailureContext } from '../errors/explain.js';
import { HttpFailure, Unauthorized } from '../errors/failures.js';
import { isOfForgottenSession } from '../errors/forgotten-session.js';
import type { CallOptions } from './session.js';
import { followTask, statusTeller, taskIn } from './tasks.js';

export interface RequesterOptions {
  /** The server, as a message names it. */
  server: string;
  mask: SecretMask;
  idleTimeoutMs: number;
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
  /** What of this request must not appear in an error, be it that of another one: a process may print anything. */
  secrets?: () => Iterable<string>;
  /** Whether a request that was lost with its response may be sent once more (2026-07-28, Streamable HTTP). */
  mayRepeat?: boolean;
  /** Whether the answer is taken as it comes: what it wants to know and the task that it names are the caller's affair. */
  asIs?: boolean | undefined;
  /** Answers what the server asks in this request, whether or not the session has a handler. */
  elicitor?: Elicit | undefined;
  /** What the request carries in place of the connection's envelope (2026-07-28). */
  envelope?: JsonObject | undefined;
  /** Given with everything that the server sends in response to this request ({@link Origin}). */
  context?: unknown;
}

/** How a list is asked for, which changes nothing. */
export const asReading = { retryWhenBusy: true, mayRepeat: true } satisfies SendOptions;

/** A result, and the text that it stood in. */
export interface Reply {
  result: JsonObject;
  wire: WireText;
  /** What the server asked in between. */
  asked: readonly Asked[];
  /** Hides what an error of this request would hide. */
  mask: () => SecretMask;
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
    const idleTimeoutMs = timerMs(send.idleTimeoutMs ?? options.idleTimeoutMs);
    let connection = options.current();
    // What a process has printed is told in every error while it lives.
    if (connection.kind === 'stdio' && send.secrets) options.mask.add(...send.secrets());
    const maxDurationMs = send.maxDurationMs ?? Math.max(longestMs, idleTimeoutMs);
    const deadline = new Deadline(maxDurationMs, send.signal);
    const context = (): FailureContext => ({
      server: options.server,
      mask: send.secrets ? options.mask.with(send.secrets()) : options.mask,
      method,
      idleTimeoutMs,
      signal: send.signal,
    });
    const elicit = send.elicitor ?? (options.elicit && (send.elicit ?? options.elicit));
    const questions = elicit && mayAsk.includes(method) ? questionsOf(elicit, params, send, deadline) : undefined;
    const onAsked: RawRequestOptions['onAsked'] = questions && ((asked, about) => questions.ask(asked, about));
    const progress = send.onProgress && progressOf(send.onProgress);
    let stopHearing: (() => void) | undefined;
    const { headers, meta, argumentsText, envelope, context: given } = send;
    const raw: RawRequestOptions = {
      headers,
      meta,
      argumentsText,
      envelope,
      context: given,
      idleTimeoutMs,
      onProgress: progress?.reported,
      onAnswer: (answer, id) => {
        const task = progress && 'result' in answer && taskIn(params, answer.result);
        if (!task) return;
        progress.isNow(task);
        // It keeps the token of its request (2025-11-25, Task Progress Notifications).
        stopHearing = connection.hearProgress(id, progress.reported);
      },
      signal: deadline.signal,
      onAsked,
    };
    const rounds = send.asIs
      ? (request: (params: JsonObject) => Promise<WireAnswer>) => request(params)
      : startRounds(method, params, questions, send.continuation);
    const explained = (error: unknown) =>
      (deadline.isOver && !send.signal?.aborted ? tooLong(method, maxDurationMs) : undefined) ??
      explain(error, { ...context(), connectionFailure: connection.failure, remark: connection.remark() });
    let repeats = 0;

    async function once(): Promise<WireAnswer> {
      const ask = (all: JsonObject) => connection.request(method, all, raw);
      // Servers drop questions while nobody listens.
      const request = (all: JsonObject) =>
        questions && !connection.envelope ? deadline.wait(connection.listen()).then(() => ask(all)) : ask(all);
      try {
        return await rounds(request);
      } catch (error) {
        // Either way the server refused the request unread, so it can be sent again without being carried out twice.
        if (isForgottenSession(error, connection)) {
          connection = await deadline.wait(options.reconnect(connection));
        } else if (error instanceof Unauthorized && error.awaitsUser && connection.finishAuthorization) {
          await deadline.wait(connection.finishAuthorization());
        } else if (send.mayRepeat && !connection.ended && !questions?.asked.length && isLost(explained(error))) {
          // The network, or something in front of the server. Whoever was asked something is not asked it again.
          repeats++;
        } else throw error;
        return rounds(request);
      }
    }

    /** A request that became a task. What asks for the task changes nothing, so it can be sent again if it is lost. */
    function followed(task: JsonObject, continuation?: Continuation): Promise<WireAnswer> {
      if (method !== 'tools/call')
        throw new ProtocolError(`The server has made a task of ${method}, which cannot be one.`);
      const headers = Object.fromEntries(
        Object.entries(send.headers ?? {}).filter(([name]) => !name.startsWith('mcp-param-')),
      );
      return followTask(task, {
        continuation,
        signal: deadline.signal,
        asker: questions,
        async request(about, what, more) {
          const ask = () =>
            connection.request(about, what, {
              idleTimeoutMs,
              headers,
              context: given,
              ...(about === 'tasks/cancel' ? {} : { signal: deadline.signal, onAsked }),
              // What is reported of a task may come right behind its state.
              ...(about === 'tasks/get' && {
                onAnswer: (got: WireAnswer) => 'result' in got && progress?.isNow(got.result),
              }),
              ...more,
            });
          const answer = await ask().catch((error: unknown) => {
            if (about !== 'tasks/get' || !isLost(explained(error))) throw error;
            return ask();
          });
          if (!('error' in answer)) return answer;
          // The tool has begun.
          throw Object.assign(ofAnswer(answer.error, { ...context(), method: about }), { outcomeUnknown: true });
        },
      });
    }

    /** What the request was answered, itself or by the task that it became. */
    async function answered(): Promise<WireAnswer> {
      const { continuation } = send;
      if (continuation?.taskId !== undefined)
        return followed({ resultType: 'task', taskId: continuation.taskId }, continuation);
      const answer = await (send.retryWhenBusy ? whileBusy(once, { idleTimeoutMs, signal: deadline.signal }) : once());
      if ('error' in answer) throw ofAnswer(answer.error, context());
      const task = send.asIs ? undefined : taskIn(params, answer.result);
      return task ? followed(task) : answer;
    }

    try {
      const ended = await answered();
      if ('error' in ended) throw ofAnswer(ended.error, context());
      return { result: ended.result, wire: ended.wire, asked: questions?.asked ?? [], mask: () => context().mask };
    } catch (error) {
      if (error instanceof HandlerFailure) throw error.cause;
      const known = options.closed() ?? explained(error);
      if (repeats > 0 && isUnanswered(known) && !connection.ended) Object.assign(known, sentTwice(method, known));
      throw questions?.asked.length ? withQuestions(known, questions.asked) : known;
    } finally {
      stopHearing?.();
      deadline.clear();
    }
  };
}

/** What a task says comes with how far it is by its server's own reports, where there are any. */
function progressOf(tell: (report: Progress) => void) {
  let last: Progress | undefined;
  return {
    reported: (report: Progress) => {
      last = report;
      tell(report);
    },
    isNow: statusTeller((report) => {
      try {
        tell({ ...report, ...last, message: report.message });
      } catch {
        // It belongs to the host, as does what is told of reports; its failure must not break the connection.
      }
    }),
  };
}

/** Whether the answer did not come because the response broke off. */
function isLost({ code }: McpError): boolean {
  return code === 'CONNECTION_LOST';
}

function isUnanswered(error: McpError): boolean {
  return isLost(error) || error.code === 'CONNECTION_FAILED' || error.outcomeUnknown;
}

/** What is to be said of a request that was sent twice, in place of what holds for the second alone. */
function sentTwice(method: string, error: McpError): Partial<McpError> {
  const isCall = changesSomething(method);
  const why = isCall ? " because the tool's annotations say that this does no harm" : '';
  if (isLost(error)) return { outcomeUnknown: false, hint: `No answer came to it twice. It was sent again${why}.` };
  const isRefused = error.code === 'CONNECTION_FAILED';
  const second = isRefused ? ', and the second did not reach the server' : '';
  const outcome = isCall ? ' Whether the server has carried it out is unknown.' : '';
  return {
    ...(isRefused && { code: 'CONNECTION_LOST' }),
    outcomeUnknown: false,
    hint: `It was sent twice${why}: no answer came to the first${second}.${outcome}`,
  };
}

/** What the server asked in vain is likely to be the reason of a failure. */
function withQuestions(error: McpError, asked: readonly Asked[]): McpError {
  const hint = [...(error.hint === undefined ? [] : [error.hint]), ...unansweredLines(asked)].join('\n');
  return Object.assign(error, { asked, ...(hint !== '' && { hint }) });
}

function questionsOf(elicit: Elicit, { name }: JsonObject, send: SendOptions, deadline: Deadline): Asker {
  return asker({
    elicit,
    ...(typeof name === 'string' && { tool: name }),
    signal: send.signal,
    deadline,
  });
}

/** An answer to the request itself, with its id, never gets here, whatever it speaks of. */
export function isForgottenSession(error: unknown, connection: Connection): boolean {
  return error instanceof HttpFailure && isOfForgottenSession(error, connection.sessionId);
}

/** How long a request may take where nobody has said: a server could report progress for ever, or never finish a task. */
const longestMs = 3_600_000;

function tooLong(method: string, maxDurationMs: number): TimeoutError {
  return new TimeoutError(`The server did not finish ${method} within ${maxDurationMs} ms in all.`, maxDurationMs, {
    outcomeUnknown: changesSomething(method),
  });
}
