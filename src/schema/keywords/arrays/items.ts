import { defineKeyword } from '../keyword.js';
import { applyItems, type Items } from './apply-items.js';

/**
 * core, 10.3.1.2: the schema of all items after `prefixItems`. Up to 2019-09, `items` with an array of schemas had the
 * meaning of `prefixItems`; since 2020-12 that would be malformed, so it keeps its meaning.
 */
export const items = defineKeyword<Items>({
  name: 'items',
  compile(value, at) {
    if (Array.isArray(value)) {
      if (at.knows('prefixItems')) {
        at.report('legacy-keyword', 'An array in "items" is the older form of "prefixItems"; it is applied as such.');
      }
      return { tuple: value.map((item, i) => at.child(item, i)) };
    }
    const rest = at.schemaOf(value);
    const prefix = at.sibling('prefixItems');
    return rest && { rest, start: Array.isArray(prefix) ? prefix.length : 0 };
  },
  evaluate: applyItems,
});
