import { defineKeyword } from '../keyword.js';
import type { Reference } from '../reference.js';
import { truncated } from '../violations/phrases.js';

interface DynamicRef {
  readonly target: Reference | undefined;
  /** The name to look for in the dynamic scope; without one it is a plain `$ref`. */
  readonly anchor: string | undefined;
}

/** core, 8.2.3.2: the outermost `$dynamicAnchor` of that name, if the reference itself leads to one. */
export const dynamicRef = defineKeyword<DynamicRef>({
  name: '$dynamicRef',
  compile(value, at) {
    if (typeof value !== 'string') {
      at.malformed('a string');
      return;
    }
    const target = at.resolve(value);
    if (!target) {
      at.report('unresolved-reference', `${truncated(value)} leads to no schema; nothing is fetched.`, 'error');
      return { target, anchor: undefined };
    }
    const { anchor, node } = target;
    return { target, anchor: anchor !== undefined && node.resource.dynamicAnchor(anchor) ? anchor : undefined };
  },
  evaluate({ value: { target, anchor }, node }, instance, run, evaluated) {
    if (!target) return run.unresolved(node, '$dynamicRef', evaluated);
    if (anchor === undefined) return run.apply(target.node, instance, evaluated);
    if (!run.spend(run.scope.length >> 2)) return run.undetermined('steps', node, '$dynamicRef');
    for (const resource of run.scope) {
      const outermost = resource.dynamicAnchor(anchor);
      if (outermost) return run.apply(outermost, instance, evaluated);
    }
    return run.apply(target.node, instance, evaluated);
  },
});
