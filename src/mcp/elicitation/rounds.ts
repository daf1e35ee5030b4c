import { isObject, jsonText, objectText, parseJson, type JsonObject } from '../../json/index.js';
import { shownText } from '../../secrets/index.js';
import type { RpcError, WireAnswer, WireText } from '../wire/envelope.js';
import { wireSlice } from '../wire/wire-text.js';
import { InputRequiredError, LimitError } from '../errors/errors.js';
import { mostQuestions, type Elicitor } from './elicitor.js';
import type { Continuation } from './elicitation.js';

const mostRounds = 10;

/** 2025-11-25, Elicitation, URL Elicitation Required Error. */
const urlElicitationRequired = -32042;

/** Returns the JSON text of an answer to `elicitation/create`. */
export type AskForText = (
  params: JsonObject,
  about: { readonly paramsText: string; readonly continuation: Continuation },
) => Promise<string>;

/** The members that a round adds to its request's params. */
interface Round {
  /** As JSON text: a client may have written the answers. */
  readonly inputResponses?: string;
  readonly requestState?: string;
}

/**
 * Sends a request, and again with the requested answers and state, until the server gives the result (2026-07-28, Multi
 * Round-Trip Requests).
 */
export async function inRounds(
  method: string,
  send: (more: Round) => Promise<WireAnswer>,
  ask: AskForText | undefined,
  elicitor: Elicitor | undefined,
  continuation: Continuation | undefined,
): Promise<WireAnswer> {
  let more = continuation ? await answersTo(continuation) : {};
  for (let round = 1; ; round++) {
    const answer = await send(more);
    if ('error' in answer) {
      if (round < mostRounds && (await visited(answer.error, elicitor))) continue;
      return answer;
    }
    const { resultType, requestState, inputRequests } = answer.result;
    if (resultType !== 'input_required') return answer;
    if (round === mostRounds) throw inputRequired(method, inputRequests, ` after ${mostRounds} rounds`);
    if (typeof requestState !== 'string' && !isObject(inputRequests)) throw inputRequired(method, inputRequests);
    const open = {
      ...(typeof requestState === 'string' && { requestState }),
      inputRequests: isObject(inputRequests) ? inputRequests : {},
      inputResponses: {},
    };
    more = await answersTo(open, answer.wire);
  }

  async function answersTo(open: Continuation, wire?: WireText): Promise<Round> {
    const { requestState, inputRequests, inputResponses } = open;
    const state = requestState === undefined ? {} : { requestState };
    const known = textsOf(inputResponses);
    await askFor(inputRequests, known, { method, ask, about: state, wire });
    return { ...(known.size > 0 && { inputResponses: objectText(known) }), ...state };
  }
}

/**
 * True if the user agreed to visit every page that the server requires. Then the request can be sent again; if the user
 * has not finished on a page, the server rejects it once more.
 */
async function visited({ code, data }: RpcError, elicitor: Elicitor | undefined): Promise<boolean> {
  const listed = code === urlElicitationRequired && isObject(data) ? data['elicitations'] : undefined;
  const pages = Array.isArray(listed) ? listed.filter(isObject) : [];
  if (!elicitor || pages.length === 0 || pages.length > mostQuestions) return false;
  for (const page of pages) {
    const { action } = await elicitor.ask({ ...page, mode: 'url' });
    if (action !== 'accept') return false;
  }
  return true;
}

interface Asking {
  readonly method: string;
  readonly ask: AskForText | undefined;
  readonly about: object;
  /** The message that the questions are in. */
  readonly wire?: WireText | undefined;
}

/** @param known JSON texts of the answers so far, by the keys of the questions */
export async function askFor(
  inputRequests: JsonObject,
  known: Map<string, string>,
  { method, ask, about, wire }: Asking,
): Promise<void> {
  if (Object.keys(inputRequests).length > mostQuestions)
    throw new LimitError(`The server asks more than ${mostQuestions} questions at once.`);
  for (const [key, request] of Object.entries(inputRequests)) {
    if (known.has(key)) continue;
    const { method: wanted, params } = isObject(request) ? request : {};
    if (!ask || wanted !== 'elicitation/create' || !isObject(params)) throw inputRequired(method, inputRequests);
    const paramsText = (wire && wireSlice(wire, ['result', 'inputRequests', key, 'params'])) ?? jsonText(params);
    const continuation = { ...about, inputRequests, inputResponses: parseJson(objectText(known)) as JsonObject };
    known.set(key, await ask(params, { paramsText, continuation }));
  }
}

export function textsOf(values: JsonObject): Map<string, string> {
  return new Map(Object.entries(values).map(([key, value]) => [key, jsonText(value)]));
}

function inputRequired(method: string, inputRequests: unknown, when = ''): InputRequiredError {
  const requests = isObject(inputRequests) ? Object.values(inputRequests).slice(0, 20) : [];
  const wanted = requests.map((request) => {
    const name = isObject(request) ? request['method'] : undefined;
    return typeof name === 'string' ? shownText(name).slice(1, -1) : 'unknown';
  });
  const what = wanted.length ? wanted.join(', ') : 'another round of the same request';
  const message = `The server wants more before it answers ${method}${when}: ${what}. This client cannot give it.`;
  return new InputRequiredError(message, wanted);
}
