import { canonicalText } from '../../../json/index.js';
import type { EvaluationContext, SchemaNode } from '../keyword.js';

/**
 * The canonical text of an object or an array, which equal ones share.
 *
 * @returns undefined, and reported as undetermined, where it nests too deeply
 */
export function canonical(
  value: object,
  context: EvaluationContext,
  node: SchemaNode,
  keyword: string,
): string | undefined {
  const text = canonicalText(value, (steps) => {
    context.consume(steps);
    return true;
  });
  if (text === undefined) context.undetermined('depth', node, keyword);
  return text;
}
