import { typeOf } from '../../json/index.js';
import { ValueSet } from '../value-set.js';
import { defineKeyword } from '../keyword.js';
import { shownText } from '../../secrets/index.js';

/** validation, 6.1.3 */
export const constant = defineKeyword<ValueSet>({
  name: 'const',
  compile: (value) => new ValueSet([value]),
  evaluate: ({ value, node }, instance, run) => value.has(instance, run, node),
  expected: ({ value: { values } }) => ({ expected: shownText(values[0]), expectedTypes: [typeOf(values[0])] }),
});
