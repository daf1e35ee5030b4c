import { compileCount, defineKeyword } from '../keyword.js';
import type { Expectation } from '../../violations/expectation.js';
import { INVALID, VALID } from '../verdict.js';

/** validation, 6.4.2 */
export const minItems = defineKeyword<number>({
  name: 'minItems',
  compile: compileCount,
  evaluate: ({ value }, instance) => (!Array.isArray(instance) || instance.length >= value ? VALID : INVALID),
  expected: ({ value }, instance) => mismatch('at least', value, instance),
});

/** validation, 6.4.1 */
export const maxItems = defineKeyword<number>({
  name: 'maxItems',
  compile: compileCount,
  evaluate: ({ value }, instance) => (!Array.isArray(instance) || instance.length <= value ? VALID : INVALID),
  expected: ({ value }, instance) => mismatch('at most', value, instance),
});

function mismatch(bound: 'at least' | 'at most', count: number, instance: unknown): Expectation {
  return { kind: 'count', bound, count, noun: 'item', actual: Array.isArray(instance) ? instance.length : 0 };
}
