import { ConfigurationError, has, isObject, type JsonObject, quote } from '../../json/index.js';
import { repairArguments } from '../../repair/index.js';
import { compileSchema, evaluate, violationLines } from '../../schema/index.js';
import { isSecretName, shownText } from '../../secrets/index.js';
import type { Asked } from '../errors/errors.js';
import { Aborted } from '../errors/failures.js';
import { unlessAborted, type Deadline } from '../runtime/timers.js';
import { anySignal, contextOfNow } from '../runtime/node-runtime.js';
import type { CheckedContent, Continuation, Elicit, Elicitation, ElicitationAnswer } from './elicitation.js';

interface AboutQuestion {
  signal?: AbortSignal;
  isOurs?: boolean;
  continuation?: Continuation;
}

/** Carries an error of the host's function unchanged through all code that explains errors. */
export class HandlerFailure extends Error {
  override readonly name = 'HandlerFailure';

  constructor(override readonly cause: unknown) {
    super('A function of the host has failed.');
  }
}

export const mostQuestions = 32;

/** The longest address that a person can check before agreeing. */
const longestUrl = 2000;

export interface Elicitor {
  readonly asked: readonly Asked[];
  /** Resolves with the result of `elicitation/create`. @throws HandlerFailure */
  readonly ask: (params: JsonObject, about?: AboutQuestion) => Promise<JsonObject>;
}

/** Puts the questions of one request to the host's handler, one after the other. */
export function elicitorOf(
  elicit: Elicit,
  request: {
    tool?: string | undefined;
    signal?: AbortSignal | undefined;
    deadline: Pick<Deadline, 'pause' | 'resume'>;
  },
): Elicitor {
  const asked: Asked[] = [];
  // A question may arrive with other messages; the handler sees the context of the call, as interrupt() needs it.
  const inContext = contextOfNow();
  let last: Promise<unknown> = Promise.resolve();
  let count = 0;
  return {
    asked,
    ask(params, about = {}) {
      const turn = last.then(() => answer(params, about));
      last = turn.catch(() => undefined);
      return turn;
    },
  };

  async function answer(params: JsonObject, about: AboutQuestion): Promise<JsonObject> {
    const { signal: ofQuestion, isOurs = true, continuation } = about;
    const { tool } = request;
    const signal = anySignal([request.signal, ofQuestion].filter((each) => each !== undefined));
    const { mode, message, url } = params;
    const shown = {
      mode: mode === 'url' ? ('url' as const) : ('form' as const),
      message: typeof message === 'string' ? message : '',
      ...(mode === 'url' && typeof url === 'string' && { url }),
    };
    const outcome = (action: Asked['action'], more: Partial<Asked> = {}): JsonObject => {
      // Record only the first question beyond the limit.
      if (asked.length <= mostQuestions) asked.push({ ...shown, repairs: [], action, ...more });
      return { action, ...(more.content && { content: more.content }) };
    };

    const question = readQuestion(params, {
      signal,
      message: shown.message,
      ...(tool !== undefined && isOurs && { tool }),
      ...(continuation && { continuation }),
    });
    if (typeof question === 'string') return outcome('decline', { reason: question });
    const refusal = refusalOf(question, ++count);
    if (refusal !== undefined) return outcome('decline', { reason: refusal });
    const given = await handled(question, signal).catch((error: unknown): ElicitationAnswer => {
      if (!ofQuestion?.aborted) throw error instanceof Aborted ? error : new HandlerFailure(error);
      return { action: 'cancel', reason: 'The server wants no answer any more.' };
    });
    if (given.action !== 'accept')
      return outcome(given.action, given.reason === undefined ? {} : { reason: given.reason });
    if (question.mode === 'url') return outcome('accept');
    const { content, repairs, problems } = question.check(given.content ?? {});
    if (isObject(content) && problems.length === 0) return outcome('accept', { content, repairs });
    return outcome('cancel', { reason: ['The answer does not fit the form.', ...problems].join('\n') });
  }

  async function handled(question: Elicitation, signal: AbortSignal): Promise<ElicitationAnswer> {
    request.deadline.pause();
    try {
      const asking = inContext(async () => elicit(question));
      const answered: unknown = await unlessAborted(asking, signal);
      const action = isObject(answered) ? answered['action'] : undefined;
      if (action === 'accept' || action === 'decline' || action === 'cancel') return answered as ElicitationAnswer;
      throw new ConfigurationError('An answer to an elicitation has an action: "accept", "decline" or "cancel".');
    } finally {
      request.deadline.resume();
    }
  }
}

/** Returns the question, or why it cannot be put to anybody. */
function readQuestion(
  { mode = 'form', requestedSchema, url }: JsonObject,
  base: Pick<Elicitation, 'signal' | 'message' | 'tool' | 'continuation'>,
): Elicitation | string {
  if (mode === 'url') {
    const parsed = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined;
    if (!parsed || !/^https?:$/.test(parsed.protocol)) return 'It has no http or https address.';
    if (parsed.href.length > longestUrl) return `Its address has more than ${longestUrl} characters.`;
    return { ...base, mode, url: url as string, host: parsed.host }; // it was parsed
  }
  if (mode !== 'form') return 'It asks in a way that this client does not know.';
  if (!isObject(requestedSchema)) return 'It has no schema.';
  return { ...base, mode, schema: requestedSchema, check: (content) => checkContent(requestedSchema, content) };
}

