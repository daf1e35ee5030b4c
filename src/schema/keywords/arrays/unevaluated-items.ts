import { defineKeyword, type SchemaNode } from '../keyword.js';
import { and, INVALID, UNDETERMINED, VALID, type Verdict } from '../verdict.js';

/** core, 11.2 */
export const unevaluatedItems = defineKeyword<SchemaNode>({
  name: 'unevaluatedItems',
  dependsOnSiblings: true,
  compile: (value, at) => at.schemaOf(value),
  evaluate({ value }, instance, context, evaluated) {
    if (!Array.isArray(instance) || !evaluated) return VALID;
    context.consume(instance.length);
    let result: Verdict = VALID;
    for (let i = 0; i < instance.length; i++) {
      if (evaluated.hasItem(i)) continue;
      let verdict = evaluated.uncertain ? context.tryAt(value, instance[i], i) : context.applyAt(value, instance[i], i);
      if (evaluated.uncertain && verdict === INVALID) verdict = UNDETERMINED;
      result = and(result, verdict);
      if (context.settled(result)) break;
    }
    evaluated.addAll();
    return result;
  },
});
