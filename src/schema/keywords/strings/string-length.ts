import { compileCount, defineKeyword, textSteps } from '../keyword.js';
import { INVALID, VALID } from '../verdict.js';

/** validation, 6.3.2: characters are Unicode code points. */
export const minLength = defineKeyword<number>({
  name: 'minLength',
  compile: compileCount,
  evaluate({ value }, instance, context) {
    if (typeof instance !== 'string') return VALID;
    context.consume(textSteps(instance));
    return hasCodePoints(instance, value) ? VALID : INVALID;
  },
  expected: ({ value }) => ({ kind: 'length', bound: 'at least', count: value }),
});

/** validation, 6.3.1 */
export const maxLength = defineKeyword<number>({
  name: 'maxLength',
  compile: compileCount,
  evaluate({ value }, instance, context) {
    if (typeof instance !== 'string') return VALID;
    context.consume(textSteps(instance));
    return hasCodePoints(instance, value + 1) ? INVALID : VALID;
  },
  expected: ({ value }) => ({ kind: 'length', bound: 'at most', count: value }),
});

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
