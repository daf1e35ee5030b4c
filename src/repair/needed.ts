import { pointerToken } from '../json/index.js';
import type { Refusal } from '../schema/index.js';
import { placeAfter, withHolders } from './apply.js';
import type { RepairContext } from './context.js';
import type { Given } from './fix.js';

import type { Repair } from './options.js';
import { isUnion } from './problem.js';

/**
 * The repairs of valid arguments that are needed for certain: whatever else is repaired, the schema refuses the value that
 * came in their place. Trying each repair without the others would take as many evaluations as there are repairs.
 */
export function neededRepairs(
  context: RepairContext,
  { args, refusals: first }: Given,
  repairs: readonly Repair[],
): ReadonlySet<Repair> {
  const needed = new Set<Repair>();
  const pending = new Set(repairs.flatMap(placesOf));
  let refusals = first;
  let value = args;
  // What lies within a repaired value is refused only once that is repaired.
  for (let rest = repairs; context.consume(rest.length); refusals = context.refusals.of(value).refusals) {
    const refused = new Set(refusedPlaces(refusals, pending, context));
    const now = new Set<string>();
    const made = new Set<Repair>();
    for (const repair of rest) {
      const [place, ...holders] = withHolders(repair.instanceLocation);
      if (place === undefined || now.has(place) || holders.some((holder) => pending.has(holder))) continue;
      now.add(place);
      made.add(repair);
      if (placesOf(repair).some((each) => refused.has(each))) needed.add(repair);
    }
    rest = rest.filter((repair) => !made.has(repair));
    if (made.size === 0 || rest.length === 0) break;
    for (const place of [...made].flatMap(placesOf)) pending.delete(place);
    for (const place of rest.flatMap(placesOf)) pending.add(place);
    value = context.changed(value, [...made]);
  }
  return needed;
}

/** Where a value or a name is repaired, and where it is afterwards. */
function placesOf(repair: Repair): string[] {
  return [repair.instanceLocation, placeAfter(repair)];
}

/** The places of values and members that are refused unless they are repaired themselves. */
function* refusedPlaces(
  refusals: readonly Refusal[],
  pending: ReadonlySet<string>,
  context: RepairContext,
): Generator<string> {
  for (const refusal of refusals) {
    if (!context.consume(1)) return;
    const refused = isUnion(refusal) ? undefined : placeOf(refusal);
    if (refused !== undefined) yield refused;
    if (!isUnion(refusal) || refusal.isConditional) continue;
    const isOpen = (branch: readonly Refusal[]) => !branch.some((each) => isRefusedAnyway(each, pending, context));
    const [only, ...others] = refusal.branches.filter(isOpen);
    if (only && others.length === 0) yield* refusedPlaces(only, pending, context);
  }
}

/** The place of the one value that a keyword refuses for what it is, or of the one member for its name. */
function placeOf({ expectation, violation, value, isConditional }: Refusal): string | undefined {
  const { instanceLocation, property } = violation;
  if (isConditional || (expectation.kind === 'missing' && expectation.beside !== undefined)) return undefined;
  if (property !== undefined) return `${instanceLocation}/${pointerToken(property)}`;
  const isItself = expectation.kind === 'types' || typeof value !== 'object' || value === null;
  return isItself && expectation.kind !== 'alternatives' && expectation.kind !== 'exactly-one'
    ? instanceLocation
    : undefined;
}

/** Whether none of the repairs can change that. */
function isRefusedAnyway(refusal: Refusal, pending: ReadonlySet<string>, context: RepairContext): boolean {
  if (!context.consume(1)) return false;
  if (isUnion(refusal)) {
    return refusal.branches.every((branch) => branch.some((each) => isRefusedAnyway(each, pending, context)));
  }
  const place = placeOf(refusal);
  return place !== undefined && !withHolders(place).some((holder) => pending.has(holder));
}
