import { jsonText, messageOf, parseJson, withMember, type JsonObject } from '../../json/index.js';
import type { SecretMask } from '../../secrets/index.js';
import type { Connection } from '../connection/connection.js';
import type { RawRequestOptions } from '../connection/pending-requests.js';
import { Elicitor, HandlerFailure, unansweredLines } from '../elicitation/elicitor.js';
import type { Continuation } from '../elicitation/elicitation.js';
import { inRounds, type AskForText } from '../elicitation/rounds.js';
import { ProtocolError, TimeoutError, type Asked, type McpError } from '../errors/errors.js';
import { explain, judged, ofAnswer, type FailureContext } from '../errors/explain.js';
import { HttpFailure } from '../errors/failures.js';
import { changesSomething, isOutcomeUnknown, type Progressed } from '../errors/outcome.js';
import { isRefusedLikePing, mayBeOfSession } from '../errors/http-problem.js';
import { Deadline } from '../runtime/deadline.js';
import { debugLog } from '../runtime/node-runtime.js';
import { timerMs } from '../runtime/timers.js';
import type { WireAnswer, WireText } from '../wire/envelope.js';
import type { LiveConnection } from './live-connection.js';
import { lookedAt } from './one-connection.js';
import type { CallOptions } from './session.js';
import { followTask, taskIn, type TaskRequest } from './tasks.js';

export type RequesterOptions = Pick<
  LiveConnection,
  'server' | 'mask' | 'idleTimeoutMs' | 'elicit' | 'current' | 'closed' | 'reconnect' | 'pause'
>;

export interface SendOptions extends Omit<CallOptions, 'beforeSending'> {
  /** See {@link CallOptions.beforeSending}; the signal is the one of the whole request. */
  beforeSending?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** Secrets to mask in every error of this session; a stdio server may print them at any time. */
  secrets?: () => Iterable<string>;
  /** True if the request may be sent once more after its response broke off. */
  mayRepeat?: boolean;
  isReadOnly?: boolean;
  /** True if the caller itself handles questions and tasks in the answer. */
  isRelayed?: boolean | undefined;
  /** Passes a question in an answer on to a client, as text, and returns the text of its answer. */
  relay?: ((paramsText: string, signal: AbortSignal) => Promise<string>) | undefined;
  envelope?: JsonObject | undefined;
  context?: unknown;
  /** See {@link ParamsTexts.written}. */
  written?: string | undefined;
}

export interface Reply {
  result: JsonObject;
  wire: WireText;
  asked: readonly Asked[];
  mask: () => SecretMask;
}

export type Requester = (method: string, params: JsonObject, options?: SendOptions) => Promise<Reply>;

/** Sends requests. With `NODE_DEBUG=mcp-verbatim`, writes each request and its outcome to stderr, secrets masked. */
export function requester(session: RequesterOptions): Requester {
  const ask: Requester = async (method, params, options = {}) =>
    new SessionRequest(session, method, params, options).reply();
  if (!debugLog) return ask;
  const write = debugLog;
  return async (method, params, options = {}) => {
    const mask = maskOf(session, options);
    const show = (text: string) => write(mask(text, 10_000));
    show(`> ${method} ${options.argumentsText ?? jsonText(params)}`);
    try {
      const reply = await ask(method, params, options);
      show(`< ${method} ${jsonText(reply.result)}`);
      return reply;
    } catch (error) {
      show(`< ${method} failed: ${messageOf(error)}`);
      throw error;
    }
  };
}

function maskOf({ mask }: RequesterOptions, { secrets }: SendOptions): SecretMask {
  return secrets ? mask.with(secrets()) : mask;
}

/** The requests in whose middle a server may ask (2026-07-28, Multi Round-Trip Requests, Supported Requests). */
const mayAsk: readonly string[] = ['tools/call', 'prompts/get', 'resources/read'];

/** How long a request may take by default: a server could report progress for ever, or never finish a task. */
const longestMs = 3_600_000;

/** The longest pause between two requests, if the first one failed. */
const longestPauseMs = 10_000;

