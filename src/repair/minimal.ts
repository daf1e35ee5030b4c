import { canonicalText } from '../json/index.js';
import type { Refusal } from '../schema/index.js';
import { costOf } from './candidates/candidates.js';
import type { RepairContext } from './context.js';
import { fixOf, type Given, type Repaired, repairKey, withoutRepairs } from './fix.js';
import { neededRepairs } from './needed.js';
import type { Repair } from './options.js';

/** The arguments as they came, and what is refused of them. */
/** Steps that looking for needless repairs or for other readings may take: a fifth of all by default. */
const maxSteps = 100_000;

const others = { sets: 60, repairs: 3 };

/**
 * Takes back repairs that valid arguments do not need; undefined if either of two would do, since it is unknown which is
 * meant. Very many repairs are not checked.
 */
export function withoutNeedless(context: RepairContext, given: Given, repaired: Repaired): Repaired | undefined {
  const { repairs } = repaired;
  if (repairs.length < 2) return repaired;
  const needed = neededRepairs(context, given, repairs);
  const doubtful = repairs.filter((repair) => !needed.has(repair));
  const attempt = (attempted: readonly Repair[]): Repaired => {
    const value = context.changed(given.args, attempted);
    return { value, repairs: attempted, isValid: context.refusals.of(value).isValid };
  };
  const { consumed } = context.refusals;
  const needless: Repair[] = [];
  for (const [index, repair] of doubtful.entries()) {
    if (attempt(withoutRepairs(repairs, [repair])).isValid) needless.push(repair);
    // The first one shows what all of them take.
    if (index === 0 && (context.refusals.consumed - consumed) * doubtful.length > context.share(maxSteps))
      return repaired;
  }
  if (needless.length === 0) return repaired;
  const rest = attempt(withoutRepairs(repairs, needless));
  return rest.isValid ? withoutNeedless(context, given, rest) : undefined;
}

/** Whether other repairs cost as little and come to something else, in unions that are about the same values. */
export function isAmbiguous(context: RepairContext, { args, refusals }: Given, { repairs, value }: Repaired): boolean {
  if (repairs.length > others.repairs || !refusals.some(({ branches }) => branches.length > 0)) return false;
  const candidates = [...refusedPlaces(context, refusals)].map(([location, there]) => [
    ...context.candidates(location, there),
  ]);
  const textOf = (each: unknown) => canonicalText(each, context.consume);
  const own = textOf(value);
  const keys = new Set(repairs.map(repairKey));
  const most = context.refusals.consumed + context.share(maxSteps);
  let left = others.sets;
  for (let count = 1; count <= repairs.length; count++) {
    for (const set of setsOf(candidates, count, fixOf(repairs).cost, context)) {
      if (set.every((each) => keys.has(repairKey(each)))) continue;
      if (left-- === 0 || context.refusals.consumed > most) return false;
      const other = context.changed(args, set);
      if (context.refusals.of(other).isValid && textOf(other) !== own) return true;
    }
  }
  return false;
}

/** So many repairs at different places that cost no more. */
function* setsOf(
  [here, ...elsewhere]: readonly (readonly Repair[])[],
  count: number,
  cost: number,
  context: RepairContext,
): Generator<readonly Repair[]> {
  if (count === 0) yield [];
  if (count === 0 || !here) return;
  for (const repair of here) {
    if (!context.consume(1)) return;
    const left = cost - costOf(repair.kind, repair.to);
    if (left >= 0) for (const set of setsOf(elsewhere, count - 1, left, context)) yield [repair, ...set];
  }
  yield* setsOf(elsewhere, count, cost, context);
}

/** What is refused at each location, in branches as well. */
function refusedPlaces(
  context: RepairContext,
  refusals: readonly Refusal[],
  found = new Map<string, [Refusal, ...Refusal[]]>(),
) {
  for (const refusal of refusals) {
    if (found.size > others.sets || !context.consume(1)) break;
    const { instanceLocation } = refusal.violation;
    const there = found.get(instanceLocation);
    if (there) there.push(refusal);
    else found.set(instanceLocation, [refusal]);
    for (const branch of refusal.branches) refusedPlaces(context, branch, found);
  }
  return found;
}
