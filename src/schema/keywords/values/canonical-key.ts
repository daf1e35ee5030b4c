import { canonicalText } from '../../../json/index.js';
import type { EvaluationContext, SchemaNode } from '../keyword.js';

/**
 * A key that two JSON values share exactly where they are equal. Primitives are their own keys; `Map` and `Set` compare
 * them right.
 *
 * @returns undefined where the budget does not allow to find out
 */
export function canonical(value: unknown, context: EvaluationContext, node: SchemaNode, keyword: string): unknown {
  if (typeof value !== 'object' || value === null) {
    if (context.consume(1)) return primitiveKey(value);
    context.undetermined('steps', node, keyword);
    return undefined;
  }
  const text = canonicalText(value, (steps) => context.consume(steps));
  if (text === undefined) context.undetermined(context.stopped ? 'steps' : 'depth', node, keyword);
  return text && mark + text;
}

/** Marks canonical texts, so that none equals a string of the instance. */
const mark = '\u0000';

function primitiveKey(value: unknown): unknown {
  return typeof value === 'string' && value.startsWith(mark) ? mark + value : (value ?? null);
}

/** Values looked at for a key that nobody pays for: more than a schema of a megabyte has. */
const freeSteps = 1_000_000;

/** The key of a schema's object or array; undefined where it nests too deeply or holds itself. */
export function keyOf(value: object): string | undefined {
  let left = freeSteps;
  const text = canonicalText(value, (steps) => (left -= steps) >= 0);
  return text && mark + text;
}
