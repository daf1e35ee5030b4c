import { defineKeyword, everyMember, type SchemaNode } from '../keyword.js';
import { INVALID } from '../verdict.js';

/** core, 10.3.2.4 */
export const propertyNames = defineKeyword<SchemaNode>({
  name: 'propertyNames',
  compile: (value, at) => at.schemaOf(value),
  evaluate: (bound, instance, context) =>
    everyMember(instance, context, (name) => {
      const verdict = context.try(bound.value, name);
      if (verdict !== INVALID) return verdict;
      const refusals = context.refusals([bound.value], name);
      return context.report(bound, instance, {
        kind: 'name',
        property: name,
        get wanted() {
          return refusals.at(0)[0]?.expectation;
        },
      });
    }),
});
