import type { CompileContext, SchemaNode, Verdict } from './keyword.js';
import { defineKeyword, INVALID, not as negated, or, silentKeyword, UNDETERMINED, VALID } from './keyword.js';

/** core, 10.2.1.1 */
const allOf = defineKeyword<readonly SchemaNode[]>('allOf', {
  compile: (value, at) => at.schemasOf(value),
  evaluate: ({ value }, instance, context, evaluated) =>
    context.every(value, (schema) => context.apply(schema, instance, evaluated)),
});

/** core, 10.2.1.2 */
const anyOf = defineKeyword<readonly SchemaNode[]>('anyOf', {
  compile: (value, at) => at.schemasOf(value),
  evaluate(bound, instance, context, evaluated) {
    let result: Verdict = INVALID;
    for (const schema of bound.value) {
      result = or(result, context.try(schema, instance, evaluated));
      if (result === VALID && !evaluated) return VALID;
    }
    if (result !== INVALID) return result;
    const branches = () => context.refusals(bound.value, instance);
    return context.report(bound, instance, { kind: 'alternatives', schemas: bound.value }, branches);
  },
});

/** core, 10.2.1.3 */
const oneOf = defineKeyword<readonly SchemaNode[]>('oneOf', {
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
    if (valid.length > 1)
      return context.report(bound, instance, { kind: 'exactly-one', schemas: bound.value, matching: valid }, branches);
    if (valid.length + open === 0)
      return context.report(bound, instance, { kind: 'alternatives', schemas: bound.value }, branches);
    return open === 0 ? VALID : UNDETERMINED;
  },
});

/** core, 10.2.1.4 */
const not = defineKeyword<SchemaNode>('not', {
  compile: (value, at) => at.schemaOf(value),
  evaluate: ({ value }, instance, context) => negated(context.try(value, instance)),
  expected: ({ value }) => ({ kind: 'not', schema: value.schema }),
});

export const combinators = [allOf, anyOf, oneOf, not];

interface Conditional {
  readonly condition: SchemaNode;
  readonly then: SchemaNode | undefined;
  readonly else: SchemaNode | undefined;
}

/** core, 10.2.2 */
const conditional = defineKeyword<Conditional>('if', {
  compile(value, at) {
    const condition = at.schemaOf(value);
    return condition && { condition, then: branch(at, 'then'), else: branch(at, 'else') };
  },
  evaluate(bound, instance, context, evaluated) {
    const { condition, then, else: otherwise } = bound.value;
    if (!then && !otherwise && !evaluated) return VALID;
    const verdict = context.try(condition, instance, evaluated);
    if (verdict === VALID) return then ? context.conditionally(() => context.apply(then, instance, evaluated)) : VALID;
    if (verdict === UNDETERMINED) {
      // Decided only if both ways lead to the same verdict.
      const ifTrue = then ? context.try(then, instance) : VALID;
      const ifFalse = otherwise ? context.try(otherwise, instance) : VALID;
      return ifTrue === ifFalse ? ifTrue : UNDETERMINED;
    }
    if (!otherwise) return VALID;
    const result = context.conditionally(() => context.apply(otherwise, instance, evaluated));
    if (result === INVALID)
      context.report(bound, instance, { kind: 'condition' }, () => context.refusals([condition], instance));
    return result;
  },
});

function branch(at: CompileContext, name: string): SchemaNode | undefined {
  const schema = at.sibling(name);
  return schema === undefined ? undefined : at.node.child(schema, name);
}

/** Read by `if`. */
const conditionalThen = silentKeyword('then', (value, at) => at.schemaOf(value));
const conditionalElse = silentKeyword('else', (value, at) => at.schemaOf(value));

export const conditions = [conditional, conditionalThen, conditionalElse];
