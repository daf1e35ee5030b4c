import { isObject, type JsonObject } from '../../../json/index.js';
import type { Expectation } from '../../violations/expectation.js';
import { type BoundKeyword, compileCount, defineKeyword, type EvaluationContext } from '../keyword.js';
import { INVALID, VALID, type Verdict } from '../verdict.js';

/** validation, 6.5.2 */
export const minProperties = defineKeyword<number>({
  name: 'minProperties',
  compile: compileCount,
  evaluate: (bound, instance, context) =>
    isObject(instance) ? compare(bound, instance, bound.value, [INVALID, VALID], context) : VALID,
  expected: ({ value }, instance) => mismatch('at least', value, instance),
});

/** validation, 6.5.1 */
export const maxProperties = defineKeyword<number>({
  name: 'maxProperties',
  compile: compileCount,
  evaluate: (bound, instance, context) =>
    isObject(instance) ? compare(bound, instance, bound.value + 1, [VALID, INVALID], context) : VALID,
  expected: ({ value }, instance) => mismatch('at most', value, instance),
});

/** One verdict for objects with fewer properties than wanted, the other for all others. */
function compare(
  bound: BoundKeyword,
  instance: JsonObject,
  wanted: number,
  [fewer, enough]: readonly [Verdict, Verdict],
  context: EvaluationContext,
): Verdict {
  const names = Object.keys(instance);
  let count = 0;
  for (const name of names) {
    if (count >= wanted) break;
    if (instance[name] !== undefined) count++;
  }
  return context.charge(names.length, bound, count >= wanted ? enough : fewer);
}

function countOf(instance: unknown): number {
  return isObject(instance) ? Object.values(instance).filter((value) => value !== undefined).length : 0;
}

/** Counted when it is read: an object may have a hundred thousand properties, and a hundred such limits. */
function mismatch(bound: 'at least' | 'at most', count: number, instance: unknown): Expectation {
  return {
    kind: 'count',
    bound,
    count,
    noun: 'property',
    get actual() {
      return countOf(instance);
    },
  };
}
