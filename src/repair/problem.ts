import { canonicalText, grouped, isObject, lazy, withHolders } from '../json/index.js';
import { type Refusal, violationKey } from '../schema/index.js';
import { isRivalled } from './candidates/candidates.js';
import { placeAfter } from './apply.js';
import type { RepairContext } from './context.js';
import { type Branch, type Fix, fixOf, mergeFixes, type Problem } from './fix.js';
import type { Repair } from './options.js';
import { finds, isOpen, isUnion, lawfulFixes } from './unions.js';

/** Repaired values within repaired values: a text that holds an object with the text of a number. */
export const maxLevels = 4;

/** What a fix of a branch need not look at, and how far it may go. */
interface Scope {
  /** How many repaired values the branch is within. At the last level no fix is extended. */
  readonly level: number;
  /** True of the key of a refusal that a fix may leave: the fixes of other problems settle it. */
  readonly mayStay: (key: string) => boolean;
}

const none = () => false;

type OneOrMore = readonly [Refusal, ...Refusal[]];

/** The problems that refusals are, and their fixes, found when they are read. */
export function branchOf(
  context: RepairContext,
  refusals: readonly Refusal[],
  { level, mayStay }: Scope = { level: 0, mayStay: none },
): Branch {
  const here = lazy(() => new Set(refusals.map(keyOf)));
  const outsideOrHere = (key: string) => here().has(key) || mayStay(key);
  const problems = problemsIn(context, refusals, { level, mayStay: outsideOrHere });
  const byLocation = lazy(() => grouped(problems, ({ location }) => location));
  const cheapestOfAll = () => mergeFixes(problems.flatMap(({ fixes }) => fixes().slice(0, 1)));
  return {
    isOpen: refusals.length === 0 || refusals.some(isOpen),
    problems,
    at: (location) => byLocation().get(location) ?? [],
    fixes: lazy(() => {
      if (problems.some(({ fixes }) => fixes().length === 0)) return [];
      if (problems.length > 1) return [cheapestOfAll()];
      const all = problems.flatMap(({ fixes }) => fixes());
      return all.filter(({ cost }) => cost === all[0]?.cost);
    }),
  };
}

/** Groups refusals by what settles them: other names of an object's members, one of its unions, or another value. */
function problemsIn(context: RepairContext, refusals: readonly Refusal[], scope: Scope): readonly Problem[] {
  // An open place does not show what is meant there, nor within.
  const isClosed = outside(refusals.filter(isOpen).map(locationOf));
  const closed = refusals.filter((refusal) => context.consume(1) && isClosed(locationOf(refusal)));
  const renameOf = new Map(closed.map((refusal) => [refusal, context.renameFor(refusal)]));
  const groups = grouped(closed, (refusal) => {
    if (renameOf.get(refusal)) return `names ${locationOf(refusal)}`;
    // Fixes of an object's union are fixes of its members, which other unions and problems need not share.
    return isObject(refusal.value) && isUnion(refusal) ? refusal : locationOf(refusal);
  });
  const problems = [...groups.values()].map((group) => {
    const renames = new Set(group.flatMap((refusal) => renameOf.get(refusal) ?? []));
    return problemOf(context, group, [...renames], scope);
  });
  // The right name may ask for another value than the wrong one does.
  const renamed = problems.flatMap(({ renames, fixes }) => (renames.length > 0 && fixes().length > 0 ? renames : []));
  const isRightlyNamed = outside(renamed.map(({ instanceLocation }) => instanceLocation));
  return problems.filter(({ location }) => isRightlyNamed(location));
}

/** Tells locations that are neither one of these nor within one. */
function outside(locations: readonly string[]): (location: string) => boolean {
  const all = new Set(locations);
  return (location) => all.size === 0 || !withHolders(location).some((holder) => all.has(holder));
}

