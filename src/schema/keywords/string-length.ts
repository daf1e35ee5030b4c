import { defineKeyword, type Position } from '../keyword.js';
import { counted } from '../../json/index.js';
import { INVALID, VALID } from '../verdict.js';

/** validation, 6.3.2: characters are Unicode code points. */
export const minLength = defineKeyword<number>({
  name: 'minLength',
  compile: compileCount,
  evaluate(clause, instance, run) {
    if (typeof instance !== 'string') return VALID;
    return run.charge(instance.length >> 4, clause, hasCodePoints(instance, clause.value) ? VALID : INVALID);
  },
  expected: ({ value }) => ({ expected: `at least ${counted(value, 'character')} long` }),
});

/** validation, 6.3.1 */
export const maxLength = defineKeyword<number>({
  name: 'maxLength',
  compile: compileCount,
  evaluate(clause, instance, run) {
    if (typeof instance !== 'string') return VALID;
    return run.charge(instance.length >> 4, clause, hasCodePoints(instance, clause.value + 1) ? INVALID : VALID);
  },
  expected: ({ value }) => ({ expected: `at most ${counted(value, 'character')} long` }),
});

export function compileCount(value: unknown, at: Position): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0
    ? value
    : at.malformed('a non-negative integer');
}

/** Whether the text has at least so many code points. Counts only where surrogates could make the difference. */
function hasCodePoints(text: string, wanted: number): boolean {
  if (text.length < wanted) return false;
  if (text.length >= 2 * wanted) return true;
  let count = 0;
  for (let i = 0; i < text.length && count < wanted; i++) {
    count++;
    if ((text.codePointAt(i) ?? 0) > 0xffff) i++;
  }
  return count >= wanted;
}
