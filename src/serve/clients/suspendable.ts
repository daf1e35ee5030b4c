import { isObject, memberText, parseJson, type JsonObject } from '../../json/index.js';
import { SuspendedCalls, type AnswerText, type SuspendableCall } from '../../mcp/index.js';
import type { CallRecord } from '../log.js';
import { capabilitiesIn } from '../revisions.js';
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
  readonly caller: SuspendableCaller;
}

/** A call as its server sees it, through all requests of the client that wait for it. */
class SuspendableCaller implements Caller {
  waiting: SuspendableRequest | undefined;
  readonly signal: AbortSignal;
  readonly record: CallRecord = {};

  constructor(
    readonly call: SuspendableCall<Asked, AnswerText, string>,
    readonly envelope: JsonObject | undefined,
    readonly written: string | undefined,
  ) {
    this.signal = call.signal;
  }

  notify(method: string, paramsText: string): void {
    this.waiting?.notify(method, paramsText);
  }

  get onProgress(): Caller['onProgress'] {
    return this.waiting?.onProgress;
  }

  /** The answer waits here: the client has no stream to take up again. */
  pause(): void {}

  ask(question: Question): Promise<AnswerText> {
    if (!canAnswer(this.envelope, question)) return Promise.resolve({ result: '{"action":"decline"}' });
    return this.call.ask({ question, caller: this }, question.signal);
  }
}

function canAnswer(envelope: JsonObject | undefined, { method, paramsText }: Question): boolean {
  const { elicitation } = capabilitiesIn(envelope);
  const params = parseJson(paramsText);
  const isPage = isObject(params) && params['mode'] === 'url';
  return method === 'elicitation/create' && isObject(elicitation) && (!isPage || 'url' in elicitation);
}

/**
 * Calls of clients of 2026-07-28 to servers with a handshake. If the server asks a question during a call, it becomes
 * the answer to the client's request; the call continues when another request brings the client's answer (Multi
 * Round-Trip Requests).
 */
export class SuspendableCalls {
  readonly #calls = new SuspendedCalls<Asked, AnswerText, string>(maxSuspendedMs);

  /** Starts a call, or goes on with that whose answer the request brings. @returns its result, or a question */
  async run(request: SuspendableRequest, work: (caller: Caller) => Promise<string>): Promise<string> {
    const { envelope, params, paramsText, signal, written } = request;
    const response = memberText(paramsText, ['inputResponses', inputKey]);
    const id = String(params['requestState']).slice(statePrefix.length);
    let caller = response === undefined ? undefined : this.#calls.find(id)?.caller;
    const started = (call: SuspendableCall<Asked, AnswerText, string>) => {
      caller = new SuspendableCaller(call, envelope, written);
      caller.waiting = request;
      return work(caller);
    };
    if (caller) caller.waiting = request;
    try {
      const next = caller && response !== undefined ? this.#calls.answer(id, { result: response }, signal) : undefined;
      const outcome = await (next ?? this.#calls.start(started, signal));
      return 'result' in outcome ? outcome.result : inputRequired(outcome.question.question, outcome.id);
    } finally {
      Object.assign(request.record, caller?.record);
      if (caller) caller.waiting = undefined;
    }
  }

  close(): void {
    this.#calls.close();
  }
}

function inputRequired({ method, paramsText }: Question, id: string): string {
  const request = `{"method":${JSON.stringify(method)},"params":${paramsText}}`;
  const state = `${statePrefix}${id}`;
  return `{"resultType":"input_required","inputRequests":{"${inputKey}":${request}},"requestState":"${state}"}`;
}
