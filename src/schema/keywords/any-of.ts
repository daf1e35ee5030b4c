import { defineKeyword } from '../keyword.js';
import type { SchemaNode } from '../node.js';
import { alternatives } from '../violations/alternatives.js';
import type { Violation } from '../violations/violation.js';
import { INVALID, or, UNDETERMINED, VALID, type Verdict } from '../verdict.js';

/** core, 10.2.1.2 */
export const anyOf = defineKeyword<readonly SchemaNode[]>({
  name: 'anyOf',
  subschemas: 'value',
  compile: (value, at) => at.schemasOf(value),
  evaluate(clause, instance, run, evaluated) {
    const branches: Violation[][] = [];
    let result: Verdict = INVALID;
    for (const schema of clause.value) {
      const { verdict, violations } = run.try(schema, instance, evaluated);
      result = or(result, verdict);
      branches.push(violations);
      if (result === VALID && !evaluated) return VALID;
      if (run.stopped) return or(result, UNDETERMINED);
    }
    return result === INVALID ? run.report(clause, instance, alternatives(branches), branches) : result;
  },
});
