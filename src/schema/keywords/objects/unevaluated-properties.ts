import { isObject } from '../../../json/index.js';
import { defineKeyword, namesIn, type SchemaNode } from '../keyword.js';
import { and, VALID, type Verdict } from '../verdict.js';
import { applyToRest } from './additional-properties.js';

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
      const rest = { bound, schema, declaring: bound.node.schema, isUncertain: evaluated.uncertain };
      result = and(result, applyToRest(rest, instance, name, context));
      if (context.settled(result)) break;
    }
    evaluated.addAll();
    return result;
  },
});
