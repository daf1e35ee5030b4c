import { defineKeyword } from '../keyword.js';
import { ValueSet } from './value-set.js';

/** validation, 6.1.3 */
export const constant = defineKeyword<ValueSet>({
  name: 'const',
  compile: (value) => new ValueSet([value]),
  evaluate: (bound, instance, context) => bound.value.has(instance, context, bound),
  expected: ({ value: { values } }) => ({ kind: 'values', values }),
});
