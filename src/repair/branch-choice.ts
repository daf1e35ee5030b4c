import type { JsonType } from '../json/index.js';
import { type Refusal, typesOfValues } from '../schema/index.js';
import { isWithin, withHolders } from './apply.js';
import { isBit, wantsTypeOf } from './candidates/candidates.js';
import type { Repair } from './options.js';
import { type Branch, isUnion, type Problem } from './problem.js';

/** Whether a repair may lead into a branch: not while another branch takes the value's own type there. */
export function isLawful(repair: Repair, others: readonly Branch[]): boolean {
  const { kind, instanceLocation } = repair;
  if (kind === 'name' || kind === 'wrapper') return true;
  const isListed = (branch: Branch) =>
    branch.at(instanceLocation).some(({ refusals }) => refusals.some((each) => each.expectation.kind === 'values'));
  return !others.some((other) => takesOwnType(other, repair) && !(kind === 'enum' && isListed(other)));
}

/** Whether the branch refuses the value as it came, or a part of it, for something else than its type. */
function takesOwnType(branch: Branch, repair: Repair): boolean {
  if (branch.isOpen) return true;
  const { instanceLocation, from } = repair;
  let isRefused =
    typeof from === 'object' && [...branch.byLocation.keys()].some((place) => isWithin(place, instanceLocation));
  for (const place of withHolders(instanceLocation)) {
    for (const problem of branch.at(place)) {
      for (const refusal of problem.refusals) {
        if (excludes(refusal, place === instanceLocation ? from : refusal.value)) return false;
        if (isUnion(refusal) && !problem.branchesOf(refusal).some((each) => takesOwnType(each, repair))) return false;
        isRefused ||= mayBeMetWithin(refusal) || place === instanceLocation;
      }
    }
  }
  // A problem elsewhere that has no fix rules the branch out; one around the value may come from the value.
  const isElsewhere = ({ location, refusals: [first] }: Problem) =>
    !isWithin(location, instanceLocation) && !(mayBeMetWithin(first) && isWithin(instanceLocation, location));
  return isRefused && !branch.stuck.some(isElsewhere);
}

function excludes({ expectation }: Refusal, value: unknown): boolean {
  if (expectation.kind === 'types') return !wantsTypeOf(value, expectation.types);
  if (expectation.kind === 'values') return !wantsTypeOf(value, typesOfValues(expectation.values));
  return expectation.kind === 'nothing';
}

/** Whether another value of a member or an item may be all that the refusal asks for. */
function mayBeMetWithin(refusal: Refusal): boolean {
  const { kind } = refusal.expectation;
  return isUnion(refusal) || kind === 'exactly-one' || kind === 'not';
}

/** Whether another branch asks for a type that the value may be meant for as well. */
export function isGuess(repair: Repair, others: readonly Branch[]): boolean {
  const types = otherTypesOf(repair);
  const isAmong = (wanted: readonly JsonType[]) => wanted.some((type) => types.includes(type));
  const wants = (branch: Branch): boolean =>
    branch.at(repair.instanceLocation).some((problem) =>
      problem.refusals.some((refusal) => {
        const { expectation } = refusal;
        if (expectation.kind === 'types') return isAmong(expectation.types);
        if (expectation.kind === 'values') return isAmong(typesOfValues(expectation.values));
        return problem.branchesOf(refusal).some(wants);
      }),
    );
  return types.length > 0 && others.some(wants);
}

/** The types that a repaired value may be meant for as well: 0 and 1 may be a boolean, and any text a list. */
function otherTypesOf({ kind, from }: Repair): readonly JsonType[] {
  const bit: readonly JsonType[] = isBit(from) ? ['boolean'] : [];
  if (kind === 'boolean' && isBit(from)) return ['string', 'array', 'object'];
  if (kind === 'string' || kind === 'decimal') return ['array', 'object', ...bit];
  return kind === 'singleton' && typeof from !== 'string' ? ['string', ...bit] : [];
}
