import type { JsonObject } from '../../json/index.js';
import type { SecretMask } from '../../secrets/index.js';
import type { Connection } from '../connection/connection.js';
import type { Progress, RawRequestOptions } from '../connection/pending-requests.js';
import { whileBusy } from '../connection/while-busy.js';
import { elicitorOf, HandlerFailure, type Elicitor } from '../elicitation/elicitor.js';
import type { Continuation, Elicit } from '../elicitation/elicitation.js';
import { startRounds } from '../elicitation/rounds.js';
import { unansweredLines } from '../elicitation/unanswered.js';
import type { Asked } from '../errors/errors.js';
import { ProtocolError, TimeoutError, type McpError } from '../errors/errors.js';
import { changesSomething, explain, ofAnswer, type FailureContext } from '../errors/explain.js';
import { HttpFailure, Unauthorized } from '../errors/failures.js';
import { isOfForgottenSession } from '../errors/forgotten-session.js';
import { Deadline } from '../runtime/deadline.js';
import { timerMs } from '../runtime/timers.js';
import type { RequestId, WireAnswer, WireText } from '../wire/envelope.js';
import type { CallOptions } from './session.js';
import { followTask, statusReporter, taskIn, type TaskRequest } from './tasks.js';

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
  /** Whether the answer is taken as it comes: the caller itself handles questions and tasks in it. */
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

export type Requester = (method: string, params: JsonObject, options?: SendOptions) => Promise<Reply>;

/** Makes the function that sends every request of a session. */
export function requester(session: RequesterOptions): Requester {
  return async (method, params, options = {}) => new SessionRequest(session, method, params, options).reply();
}

/** The requests in whose middle a server may ask (2026-07-28, Multi Round-Trip Requests, Supported Requests). */
const mayAsk: readonly string[] = ['tools/call', 'prompts/get', 'resources/read'];

/** How long a request may take by default: a server could report progress for ever, or never finish a task. */
const longestMs = 3_600_000;

/**
 * One request from its first sending to its result: its time limits, forgotten sessions, busy servers, questions, tasks,
 * and what its errors look like.
 */
class SessionRequest {
  readonly #session: RequesterOptions;
  readonly #method: string;
  readonly #params: JsonObject;
  readonly #options: SendOptions;
  readonly #idleTimeoutMs: number;
  /** Of all that becomes of the request; it stands still while the user thinks. */
  readonly #deadline: Deadline;
  readonly #elicitor: Elicitor | undefined;
  readonly #progress: ReturnType<typeof progressOf> | undefined;
  readonly #rounds: ReturnType<typeof startRounds>;
  #connection: Connection;
  #wasRepeated = false;
  #stopHearing: (() => void) | undefined;

