import { defineKeyword, type Reference } from '../keyword.js';
import type { UndeterminedReason } from '../verdict.js';
import { resolveReference, unresolved } from './ref.js';

interface DynamicRef {
  readonly target: Reference | UndeterminedReason;
  /** The name to look for in the dynamic scope; without one it is a plain `$ref`. */
  readonly anchor: string | undefined;
}

/** core, 8.2.3.2: the outermost `$dynamicAnchor` of that name, if the reference itself leads to one. */
export const dynamicRef = defineKeyword<DynamicRef>({
  name: '$dynamicRef',
  compile(value, at) {
    const target = resolveReference(value, at);
    if (typeof target !== 'object') return target && { target, anchor: undefined };
    const { anchor, node } = target;
    return { target, anchor: anchor !== undefined && node.resource.dynamicAnchor(anchor) ? anchor : undefined };
  },
  evaluate(bound, instance, context, evaluated) {
    const { target, anchor } = bound.value;
    if (typeof target === 'string') return unresolved(target, bound, context, evaluated);
    if (anchor === undefined) return context.apply(target.node, instance, evaluated);
    const { scope } = context;
    context.consume(scope.length >> 2);
    for (const resource of scope) {
      const outermost = resource.dynamicAnchor(anchor);
      if (outermost) return context.apply(outermost, instance, evaluated);
    }
    return context.apply(target.node, instance, evaluated);
  },
  leadsTo({ value: { target, anchor } }, scope) {
    if (typeof target === 'string') return [];
    const dynamic = anchor === undefined ? [] : scope.map((resource) => resource.dynamicAnchor(anchor));
    return [target.node, ...dynamic.filter((node) => node !== undefined)];
  },
});
