import { filtered, isObject, isOwnInstance, ownClass } from '../../json/index.js';
import type { Repair } from '../../repair/index.js';

/** Answers a server's questions for the user. If it throws, the call ends with that error. */
export type Elicit = (question: Elicitation) => ElicitationAnswer | Promise<ElicitationAnswer>;

/**
 * A question that a server asks during a request. Every word of it is the server's: show it as data, never as your own.
 */
export type Elicitation = FormElicitation | UrlElicitation;

/** Asks the user for values. */
export interface FormElicitation extends Question {
  readonly mode: 'form';
  /** The schema of the content, as received: an object whose properties are not objects themselves. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Fills defaults in, repairs and checks content, without sending it. */
  check(content: unknown): CheckedContent;
}

/** Wants the user to visit a page, which must not be fetched, nor opened before the user agrees. */
export interface UrlElicitation extends Question {
  readonly mode: 'url';
  /** An http or https address. Show the whole address. */
  readonly url: string;
  /** The host of the address, with its port. Other alphabets appear as `xn--…`, so that no lookalike deceives. */
  readonly host: string;
}

interface Question {
  readonly message: string;
  /** The tool being called; absent during a prompt or a resource, or if it is unknown. */
  readonly tool?: string;
  /** Aborted when the answer is of no use any more. */
  readonly signal: AbortSignal;
  /** Resumes the call at this point, in another process, too. Only servers of 2026-07-28 support it. */
  readonly continuation?: Continuation;
}

/** `accept` gives the requested values, `decline` says no, `cancel` leaves the question unanswered. */
export type ElicitationAnswer =
  | {
      action: 'accept';
      /** For a form. Omitted fields get the schema's defaults. */
      content?: Readonly<Record<string, unknown>>;
    }
  | {
      action: 'decline' | 'cancel';
      /** The reason, for the reader of the result; it is not sent to the server. */
      reason?: string;
    };

/** Content with its defaults and its integers repaired, checked like the arguments of a call. */
export interface CheckedContent {
  readonly content: unknown;
  readonly repairs: readonly Repair[];
  /** Why the content cannot be sent, one line each; empty if it can. */
  readonly problems: readonly string[];
}

/** The state of a call that waits for answers (2026-07-28, Multi Round-Trip Requests and Tasks), as JSON. */
export interface Continuation {
  /** The task that the server has made of the call. */
  readonly taskId?: string;
  /** The server's state, which is returned to it unchanged. */
  readonly requestState?: string;
  /** The server's open questions, by key. */
  readonly inputRequests: Readonly<Record<string, unknown>>;
  /** The answers so far, by the same keys. */
  readonly inputResponses: Readonly<Record<string, unknown>>;
}

/**
 * Thrown by a handler to leave the call open, so that the question's {@link Continuation} can resume it. A task
 * continues at its server; any other error would cancel it.
 */
export class CallPaused extends Error {
  /** @internal */
  static readonly [ownClass] = 'CallPaused';
  override readonly name = 'CallPaused';
  readonly code = 'CALL_PAUSED';

  /** @internal */
  static override readonly [Symbol.hasInstance] = isOwnInstance;

  constructor() {
    super('The call waits for an answer.');
  }
}

/**
 * A handler that fills the fields of a form with the values that are given for their names, or else with their
 * defaults. A form that rejects them, or has nothing to fill in, is declined, and so is a page to
 * visit: silence is no consent.
 *
 * ```ts
 * const elicit = answersFrom({ branch: 'main' });
 * const onlyDefaults = answersFrom({});
 * ```
 */
export function answersFrom(values: Readonly<Record<string, unknown>>): Elicit {
  return (question) => answered(question, values);
}

/** The handler that always declines. The server learns that it may ask, and the user sees the question. */
export const decline: Elicit = () => ({ action: 'decline' });

function answered(question: Elicitation, values: Readonly<Record<string, unknown>>): ElicitationAnswer {
  if (question.mode === 'url') return { action: 'decline', reason: 'Nobody is here to visit the page.' };
  const fields = isObject(question.schema['properties']) ? question.schema['properties'] : {};
  const given = filtered(values, (name) => Object.hasOwn(fields, name));
  const { content, problems } = question.check(given);
  if (problems.length > 0) return { action: 'decline', reason: problems.join('\n') };
  if (!isObject(content) || Object.keys(content).length === 0)
    return { action: 'decline', reason: 'There is no answer to any of its fields.' };
  return { action: 'accept', content: given };
}
