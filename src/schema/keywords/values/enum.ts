import { defineKeyword } from '../keyword.js';
import { ValueSet } from './value-set.js';

/** validation, 6.1.2 */
export const enumeration = defineKeyword<ValueSet>({
  name: 'enum',
  compile(value, at) {
    if (!Array.isArray(value)) return at.malformed('an array');
    if (value.length === 0) {
      // draft-04 forbids an empty list; since draft-06 it is allowed, and nothing is in it.
      if (at.dialect === 'draft-04') return at.malformed('a non-empty array');
      at.report('empty-enum', 'The list is empty, so no value at all is allowed here.');
    }
    return new ValueSet(value);
  },
  evaluate: (bound, instance, context) => bound.value.has(instance, context, bound),
  expected: ({ value }) => ({ kind: 'values', values: value.values }),
});
