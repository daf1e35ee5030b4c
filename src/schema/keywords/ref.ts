import { defineKeyword } from '../keyword.js';
import type { SchemaNode } from '../node.js';
import { truncated } from '../violations/phrases.js';

interface Ref {
  /** Undefined where the reference leads nowhere. */
  readonly target: SchemaNode | undefined;
}

/** core, 8.2.3.1 */
export const ref = defineKeyword<Ref>({
  name: '$ref',
  compile(value, at) {
    if (typeof value !== 'string') {
      at.malformed('a string');
      return;
    }
    const target = at.resolve(value)?.node;
    if (!target) {
      at.report('unresolved-reference', `${truncated(value)} leads to no schema; nothing is fetched.`, 'error');
    }
    return { target };
  },
  evaluate: ({ value: { target }, node }, instance, run, evaluated) =>
    target ? run.apply(target, instance, evaluated) : run.unresolved(node, '$ref', evaluated),
});
