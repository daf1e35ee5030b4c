import { cut, visibleLine } from '../../json/index.js';
import { leafViolations } from './leaves.js';
import { atLeast, type Kind, missingProperties, type Of, problemText, unwantedProperties } from './sentences.js';
import { contextOf, partsOf, place, type Violation } from './violation.js';

/** Expectations whose violations say most about what to change; the others follow. */
const telling: ReadonlySet<string> = new Set('missing missing-one types values any nothing unwanted'.split(' '));

/** Characters of all lines together, and of one; only texts out of all proportion are cut. */
const limits = { all: 3_000, line: 1_000 };

/** So many equal violations in the rows of a list are told as one. */
const rowLimit = 4;

interface LineOptions {
  readonly limit?: number;
  readonly truncated?: boolean;
}

/**
 * Violations as text for a model or a person: one line each, the most useful first, of `anyOf` and `oneOf` the
 * alternative that was meant, equal ones in the rows of a list together.
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
  const { limit = 10, truncated = false } = options;
  const [first] = violations;
  return first ? partsOf(first).texts.work.during(() => linesOf(violations, first, limit, truncated)) : [];
}

function linesOf(violations: readonly Violation[], first: Violation, limit: number, truncated: boolean): string[] {
  const leaves = leafViolations(violations);
  const isTelling = ({ expectation }: Violation) => telling.has(expectation.kind);
  const ordered = [...leaves.filter(isTelling), ...leaves.filter((each) => !isTelling(each))];
  // Only now that they have been looked into it is known whether the branches of combinators were.
  const isPart = truncated || contextOf(first).isPart;
  const lines: string[] = [];
  let left = ordered.length;
  let length = 0;
  for (const row of rowsOf(byProperties(ordered))) {
    if (lines.length >= limit) break;
    const line = lineOf(row, ordered, isPart);
    length += line.length + 1;
    if (length > limits.all) break;
    lines.push(line);
    left -= row.flat().length;
  }
  if (left > 0) lines.push(`... and ${atLeast(left, { isPart })} more`);
  else if (truncated) lines.push('... and more');
  return lines;
}

/** Violations that are told as one. */
type Group = readonly [Violation, ...Violation[]];

/** What is said in one line: of several objects, where they are rows of a list. */
type Row = readonly [Group, ...Group[]];

/** What is missing in one object is told together, and so is what must not be there. */
function byProperties(violations: readonly Violation[]): readonly Group[] {
  return grouped(violations, (violation) => {
    const { expectation, instanceLocation } = violation;
    const joins = expectation.kind === 'missing' ? expectation.beside === undefined : expectation.kind === 'unwanted';
    return joins ? `${expectation.kind} ${instanceLocation}` : violation;
  });
}

/** Groups that differ in nothing but an index on their way are one row, if there are enough of them. */
function rowsOf(groups: readonly Group[]): readonly Row[] {
  if (groups.length < rowLimit) return groups.map((group) => [group]);
  const keyOf = ({ instanceLocation, expectation, expected }: Violation) =>
    `${anyIndex(instanceLocation)}\n${expectation.kind}\n${expected}`;
  const rows = grouped(groups, (group) => group.map(keyOf).join('\n'));
  return rows.flatMap((row) => (row.length < rowLimit ? row.map((group): Row => [group]) : [row]));
}

function grouped<T>(all: readonly T[], keyOf: (each: T) => unknown): readonly [T, ...T[]][] {
  const groups = new Map<unknown, [T, ...T[]]>();
  for (const each of all) {
    const key = keyOf(each);
    const group = groups.get(key);
    if (group) group.push(each);
    else groups.set(key, [each]);
  }
  return [...groups.values()];
}

// '/rows/0/id' becomes '/rows/*/id'.
function anyIndex(location: string): string {
  return location.replace(/\/\d+(?=\/|$)/g, '/*');
}

function lineOf(row: Row, all: readonly Violation[], isPart: boolean): string {
  const [group] = row;
  const there = place(group[0].instanceLocation);
  const times = `${anyIndex(there)}, ${atLeast(row.length, { isPart })} times (first ${there})`;
  const problem = problemOf(group, all, isPart);
  return cut(visibleLine(`${row.length === 1 ? there : times}: ${problem}`), limits.line);
}

function problemOf(group: Group, all: readonly Violation[], isPart: boolean): string {
  const [first] = group;
  const context = { ...contextOf(first), isPart };
  const missing = ofKind(group, 'missing');
  if (missing.length > 1) return missingProperties(missing, context);
  const unwanted = ofKind(group, 'unwanted');
  if (unwanted.length === 0) return problemText(first.expectation, context);
  const beside = all.filter(({ instanceLocation }) => instanceLocation === first.instanceLocation);
  const told = ofKind(beside, 'missing').map(({ property }) => property);
  return unwantedProperties(unwanted, context, told);
}

function ofKind<K extends Kind>(violations: readonly Violation[], kind: K): readonly Of<K>[] {
  return violations.map(({ expectation }) => expectation).filter((each): each is Of<K> => each.kind === kind);
}
