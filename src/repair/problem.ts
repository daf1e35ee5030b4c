import { canonicalText, grouped, isObject, lazy, withHolders } from '../json/index.js';
import { isPhrase, type Refusal, summarizedViolations, violationKey } from '../schema/index.js';
import { isRivalled } from './candidates/candidates.js';
import { placeAfter } from './apply.js';
import type { RepairContext } from './context.js';
import { type Branch, type Fix, fixOf, mergeFixes, type Problem } from './fix.js';
import type { Repair } from './options.js';
import { excludes, isOpen, isUnion, lawfulFixes } from './unions.js';

/** Repaired values within repaired values: a text that holds an object with the text of a number. */
export const maxLevels = 4;

interface Scope {
  readonly level: number;
  /** Keys that identify the violations of the branch in another evaluation, and the violations fixed elsewhere. */
  readonly keys: () => ReadonlySet<string>;
}

const none = () => new Set<string>();

type Refused = readonly [Refusal, ...Refusal[]];

export function branchOf(
  context: RepairContext,
  refusals: readonly Refusal[],
  { level, keys: elsewhere }: Scope = { level: 0, keys: none },
): Branch {
  const keys = lazy(() => new Set([...elsewhere(), ...refusals.map(keyOf)]));
  const problems = problemsIn(context, refusals, { level, keys });
  const byLocation = lazy(() => grouped(problems, ({ location }) => location));
  const cheapest = (all: readonly Problem[]) => mergeFixes(all.flatMap(({ fixes }) => fixes().slice(0, 1)));
  return {
    isOpen: refusals.length === 0 || refusals.some(isOpen),
    problems,
    at: (location) => byLocation().get(location) ?? [],
    fixes: lazy(() => {
      if (problems.some(({ fixes }) => fixes().length === 0)) return [];
      if (problems.length > 1) return [cheapest(problems)];
      const all = problems.flatMap(({ fixes }) => fixes());
      return all.filter(({ cost }) => cost === all[0]?.cost);
    }),
  };
}

/** Groups violations by their fixes: another value, other names of members, or one union of an object. */
function problemsIn(context: RepairContext, refusals: readonly Refusal[], scope: Scope): readonly Problem[] {
  const open = new Set(refusals.filter(isOpen).map(locationOf));
  const isClosed = (location: string) => open.size === 0 || !withHolders(location).some((place) => open.has(place));
  const closed = refusals.filter((refusal) => context.consume(1) && isClosed(locationOf(refusal)));
  const renames = new Map(closed.map((refusal) => [refusal, context.renameFor(refusal)]));
  const groups = grouped(closed, (refusal) => {
    if (renames.get(refusal)) return `names ${locationOf(refusal)}`;
    return isObject(refusal.value) && isUnion(refusal) ? refusal : locationOf(refusal);
  });
  return [...groups.values()].map((group) => {
    const names = new Set(group.flatMap((refusal) => renames.get(refusal) ?? []));
    return problemOf(context, group, [...names], scope);
  });
}

function problemOf(context: RepairContext, refusals: Refused, renames: readonly Repair[], scope: Scope): Problem {
  const branchesOf = ({ branches }: Refusal) =>
    branches.map((each) => branchOf(context, each, { ...scope, keys: none }));
  const unions = lazy(() => refusals.filter(isUnion).map(branchesOf));
  const again = (value: unknown) => {
    const nodes = new Map(refusals.map((refusal) => [refusal.node, refusal]));
    const found = [...nodes.values()].map((refusal) => refusal.again(value));
    return found.includes(undefined) ? undefined : found.flatMap((each) => each ?? []);
  };
  const refused = { value: refusals[0].value, location: locationOf(refusals[0]), again };
  // A fix of this problem need not fix the others.
  const own = lazy(() => new Set(refusals.map(keyOf)));
  const keys = lazy(() => new Set([...scope.keys()].filter((key) => !own().has(key))));
  const complete = (fix: Fix, level = scope.level) => completed(context, refused, fix, { level, keys });
  // If a member's name is misspelt, nothing else is tried.
  const ofValue = () =>
    renames.length > 0
      ? [complete(fixOf(renames))]
      : context.candidates(refusals).map((each) => complete(fixOf([each], isRivalled(each, refusals))));
  // If anything is refused still, a branch needs more than its fix.
  const ofBranches = () => unions().flatMap((branches) => [...lawfulFixes(context, branches)]);
  const found = () => [...ofValue(), ...ofBranches().map((fix) => complete(fix, maxLevels))];
  const sorted = () =>
    found()
      .filter((fix) => fix !== undefined)
      .sort((left, right) => left.cost - right.cost);
  const fixes = lazy(() => (context.refusals.exhausted ? [] : withTies(context, refused, sorted())));
  return { location: refused.location, refusals, unions, fixes };
}

