import { defineKeyword, type SchemaNode } from '../keyword.js';
import { applyToItems } from './apply-items.js';

/**
 * 2019-09 core, 9.3.1.2: the schema of the items after the listed ones of an array in `items`; no effect without one.
 */
export const additionalItems = defineKeyword<{ readonly rest: SchemaNode; readonly start: number }>({
  name: 'additionalItems',
  compile(value, at) {
    const tuple = at.sibling('items');
    const rest = at.schemaOf(value);
    return Array.isArray(tuple) && rest ? { rest, start: tuple.length } : undefined;
  },
  evaluate: ({ value: { rest, start } }, instance, context, evaluated) =>
    applyToItems(rest, instance, start, context, evaluated),
});
