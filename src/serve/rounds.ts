import { randomUUID } from 'node:crypto';
import { isObject, memberText, parseJson, withMember, type JsonObject } from '../json/index.js';
import { wireSlice, type AnswerText, type ServerRequest } from '../mcp/index.js';

/** What a server wants to know before it answers, as a client of 2026-07-28 is asked (Multi Round Trip Requests). */
interface Question {
  readonly request: ServerRequest;
  readonly answer: (answer: AnswerText) => void;
}

/** How many calls may wait for their clients, and for how long. */
const mostWaiting = 100;
const longestWaitMs = 10 * 60_000;

/** A call at a server with a handshake, made for a client without one: it goes on while the client is asked. */
export class SuspendableCall {
  readonly abort = new AbortController();
  #outcome: AnswerText | Question | undefined;
  #waiting: ((outcome: AnswerText | Question) => void) | undefined;

  /** The call is answered. */
  settle(answer: AnswerText): void {
    this.#arrive(answer);
  }

  /** The server asks something in between. */
  ask(request: ServerRequest): Promise<AnswerText> {
    return new Promise((resolve, reject) => {
      request.signal.addEventListener('abort', () => {
        reject(new Error('taken back'));
      });
      this.#arrive({ request, answer: resolve });
    });
  }

  /** Resolves with what comes next: the answer, or a question. */
  next(): Promise<AnswerText | Question> {
    return new Promise((resolve) => {
      const outcome = this.#outcome;
      this.#outcome = undefined;
      if (outcome) resolve(outcome);
      else this.#waiting = resolve;
    });
  }

  #arrive(outcome: AnswerText | Question): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting) waiting(outcome);
    // An answer says more than a question that nobody has heard.
    else if (!this.#outcome || !('request' in outcome)) this.#outcome = outcome;
  }
}

/** Calls that wait for their clients to come back with what was asked, by the state that these were given. */
export class SuspendedCalls {
  readonly #calls = new Map<string, { call: SuspendableCall; question: Question; timer: NodeJS.Timeout }>();

  /** The result that asks the client. */
  suspend(call: SuspendableCall, question: Question): string {
    if (this.#calls.size >= mostWaiting) this.#drop([...this.#calls.keys()][0] ?? '');
    const state = `mcp-verbatim:${randomUUID()}`;
    const timer = setTimeout(() => {
      this.#drop(state);
    }, longestWaitMs);
    timer.unref();
    this.#calls.set(state, { call, question, timer });
    const { method, wire } = question.request;
    const request = `{"method":${JSON.stringify(method)},"params":${wireSlice(wire, ['params']) ?? '{}'}}`;
    return `{"resultType":"input_required","inputRequests":{"${inputKey}":${request}},"requestState":"${state}"}`;
  }

  /** Gives a call what its client was asked for. @returns undefined where no such call waits */
  resume(params: JsonObject, paramsText: string): SuspendableCall | undefined {
    const { requestState: state } = params;
    const suspended = typeof state === 'string' ? this.#calls.get(state) : undefined;
    const response = memberText(paramsText, ['inputResponses', inputKey]);
    if (!suspended || response === undefined) return undefined;
    clearTimeout(suspended.timer);
    this.#calls.delete(String(state));
    suspended.question.answer({ result: response });
    return suspended.call;
  }

  close(): void {
    for (const state of [...this.#calls.keys()]) this.#drop(state);
  }

  #drop(state: string): void {
    const suspended = this.#calls.get(state);
    clearTimeout(suspended?.timer);
    this.#calls.delete(state);
    suspended?.call.abort.abort();
  }
}

const inputKey = 'asked';

/** How often a server may ask before it answers. */
export const mostRounds = 20;

/** What a result of 2026-07-28 wants before there is an answer; undefined where it is one. */
export function wantedInput(
  resultText: string,
): { requests: [key: string, method: string, paramsText: string][] } | undefined {
  if (!resultText.includes('input_required')) return undefined;
  const result = parseJson(resultText);
  if (!isObject(result) || result['resultType'] !== 'input_required') return undefined;
  const requests = isObject(result['inputRequests']) ? Object.entries(result['inputRequests']) : [];
  return {
    requests: requests.map(([key, request]) => [
      key,
      isObject(request) ? String(request['method']) : '',
      memberText(resultText, ['inputRequests', key, 'params']) ?? '{}',
    ]),
  };
}

/** The params of the next round: the client's own, with its answers and the server's state. */
export function nextRound(paramsText: string, resultText: string, responses: ReadonlyMap<string, string>): string {
  const said = `{${[...responses].map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`;
  const withState = withMember(paramsText, ['requestState'], memberText(resultText, ['requestState']));
  return withMember(withState, ['inputResponses'], responses.size > 0 ? said : undefined);
}