  constructor(session: RequesterOptions, method: string, params: JsonObject, options: SendOptions) {
    this.#session = session;
    this.#method = method;
    this.#params = params;
    this.#options = options;
    this.#connection = session.current();
    this.#idleTimeoutMs = timerMs(options.idleTimeoutMs ?? session.idleTimeoutMs);
    this.#deadline = new Deadline(this.#maxDurationMs, options.signal);
    this.#elicitor = this.#elicitorFor(params);
    this.#progress = options.onProgress && progressOf(options.onProgress);
    this.#rounds = options.asIs
      ? (send) => send(params)
      : startRounds(method, params, this.#elicitor, options.continuation);
    // What a process has printed is shown in every error while it lives.
    if (this.#connection.kind === 'stdio' && options.secrets) session.mask.add(...options.secrets());
  }

  async reply(): Promise<Reply> {
    try {
      const answer = await this.#answered();
      if ('error' in answer) throw ofAnswer(answer.error, this.#context());
      const { result, wire } = answer;
      return { result, wire, asked: this.#elicitor?.asked ?? [], mask: () => this.#context().mask };
    } catch (error) {
      throw this.#failure(error);
    } finally {
      this.#stopHearing?.();
      this.#deadline.clear();
    }
  }

  get #maxDurationMs(): number {
    return this.#options.maxDurationMs ?? Math.max(longestMs, this.#idleTimeoutMs);
  }

  #elicitorFor({ name }: JsonObject): Elicitor | undefined {
    const { elicitor, elicit, signal } = this.#options;
    const handler = elicitor ?? (this.#session.elicit && (elicit ?? this.#session.elicit));
    if (!handler || !mayAsk.includes(this.#method)) return undefined;
    const tool = typeof name === 'string' ? name : undefined;
    return elicitorOf({ elicit: handler, tool, signal, deadline: this.#deadline });
  }

  #context(): FailureContext {
    const { server, mask } = this.#session;
    const { secrets, signal } = this.#options;
    return {
      server,
      mask: secrets ? mask.with(secrets()) : mask,
      method: this.#method,
      idleTimeoutMs: this.#idleTimeoutMs,
      signal,
    };
  }

  /** What the request was answered, itself or by the task that it became. */
  async #answered(): Promise<WireAnswer> {
    const { continuation, retryWhenBusy, asIs } = this.#options;
    if (continuation?.taskId !== undefined)
      return this.#followed({ resultType: 'task', taskId: continuation.taskId }, continuation);
    const limits = { idleTimeoutMs: this.#idleTimeoutMs, signal: this.#deadline.signal };
    const answer = await (retryWhenBusy ? whileBusy(() => this.#sent(), limits) : this.#sent());
    const task = !asIs && 'result' in answer ? taskIn(this.#params, answer.result) : undefined;
    return task ? this.#followed(task) : answer;
  }

  async #sent(): Promise<WireAnswer> {
    const send = (params: JsonObject) => this.#send(params);
    try {
      return await this.#rounds(send);
    } catch (error) {
      await this.#prepareRepeat(error);
      return this.#rounds(send);
    }
  }

  async #send(params: JsonObject): Promise<WireAnswer> {
    const connection = this.#connection;
    // Servers drop questions while nobody listens.
    if (this.#elicitor && !connection.envelope) await this.#deadline.wait(connection.listen());
    const { headers, meta, argumentsText, envelope, context } = this.#options;
    return connection.request(this.#method, params, {
      ...{ headers, meta, argumentsText, envelope, context },
      idleTimeoutMs: this.#idleTimeoutMs,
      signal: this.#deadline.signal,
      onProgress: this.#progress?.reported,
      onElicitation: this.#onElicitation,
      onAnswer: (answer, id) => {
        this.#followProgress(answer, id);
      },
    });
  }

  /** A task keeps the progress token of its request (2025-11-25, Task Progress Notifications). */
  #followProgress(answer: WireAnswer, id: RequestId): void {
    const task = 'result' in answer ? taskIn(this.#params, answer.result) : undefined;
    if (!task || !this.#progress) return;
    this.#progress.isNow(task);
    this.#stopHearing = this.#connection.hearProgress(id, this.#progress.reported);
  }

  get #onElicitation(): RawRequestOptions['onElicitation'] {
    const elicitor = this.#elicitor;
    return elicitor && ((question, about) => elicitor.ask(question, about));
  }

  /**
   * Resolves once the request can be sent again without being carried out twice, or where twice does no harm.
   *
   * @throws the error where it cannot
   */
  async #prepareRepeat(error: unknown): Promise<void> {
    const connection = this.#connection;
    // In the first two cases the server has refused the request unread.
    if (isForgottenSession(error, connection)) {
      this.#connection = await this.#deadline.wait(this.#session.reconnect(connection));
    } else if (error instanceof Unauthorized && error.awaitsUser && connection.finishAuthorization) {
      await this.#deadline.wait(connection.finishAuthorization());
    } else if (this.#options.mayRepeat && !connection.ended && !this.#elicitor?.asked.length && this.#isLost(error)) {
      // The network, or something in front of the server. Whoever was asked something is not asked it again.
      this.#wasRepeated = true;
    } else throw error;
  }

  /** The answer to a request that became a task. */
  #followed(task: JsonObject, continuation?: Continuation): Promise<WireAnswer> {
    if (this.#method !== 'tools/call')
      throw new ProtocolError(`The server has made a task of ${this.#method}, which cannot be one.`);
    return followTask(task, {
      continuation,
      signal: this.#deadline.signal,
      elicitor: this.#elicitor,
      request: (...request) => this.#taskRequest(...request),
    });
  }

  /** What asks for the task changes nothing, so it can be sent again if it is lost. */
  async #taskRequest(...[method, params, more]: Parameters<TaskRequest>): ReturnType<TaskRequest> {
    const { headers = {}, context } = this.#options;
    const options: RawRequestOptions = {
      context,
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('mcp-param-'))),
      idleTimeoutMs: this.#idleTimeoutMs,
      ...(method !== 'tasks/cancel' && { signal: this.#deadline.signal, onElicitation: this.#onElicitation }),
      // What is reported of a task may come right behind its state.
      ...(method === 'tasks/get' && {
        onAnswer: (got: WireAnswer) => 'result' in got && this.#progress?.isNow(got.result),
      }),
      ...more,
    };
    const send = () => this.#connection.request(method, params, options);
    const answer = await send().catch((error: unknown) => {
      if (method !== 'tasks/get' || !this.#isLost(error)) throw error;
      return send();
    });
    if (!('error' in answer)) return answer;
    // The tool has begun.
    throw Object.assign(ofAnswer(answer.error, { ...this.#context(), method }), { outcomeUnknown: true });
  }

  /** Whether the answer did not come because the response broke off. */
  #isLost(error: unknown): boolean {
    return this.#explained(error).code === 'CONNECTION_LOST';
  }

  #explained(error: unknown): McpError {
    if (this.#deadline.isOver && !this.#options.signal?.aborted) return tooLong(this.#method, this.#maxDurationMs);
    const { failure: connectionFailure } = this.#connection;
    return explain(error, { ...this.#context(), connectionFailure, diagnostics: this.#connection.diagnostics() });
  }

  /** What the caller gets to see. */
  #failure(error: unknown): unknown {
    if (error instanceof HandlerFailure) return error.cause;
    const known = this.#session.closed() ?? this.#explained(error);
    if (this.#wasRepeated && !this.#connection.ended) Object.assign(known, sentTwice(this.#method, known));
    const { asked = [] } = this.#elicitor ?? {};
    return asked.length > 0 ? withQuestions(known, asked) : known;
  }
}

/** What a task says comes with how far it is by its server's own reports, where there are any. */
function progressOf(report: (progress: Progress) => void) {
  let last: Progress | undefined;
  return {
    reported: (progress: Progress) => {
      last = progress;
      report(progress);
    },
    isNow: statusReporter((status) => {
      try {
        report({ ...status, ...last, message: status.message });
      } catch {
        // The function is the host's; its failure must not break the connection.
      }
    }),
  };
}

/** What holds for a request that was sent twice and got no answer, in place of what holds for the second alone. */
function sentTwice(method: string, { code, outcomeUnknown }: McpError): Partial<McpError> {
  const isRefused = code === 'CONNECTION_FAILED';
  if (code !== 'CONNECTION_LOST' && !isRefused && !outcomeUnknown) return {};
  const isCall = changesSomething(method);
  const why = isCall ? " because the tool's annotations say that this does no harm" : '';
  const outcome = isCall ? ' Whether the server has carried it out is unknown.' : '';
  return {
    ...(isRefused && { code: 'CONNECTION_LOST' }),
    outcomeUnknown: false,
    hint: `It was sent twice${why}, and no answer came.${outcome}`,
  };
}

/** What the server asked in vain is likely to be the reason of a failure. */
function withQuestions(error: McpError, asked: readonly Asked[]): McpError {
  const hint = [...(error.hint === undefined ? [] : [error.hint]), ...unansweredLines(asked)].join('\n');
  return Object.assign(error, { asked, ...(hint !== '' && { hint }) });
}

/** An answer to the request itself, with its id, never gets here, whatever it says. */
function isForgottenSession(error: unknown, connection: Connection): boolean {
  return error instanceof HttpFailure && isOfForgottenSession(error, connection.sessionId);
}

function tooLong(method: string, maxDurationMs: number): TimeoutError {
  return new TimeoutError(`The server did not finish ${method} within ${maxDurationMs} ms in all.`, maxDurationMs, {
    outcomeUnknown: changesSomething(method),
  });
}
