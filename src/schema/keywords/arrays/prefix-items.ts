import { defineKeyword, type SchemaNode } from '../keyword.js';
import { applyTuple } from './apply-items.js';

/** core, 10.3.1.1 */
export const prefixItems = defineKeyword<readonly SchemaNode[]>({
  name: 'prefixItems',
  compile: (value, at) =>
    Array.isArray(value) ? value.map((item, i) => at.child(item, i)) : at.malformed('an array of schemas'),
  evaluate: ({ value }, instance, context, evaluated) => applyTuple(value, instance, context, evaluated),
});
