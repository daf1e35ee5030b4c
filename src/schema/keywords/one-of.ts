import { defineKeyword } from '../keyword.js';
import type { SchemaNode } from '../node.js';
import { alternatives } from '../violations/alternatives.js';
import type { Violation } from '../violations/violation.js';
import { UNDETERMINED, VALID } from '../verdict.js';

/** core, 10.2.1.3 */
export const oneOf = defineKeyword<readonly SchemaNode[]>({
  name: 'oneOf',
  subschemas: 'value',
  compile: (value, at) => at.schemasOf(value),
  evaluate(clause, instance, run, evaluated) {
    const branches: Violation[][] = [];
    const valid: number[] = [];
    let open = 0;
    for (const [i, schema] of clause.value.entries()) {
      const { verdict, violations } = run.try(schema, instance, evaluated);
      branches.push(violations);
      if (verdict === VALID) valid.push(i);
      else if (verdict === UNDETERMINED) open++;
      if (valid.length > 1 && !run.collecting) break;
      if (run.stopped) {
        open += clause.value.length - i - 1;
        break;
      }
    }
    if (valid.length > 1) {
      const which = `numbers ${valid.map((i) => i + 1).join(' and ')} of ${clause.value.length}`;
      const expected = 'valid against exactly one of the alternatives';
      return run.report(clause, instance, { expected, problem: `must be ${expected}, not ${which}` }, branches);
    }
    if (valid.length + open === 0) return run.report(clause, instance, alternatives(branches), branches);
    return open === 0 ? VALID : UNDETERMINED;
  },
});
