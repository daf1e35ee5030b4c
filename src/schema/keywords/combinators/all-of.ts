import { defineKeyword, type SchemaNode } from '../keyword.js';
import { and, VALID, type Verdict } from '../verdict.js';

/** core, 10.2.1.1 */
export const allOf = defineKeyword<readonly SchemaNode[]>({
  name: 'allOf',
  compile: (value, at) => at.schemasOf(value),
  evaluate({ value }, instance, context, evaluated) {
    let result: Verdict = VALID;
    for (const schema of value) {
      result = and(result, context.apply(schema, instance, evaluated));
      if (context.settled(result)) break;
    }
    return result;
  },
});
