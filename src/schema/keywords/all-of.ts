import { defineKeyword } from '../keyword.js';
import type { SchemaNode } from '../node.js';
import { and, VALID, type Verdict } from '../verdict.js';

/** core, 10.2.1.1 */
export const allOf = defineKeyword<readonly SchemaNode[]>({
  name: 'allOf',
  subschemas: 'value',
  compile: (value, at) => at.schemasOf(value),
  evaluate({ value }, instance, run, evaluated) {
    let result: Verdict = VALID;
    for (const schema of value) {
      result = and(result, run.apply(schema, instance, evaluated));
      if (run.settled(result)) break;
    }
    return result;
  },
});
