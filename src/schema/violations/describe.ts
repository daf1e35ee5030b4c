import { cut, grouped, pointerTokens, visibleLine } from '../../json/index.js';
import { summarizedViolations } from './summary.js';
import type { SharedTexts } from './context.js';
import { atLeast, place, problemsText } from './messages.js';
import { contextOf, partsOf, type Violation } from './violation.js';

/** Expectations whose violations help most come first; the others follow. */
const shownFirst: ReadonlySet<string> = new Set('missing missing-one types values any nothing unwanted'.split(' '));

/** Characters of all lines together, and of one line; only excessive texts are cut. */
const limits = { all: 3_000, line: 1_000 };

/** From this many identical violations in list items on, print one line for all. */
const rowLimit = 4;

interface LineOptions {
  readonly limit?: number;
  readonly truncated?: boolean;
}

/**
 * Violations as lines for a model or a person: one each, the most useful first, of `anyOf` and `oneOf` the
 * alternative that was meant, equal ones in the rows of a list together.
 *
 * ```ts
 * const evaluation = evaluate(compileSchema({ properties: { limit: { type: 'integer' } } }), { limit: 'all' });
 * const violations = evaluation.outcome === 'invalid' ? evaluation.violations : [];
 * violationLines(violations); // => ['/limit: must be integer, received string "all"']
 * ```
 *
 * @param options.limit lines at most (default 10); the rest is counted
 * @param options.truncated whether there are more violations than are given (see `evaluate`)
 */
export function violationLines(violations: readonly Violation[], options: LineOptions = {}): string[] {
  return summaryLines(summarizedViolations(violations), options);
}

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
  for (const row of rowsOf(byProperties(ordered))) {
    const line =
      lines.length < limit ? texts.budget.during(() => lineOf(row, [...ordered, ...(texts.unsaid ?? [])])) : '';
    length += line.length + 1;
    if (line === '' || length > limits.all) break;
    lines.push(line);
    left -= row.flat().length;
  }
  if (left > 0) lines.push(`... and ${atLeast(left, texts)} more`);
  else if (truncated) lines.push('... and more');
  return lines;
}

type Row = readonly (readonly Violation[])[];

/** Missing properties of one object share a line, and so do unexpected ones. */
function byProperties(violations: readonly Violation[]): Row {
  const groups = grouped(violations, (violation) => {
    const { expectation, instanceLocation } = violation;
    const joins = expectation.kind === 'missing' ? expectation.beside === undefined : expectation.kind === 'unwanted';
    return joins ? `${expectation.kind} ${instanceLocation}` : violation;
  });
  return [...groups.values()];
}

function rowsOf(groups: Row): readonly Row[] {
  if (groups.length < rowLimit) return groups.map((group) => [group]);
  const keyOf = ({ instanceLocation, expectation, expected }: Violation) =>
    `${anyIndex(instanceLocation)}\n${expectation.kind}\n${expected}`;
  // Groups that differ in nothing but an index on their way are one row.
  const rows = [...grouped(groups, (group) => group.map(keyOf).join('\n')).values()];
  return rows.flatMap((row) => (row.length < rowLimit ? row.map((group) => [group]) : [row]));
}

// '/rows/0/id' becomes '/rows/*/id'.
function anyIndex(location: string): string {
  return location.replace(/\/\d+(?=\/|$)/g, '/*');
}

/** '/rows/2 to /rows/59', if none of these items may be there. */
function rangeOf(row: Row): string | undefined {
  const [first, last] = [row[0]?.[0], row.at(-1)?.[0]];
  if (first?.expectation.kind !== 'nothing' || !last) return undefined;
  const [from, to] = [first, last].map(({ instanceLocation }) => pointerTokens(instanceLocation));
  const isRun = Number(to?.pop()) - Number(from?.pop()) === row.length - 1 && String(from) === String(to);
  return isRun ? `${place(first.instanceLocation)} to ${place(last.instanceLocation)}` : undefined;
}

function lineOf(row: Row, all: NonNullable<SharedTexts['unsaid']>): string {
  const [group = []] = row;
  const [first] = group;
  if (!first) return '';
  const there = place(first.instanceLocation);
  const times =
    rangeOf(row) ?? `${anyIndex(there)}, ${atLeast(row.length, contextOf(first).texts)} times (first ${there})`;
  const demands = group.map(({ expectation }) => expectation);
  const here = all.filter(({ instanceLocation }) => instanceLocation === first.instanceLocation);
  const missing = here.flatMap(({ expectation }) => (expectation.kind === 'missing' ? [expectation.property] : []));
  const problem = problemsText(demands, contextOf(first), missing);
  return cut(visibleLine(`${row.length === 1 ? there : times}: ${problem}`), limits.line);
}
