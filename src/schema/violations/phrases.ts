import { counted, quote } from '../../json/index.js';
import { shownText } from '../../secrets/index.js';
import type { Expectation } from './expectation.js';

/** Values of an `enum` that are named. */
const valueLimit = 20;

/** 'a, b or c' */
export function listed(words: readonly string[], conjunction = 'or'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)}`;
}

/** 'must have at least 2 items, has 1' */
export function countMismatch(bound: 'at least' | 'at most', count: number, noun: string, actual: number): Expectation {
  const expected = `${bound} ${counted(count, noun)}`;
  return { expected, problem: `must have ${expected}, has ${actual}` };
}

/** 'one of "a", "b", null' */
export function oneOfValues(values: readonly unknown[]): string {
  const [only] = values;
  if (values.length === 0) return 'one of no values at all (the list is empty)';
  if (values.length === 1) return shownText(only);
  const shown = values.slice(0, valueLimit).map((value) => shownText(value, 60));
  const more = values.length - shown.length;
  return `one of ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** A text in quotes, cut to a readable length. */
export function truncated(text: string): string {
  return quote(text);
}
