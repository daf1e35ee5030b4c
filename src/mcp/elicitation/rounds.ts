import { isObject, type JsonObject } from '../../json/index.js';
import { shownText } from '../../secrets/index.js';
import type { RpcError, WireAnswer } from '../wire/envelope.js';
import { InputRequiredError, LimitError } from '../errors/errors.js';
import { mostQuestions, type Elicitor } from './elicitor.js';
import type { Continuation } from './elicitation.js';

/** How often a server may put off its answer. */
const mostRounds = 10;

/**
 * Sends a request, and again with what the server asked for, until it answers (2026-07-28, Multi Round-Trip Requests).
 * Its state goes back as it came, and needs no user.
 *
 * @param elicitor absent where there is nobody to ask
 * @returns a function that does it; called once more after a refusal, it goes on where it was
 */
export function startRounds(
  method: string,
  params: JsonObject,
  elicitor: Elicitor | undefined,
  continuation?: Continuation,
): (send: (params: JsonObject) => Promise<WireAnswer>) => Promise<WireAnswer> {
  let open = continuation;
  let more: JsonObject = {};
  let round = 0;

  return async (send) => {
    for (;;) {
      if (open) more = await answersTo(open);
      open = undefined;
      const answer = await send({ ...params, ...more });
      if ('error' in answer) {
        if (++round < mostRounds && (await visited(answer.error))) continue;
        return answer;
      }
      if (answer.result['resultType'] !== 'input_required') return answer;
      const { requestState, inputRequests } = answer.result;
      if (++round === mostRounds) throw inputRequired(method, answer.result, `after ${mostRounds} rounds`);
      if (typeof requestState !== 'string' && !isObject(inputRequests)) throw inputRequired(method, answer.result);
      open = {
        ...(typeof requestState === 'string' && { requestState }),
        inputRequests: isObject(inputRequests) ? inputRequests : {},
        inputResponses: {},
      };
    }
  };

  /**
   * Whether the user agreed to visit every page that the server refuses the request for. As it refused it, it can be sent
   * again; where the user is not done by then, it refuses it once more, and the user is asked once more.
   */
  async function visited(error: RpcError): Promise<boolean> {
    const pages = pagesIn(error);
    if (!elicitor || pages.length === 0 || pages.length > mostQuestions) return false;
    for (const page of pages) {
      const { action } = await elicitor.ask({ ...page, mode: 'url' });
      if (action !== 'accept') return false;
    }
    return true;
  }

  /** What the next round says besides the request. */
  async function answersTo({ requestState, inputRequests, inputResponses }: Continuation): Promise<JsonObject> {
    const state = requestState === undefined ? {} : { requestState };
    const known = new Map(Object.entries(inputResponses));
    await askFor(inputRequests, known, { method, elicitor, about: state });
    return { ...(known.size > 0 && { inputResponses: Object.fromEntries(known) }), ...state };
  }
}

/**
 * Puts to the user what a server wants to know, but for what is known already, and adds the answers to that.
 *
 * @param about what a continuation of the request says besides the questions
 * @throws LimitError where a server asks more at once than anybody answers
 * @throws InputRequiredError where it wants something else, or nobody is there
 */
export async function askFor(
  inputRequests: JsonObject,
  known: Map<string, unknown>,
  { method, elicitor, about }: { method: string; elicitor: Elicitor | undefined; about: object },
): Promise<void> {
  if (Object.keys(inputRequests).length > mostQuestions)
    throw new LimitError(`The server asks more than ${mostQuestions} questions at once.`);
  for (const [key, request] of Object.entries(inputRequests)) {
    if (known.has(key)) continue;
    const question = elicitationIn(request);
    if (!question || !elicitor) throw inputRequired(method, { inputRequests });
    const continuation = { ...about, inputRequests, inputResponses: Object.fromEntries(known) };
    known.set(key, await elicitor.ask(question, { continuation }));
  }
}

/** What a server wants to know from the user; undefined where it wants something else. */
function elicitationIn(request: unknown): JsonObject | undefined {
  const { method, params } = isObject(request) ? request : {};
  return method === 'elicitation/create' && isObject(params) ? params : undefined;
}

/** The pages that the user has to visit before the server carries out the request. */
function pagesIn({ code, data }: RpcError): JsonObject[] {
  const pages = code === urlElicitationRequired && isObject(data) ? data['elicitations'] : undefined;
  return Array.isArray(pages) ? pages.filter(isObject) : [];
}

/** 2025-11-25, Elicitation, URL Elicitation Required Error. */
const urlElicitationRequired = -32042;

/** The error for what nobody here can give. */
function inputRequired(method: string, { inputRequests }: JsonObject, when = ''): InputRequiredError {
  const requests = isObject(inputRequests) ? Object.values(inputRequests) : [];
  const wanted = requests
    .slice(0, 20)
    .map((request) =>
      isObject(request) && typeof request['method'] === 'string'
        ? shownText(request['method']).slice(1, -1)
        : 'unknown',
    );
  const what = wanted.length ? wanted.join(', ') : 'another round of the same request';
  const end = when === '' ? '' : ` ${when}`;
  return new InputRequiredError(
    `The server wants more before it answers ${method}${end}: ${what}. This client cannot give it.`,
    wanted,
  );
}
