import { defineKeyword, type SchemaNode } from '../keyword.js';
import { not as negated, VALID } from '../verdict.js';

/** core, 10.2.1.4 */
export const not = defineKeyword<SchemaNode>({
  name: 'not',
  compile: (value, at) => at.schemaOf(value),
  evaluate({ value }, instance, context) {
    const verdict = context.try(value, instance);
    if (verdict === VALID) context.doubt(() => context.try(value, instance));
    return negated(verdict);
  },
  expected: ({ value }) => ({ kind: 'not', schema: value.schema }),
});
