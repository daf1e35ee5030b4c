import { defineKeyword } from '../keyword.js';
import type { SchemaNode } from '../node.js';
import { applyTuple, applyToItems } from '../tuple.js';
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
  subschemas: 'value',
  compile(value, at) {
    if (Array.isArray(value)) {
      if (at.node.resource.dialect.keywords.has('prefixItems')) {
        at.report('legacy-keyword', 'An array in "items" is the older way to write "prefixItems"; it is applied so.');
      }
      return { tuple: value.map((item, i) => at.child(item, i)), start: 0 };
    }
    const prefix = at.sibling('prefixItems');
    return { rest: at.schemaOf(value), start: Array.isArray(prefix) ? prefix.length : 0 };
  },
  evaluate({ value: { tuple, rest, start } }, instance, run, evaluated) {
    if (!Array.isArray(instance)) return VALID;
    if (tuple) return applyTuple(tuple, instance, run, evaluated);
    return rest ? applyToItems(rest, instance, start, run, evaluated) : VALID;
  },
});