/** A rejected value, and the violations of another value in its place; undefined if that is undetermined. */
interface RefusedValue {
  readonly value: unknown;
  readonly location: string;
  readonly again: (value: unknown) => readonly Refusal[] | undefined;
}

/** The fix, extended by repairs of the violations that it brings up; undefined if a violation remains. */
export function completed(
  context: RepairContext,
  { value, location, again }: RefusedValue,
  first: Fix,
  { level, keys }: Scope,
): Fix | undefined {
  const isHere = ({ instanceLocation, kind }: Repair) => instanceLocation === location && kind !== 'name';
  const elsewhere = first.repairs.some(isHere) ? none() : keys();
  let fix = first;
  for (let round = 0; round < maxLevels; round++) {
    const changed = context.changed(value, fix.repairs, location);
    // Only the whole evaluation shows whether a value may be left out.
    if (changed === undefined) return fix;
    // A value that is refused at its new name is not the value that was refused there before.
    const moved = new Set(fix.repairs.filter(({ kind }) => kind === 'name').map(placeAfter));
    const fresh = again(changed)?.filter((each) => moved.has(locationOf(each)) || !elsewhere.has(keyOf(each)));
    if (!fresh || fresh.length === 0) return fresh && fix;
    if (fresh.some(isOpen)) return { ...fix, isTied: true };
    const [more] =
      level < maxLevels ? branchOf(context, fresh, { level: level + 1, keys: () => elsewhere }).fixes() : [];
    // A number that was taken out of a list does not become a text.
    if (!more || more.repairs.some((each) => isHere(each) && /string|decimal/.test(each.kind))) return undefined;
    fix = fixOf([...fix.repairs, ...more.repairs], fix.isTied || more.isTied);
  }
  return undefined;
}

/** Fixes with equal cost and different results are ties. */
function withTies(context: RepairContext, { value, location }: RefusedValue, fixes: readonly Fix[]): readonly Fix[] {
  if (fixes.length < 2) return fixes;
  const texts = fixes.map(({ repairs }) => canonicalText(context.changed(value, repairs, location), context.consume));
  const isRival = (fix: Fix, index: number) => (other: Fix, at: number) =>
    at !== index && other.cost === fix.cost && (other.isTied || texts[at] !== texts[index]);
  return fixes.map((fix, index) => ({ ...fix, isTied: fix.isTied || fixes.some(isRival(fix, index)) }));
}

/** The reading of a string where none is accepted, and why it does not fit: `-1, which must be >= 0`. */
export function readingOf(context: RepairContext, problem: Problem): string | undefined {
  const { location, refusals, unions, fixes } = problem;
  if (typeof refusals[0].value !== 'string' || !excludesText(problem) || fixes().length > 0) return undefined;
  for (const { to } of context.candidates(refusals)) {
    if (typeof to !== 'number' && typeof to !== 'boolean') continue;
    const refused = refusals.flatMap((refusal) => refusal.again(to) ?? []);
    const [found] = summarizedViolations(refused.map(({ violation }) => violation));
    const isSaid = refusals.some(({ violation }) => violation.expected === found?.expected);
    if (found && !isSaid && isPhrase(found.expectation)) return `${to}, which must be ${found.expected}`;
  }
  const within = unions()
    .flat()
    .flatMap((branch) => branch.at(location));
  return within.map((each) => readingOf(context, each)).find((reading) => reading !== undefined);
}

function excludesText({ location, refusals, unions }: Problem): boolean {
  const isExcluded = (branch: Branch) => !branch.isOpen && branch.at(location).some(excludesText);
  return refusals.some((each) => excludes(each, '')) || unions().some((branches) => branches.every(isExcluded));
}

function locationOf({ violation }: Refusal): string {
  return violation.instanceLocation;
}

/** A key that identifies the same violation in another evaluation. */
export function keyOf({ violation }: Refusal): string {
  return violationKey(violation);
}
