import { defineKeyword } from '../keyword.js';
import type { SchemaNode } from '../node.js';
import { and, INVALID, UNDETERMINED, VALID } from '../verdict.js';

/** core, 11.2 */
export const unevaluatedItems = defineKeyword<SchemaNode>({
  name: 'unevaluatedItems',
  subschemas: 'value',
  dependsOnSiblings: true,
  compile: (value, at) => at.schemaOf(value),
  evaluate(clause, instance, run, evaluated) {
    if (!Array.isArray(instance) || !evaluated) return VALID;
    const { value } = clause;
    let result = run.charge(instance.length, clause, VALID);
    for (let i = 0; i < instance.length; i++) {
      if (evaluated.hasItem(i)) continue;
      let verdict = evaluated.uncertain ? run.tryAt(value, instance[i], i).verdict : run.applyAt(value, instance[i], i);
      if (evaluated.uncertain && verdict === INVALID) verdict = UNDETERMINED;
      result = and(result, verdict);
      if (run.settled(result)) break;
    }
    evaluated.addAll();
    return result;
  },
});
