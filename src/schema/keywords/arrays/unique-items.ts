import { defineKeyword } from '../keyword.js';
import { canonical } from '../values/value-set.js';
import { UNDETERMINED, VALID } from '../verdict.js';

/** validation, 6.4.3. Compares canonical texts, so that the cost grows with the items, not with their square. */
export const uniqueItems = defineKeyword<true>({
  name: 'uniqueItems',
  compile: (value, at) => (typeof value === 'boolean' ? value || undefined : at.malformed('a boolean')),
  evaluate(bound, instance, context) {
    if (!Array.isArray(instance) || instance.length < 2) return VALID;
    const seen = { plain: new Map<unknown, number>(), composite: new Map<unknown, number>() };
    context.consume(instance.length);
    for (const [i, item] of (instance as readonly unknown[]).entries()) {
      const isComposite = typeof item === 'object' && item !== null;
      const key = isComposite ? canonical(item, context, bound.node, 'uniqueItems') : (item ?? null);
      if (key === undefined) return UNDETERMINED;
      const known = isComposite ? seen.composite : seen.plain;
      const equal = known.get(key);
      if (equal !== undefined) return context.report(bound, instance, { kind: 'unique', equal: [equal, i] });
      known.set(key, i);
    }
    return VALID;
  },
});
