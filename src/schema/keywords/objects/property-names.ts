import { isObject } from '../../../json/index.js';
import { defineKeyword, type SchemaNode } from '../keyword.js';
import { truncated } from '../../violations/phrases.js';
import { and, INVALID, VALID, type Verdict } from '../verdict.js';

/** core, 10.3.2.4 */
export const propertyNames = defineKeyword<SchemaNode>({
  name: 'propertyNames',
  compile: (value, at) => at.schemaOf(value),
  evaluate(bound, instance, context) {
    if (!isObject(instance)) return VALID;
    let result: Verdict = VALID;
    for (const name of Object.keys(instance)) {
      if (instance[name] === undefined) continue;
      const { verdict, violations } = context.try(bound.value, name);
      if (verdict === INVALID) {
        const wanted = violations[0]?.expected ?? 'allowed by the schema';
        context.report(bound, instance, {
          expected: `property names: ${wanted}`,
          problem: `must not have the property ${truncated(name)}: its name must be ${wanted}`,
          property: name,
        });
      }
      result = and(result, verdict);
      if (context.settled(result)) break;
    }
    return result;
  },
});
