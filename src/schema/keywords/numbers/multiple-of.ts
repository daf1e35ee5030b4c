import { defineKeyword } from '../keyword.js';
import { isMultipleOf } from './decimal.js';
import { INVALID, VALID } from '../verdict.js';

/** validation, 6.2.1 */
export const multipleOf = defineKeyword<number>({
  name: 'multipleOf',
  compile: (value, at) => (typeof value === 'number' && value > 0 ? value : at.malformed('a number greater than 0')),
  evaluate: ({ value }, instance) => (typeof instance !== 'number' || isMultipleOf(instance, value) ? VALID : INVALID),
  expected: ({ value }) => ({ kind: 'multiple', of: value }),
});
