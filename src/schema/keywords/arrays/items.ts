import { defineKeyword, type SchemaNode } from '../keyword.js';
import { applyTuple, applyToItems } from './apply-items.js';
import { VALID } from '../verdict.js';

interface Items {
  readonly tuple?: readonly SchemaNode[];
  readonly rest?: SchemaNode;
  readonly start: number;
}

/**
 * core, 10.3.1.2: the schema of all items after `prefixItems`. An array of schemas is what `prefixItems` was called
 * up to 2019-09; since 2020-12 it would be malformed, so it keeps its meaning.
 */
export const items = defineKeyword<Items>({
  name: 'items',
  compile(value, at) {
    if (Array.isArray(value)) {
      if (at.knows('prefixItems')) {
        at.report('legacy-keyword', 'An array in "items" is the older form of "prefixItems"; it is applied as such.');
      }
      return { tuple: value.map((item, i) => at.child(item, i)), start: 0 };
    }
    const rest = at.schemaOf(value);
    const prefix = at.sibling('prefixItems');
    return rest && { rest, start: Array.isArray(prefix) ? prefix.length : 0 };
  },
  evaluate({ value: { tuple, rest, start } }, instance, context, evaluated) {
    if (!Array.isArray(instance)) return VALID;
    if (tuple) return applyTuple(tuple, instance, context, evaluated);
    return rest ? applyToItems(rest, instance, start, context, evaluated) : VALID;
  },
});
