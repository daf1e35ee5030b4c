import { isObject } from '../../json/index.js';
import type { Elicit, Elicitation, ElicitationAnswer } from './elicitation.js';

/**
 * A handler that answers by itself: a field of a form with the value that is given for its name, or else with its
 * default. A form of which nothing can be filled in is declined, and so is one that does not take the values, and a page
 * that somebody would have to visit: silence is no consent.
 *
 * ```ts
 * const elicit = answersFrom({ branch: 'main' });
 * const onlyDefaults = answersFrom({});
 * ```
 */
export function answersFrom(values: Readonly<Record<string, unknown>>): Elicit {
  return (question) => answered(question, values);
}

/** The handler that says no. The server learns that it may ask, the user what was asked. */
export const decline: Elicit = () => ({ action: 'decline' });

function answered(question: Elicitation, values: Readonly<Record<string, unknown>>): ElicitationAnswer {
  if (question.mode === 'url') return { action: 'decline', reason: 'Nobody is here to visit the page.' };
  const fields = isObject(question.schema['properties']) ? question.schema['properties'] : {};
  const given = Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(fields, name)));
  const { content, problems } = question.check(given);
  if (problems.length > 0) return { action: 'decline', reason: problems.join('\n') };
  if (!isObject(content) || Object.keys(content).length === 0) {
    return { action: 'decline', reason: 'There is no answer to any of its fields.' };
  }
  return { action: 'accept', content: given };
}
