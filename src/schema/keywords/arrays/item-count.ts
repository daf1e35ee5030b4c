import { compileCount, defineKeyword } from '../keyword.js';
import { countMismatch } from '../../violations/phrases.js';
import { INVALID, VALID } from '../verdict.js';

/** validation, 6.4.2 */
export const minItems = defineKeyword<number>({
  name: 'minItems',
  compile: compileCount,
  evaluate: ({ value }, instance) => (!Array.isArray(instance) || instance.length >= value ? VALID : INVALID),
  expected: ({ value }, instance) => countMismatch('at least', value, 'item', lengthOf(instance)),
});

/** validation, 6.4.1 */
export const maxItems = defineKeyword<number>({
  name: 'maxItems',
  compile: compileCount,
  evaluate: ({ value }, instance) => (!Array.isArray(instance) || instance.length <= value ? VALID : INVALID),
  expected: ({ value }, instance) => countMismatch('at most', value, 'item', lengthOf(instance)),
});

function lengthOf(instance: unknown): number {
  return Array.isArray(instance) ? instance.length : 0;
}
