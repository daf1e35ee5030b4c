import { isObject } from '../../../json/index.js';
import type { Expectation } from '../../violations/expectation.js';
import type { Branches } from '../../violations/violation.js';
import { defineKeyword, namesIn, type SchemaNode } from '../keyword.js';
import { and, INVALID, VALID, type Verdict } from '../verdict.js';

/** core, 10.3.2.4 */
export const propertyNames = defineKeyword<SchemaNode>({
  name: 'propertyNames',
  compile: (value, at) => at.schemaOf(value),
  evaluate(bound, instance, context) {
    if (!isObject(instance)) return VALID;
    let result: Verdict = VALID;
    for (const name of namesIn(instance, context)) {
      const verdict = context.try(bound.value, name);
      if (verdict === INVALID) context.report(bound, instance, misnamed(name, context.refusals([bound.value], name)));
      result = and(result, verdict);
      if (context.settled(result)) break;
    }
    return result;
  },
});

function misnamed(property: string, refusals: Branches): Expectation {
  return {
    kind: 'name',
    property,
    get wanted() {
      return refusals.at(0)[0]?.expectation;
    },
  };
}
