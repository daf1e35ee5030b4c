import { isObject } from '../../../json/index.js';
import type { Expectation } from '../../violations/expectation.js';
import { compileCount, defineKeyword, namesIn } from '../keyword.js';
import { INVALID, VALID } from '../verdict.js';

/** validation, 6.5.2 */
export const minProperties = defineKeyword<number>({
  name: 'minProperties',
  compile: compileCount,
  evaluate: ({ value }, instance, context) =>
    !isObject(instance) || namesIn(instance, context).length >= value ? VALID : INVALID,
  expected: ({ value }, instance) => mismatch('at least', value, instance),
});

/** validation, 6.5.1 */
export const maxProperties = defineKeyword<number>({
  name: 'maxProperties',
  compile: compileCount,
  evaluate: ({ value }, instance, context) =>
    !isObject(instance) || namesIn(instance, context).length <= value ? VALID : INVALID,
  expected: ({ value }, instance) => mismatch('at most', value, instance),
});

/** Counted when it is read: an object may have a hundred thousand properties, and a hundred such limits. */
function mismatch(bound: 'at least' | 'at most', count: number, instance: unknown): Expectation {
  return {
    kind: 'count',
    bound,
    count,
    noun: 'property',
    get actual() {
      return isObject(instance) ? Object.values(instance).filter((value) => value !== undefined).length : 0;
    },
  };
}
