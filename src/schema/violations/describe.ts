import { leafViolations } from './closest.js';
import type { Violation } from './violation.js';

/** Keywords whose violations say most about what to change; those of others follow. */
const telling: ReadonlySet<string> = new Set([
  ...[
    'required',
    'type',
    'enum',
    'const',
    'false',
    'additionalProperties',
    'unevaluatedProperties',
    'dependentRequired',
  ],
]);

/**
 * Violations as text for a model or a person: one line each, the most useful first, of `anyOf` and `oneOf` the
 * alternative that comes closest.
 *
 * ```ts
 * const evaluation = evaluate(compileSchema({ properties: { limit: { type: 'integer' } } }), { limit: 'all' });
 * const violations = evaluation.outcome === 'invalid' ? evaluation.violations : [];
 * describeViolations(violations); // => '/limit: must be integer, received string "all"'
 * ```
 *
 * @param options.limit lines at most (default 10); the rest is counted
 */
export function describeViolations(violations: readonly Violation[], options: { limit?: number } = {}): string {
  const limit = options.limit ?? 10;
  const leaves = leafViolations(violations);
  const ordered = [...leaves.filter(isTelling), ...leaves.filter((violation) => !isTelling(violation))];
  const lines = ordered.slice(0, limit).map(({ message }) => message);
  const more = ordered.length - lines.length;
  if (more > 0) lines.push(`... and ${more} more`);
  return lines.join('\n');
}

function isTelling({ keyword }: Violation): boolean {
  return telling.has(keyword);
}
