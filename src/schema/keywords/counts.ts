import { isObject } from '../../json/index.js';
import type { Expectation } from '../violations/expectation.js';
import { compileCount, defineKeyword, type EvaluationContext, namesIn, textSteps } from './keyword.js';
import { INVALID, VALID } from './verdict.js';

/** validation, 6.3.1 and 6.3.2: characters are Unicode code points. */
export const [minLength, maxLength] = counts('Length', hasCharacters, (bound, count) => {
  return { kind: 'length', bound, count };
});

/** validation, 6.4.1 and 6.4.2 */
export const [minItems, maxItems] = counts(
  'Items',
  (instance, count) => (Array.isArray(instance) ? instance.length >= count : undefined),
  (bound, count, instance) => ({
    kind: 'count',
    bound,
    count,
    noun: 'item',
    actual: Array.isArray(instance) ? instance.length : 0,
  }),
);

/** validation, 6.5.1 and 6.5.2 */
export const [minProperties, maxProperties] = counts(
  'Properties',
  (instance, count, context) => (isObject(instance) ? namesIn(instance, context).length >= count : undefined),
  (bound, count, instance) => ({
    kind: 'count',
    bound,
    count,
    noun: 'property',
    // Counted when it is read: an object may have a hundred thousand properties, and a hundred such limits.
    get actual() {
      return isObject(instance) ? Object.values(instance).filter((value) => value !== undefined).length : 0;
    },
  }),
);

function counts(
  noun: string,
  has: (instance: unknown, count: number, context: EvaluationContext) => boolean | undefined,
  expected: (bound: 'at least' | 'at most', count: number, instance: unknown) => Expectation,
) {
  const minimum = defineKeyword<number>({
    name: `min${noun}`,
    compile: compileCount,
    evaluate: ({ value }, instance, context) => (has(instance, value, context) === false ? INVALID : VALID),
    expected: ({ value }, instance) => expected('at least', value, instance),
  });
  const maximum = defineKeyword<number>({
    name: `max${noun}`,
    compile: compileCount,
    evaluate: ({ value }, instance, context) => (has(instance, value + 1, context) === true ? INVALID : VALID),
    expected: ({ value }, instance) => expected('at most', value, instance),
  });
  return [minimum, maximum] as const;
}

/** Counts only if surrogates could make a difference. */
function hasCharacters(text: unknown, wanted: number, context: EvaluationContext): boolean | undefined {
  if (typeof text !== 'string') return undefined;
  context.consume(textSteps(text));
  if (text.length < wanted || text.length >= 2 * wanted) return text.length >= wanted;
  let count = 0;
  for (let i = 0; i < text.length && count < wanted; i++) {
    count++;
    if ((text.codePointAt(i) ?? 0) > 0xffff) i++;
  }
  return count >= wanted;
}
