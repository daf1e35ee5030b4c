import { pointerToken, isWithin, withHolders } from '../json/index.js';
import type { Refusal } from '../schema/index.js';
import { rivalTypes, typesAsked, wantsTypeOf } from './candidates/candidates.js';
import type { RepairContext } from './context.js';
import { type Branch, type Fix, fixOf, type Problem } from './fix.js';
import type { Repair } from './options.js';

export function isUnion({ expectation, branches }: Refusal): boolean {
  return expectation.kind === 'alternatives' && branches.length > 0;
}

/** True if the intention is left open: by a condition beside `else`, for any item of a list, or in unknown branches. */
export function isOpen({ expectation, branches }: Refusal): boolean {
  const { kind } = expectation;
  const isUnknown = branches.length === 0 || branches.some((each) => each.length === 0 || each.some(isOpen));
  return kind === 'alternatives' ? isUnknown : kind === 'condition' || kind === 'contains';
}

/** Fixes of one branch of a union, unless another branch may be meant. */
export function* lawfulFixes(context: RepairContext, branches: readonly Branch[]): Generator<Fix> {
  if (branches.some((branch) => branch.isOpen)) return;
  for (const branch of branches) {
    for (const { repairs, isTied } of branch.fixes()) {
      if (!context.consume(8 * branches.length)) return;
      const others = branches.filter((other) => other !== branch);
      if (!repairs.every((repair) => isLawful(repair, others))) continue;
      yield fixOf(repairs, isTied || repairs.some((repair) => isGuess(repair, others)));
    }
  }
}

/** True if a repair may lead into a branch: not while another branch takes the value's own type there. */
function isLawful(repair: Repair, others: readonly Branch[]): boolean {
  const { kind, instanceLocation, to } = repair;
  if (kind === 'name' || kind === 'wrapper') return true;
  // A member that is left out may be what tells the branches apart.
  if (to === undefined && others.some((other) => refusesMember(other, instanceLocation))) return false;
  const isListed = (branch: Branch) =>
    branch.at(instanceLocation).some(({ refusals }) => refusals.some((each) => each.expectation.kind === 'values'));
  return !others.some((other) => takesOwnType(other, repair) && !(kind === 'enum' && isListed(other)));
}

/** True if a branch rejects a member, for its value or for its name. */
function refusesMember(branch: Branch, location: string): boolean {
  const [, holder = ''] = withHolders(location);
  const isNamed = ({ violation: { property } }: Refusal) =>
    property !== undefined && `${holder}/${pointerToken(property)}` === location;
  return branch.at(location).length > 0 || branch.at(holder).some(({ refusals }) => refusals.some(isNamed));
}

/**
 * True if a branch takes the type of the value as it was sent, and refuses the value, or a part, for another reason.
 */
function takesOwnType(branch: Branch, repair: Repair): boolean {
  if (branch.isOpen) return true;
  const { instanceLocation, from } = repair;
  const around = withHolders(instanceLocation).flatMap((place) => branch.at(place));
  const isExcluded = ({ location, refusals, unions }: Problem) =>
    refusals.some((each) => excludes(each, location === instanceLocation ? from : each.value)) ||
    unions().some((branches) => !branches.some((each) => takesOwnType(each, repair)));
  if (around.some(isExcluded)) return false;
  // A problem elsewhere without a fix rules the branch out. A problem around the value may come from the value.
  const isElsewhere = ({ location, refusals: [first] }: Problem) =>
    !isWithin(location, instanceLocation) && !(mayBeMetWithin(first) && isWithin(instanceLocation, location));
  if (branch.problems.some((problem) => isElsewhere(problem) && problem.fixes().length === 0)) return false;
  const isHere = ({ location, refusals }: Problem) => location === instanceLocation || refusals.some(mayBeMetWithin);
  const isWithinValue = ({ location }: Problem) => isWithin(location, instanceLocation);
  return around.some(isHere) || (typeof from === 'object' && branch.problems.some(isWithinValue));
}

/** True if a refusal is for the type that the value has. */
export function excludes({ expectation }: Refusal, value: unknown): boolean {
  const types = typesAsked(expectation);
  return expectation.kind === 'nothing' || (types !== undefined && !wantsTypeOf(value, types));
}

/** True if another value of a member or an item may be all that the violation asks for. */
function mayBeMetWithin(refusal: Refusal): boolean {
  const { kind } = refusal.expectation;
  return isUnion(refusal) || kind === 'exactly-one' || kind === 'not';
}

/** True if another branch asks for a type that the value may be meant for as well. */
function isGuess(repair: Repair, others: readonly Branch[]): boolean {
  const types = rivalTypes(repair);
  const asks = (branch: Branch): boolean =>
    branch.at(repair.instanceLocation).some(({ refusals, unions }) => {
      const asked = refusals.flatMap(({ expectation }) => typesAsked(expectation) ?? []);
      return asked.some((type) => types.includes(type)) || unions().some((branches) => branches.some(asks));
    });
  return types.length > 0 && others.some(asks);
}
