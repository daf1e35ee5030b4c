import { isObject, type JsonObject } from '../../json/index.js';
import { shownText } from '../../secrets/index.js';
import type { RpcError, WireAnswer } from '../wire/envelope.js';
import { InputRequiredError, LimitError } from '../errors/errors.js';
import { mostQuestions, type Elicitor } from './elicitor.js';
import type { Continuation } from './elicitation.js';

const mostRounds = 10;

/** 2025-11-25, Elicitation, URL Elicitation Required Error. */
const urlElicitationRequired = -32042;

/**
 * Sends a request, and again with the requested answers and state, until the server gives the result (2026-07-28, Multi
 * Round-Trip Requests).
 */
export async function inRounds(
  method: string,
  send: (more: JsonObject) => Promise<WireAnswer>,
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
    more = await answersTo({
      ...(typeof requestState === 'string' && { requestState }),
      inputRequests: isObject(inputRequests) ? inputRequests : {},
      inputResponses: {},
    });
  }

  async function answersTo({ requestState, inputRequests, inputResponses }: Continuation): Promise<JsonObject> {
    const state = requestState === undefined ? {} : { requestState };
    const known = new Map(Object.entries(inputResponses));
    await askFor(inputRequests, known, { method, elicitor, about: state });
    return { ...(known.size > 0 && { inputResponses: Object.fromEntries(known) }), ...state };
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

export async function askFor(
  inputRequests: JsonObject,
  known: Map<string, unknown>,
  { method, elicitor, about }: { method: string; elicitor: Elicitor | undefined; about: object },
): Promise<void> {
  if (Object.keys(inputRequests).length > mostQuestions)
    throw new LimitError(`The server asks more than ${mostQuestions} questions at once.`);
  for (const [key, request] of Object.entries(inputRequests)) {
    if (known.has(key)) continue;
    const { method: wanted, params } = isObject(request) ? request : {};
    if (!elicitor || wanted !== 'elicitation/create' || !isObject(params)) throw inputRequired(method, inputRequests);
    const continuation = { ...about, inputRequests, inputResponses: Object.fromEntries(known) };
    known.set(key, await elicitor.ask(params, { continuation }));
  }
}

function inputRequired(method: string, inputRequests: unknown, when = ''): InputRequiredError {
  const requests = isObject(inputRequests) ? Object.values(inputRequests).slice(0, 20) : [];
  const wanted = requests.map((request) => {
    const name = isObject(request) ? request['method'] : undefined;
    return typeof name === 'string' ? shownText(name).slice(1, -1) : 'unknown';
  });
  const what = wanted.length ? wanted.join(', ') : 'another round of the same request';
  return new InputRequiredError(
    `The server wants more before it answers ${method}${when}: ${what}. This client cannot give it.`,
    wanted,
  );
}
