import { defineKeyword } from '../keyword.js';
import { applyItems, type Items } from './apply-items.js';

/** core, 10.3.1.1 */
export const prefixItems = defineKeyword<Items>({
  name: 'prefixItems',
  compile: (value, at) =>
    Array.isArray(value) ? { tuple: value.map((item, i) => at.child(item, i)) } : at.malformed('an array of schemas'),
  evaluate: applyItems,
});
