import { isObject } from '../../../json/index.js';
import { compileCount, defineKeyword } from '../keyword.js';
import { countMismatch } from '../../violations/phrases.js';
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
  expected: ({ value }, instance) => countMismatch('at least', value, 'property', countOf(instance)),
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
  expected: ({ value }, instance) => countMismatch('at most', value, 'property', countOf(instance)),
});

function countOf(instance: unknown): number {
  return isObject(instance) ? Object.values(instance).filter((value) => value !== undefined).length : 0;
}
