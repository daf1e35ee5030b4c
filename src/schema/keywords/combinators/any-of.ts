import { defineKeyword, type SchemaNode } from '../keyword.js';
import type { Violation } from '../../violations/violation.js';
import { INVALID, or, UNDETERMINED, VALID, type Verdict } from '../verdict.js';

/** core, 10.2.1.2 */
export const anyOf = defineKeyword<readonly SchemaNode[]>({
  name: 'anyOf',
  compile: (value, at) => at.schemasOf(value),
  evaluate(bound, instance, context, evaluated) {
    const branches: Violation[][] = [];
    let result: Verdict = INVALID;
    for (const schema of bound.value) {
      const { verdict, violations } = context.try(schema, instance, evaluated);
      result = or(result, verdict);
      branches.push(violations);
      if (result === VALID && !evaluated) return VALID;
      if (context.stopped) return or(result, UNDETERMINED);
    }
    if (result !== INVALID) return result;
    const ways = bound.value.map((node) => ({ node }));
    return context.coerceTo(ways, { evaluated })
      ? VALID
      : context.report(bound, instance, { kind: 'alternatives', schemas: bound.value }, branches);
  },
});
