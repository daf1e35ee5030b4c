import { isObject } from '../../json/index.js';
import { defineKeyword } from '../keyword.js';
import type { SchemaNode } from '../node.js';
import { truncated } from '../violations/phrases.js';
import { and, INVALID, VALID, type Verdict } from '../verdict.js';

/** core, 10.3.2.4 */
export const propertyNames = defineKeyword<SchemaNode>({
  name: 'propertyNames',
  subschemas: 'value',
  compile: (value, at) => at.schemaOf(value),
  evaluate(clause, instance, run) {
    if (!isObject(instance)) return VALID;
    let result: Verdict = VALID;
    for (const name of Object.keys(instance)) {
      if (instance[name] === undefined) continue;
      const { verdict, violations } = run.try(clause.value, name);
      if (verdict === INVALID) {
        const wanted = violations[0]?.expected ?? 'allowed by the schema';
        run.report(clause, instance, {
          expected: `property names: ${wanted}`,
          problem: `must not have the property ${truncated(name)}: its name must be ${wanted}`,
          property: name,
        });
      }
      result = and(result, verdict);
      if (run.settled(result)) break;
    }
    return result;
  },
});
