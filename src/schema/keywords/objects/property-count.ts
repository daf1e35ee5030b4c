import { isObject } from '../../../json/index.js';
import type { Expectation } from '../../violations/expectation.js';
import { compileCount, defineKeyword } from '../keyword.js';
import { INVALID, VALID } from '../verdict.js';

/** validation, 6.5.2 */
export const minProperties = defineKeyword<number>({
  name: 'minProperties',
  compile: compileCount,
  evaluate(bound, instance, context) {
    if (!isObject(instance)) return VALID;
    const count = countOf(instance);
    return context.charge(count, bound, count >= bound.value ? VALID : INVALID);
  },
  expected: ({ value }, instance) => mismatch('at least', value, instance),
});

/** validation, 6.5.1 */
export const maxProperties = defineKeyword<number>({
  name: 'maxProperties',
  compile: compileCount,
  evaluate(bound, instance, context) {
    if (!isObject(instance)) return VALID;
    const count = countOf(instance);
    return context.charge(count, bound, count <= bound.value ? VALID : INVALID);
  },
  expected: ({ value }, instance) => mismatch('at most', value, instance),
});

function countOf(instance: unknown): number {
  return isObject(instance) ? Object.values(instance).filter((value) => value !== undefined).length : 0;
}

function mismatch(bound: 'at least' | 'at most', count: number, instance: unknown): Expectation {
  return { kind: 'count', bound, count, noun: 'property', actual: countOf(instance) };
}
