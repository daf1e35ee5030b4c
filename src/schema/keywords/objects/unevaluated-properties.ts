import { isObject } from '../../../json/index.js';
import { defineKeyword, everyMember, type SchemaNode } from '../keyword.js';
import { VALID } from '../verdict.js';
import { applyToRest } from './additional-properties.js';

/** core, 11.3 */
export const unevaluatedProperties = defineKeyword<SchemaNode>({
  name: 'unevaluatedProperties',
  dependsOnSiblings: true,
  compile: (value, at) => at.schemaOf(value),
  evaluate(bound, instance, context, evaluated) {
    if (!isObject(instance) || !evaluated) return VALID;
    const rest = { bound, schema: bound.value, declaring: bound.node.schema, isUncertain: evaluated.uncertain };
    const result = context.conditionally(() =>
      everyMember(instance, context, (name) =>
        evaluated.hasProperty(name) ? VALID : applyToRest(rest, instance, name, context),
      ),
    );
    evaluated.addAll();
    return result;
  },
});