/** One request until its result: its time limits, forgotten sessions, questions, tasks, and its errors. */
class SessionRequest {
  readonly #idleTimeoutMs: number;
  readonly #maxDurationMs: number;
  /** The limit of `maxDurationMs`; it stands still while the user thinks. */
  readonly #deadline: Deadline;
  readonly #elicitor: Elicitor | undefined;
  readonly #ask: AskForText | undefined;
  #connection: Connection;
  #isSecondSending = false;
  #wasLost = false;
  #isUnderWay = false;
  #hasTask = false;
  /** The request about a task that failed last. */
  #failedMethod: string | undefined;

  constructor(
    readonly session: RequesterOptions,
    readonly method: string,
    readonly params: JsonObject,
    readonly options: SendOptions,
  ) {
    const { maxDurationMs, signal, secrets } = options;
    this.#connection = session.current();
    this.#idleTimeoutMs = timerMs(options.idleTimeoutMs ?? session.idleTimeoutMs);
    this.#maxDurationMs = maxDurationMs ?? Math.max(longestMs, this.#idleTimeoutMs);
    this.#deadline = new Deadline(this.#maxDurationMs, signal);
    this.#elicitor = this.#elicitorFor(params);
    this.#ask = this.#asking();
    // A process's output appears in all errors while it lives.
    if (this.#connection.transport.kind === 'stdio' && secrets) session.mask.add(secrets());
  }

  async reply(): Promise<Reply> {
    try {
      const answer = await this.#answered();
      if ('error' in answer) throw ofAnswer(answer, this.#context());
      const { result, wire } = answer;
      return { result, wire, asked: this.#elicitor?.asked ?? [], mask: () => this.#context().mask };
    } catch (error) {
      throw this.#failure(error);
    } finally {
      this.#deadline.clear();
    }
  }

  #elicitorFor({ name }: JsonObject): Elicitor | undefined {
    const { elicit, signal } = this.options;
    const handler = this.session.elicit && (elicit ?? this.session.elicit);
    if (!handler || !mayAsk.includes(this.method)) return undefined;
    const tool = typeof name === 'string' ? name : undefined;
    return new Elicitor(handler, { tool, signal, deadline: this.#deadline });
  }

  #asking(): AskForText | undefined {
    const { relay } = this.options;
    const elicitor = this.#elicitor;
    if (!relay) return elicitor && (async (params, about) => jsonText(await elicitor.ask(params, about)));
    return (_params, { paramsText }) =>
      relay(paramsText, this.#deadline.signal).catch((error: unknown) => {
        throw new HandlerFailure(error);
      });
  }

  async #answered(): Promise<WireAnswer> {
    const { method, params, options } = this;
    const { continuation, isRelayed } = options;
    const taskId = continuation?.taskId;
    if (taskId !== undefined) return this.#followed({ resultType: 'task', taskId }, continuation);
    if (isRelayed) return this.#send(params);
    const send: Parameters<typeof inRounds>[1] = ({ inputResponses: answers, ...state }) => {
      if (answers === undefined) return this.#send({ ...params, ...state });
      const written = withMember(options.written ?? '{}', ['inputResponses'], answers);
      return this.#send({ ...params, ...state, inputResponses: parseJson(answers) }, written);
    };
    const answer = await inRounds(method, send, this.#ask, this.#elicitor, continuation);
    const task = 'result' in answer ? taskIn(params, answer.result) : undefined;
    return task ? this.#followed(task) : answer;
  }

  /** Sends the request, and once more if the server rejected it unread or if sending it twice does no harm. */
  async #send(params: JsonObject, written = this.options.written): Promise<WireAnswer> {
    try {
      return await this.#sendOnce(params, written);
    } catch (error) {
      if (this.#isSecondSending || error instanceof HandlerFailure) throw error;
      this.#isSecondSending = true;
      if (await this.#refusesPing(error)) {
        this.#isUnderWay = false;
        this.#connection = await this.#deadline.wait(this.session.reconnect(this.#connection));
        // A server that refuses a ping in every session may have carried the request out.
        if (changesSomething(this.method) && (await this.#refusesPing(error))) throw error;
      } else if (this.#mayRepeat(error)) this.#wasLost = true;
      else await this.#waitAsAsked(error);
      return this.#sendOnce(params, written);
    }
  }

  /** Waits before a read is sent once more, if the server says how long. @throws the error if it does not */
  async #waitAsAsked(error: unknown): Promise<void> {
    const { retryAfterMs = Infinity } = error instanceof HttpFailure ? error : {};
    if (changesSomething(this.method) || retryAfterMs > longestPauseMs) throw error;
    await this.session.pause(retryAfterMs, this.#deadline.signal);
  }

  /** True if the server refuses a `ping` in the same way: then it has forgotten the session. */
  async #refusesPing(error: unknown, method = this.method): Promise<boolean> {
    const isOfSession = error instanceof HttpFailure && mayBeOfSession(error);
    if (!isOfSession || this.#connection.transport.sessionId === undefined) return false;
    const idleTimeoutMs = Math.min(this.#idleTimeoutMs, longestPauseMs);
    const ping = this.#connection.request('ping', {}, { idleTimeoutMs, signal: this.#deadline.signal });
    return ping.then(
      () => false,
      (refusal: unknown) => refusal instanceof HttpFailure && isRefusedLikePing(error, method, refusal),
    );
  }

  /** Never retry after an elicitation: the user would be asked twice. */
  #mayRepeat(error: unknown): boolean {
    if (!this.options.mayRepeat || this.#connection.ended || this.#elicitor?.asked.length) return false;
    return this.#isLost(error);
  }

  async #sendOnce(params: JsonObject, written: string | undefined): Promise<WireAnswer> {
    if (this.options.beforeSending) await this.#lookedAt(this.options.beforeSending);
    else if (this.#elicitor) await this.#deadline.wait(this.#connection.listen());
    const { headers, meta, argumentsText, envelope, onProgress } = this.options;
    const own = { headers, meta, argumentsText, written, envelope, onProgress };
    const onSent = (wasSent: boolean) => (this.#isUnderWay = wasSent);
    return this.#answeredBy(
      await this.#connection.request(this.method, params, { ...own, ...this.#sending(), onSent }),
    );
  }

  async #lookedAt(beforeSending: NonNullable<SendOptions['beforeSending']>): Promise<void> {
    const { signal } = this.#deadline;
    const look = async (connection: Connection) => {
      this.#connection = connection;
      if (this.#elicitor) await connection.listen(); // servers drop questions while nobody listens
      await beforeSending(signal);
    };
    await this.#deadline.wait(lookedAt(this.method, () => this.session.current(), look));
  }

  #sending(): RawRequestOptions {
    return {
      context: this.options.context,
      idleTimeoutMs: this.#idleTimeoutMs,
      signal: this.#deadline.signal,
      onElicitation: this.#elicitor?.ask,
    };
  }

  async #followed(task: JsonObject, continuation?: Continuation): Promise<WireAnswer> {
    if (this.method !== 'tools/call')
      throw new ProtocolError(`The server has made a task of ${this.method}, which cannot be one.`);
    this.#hasTask = true;
    const answer = await followTask(task, {
      continuation,
      signal: this.#deadline.signal,
      ask: this.#ask,
      onProgress: this.options.onProgress,
      request: this.#taskRequest,
      pause: this.session.pause.bind(this.session),
    });
    this.#hasTask = false;
    return this.#answeredBy(answer);
  }

  /** An error may say that a gateway has waited in vain. */
  #answeredBy(answer: WireAnswer): WireAnswer {
    this.#isUnderWay = 'error' in answer;
    return answer;
  }

  readonly #taskRequest: TaskRequest = async (method, params, more) => {
    const { headers = {} } = this.options;
    const options: RawRequestOptions = {
      ...this.#sending(),
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !/^mcp-param-/i.test(name))),
      // By then the request is over.
      ...(method === 'tasks/cancel' && { signal: undefined, onElicitation: undefined }),
      ...more,
    };
    const answer = await this.#repeated(method, () => this.#connection.request(method, params, options));
    if (!('error' in answer)) return answer;
    throw ofAnswer(answer, { ...this.#context(), method });
  };

  /** Read-only requests are sent until they are answered: a failed poll says nothing about the task. */
  async #repeated(method: string, send: () => Promise<WireAnswer>): Promise<WireAnswer> {
    const { signal } = this.#deadline;
    for (let failures = 0; ; failures++) {
      try {
        const answer = await send();
        this.#failedMethod = undefined;
        return answer;
      } catch (error) {
        if (method !== 'tasks/cancel') this.#failedMethod = method;
        if (signal.aborted || changesSomething(method) || !this.#mayPass(error)) throw error;
        const isForgotten = await this.#refusesPing(error, method);
        const { retryAfterMs } = error instanceof HttpFailure ? error : {};
        await this.session.pause(retryAfterMs ?? Math.min(longestPauseMs, 500 * 2 ** failures), signal);
        if (isForgotten)
          await this.#deadline.wait(this.session.reconnect(this.#connection)).then(
            (connection) => (this.#connection = connection),
            () => {}, // the next request tells
          );
      }
    }
  }

  /** True if something on the way to the server failed, which may be over soon. */
  #mayPass(error: unknown): boolean {
    if (this.#connection.ended || error instanceof HandlerFailure) return false;
    const { code, status = 0 } = explain(error, this.#context());
    if (code === 'HTTP_STATUS') return [404, 408, 429].includes(status) || status >= 500;
    return ['CONNECTION_LOST', 'CONNECTION_FAILED', 'TIMEOUT', 'PROTOCOL_VIOLATION'].includes(code);
  }

  #context(): FailureContext {
    const { session, method, options } = this;
    return {
      server: session.server,
      mask: maskOf(session, options),
      method: this.#deadline.signal.aborted ? method : (this.#failedMethod ?? method),
      progressed: this.#progressed(),
      idleTimeoutMs: this.#idleTimeoutMs,
      signal: options.signal,
      connectionFailure: this.#connection.failure,
      diagnostics: this.#connection.diagnostics(),
    };
  }

  #progressed(): Progressed {
    return {
      method: this.method,
      isUnderWay: this.#isUnderWay,
      hasTask: this.#hasTask,
      isReadOnly: this.options.isReadOnly,
    };
  }

  #isLost(error: unknown): boolean {
    return this.#explained(error).code === 'CONNECTION_LOST';
  }

