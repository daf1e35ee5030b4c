import { canonicalText } from '../json/index.js';
import type { SchemaNode } from './node.js';
import type { Run } from './run.js';

/**
 * A key that two JSON values share exactly where they are equal. Primitives are their own keys; `Map` and `Set` compare
 * them right.
 *
 * @returns undefined where the run's budget does not allow to find out
 */
export function canonical(value: unknown, run: Run, node: SchemaNode, keyword: string): unknown {
  if (typeof value !== 'object' || value === null) {
    if (run.spend(1)) return primitiveKey(value);
    run.undetermined('steps', node, keyword);
    return undefined;
  }
  const text = canonicalText(value, (steps) => run.spend(steps));
  if (text === undefined) run.undetermined(run.stopped ? 'steps' : 'depth', node, keyword);
  return text && mark + text;
}

/** Marks canonical texts, so that none equals a string of the instance. */
const mark = '\u0000';

function primitiveKey(value: unknown): unknown {
  return typeof value === 'string' && value.startsWith(mark) ? mark + value : (value ?? null);
}

/** The key of an object or array that nobody has to pay for; undefined where it nests too deeply. */
export function keyOf(value: object): string | undefined {
  const text = canonicalText(value);
  return text && mark + text;
}
