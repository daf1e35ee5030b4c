import { cut, visibleLine } from '../../json/index.js';
import { summarizedViolations } from './summary.js';
import { atLeast, problemsText } from './messages.js';
import { contextOf, partsOf, place, type Violation } from './violation.js';

/** Expectations whose violations say most about what to change; the others follow. */
const shownFirst: ReadonlySet<string> = new Set('missing missing-one types values any nothing unwanted'.split(' '));

/** Characters of all lines together, and of one; only texts out of all proportion are cut. */
const limits = { all: 3_000, line: 1_000 };

interface LineOptions {
  readonly limit?: number;
  readonly truncated?: boolean;
}

/**
 * Violations as text for a model or a person: one line each, the most useful first, of `anyOf` and `oneOf` the
 * alternative that was meant.
 *
 * ```ts
 * const evaluation = evaluate(compileSchema({ properties: { limit: { type: 'integer' } } }), { limit: 'all' });
 * const violations = evaluation.outcome === 'invalid' ? evaluation.violations : [];
 * describeViolations(violations); // => '/limit: must be integer, received string "all"'
 * ```
 *
 * @param options.limit lines at most (default 10); the rest is counted
 * @param options.truncated whether there are more violations than are given (see `evaluate`)
 */
export function describeViolations(violations: readonly Violation[], options: LineOptions = {}): string {
  return violationLines(violations, options).join('\n');
}

/** The same as a list of lines. */
export function violationLines(violations: readonly Violation[], options: LineOptions = {}): string[] {
  return summaryLines(summarizedViolations(violations), options);
}

/** The same of violations that are summarized already. */
export function summaryLines(summary: readonly Violation[], options: LineOptions = {}): string[] {
  const { limit = 10, truncated = false } = options;
  const [first] = summary;
  if (!first) return [];
  const { texts } = partsOf(first);
  texts.isPart ||= truncated;
  const isFirst = ({ expectation }: Violation) => shownFirst.has(expectation.kind);
  const ordered = [...summary.filter(isFirst), ...summary.filter((each) => !isFirst(each))];
  const lines: string[] = [];
  let left = ordered.length;
  let length = 0;
  for (const group of byProperties(ordered)) {
    const line = lines.length < limit ? texts.budget.during(() => lineOf(group, ordered)) : '';
    length += line.length + 1;
    if (line === '' || length > limits.all) break;
    lines.push(line);
    left -= group.length;
  }
  if (left > 0) lines.push(`... and ${atLeast(left, texts)} more`);
  else if (truncated) lines.push('... and more');
  return lines;
}

/** What is missing in one object shares a line, and so does what must not be there. */
function byProperties(violations: readonly Violation[]): Iterable<readonly Violation[]> {
  const groups = new Map<unknown, Violation[]>();
  for (const violation of violations) {
    const { expectation, instanceLocation } = violation;
    const joins = expectation.kind === 'missing' ? expectation.beside === undefined : expectation.kind === 'unwanted';
    const key = joins ? `${expectation.kind} ${instanceLocation}` : violation;
    const group = groups.get(key);
    if (group) group.push(violation);
    else groups.set(key, [violation]);
  }
  return groups.values();
}

function lineOf(group: readonly Violation[], all: readonly Violation[]): string {
  const [first] = group;
  if (!first) return '';
  const demands = group.map(({ expectation }) => expectation);
  const missing = all.flatMap(({ expectation, instanceLocation }) =>
    expectation.kind === 'missing' && instanceLocation === first.instanceLocation ? [expectation.property] : [],
  );
  const problem = problemsText(demands, contextOf(first), missing);
  return cut(visibleLine(`${place(first.instanceLocation)}: ${problem}`), limits.line);
}