function problemOf(context: RepairContext, refusals: OneOrMore, renames: readonly Repair[], scope: Scope): Problem {
  // The problems outside a union are not seen by its branches, so none of their refusals may stay there.
  const branchesOf = ({ branches }: Refusal) =>
    branches().map((each) => branchOf(context, each, { ...scope, mayStay: none }));
  const unions = lazy(() => refusals.filter(isUnion).map(branchesOf));
  const refused = refusedValue(refusals);
  const own = lazy(() => new Set(refusals.map(keyOf)));
  const mayStay = (key: string) => scope.mayStay(key) && !own().has(key);
  const complete = (fix: Fix, level = scope.level) => completed(context, refused, fix, { level, mayStay });
  // If a member's name is misspelt, nothing else is tried.
  const ofValue = () =>
    renames.length > 0
      ? [complete(fixOf(renames))]
      : context.candidates(refusals).map((each) => complete(fixOf([each], isRivalled(each, refusals))));
  const ofBranches = () => unions().flatMap((branches) => lawfulFixes(context, branches));
  // The fix of a branch is whole, so nothing is added. But values that it only found are judged by all branches.
  const levelOf = ({ repairs }: Fix) => (repairs.slice(-1).some(finds) ? scope.level : maxLevels);
  const sorted = () =>
    [...ofValue(), ...ofBranches().map((fix) => complete(fix, levelOf(fix)))]
      .filter((fix) => fix !== undefined)
      .sort((left, right) => left.cost - right.cost);
  const fixes = lazy(() => (context.evaluator.exhausted ? [] : withTies(context, refused, sorted())));
  return { location: refused.location, refusals, renames, unions, fixes };
}

/** A refused value, and what is refused of another value in its place; undefined if that is undetermined. */
interface RefusedValue {
  readonly value: unknown;
  readonly location: string;
  readonly again: (value: unknown) => readonly Refusal[] | undefined;
}

/** The value that refusals are about. Another value is evaluated by each schema that refused this one. */
function refusedValue(refusals: OneOrMore): RefusedValue {
  const [first] = refusals;
  const again = (value: unknown) => {
    const nodes = new Map(refusals.map((refusal) => [refusal.node, refusal]));
    const found = [...nodes.values()].map((refusal) => refusal.again(value));
    return found.includes(undefined) ? undefined : found.flatMap((each) => each ?? []);
  };
  return { value: first.value, location: locationOf(first), again };
}

/** The fix, extended by fixes of what is refused of the values it made; undefined if anything else is refused still. */
export function completed(
  context: RepairContext,
  { value, location, again }: RefusedValue,
  first: Fix,
  { level, mayStay }: Scope,
): Fix | undefined {
  const isReplacement = ({ instanceLocation, kind }: Repair) => instanceLocation === location && kind !== 'name';
  // Refusals of a replacement are its own: no other problem's fix settles them.
  const staying = first.repairs.some(isReplacement) ? none : mayStay;
  let fix = first;
  for (let round = 0; round < maxLevels; round++) {
    const changed = context.changed(value, fix.repairs, location);
    // Only the whole evaluation shows whether a value may be left out.
    if (changed === undefined) return fix;
    // A value that is refused at its new name is not the value that was refused there before.
    const renamed = new Set(fix.repairs.filter(({ kind }) => kind === 'name').map(placeAfter));
    const left = again(changed)?.filter((each) => renamed.has(locationOf(each)) || !staying(keyOf(each)));
    if (left === undefined) return undefined;
    if (left.length === 0) return fix;
    if (left.some(isOpen)) return { ...fix, isTied: true };
    if (level === maxLevels) return undefined;
    const [more] = branchOf(context, left, { level: level + 1, mayStay: staying }).fixes();
    // A number that was taken out of a list does not become a text, and nothing is made to be taken back.
    const isToText = (each: Repair) => isReplacement(each) && /string|decimal/.test(each.kind);
    const isBack = ({ instanceLocation, to }: Repair) =>
      fix.repairs.some((each) => each.instanceLocation === instanceLocation && each.from === to);
    if (!more || more.repairs.some(isToText) || more.repairs.some(isBack)) return undefined;
    fix = fixOf([...fix.repairs, ...more.repairs], fix.isTied || more.isTied);
  }
  return undefined;
}

/** The fixes, tied if another one costs the same and gives another value. */
function withTies(context: RepairContext, { value, location }: RefusedValue, fixes: readonly Fix[]): readonly Fix[] {
  if (fixes.length < 2) return fixes;
  const textOf = ({ repairs }: Fix) => canonicalText(context.changed(value, repairs, location), context.consume);
  // Values that are too large to compare count as different.
  const texts = new Map(fixes.map((fix) => [fix, textOf(fix) ?? fix]));
  const ties = (fix: Fix) => (other: Fix) =>
    other.cost === fix.cost && (other.isTied || texts.get(other) !== texts.get(fix));
  return fixes.map((fix) => ({ ...fix, isTied: fixes.some(ties(fix)) }));
}

function locationOf({ violation }: Refusal): string {
  return violation.instanceLocation;
}

/** A key that identifies the same violation in another evaluation. */
export function keyOf({ violation }: Refusal): string {
  return violationKey(violation);
}
