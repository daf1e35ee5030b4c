import { jsonText, messageOf, parseJson, withMember, type JsonObject } from '../../json/index.js';
import type { SecretMask } from '../../secrets/index.js';
import type { Connection } from '../connection/connection.js';
import type { RawRequestOptions } from '../connection/pending-requests.js';
import { type Elicitor, elicitorOf, HandlerFailure, unansweredLines } from '../elicitation/elicitor.js';
import type { Continuation } from '../elicitation/elicitation.js';
import { inRounds, type AskForText } from '../elicitation/rounds.js';
import { ProtocolError, TimeoutError, type Asked, type McpError } from '../errors/errors.js';
import { explain, judged, ofAnswer, type FailureContext } from '../errors/explain.js';
import { HttpFailure } from '../errors/failures.js';
import { changesSomething, isOutcomeUnknown, type Progressed } from '../errors/outcome.js';
import { isRefusedLikePing, mayBeOfSession } from '../errors/http-problem.js';
import { Deadline, timerMs } from '../runtime/timers.js';
import { debugLog } from '../runtime/node-runtime.js';
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
  /** See {@link CallOptions.beforeSending}; the deadline is the one of the whole request. */
  beforeSending?: ((deadline: { readonly signal: AbortSignal }) => Promise<void>) | undefined;
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
    sessionRequest(session, method, params, options).reply();
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
function sessionRequest(session: RequesterOptions, method: string, params: JsonObject, options: SendOptions) {
  const { signal, secrets, relay, maxDurationMs: givenMs } = options;
  const idleTimeoutMs = timerMs(options.idleTimeoutMs ?? session.idleTimeoutMs);
  const maxDurationMs = givenMs ?? Math.max(longestMs, idleTimeoutMs);
  let connection = session.current();
  let isSecondSending = false;
  let wasLost = false;
  let isUnderWay = false;
  let hasTask = false;
  /** The request about a task that failed last. */
  let failedMethod: string | undefined;
  /** The limit of `maxDurationMs`; it stands still while the user thinks. */
  const deadline = new Deadline(maxDurationMs, signal);
  const elicitor = elicitorFor(params);
  const ask = asking();
  // A process's output appears in all errors while it lives.
  if (connection.transport.kind === 'stdio' && secrets) session.mask.add(secrets());
  return { reply };

  async function reply(): Promise<Reply> {
    try {
      const answer = await answered();
      if ('error' in answer) throw ofAnswer(answer, context());
      const { result, wire } = answer;
      return { result, wire, asked: elicitor?.asked ?? [], mask: () => context().mask };
    } catch (error) {
      throw failure(error);
    } finally {
      deadline.clear();
    }
  }

  function elicitorFor({ name }: JsonObject): Elicitor | undefined {
    const handler = session.elicit && (options.elicit ?? session.elicit);
    if (!handler || !mayAsk.includes(method)) return undefined;
    const tool = method === 'tools/call' && typeof name === 'string' ? name : undefined;
    return elicitorOf(handler, { tool, signal, deadline });
  }

  function asking(): AskForText | undefined {
    if (!relay) return elicitor && (async (asked, about) => jsonText(await elicitor.ask(asked, about)));
    return (_params, { paramsText }) =>
      relay(paramsText, deadline.signal).catch((error: unknown) => {
        throw new HandlerFailure(error);
      });
  }

  async function answered(): Promise<WireAnswer> {
    const { continuation, isRelayed } = options;
    const taskId = continuation?.taskId;
    if (taskId !== undefined) return followed({ resultType: 'task', taskId }, continuation);
    if (isRelayed) return send(params);
    const sendRound: Parameters<typeof inRounds>[1] = ({ inputResponses: answers, ...state }) => {
      if (answers === undefined) return send({ ...params, ...state });
      const written = withMember(options.written ?? '{}', ['inputResponses'], answers);
      return send({ ...params, ...state, inputResponses: parseJson(answers) }, written);
    };
    const answer = await inRounds(method, sendRound, ask, elicitor, continuation);
    const task = 'result' in answer ? taskIn(params, answer.result) : undefined;
    return task ? followed(task) : answer;
  }

  /** Sends the request, and once more if the server rejected it unread or if sending it twice does no harm. */
  async function send(sent: JsonObject, written = options.written): Promise<WireAnswer> {
    try {
      return await sendOnce(sent, written);
    } catch (error) {
      if (isSecondSending || error instanceof HandlerFailure) throw error;
      isSecondSending = true;
      if (await refusesPing(error)) {
        isUnderWay = false;
        connection = await deadline.wait(session.reconnect(connection));
        // A server that rejects a ping in every session may have carried the request out.
        if (changesSomething(method) && (await refusesPing(error))) throw error;
      } else if (mayRepeat(error)) wasLost = true;
      else await waitAsAsked(error);
      return sendOnce(sent, written);
    }
  }

  /** Waits before a read is sent once more, if the server says how long. @throws the error if it does not */
  async function waitAsAsked(error: unknown): Promise<void> {
    const { retryAfterMs = Infinity } = error instanceof HttpFailure ? error : {};
    if (changesSomething(method) || retryAfterMs > longestPauseMs) throw error;
    await session.pause(retryAfterMs, deadline.signal);
  }

  /** True if the server rejects a `ping` in the same way: then it has forgotten the session. */
  async function refusesPing(error: unknown, refused = method): Promise<boolean> {
    const isOfSession = error instanceof HttpFailure && mayBeOfSession(error);
    if (!isOfSession || connection.transport.sessionId === undefined) return false;
    const limits = { idleTimeoutMs: Math.min(idleTimeoutMs, longestPauseMs), signal: deadline };
    const ping = connection.request('ping', {}, limits).then(() => false);
    return ping.catch(
      (refusal: unknown) => refusal instanceof HttpFailure && isRefusedLikePing(error, refused, refusal),
    );
  }

  /** Never retry after an elicitation: the user would be asked twice. */
  function mayRepeat(error: unknown): boolean {
    if (!options.mayRepeat || connection.ended || elicitor?.asked.length) return false;
    return explained(error).code === 'CONNECTION_LOST';
  }

  async function sendOnce(sent: JsonObject, written: string | undefined): Promise<WireAnswer> {
    if (options.beforeSending) await letLook(options.beforeSending);
    else if (elicitor) await deadline.wait(connection.listen());
    const { headers, meta, argumentsText, envelope, onProgress } = options;
    const onSent = (wasSent: boolean) => (isUnderWay = wasSent);
    // Members after a leading spread would take a microsecond each (Node 20).
    const own = { headers, meta, argumentsText, written, envelope, onProgress, onSent, ...sending() };
    return answeredBy(await connection.request(method, sent, own));
  }

  async function letLook(beforeSending: NonNullable<SendOptions['beforeSending']>): Promise<void> {
    const look = async (current: Connection) => {
      connection = current;
      if (elicitor) await current.listen(); // servers drop questions while nobody listens
      await beforeSending(deadline);
    };
    await deadline.wait(lookedAt(method, () => session.current(), look));
  }

  function sending(): RawRequestOptions {
    return { context: options.context, idleTimeoutMs, signal: deadline, onElicitation: elicitor?.ask };
  }

  async function followed(task: JsonObject, continuation?: Continuation): Promise<WireAnswer> {
    if (method !== 'tools/call')
      throw new ProtocolError(`The server has made a task of ${method}, which cannot be one.`);
    hasTask = true;
    const answer = await followTask(task, {
      ...{ continuation, ask, request: taskRequest },
      signal: deadline.signal,
      onProgress: options.onProgress,
      pause: session.pause.bind(session),
    });
    hasTask = false;
    return answeredBy(answer);
  }

  /** An error may say that a gateway has waited in vain. */
  function answeredBy(answer: WireAnswer): WireAnswer {
    isUnderWay = 'error' in answer;
    return answer;
  }

  async function taskRequest(...[about, given, more]: Parameters<TaskRequest>): ReturnType<TaskRequest> {
    const { headers = {} } = options;
    const ofTask: RawRequestOptions = {
      ...sending(),
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !/^mcp-param-/i.test(name))),
      // By then the request is over.
      ...(about === 'tasks/cancel' && { signal: undefined, onElicitation: undefined }),
      ...more,
    };
    const answer = await repeated(about, () => connection.request(about, given, ofTask));
    if (!('error' in answer)) return answer;
    throw ofAnswer(answer, { ...context(), method: about });
  }

  /** Read-only requests are sent until they are answered: a failed poll says nothing about the task. */
  async function repeated(about: string, request: () => Promise<WireAnswer>): Promise<WireAnswer> {
    for (let failures = 0; ; failures++) {
      try {
        const answer = await request();
        failedMethod = undefined;
        return answer;
      } catch (error) {
        if (about !== 'tasks/cancel') failedMethod = about;
        if (deadline.aborted || changesSomething(about) || !mayPass(error)) throw error;
        const isForgotten = await refusesPing(error, about);
        const { retryAfterMs } = error instanceof HttpFailure ? error : {};
        await session.pause(retryAfterMs ?? Math.min(longestPauseMs, 500 * 2 ** failures), deadline.signal);
        // If that fails, the next request tells.
        if (isForgotten) connection = await deadline.wait(session.reconnect(connection)).catch(() => connection);
      }
    }
  }

  /** True if something on the way to the server failed, which may be over soon. */
  function mayPass(error: unknown): boolean {
    if (connection.ended || error instanceof HandlerFailure) return false;
    const { code, status = 0 } = explain(error, context());
    if (code === 'HTTP_STATUS') return [404, 408, 429].includes(status) || status >= 500;
    return ['CONNECTION_LOST', 'CONNECTION_FAILED', 'TIMEOUT', 'PROTOCOL_VIOLATION'].includes(code);
  }

  function context(): FailureContext {
    return {
      ...{ idleTimeoutMs, signal, server: session.server, mask: maskOf(session, options) },
      method: deadline.aborted ? method : (failedMethod ?? method),
      progressed: progressed(),
      connectionFailure: connection.failure,
      diagnostics: connection.diagnostics(),
    };
  }

  function progressed(): Progressed {
    return { method, isUnderWay, hasTask, isReadOnly: options.isReadOnly };
  }

  function explained(error: unknown): McpError {
    if (!deadline.isOver || signal?.aborted) return explain(error, context());
    return new TimeoutError(`The server did not finish ${method} within ${maxDurationMs} ms in all.`, maxDurationMs);
  }

  function failure(error: unknown): unknown {
    if (error instanceof HandlerFailure) return error.cause;
    const closed = session.closed() ?? explained(error);
    if (wasLost && !connection.ended) tellOfRepeat(closed);
    const known = judged(closed, progressed());
    const { asked = [] } = elicitor ?? {};
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
