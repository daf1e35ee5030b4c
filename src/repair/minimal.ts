import { canonicalText, grouped, withHolders } from '../json/index.js';
import type { Refusal } from '../schema/index.js';
import type { Attempt, RepairContext } from './context.js';
import { type Branch, fixOf, withoutRepair } from './fix.js';
import type { Repair } from './options.js';
import { branchOf } from './problem.js';
import { isUnion } from './unions.js';

/** Limits: the other sets of repairs that are tried, and the repairs that are compared with others. */
const others = { sets: 60, repairs: 3 };

/**
 * Takes back repairs that valid arguments do not need; undefined if either of two would do, since it is unknown which is
 * meant. Very many repairs are not checked.
 */
export function withoutNeedless(context: RepairContext, given: Attempt, made: Attempt): Attempt | undefined {
  const { repairs } = made;
  if (repairs.length < 2) return made;
  const most = context.refusals.consumed + context.share;
  const certain = given.refusals.filter(({ isConditional }) => !isConditional);
  const refusalAt = new Map(certain.map((refusal) => [refusal.violation.instanceLocation, refusal]));
  const refusalsAround = ({ instanceLocation }: Repair) =>
    withHolders(instanceLocation).flatMap((place) => refusalAt.get(place) ?? []);
  const around = repairs.flatMap((repair) => refusalsAround(repair).map((refusal) => ({ refusal, repair })));
  const within = grouped(around, ({ refusal }) => refusal);
  const needless: Repair[] = [];
  for (const repair of repairs) {
    const [refusal] = refusalsAround(repair);
    const beside = refusal ? (within.get(refusal) ?? []).map((each) => each.repair) : [];
    if (!context.consume(beside.length) || context.refusals.consumed > most) return made;
    if (refusal && isRefusedWith(context, refusal, withoutRepair(beside, repair))) continue;
    context.consume(repairs.length);
    if (context.attempt(given.value, withoutRepair(repairs, repair)).isValid) needless.push(repair);
  }
  if (needless.length === 0) return made;
  const rest = context.attempt(given.value, needless.reduce(withoutRepair, repairs));
  return rest.isValid ? withoutNeedless(context, given, rest) : undefined;
}

/** True if the schema that refused a value still refuses it with these repairs. Evaluating it alone takes few steps. */
function isRefusedWith(context: RepairContext, refusal: Refusal, repairs: readonly Repair[]): boolean {
  const changed = context.changed(refusal.value, repairs, refusal.violation.instanceLocation);
  return (refusal.again(changed) ?? []).length > 0;
}

/** True if other repairs cost as little and give another result, in unions that are about the same values. */
export function isAmbiguous(context: RepairContext, given: Attempt, { repairs, value }: Attempt): boolean {
  if (repairs.length > others.repairs || !given.refusals.some(isUnion)) return false;
  const most = context.refusals.consumed + context.share;
  const textOf = (each: unknown) => canonicalText(each, context.consume);
  const own = textOf(value);
  const candidates = candidatesIn(context, branchOf(context, given.refusals));
  let sets: readonly (readonly Repair[])[] = [[]];
  for (let size = 1; size <= repairs.length; size++) {
    sets = sets.flatMap((set) => withOneMore(context, set, candidates, fixOf(repairs).cost)).slice(0, others.sets);
    for (const set of sets) {
      if (context.refusals.consumed > most) return false;
      const other = context.changed(given.value, set);
      if (textOf(other) !== own && context.refusals.of(other).isValid) return true;
    }
  }
  return false;
}

/** Other notations of all values that are refused, in branches as well. */
function candidatesIn(context: RepairContext, { problems }: Branch): readonly Repair[] {
  return problems.flatMap(({ refusals, unions }) => {
    const inBranches = () => unions().flatMap((all) => all.flatMap((branch) => candidatesIn(context, branch)));
    return context.consume(1) ? [...context.candidates(refusals), ...inBranches()] : [];
  });
}

/** The set with one more candidate: a later one, for another location, within the cost. */
function withOneMore(context: RepairContext, set: readonly Repair[], candidates: readonly Repair[], cost: number) {
  const behind = candidates.slice(candidates.indexOf(set.at(-1) as Repair) + 1);
  const isElsewhere = ({ instanceLocation }: Repair) => !set.some((each) => each.instanceLocation === instanceLocation);
  const isAffordable = (repair: Repair) => context.consume(1) && fixOf([...set, repair]).cost <= cost;
  return behind.filter((each) => isElsewhere(each) && isAffordable(each)).map((each) => [...set, each]);
}
