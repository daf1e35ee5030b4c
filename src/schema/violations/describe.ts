import { cut, visibleLine } from '../../json/index.js';
import type { Expectation } from './expectation.js';
import { isLeaf, leafViolations } from './leaves.js';
import { contextOf, place, workOf, type Violation } from './violation.js';
import { atLeast, missingProperties, problemText, unwantedProperties } from './words.js';

/** Expectations whose violations say most about what to change; the others follow. */
const informative: ReadonlySet<Expectation['kind']> = new Set([
  'missing',
  'missing-one',
  'types',
  'values',
  'nothing',
  'unwanted',
] as const);

/** Characters of all lines together. */
const lengthLimit = 3_000;

/** Characters of one line; only texts out of all proportion are cut. */
const lineLimit = 1_000;

/** So many equal violations in the rows of a list are told as one. */
const rowLimit = 4;

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
  const lines = violationLines(violations, options);
  const [only = ''] = lines;
  return lines.length > 1 ? lines.join('\n') : only;
}

interface LineOptions {
  readonly limit?: number;
  readonly truncated?: boolean;
}

/** The same as a list of lines. */
export function violationLines(violations: readonly Violation[], options: LineOptions = {}): string[] {
  const first = violations[0];
  if (!first) return [];
  const { limit = 10, truncated = false } = options;
  if (violations.length === 1 && isLeaf(first) && limit > 0 && !truncated) return [lineAbout(first)];
  return workOf(first).during(() => linesOf(violations, limit, truncated));
}

function linesOf(violations: readonly Violation[], limit: number, truncated: boolean): string[] {
  const found = leafViolations(violations);
  const [only] = found;
  // As most refusals are: there is nothing to be put in order.
  if (only && found.length === 1 && limit > 0 && !truncated) return [lineAbout(only)];
  const leaves = withoutImplied(found);
  const ordered = [...leaves.filter(isTelling), ...leaves.filter((violation) => !isTelling(violation))];
  const lines: string[] = [];
  let told = 0;
  let length = 0;
  // Only now that they have been looked into it is known whether the branches of combinators were.
  const [first] = violations;
  const isPart = truncated || (first !== undefined && contextOf(first).isPart);
  const missing = ordered.flatMap((leaf) => (leaf.expectation.kind === 'missing' ? [leaf] : []));
  for (const row of rowsOf(byProperties(ordered))) {
    if (lines.length >= limit) break;
    const line = lineOf(row, missing, isPart);
    length += line.length + 1;
    if (length > lengthLimit) break;
    lines.push(line);
    told += row.flat().length;
  }
  if (told < ordered.length) lines.push(`... and ${atLeast(ordered.length - told, { isPart })} more`);
  else if (truncated) lines.push('... and more');
  return lines;
}

function lineAbout({ message }: Violation): string {
  return cut(message, lineLimit);
}

/** Where the values are listed, their type goes without saying. */
function withoutImplied(leaves: readonly Violation[]): readonly Violation[] {
  const listed = new Set(leaves.flatMap((leaf) => (leaf.expectation.kind === 'values' ? [leaf.instanceLocation] : [])));
  return leaves.filter(
    ({ expectation, instanceLocation }) => expectation.kind !== 'types' || !listed.has(instanceLocation),
  );
}

function isTelling({ expectation: { kind } }: Violation): boolean {
  return informative.has(kind);
}

/** What is missing in one object is told together, and so is what must not be there. */
function byProperties(violations: readonly Violation[]): Violation[][] {
  const groups: Violation[][] = [];
  const open = new Map<string, Violation[]>();
  for (const violation of violations) {
    const { expectation, instanceLocation } = violation;
    const joins =
      (expectation.kind === 'missing' && expectation.beside === undefined) || expectation.kind === 'unwanted';
    const key = `${expectation.kind} ${instanceLocation}`;
    const group = joins ? open.get(key) : undefined;
    if (group) {
      group.push(violation);
      continue;
    }
    groups.push([violation]);
    if (joins) open.set(key, groups.at(-1) ?? []);
  }
  return groups;
}

/** Groups that differ in nothing but an index on their way are one row, if there are enough of them. */
function rowsOf(groups: readonly Violation[][]): Violation[][][] {
  if (groups.length < rowLimit) return groups.map((group) => [group]);
  const rows = new Map<string, Violation[][]>();
  const keys = groups.map(rowKey);
  for (const [index, group] of groups.entries()) {
    const row = rows.get(keys[index] ?? '');
    if (row) row.push(group);
    else rows.set(keys[index] ?? '', [group]);
  }
  return groups.flatMap((group, index) => {
    const row = rows.get(keys[index] ?? '') ?? [];
    if (row.length < rowLimit) return [[group]];
    return row[0] === group ? [row] : [];
  });
}

function rowKey(group: readonly Violation[]): string {
  return group
    .map(({ instanceLocation, expectation, expected }) =>
      [anyIndex(instanceLocation), expectation.kind, expected].join('\n'),
    )
    .join('\n');
}

// '/rows/0/id' becomes '/rows/*/id'.
function anyIndex(location: string): string {
  return location.replace(/\/\d+(?=\/|$)/g, '/*');
}

function lineOf(row: readonly (readonly Violation[])[], missing: readonly Violation[], isPart: boolean): string {
  const [group = []] = row;
  const [first] = group;
  if (!first) return '';
  const there = place(first.instanceLocation);
  const where =
    row.length === 1 ? there : `${anyIndex(there)}, ${atLeast(row.length, { isPart })} times (first ${there})`;
  return cut(visibleLine(`${where}: ${problemOf(group, first, missing, isPart)}`), lineLimit);
}

function problemOf(
  group: readonly Violation[],
  first: Violation,
  allMissing: readonly Violation[],
  isPart: boolean,
): string {
  const context = { ...contextOf(first), isPart };
  if (first.expectation.kind === 'unwanted') {
    const there = allMissing.filter(({ instanceLocation }) => instanceLocation === first.instanceLocation);
    const told = there.flatMap(({ property }) => property ?? []);
    return unwantedProperties(
      group.flatMap(({ expectation }) => (expectation.kind === 'unwanted' ? [expectation] : [])),
      context,
      told,
    );
  }
  const missing = group.flatMap(({ expectation }) => (expectation.kind === 'missing' ? [expectation] : []));
  return missing.length > 1 ? missingProperties(missing, context) : problemText(first.expectation, context);
}
