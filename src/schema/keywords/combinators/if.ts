import { type CompileContext, defineKeyword, type SchemaNode, silentKeyword } from '../keyword.js';
import { INVALID, UNDETERMINED, VALID } from '../verdict.js';

interface Conditional {
  readonly condition: SchemaNode;
  readonly then: SchemaNode | undefined;
  readonly else: SchemaNode | undefined;
}

/** core, 10.2.2 */
export const conditional = defineKeyword<Conditional>({
  name: 'if',
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
    if (result === INVALID) {
      context.report(bound, instance, { kind: 'condition' }, () => context.refusals([condition], instance));
    }
    return result;
  },
});

function branch(at: CompileContext, name: string): SchemaNode | undefined {
  const schema = at.sibling(name);
  return schema === undefined ? undefined : at.node.child(schema, name);
}

/** Read by `if`. */
export const conditionalThen = silentKeyword('then', (value, at) => at.schemaOf(value));
export const conditionalElse = silentKeyword('else', (value, at) => at.schemaOf(value));
