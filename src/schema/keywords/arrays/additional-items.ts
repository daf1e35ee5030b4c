import { defineKeyword } from '../keyword.js';
import { applyItems, type Items } from './apply-items.js';

/** 2019-09 core, 9.3.1.2: the schema of the items after those of an array in `items`; nothing without one. */
export const additionalItems = defineKeyword<Items>({
  name: 'additionalItems',
  compile(value, at) {
    const tuple = at.sibling('items');
    const rest = at.schemaOf(value);
    return Array.isArray(tuple) && rest ? { rest, start: tuple.length } : undefined;
  },
  evaluate: applyItems,
});
