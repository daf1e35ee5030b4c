import { canonical } from '../canonical.js';
import { defineKeyword } from '../keyword.js';
import { INVALID, UNDETERMINED, VALID } from '../verdict.js';

/** validation, 6.4.3. Compares canonical texts, so that the effort grows with the items, not with their square. */
export const uniqueItems = defineKeyword<true>({
  name: 'uniqueItems',
  compile(value, at) {
    if (typeof value !== 'boolean') return at.malformed('a boolean');
    return value || undefined;
  },
  evaluate({ node }, instance, run) {
    if (!Array.isArray(instance) || instance.length < 2) return VALID;
    const seen = new Set<unknown>();
    for (const item of instance) {
      const key = canonical(item, run, node, 'uniqueItems');
      if (key === undefined) return UNDETERMINED;
      if (seen.has(key)) return INVALID;
      seen.add(key);
    }
    return VALID;
  },
  expected: () => ({ expected: 'unique items', problem: 'must not have equal items' }),
});
