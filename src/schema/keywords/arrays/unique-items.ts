import { defineKeyword } from '../keyword.js';
import { canonical } from '../values/canonical-key.js';
import { UNDETERMINED, VALID } from '../verdict.js';

/** validation, 6.4.3. Compares canonical texts, so that the effort grows with the items, not with their square. */
export const uniqueItems = defineKeyword<true>({
  name: 'uniqueItems',
  compile(value, at) {
    if (typeof value !== 'boolean') {
      at.malformed('a boolean');
      return;
    }
    return value || undefined;
  },
  evaluate(bound, instance, context) {
    if (!Array.isArray(instance) || instance.length < 2) return VALID;
    const seen = new Map<unknown, number>();
    for (let i = 0; i < instance.length; i++) {
      const key = canonical(instance[i], context, bound.node, 'uniqueItems');
      if (key === undefined) return UNDETERMINED;
      const equal = seen.get(key);
      if (equal !== undefined) {
        return context.report(bound, instance, { kind: 'unique', equal: [equal, i] });
      }
      seen.set(key, i);
    }
    return VALID;
  },
});
