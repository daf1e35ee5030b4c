import { isObject, listOf } from '../../json/index.js';
import type { Expectation } from '../violations/expectation.js';
import type { EvaluationContext, Keyword } from './keyword.js';
import { compileCount, defineKeyword, INVALID, namesIn, textSteps, VALID } from './keyword.js';

export const countKeywords = [
  // validation, 6.3.1 and 6.3.2: characters are Unicode code points.
  ...counts('Length', hasCharacters, (bound, count) => ({ kind: 'length', bound, count })),
  // validation, 6.4.1 and 6.4.2
  ...counts(
    'Items',
    (instance, count) => (Array.isArray(instance) ? instance.length >= count : undefined),
    countOf('item', (instance) => listOf(instance).length),
  ),
  // validation, 6.5.1 and 6.5.2
  ...counts(
    'Properties',
    (instance, count, context) => (isObject(instance) ? namesIn(instance, context).length >= count : undefined),
    countOf('property', (instance) => Object.values(instance ?? {}).filter((value) => value !== undefined).length),
  ),
];

type Expected = (bound: 'at least' | 'at most', count: number, instance: unknown) => Expectation;

function countOf(noun: 'item' | 'property', sizeOf: (instance: unknown) => number): Expected {
  return (bound, count, instance) => ({
    kind: 'count',
    bound,
    count,
    noun,
    // Counted when it is read: an object may have a hundred thousand properties, and a hundred such limits.
    get actual() {
      return sizeOf(instance);
    },
  });
}

function counts(
  noun: string,
  has: (instance: unknown, count: number, context: EvaluationContext) => boolean | undefined,
  expected: Expected,
): Keyword[] {
  const minimum = defineKeyword<number>(`min${noun}`, {
    compile: compileCount,
    evaluate: ({ value }, instance, context) => (has(instance, value, context) === false ? INVALID : VALID),
    expected: ({ value }, instance) => expected('at least', value, instance),
  });
  const maximum = defineKeyword<number>(`max${noun}`, {
    compile: compileCount,
    evaluate: ({ value }, instance, context) => (has(instance, value + 1, context) === true ? INVALID : VALID),
    expected: ({ value }, instance) => expected('at most', value, instance),
  });
  return [minimum, maximum];
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
