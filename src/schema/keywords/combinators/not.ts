import { defineKeyword, type SchemaNode } from '../keyword.js';
import { not as negated } from '../verdict.js';

/** core, 10.2.1.4 */
export const not = defineKeyword<SchemaNode>({
  name: 'not',
  compile: (value, at) => at.schemaOf(value),
  evaluate: ({ value }, instance, context) => negated(context.try(value, instance)),
  expected: ({ value }) => ({ kind: 'not', schema: value.schema }),
});
