import { pointerToken, isWithin, withHolders } from '../json/index.js';
import type { Refusal } from '../schema/index.js';
import { placeAfter } from './apply.js';
import { rivalTypes, typesAsked, wantsTypeOf } from './candidates/candidates.js';
import type { RepairContext } from './context.js';
import { type Branch, type Fix, fixOf, type Problem } from './fix.js';
import type { Repair } from './options.js';

export function isUnion({ expectation, branches }: Refusal): boolean {
  return expectation.kind === 'alternatives' && branches().length > 0;
}

/** True if a refusal does not show what is meant: unknown branches, a condition beside `else`, any item of a list. */
export function isOpen({ expectation: { kind }, branches }: Refusal): boolean {
  const isUnknown = (branch: readonly Refusal[]) => branch.length === 0 || branch.some(isOpen);
  if (kind === 'alternatives') return branches().length === 0 || branches().some(isUnknown);
  return kind === 'condition' || kind === 'contains';
}

/** The fixes of each branch of a union, unless another branch may be meant. */
export function lawfulFixes(context: RepairContext, branches: readonly Branch[]): readonly Fix[] {
  if (branches.some((branch) => branch.isOpen)) return [];
  return branches.flatMap((branch) => {
    const fixes = branch.fixes().map(upToFound);
    if (fixes.length === 0) return [];
    const others = branches.filter((other) => other !== branch);
    const isAllowed = ({ repairs }: Fix) =>
      context.consume(8 * branches.length) && repairs.every((repair) => isLawful(repair, others));
    const isRivalled = ({ repairs }: Fix) => repairs.some((repair) => isRivalledIn(others, repair));
    return fixes.filter(isAllowed).map((fix) => ({ ...fix, isTied: fix.isTied || isRivalled(fix) }));
  });
}

/** True if a repair shows values as they were sent, only elsewhere: under another name, in a text or in a wrapper. */
export function finds({ kind }: Repair): boolean {
  return kind === 'name' || kind === 'json' || kind === 'wrapper';
}

/**
 * The fix without the repairs of values that its other repairs have found: all branches judge these values then, as if they
 * had been sent so.
 */
function upToFound(fix: Fix): Fix {
  const { repairs } = fix;
  const places = new Set<string>();
  const found = repairs.findIndex((repair) => {
    if (withHolders(repair.instanceLocation).some((holder) => places.has(holder))) return true;
    if (finds(repair)) places.add(placeAfter(repair));
    return false;
  });
  return found < 0 ? fix : fixOf(repairs.slice(0, found));
}

/** True if a repair may lead into a branch: not while another branch takes the type of the value as it was sent. */
function isLawful(repair: Repair, others: readonly Branch[]): boolean {
  const { kind, instanceLocation, to } = repair;
  if (kind === 'name' || kind === 'wrapper') return true;
  // A member that is left out may be what tells the branches apart.
  if (to === undefined && others.some((other) => refusesMember(other, instanceLocation))) return false;
  const isListed = (branch: Branch) =>
    branch.at(instanceLocation).some(({ refusals }) => refusals.some((each) => each.expectation.kind === 'values'));
  return !others.some((other) => takesTypeSent(other, repair) && !(kind === 'enum' && isListed(other)));
}

/** True if a branch refuses a member, for its value or for its name. */
function refusesMember(branch: Branch, location: string): boolean {
  const [, holder = ''] = withHolders(location);
  const isNamed = ({ violation: { property } }: Refusal) =>
    property !== undefined && `${holder}/${pointerToken(property)}` === location;
  return branch.at(location).length > 0 || branch.at(holder).some(({ refusals }) => refusals.some(isNamed));
}

/**
 * True if a branch takes the type that the value at the place of a repair was sent with, whatever else it refuses of it: it
 * may be the branch that is meant then. It is not meant if something else in it cannot be fixed.
 */
function takesTypeSent(branch: Branch, repair: Repair): boolean {
  if (branch.isOpen) return true;
  const around = withHolders(repair.instanceLocation).flatMap((holder) => branch.at(holder));
  return (
    !around.some((problem) => refusesTypeSent(problem, repair)) &&
    !branch.problems.some((problem) => isUnfixableElsewhere(problem, repair.instanceLocation))
  );
}

/** True if a problem of the value, or of an object around it, is that the type is wrong: in every branch of a union. */
function refusesTypeSent({ location, refusals, unions }: Problem, repair: Repair): boolean {
  const sentAt = (refusal: Refusal) => (location === repair.instanceLocation ? repair.from : refusal.value);
  return (
    refusals.some((each) => excludes(each, sentAt(each))) ||
    unions().some((branches) => !branches.some((each) => takesTypeSent(each, repair)))
  );
}

/** True if a problem without a fix is neither within the value nor one that the value may cause. */
function isUnfixableElsewhere({ location, refusals: [first], fixes }: Problem, valueAt: string): boolean {
  const { kind } = first.expectation;
  // Another value of a member or an item may be all that it asks for.
  const mayBeMetWithin = isUnion(first) || kind === 'exactly-one' || kind === 'not';
  const mayBeCaused = mayBeMetWithin && isWithin(valueAt, location);
  return !isWithin(location, valueAt) && !mayBeCaused && fixes().length === 0;
}

/** True if a refusal is for the type that the value has. */
export function excludes({ expectation }: Refusal, value: unknown): boolean {
  const types = typesAsked(expectation);
  return expectation.kind === 'nothing' || (types !== undefined && !wantsTypeOf(value, types));
}

/** True if another branch asks for a type that the repaired value may be meant for as well. */
function isRivalledIn(others: readonly Branch[], repair: Repair): boolean {
  const types = rivalTypes(repair);
  const asks = (branch: Branch): boolean =>
    branch.at(repair.instanceLocation).some(({ refusals, unions }) => {
      const asked = refusals.flatMap(({ expectation }) => typesAsked(expectation) ?? []);
      return asked.some((type) => types.includes(type)) || unions().some((branches) => branches.some(asks));
    });
  return types.length > 0 && others.some(asks);
}
