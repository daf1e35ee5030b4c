import { isObject } from '../../../json/index.js';
import { defineKeyword, type SchemaNode } from '../keyword.js';
import { and, UNDETERMINED, VALID, type Verdict } from '../verdict.js';

/** core, 11.3 */
export const unevaluatedProperties = defineKeyword<SchemaNode>({
  name: 'unevaluatedProperties',
  dependsOnSiblings: true,
  compile: (value, at) => at.schemaOf(value),
  evaluate(bound, instance, context, evaluated) {
    if (!isObject(instance) || !evaluated) return VALID;
    const { value: schema } = bound;
    const names = Object.keys(instance);
    let result = context.charge(names.length, bound, VALID);
    for (const name of names) {
      if (instance[name] === undefined || evaluated.hasProperty(name)) continue;
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
