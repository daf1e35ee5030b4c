import { isObject, jsonPointer, memberText, parseJson, valueAt, type JsonObject } from '../../json/index.js';
import { suspendedCalls, type AnswerText, type SuspendableCall } from '../../mcp/index.js';
import { capabilitiesKey } from '../revisions.js';
import type { Caller, Question } from '../upstream/calls-under-way.js';

/** A call may wait for an answer for so many milliseconds. */
const maxSuspendedMs = 10 * 60_000;

/** The client is asked one question at a time, under this name. */
const inputKey = 'asked';

const statePrefix = 'mcp-verbatim:';

/** The client's request that waits for a call: the first one, or one that brought an answer. */
interface SuspendableRequest extends Pick<
  Caller,
  'notify' | 'onProgress' | 'signal' | 'envelope' | 'record' | 'written'
> {
  readonly params: JsonObject;
  readonly paramsText: string;
}

interface Asked {
  readonly question: Question;
  readonly call: Suspendable;
}

/** A call, and the client's request that waits for it now. */
interface Suspendable {
  readonly caller: Caller;
  waiting: SuspendableRequest | undefined;
}

/** The call as its server sees it, through all requests of the client that wait for it. */
function suspendable(first: SuspendableRequest, { signal, ask }: SuspendableCall<Asked, AnswerText>): Suspendable {
  const { envelope, written } = first;
  const caller: Caller = {
    ...{ signal, envelope, written, record: {} },
    notify: (...message) => call.waiting?.notify(...message),
    get onProgress() {
      return call.waiting?.onProgress;
    },
    // The answer waits here: the client has no stream to take up again.
    pause: () => undefined,
    ask: (question) =>
      canAnswer(envelope, question)
        ? ask({ question, call }, question.signal)
        : Promise.resolve({ result: '{"action":"decline"}' }),
  };
  const call: Suspendable = { caller, waiting: first };
  return call;
}

function canAnswer(envelope: JsonObject | undefined, { method, paramsText }: Question): boolean {
  const elicitation = valueAt(envelope, jsonPointer([capabilitiesKey, 'elicitation']));
  const params = parseJson(paramsText);
  const isPage = isObject(params) && params['mode'] === 'url';
  return method === 'elicitation/create' && isObject(elicitation) && (!isPage || 'url' in elicitation);
}

/**
 * Calls of clients of 2026-07-28 to servers with a handshake. If the server asks a question during a call, it becomes
 * the answer to the client's request; the call continues when another request brings the client's answer (Multi
 * Round-Trip Requests).
 */
export function suspendableCalls() {
  const calls = suspendedCalls<Asked, AnswerText, string>(maxSuspendedMs);
  return { run, close: () => calls.close() };

  /** Starts a call, or goes on with that whose answer the request brings. @returns its result, or a question */
  async function run(request: SuspendableRequest, work: (caller: Caller) => Promise<string>): Promise<string> {
    const { params, paramsText, signal } = request;
    const response = memberText(paramsText, ['inputResponses', inputKey]) ?? '';
    const id = String(params['requestState']).slice(statePrefix.length);
    let call = response === '' ? undefined : calls.find(id)?.call;
    const started = (open: SuspendableCall<Asked, AnswerText>) => {
      call = suspendable(request, open);
      return work(call.caller);
    };
    if (call) call.waiting = request;
    try {
      const next = call && calls.answer(id, { result: response }, signal);
      const outcome = await (next ?? calls.start(started, signal));
      return 'result' in outcome ? outcome.result : inputRequired(outcome.question.question, outcome.id);
    } finally {
      Object.assign(request.record, call?.caller.record);
      if (call) call.waiting = undefined;
    }
  }
}

function inputRequired({ method, paramsText }: Question, id: string): string {
  const request = `{"method":${JSON.stringify(method)},"params":${paramsText}}`;
  const state = `${statePrefix}${id}`;
  return `{"resultType":"input_required","inputRequests":{"${inputKey}":${request}},"requestState":"${state}"}`;
}
