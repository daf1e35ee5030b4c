import { defineKeyword } from '../keyword.js';
import type { SchemaNode } from '../node.js';
import { applyTuple } from '../tuple.js';
import { VALID } from '../verdict.js';

/** core, 10.3.1.1 */
export const prefixItems = defineKeyword<readonly SchemaNode[]>({
  name: 'prefixItems',
  subschemas: 'value',
  compile: (value, at) =>
    Array.isArray(value) ? value.map((item, i) => at.child(item, i)) : at.malformed('an array of schemas'),
  evaluate: ({ value }, instance, run, evaluated) =>
    Array.isArray(instance) ? applyTuple(value, instance, run, evaluated) : VALID,
});
