import { typeOf } from '../../../json/index.js';
import { shownText } from '../../../secrets/index.js';
import { defineKeyword } from '../keyword.js';
import { ValueSet } from './value-set.js';

/** validation, 6.1.3 */
export const constant = defineKeyword<ValueSet>({
  name: 'const',
  compile: (value) => new ValueSet([value]),
  evaluate: ({ value, node }, instance, context) => value.has(instance, context, node),
  expected: ({ value: { values } }) => ({ expected: shownText(values[0]), expectedTypes: [typeOf(values[0])] }),
});
