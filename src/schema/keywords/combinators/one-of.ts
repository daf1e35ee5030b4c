import { defineKeyword, type SchemaNode } from '../keyword.js';
import { UNDETERMINED, VALID } from '../verdict.js';

/** core, 10.2.1.3 */
export const oneOf = defineKeyword<readonly SchemaNode[]>({
  name: 'oneOf',
  compile: (value, at) => at.schemasOf(value),
  evaluate(bound, instance, context, evaluated) {
    const branches = () => context.refusals(bound.value, instance);
    const valid: number[] = [];
    let open = 0;
    for (const [i, schema] of bound.value.entries()) {
      const verdict = context.try(schema, instance, evaluated);
      if (verdict === VALID) valid.push(i);
      else if (verdict === UNDETERMINED) open++;
      if (valid.length > 1 && !context.collecting) break;
    }
    if (valid.length > 1) {
      return context.report(bound, instance, { kind: 'exactly-one', schemas: bound.value, matching: valid }, branches);
    }
    if (valid.length + open === 0) {
      return context.report(bound, instance, { kind: 'alternatives', schemas: bound.value }, branches);
    }
    return open === 0 ? VALID : UNDETERMINED;
  },
});
