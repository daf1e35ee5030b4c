import { isObject } from '../../../json/index.js';
import { defineKeyword, namesIn, type SchemaNode } from '../keyword.js';
import { and, UNDETERMINED, VALID, type Verdict } from '../verdict.js';

/** core, 11.3 */
export const unevaluatedProperties = defineKeyword<SchemaNode>({
  name: 'unevaluatedProperties',
  dependsOnSiblings: true,
  compile: (value, at) => at.schemaOf(value),
  evaluate(bound, instance, context, evaluated) {
    if (!isObject(instance) || !evaluated) return VALID;
    const { value: schema } = bound;
    let result: Verdict = VALID;
    for (const name of namesIn(instance, context)) {
      if (evaluated.hasProperty(name)) continue;
      let verdict: Verdict;
      if (evaluated.uncertain) {
        verdict = context.tryAt(schema, instance[name], name) === VALID ? VALID : UNDETERMINED;
      } else if (schema.schema === false) {
        verdict = context.report(bound, instance, {
          kind: 'unwanted',
          property: name,
          schema: bound.node.schema,
        });
      } else {
        verdict = context.applyAt(schema, instance[name], name);
      }
      result = and(result, verdict);
      if (context.settled(result)) break;
    }
    evaluated.addAll();
    return result;
  },
});
