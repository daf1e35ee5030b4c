import { quote } from '../../../json/index.js';
import type { BoundKeyword, CompileContext, EvaluationContext, Reference } from '../keyword.js';
import { defineKeyword } from '../keyword.js';
import type { EvaluatedParts } from '../evaluated-parts.js';
import type { UndeterminedReason, Verdict } from '../verdict.js';

/** core, 8.2.3.1 */
export const ref = defineKeyword<Reference | UndeterminedReason>({
  name: '$ref',
  compile: resolveReference,
  evaluate: (bound, instance, context, evaluated) =>
    typeof bound.value === 'string'
      ? unresolved(bound.value, bound, context, evaluated)
      : context.follow(bound.value.node, instance, evaluated),
  leadsTo: ({ value }) => (typeof value === 'string' ? [] : [value.node]),
});

export function resolveReference(value: unknown, at: CompileContext): Reference | UndeterminedReason | undefined {
  if (typeof value !== 'string') return at.malformed('a string');
  const target = at.resolve(value);
  if (typeof target === 'string') {
    at.report('unresolved-reference', `${quote(value)} does not lead to a schema; nothing is fetched.`, 'error');
  }
  return target;
}

/** The specification wants a reference to nothing refused, not waved through (2020-12 core, 8.2.3.1). */
export function unresolved(
  reason: UndeterminedReason,
  { node, keyword }: BoundKeyword,
  context: EvaluationContext,
  evaluated: EvaluatedParts | undefined,
): Verdict {
  if (evaluated) evaluated.uncertain = true;
  return context.undetermined(reason, node, keyword.name);
}
