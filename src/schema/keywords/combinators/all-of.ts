import { defineKeyword, type SchemaNode } from '../keyword.js';

/** core, 10.2.1.1 */
export const allOf = defineKeyword<readonly SchemaNode[]>({
  name: 'allOf',
  compile: (value, at) => at.schemasOf(value),
  evaluate: ({ value }, instance, context, evaluated) =>
    context.every(value, (schema) => context.apply(schema, instance, evaluated)),
});