function refusalOf(question: Elicitation, count: number): string | undefined {
  if (count > mostQuestions) return `The server asks more than ${mostQuestions} questions in one request.`;
  return question.mode === 'form' ? formProblem(question.schema) : undefined;
}

/** The formats that a form names are asserted: they are all that tells an address from a name. */
function checkContent(schema: JsonObject, given: unknown): CheckedContent {
  const filled = isObject(given) ? withDefaults(schema, given) : given;
  const checked = repairArguments(compileSchema(schema), filled, 'integers', { assertFormats: true });
  const { arguments: content, repairs, evaluation } = checked;
  if (evaluation.outcome === 'valid') return { content, repairs, problems: [] };
  const isInvalid = evaluation.outcome === 'invalid';
  return { content, repairs, problems: isInvalid ? violationLines(evaluation.violations) : [evaluation.message] };
}

/** Omitted fields get their defaults (SEP-1034), unless a default breaks the field's own rules. */
function withDefaults(schema: JsonObject, content: JsonObject): JsonObject {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const defaults = Object.entries(properties).flatMap(([name, property]): [string, unknown][] => {
    if (has(content, name) || !isObject(property) || !('default' in property)) return [];
    const { outcome } = evaluate(compileSchema(property), property['default'], { assertFormats: true });
    return outcome === 'valid' ? [[name, property['default']]] : [];
  });
  return defaults.length === 0 ? content : Object.fromEntries([...Object.entries(content), ...defaults]);
}

const mostListed = 10;

/**
 * The questions that a server asked in vain, a line each, so that a model can tell the user. Its words are quoted; a
 * page's address is complete, because the user may want to visit it.
 */
export function unansweredLines(asked: readonly Asked[] = []): string[] {
  const unanswered = asked.filter(({ action }) => action !== 'accept');
  const more = unanswered.length - mostListed;
  return [
    ...unanswered.slice(0, mostListed).map(({ message, url, action, reason }) => {
      const page = url === undefined ? '' : ` and named the page ${quote(url, longestUrl)}`;
      const why = reason === undefined ? '' : ` ${reason}`;
      return `[The server asked ${shownText(message, 300)}${page}. The question was ${action === 'decline' ? 'declined' : 'cancelled'}.${why}]`;
    }),
    ...(more > 0 ? [`[The server asked ${more} more questions in vain.]`] : []),
  ];
}

/** Words for secrets that let somebody pay, or in, once. */
const codes =
  /\b(?:card ?(?:num(?:ber)?|no)|cc ?num(?:ber)?|cv[vc]2?|t?otp|[m2]fa|(?:security|verification|recovery|backup|one ?time) ?codes?)\b/i;

/** Words for secrets, in a name or in the prose of a title. */
const secrets =
  /\b(?:pass(?:words?|phrases?|codes?|wort)|(?:user|login)?(?: ?pw|pwd|pass)$|contraseña|mot de passe|secrets?|credentials?|(?:seed|key) ?phrase|mnemonic|ssn|social security|(?:api|access|private|signing|encryption) ?keys?|(?:api|access|auth\w*|bearer|refresh|session|security) ?tokens?)(?![\p{L}])/iu;

const mostParts = 10_000;

/**
 * Why a form must not be put to anybody: it asks for a password, a key, a token or a code, by the name, title or format
 * of a field anywhere in it. A server must use a page of its own for those (2025-11-25, Elicitation).
 */
export function formProblem(schema: JsonObject): string | undefined {
  const open: unknown[] = [schema];
  for (let parts = 0; open.length > 0; parts++) {
    const part = open.pop();
    if (parts > mostParts) return 'Its form is too large.';
    if (typeof part !== 'object' || part === null) continue;
    const properties = isObject(part) && isObject(part['properties']) ? part['properties'] : {};
    const secret = Object.keys(properties).find((name) => asksForSecret(name, properties[name]));
    if (secret !== undefined)
      return `Its field ${quote(secret)} looks like a secret, and a server must not ask for secrets in a form (MCP, Elicitation).`;
    for (const value of Object.values(part)) open.push(value);
  }
  return undefined;
}

/** A choice is not a secret, since the server knows the options; a number may be a code, but hardly a password. */
function asksForSecret(name: string, field: unknown): boolean {
  const { title, type, format, writeOnly, enum: choices, oneOf } = isObject(field) ? field : {};
  if (format === 'password' || writeOnly === true) return true;
  if (type === 'boolean' || choices !== undefined || oneOf !== undefined) return false;
  const isNumber = type === 'number' || type === 'integer';
  return [name, title].some((text) => {
    if (typeof text !== 'string') return false;
    const words = text
      .slice(0, 1000)
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .replace(/[_\W]+/gu, (gap) => (/[\p{L}]/u.test(gap) ? gap : ' '));
    return isSecretName(text) || codes.test(words) || (!isNumber && secrets.test(words));
  });
}