  #explained(error: unknown): McpError {
    const { method } = this;
    if (!this.#deadline.isOver || this.options.signal?.aborted) return explain(error, this.#context());
    const title = `The server did not finish ${method} within ${this.#maxDurationMs} ms in all.`;
    return new TimeoutError(title, this.#maxDurationMs);
  }

  #failure(error: unknown): unknown {
    if (error instanceof HandlerFailure) return error.cause;
    const explained = this.session.closed() ?? this.#explained(error);
    if (this.#wasLost && !this.#connection.ended) tellOfRepeat(explained);
    const known = judged(explained, this.#progressed());
    const { asked = [] } = this.#elicitor ?? {};
    if (asked.length === 0) return known;
    // A question asked in vain is likely to be the reason.
    const hint = [...(known.hint === undefined ? [] : [known.hint]), ...unansweredLines(asked)].join('\n');
    return Object.assign(known, { asked, ...(hint !== '' && { hint }) });
  }
}

/** A refusal the second time says nothing of the first. */
function tellOfRepeat(error: McpError): void {
  const isRefused = error.code === 'CONNECTION_FAILED';
  const mayHaveRun = isRefused || isOutcomeUnknown(error, { method: 'tools/call', isUnderWay: true });
  if (!mayHaveRun) return;
  const hint = 'It was sent twice, which its annotations allow, and no answer came.';
  Object.assign(error, { hint, ...(isRefused && { code: 'CONNECTION_LOST' }) });
}
