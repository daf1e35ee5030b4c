import { defineKeyword, type SchemaNode } from '../keyword.js';
import { INVALID, or, VALID, type Verdict } from '../verdict.js';

/** core, 10.2.1.2 */
export const anyOf = defineKeyword<readonly SchemaNode[]>({
  name: 'anyOf',
  compile: (value, at) => at.schemasOf(value),
  evaluate(bound, instance, context, evaluated) {
    let result: Verdict = INVALID;
    for (const schema of bound.value) {
      result = or(result, context.try(schema, instance, evaluated));
      if (result === VALID && !evaluated) return VALID;
    }
    if (result !== INVALID) return result;
    return context.report(bound, instance, { kind: 'alternatives', schemas: bound.value }, () =>
      context.refusals(bound.value, instance),
    );
  },
});
