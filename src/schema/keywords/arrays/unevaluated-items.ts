import { defineKeyword, type SchemaNode } from '../keyword.js';
import { UNDETERMINED, VALID } from '../verdict.js';

/** core, 11.2 */
export const unevaluatedItems = defineKeyword<SchemaNode>({
  name: 'unevaluatedItems',
  dependsOnSiblings: true,
  compile: (value, at) => at.schemaOf(value),
  evaluate({ value }, instance, context, evaluated) {
    if (!Array.isArray(instance) || !evaluated) return VALID;
    context.consume(instance.length);
    const result = context.every(instance.entries(), ([i, item]) => {
      if (evaluated.hasItem(i)) return VALID;
      if (!evaluated.uncertain) return context.conditionally(() => context.applyAt(value, item, i));
      return context.tryAt(value, item, i) === VALID ? VALID : UNDETERMINED;
    });
    evaluated.addAll();
    return result;
  },
});
