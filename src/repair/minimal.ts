import { canonicalText, grouped, withHolders } from '../json/index.js';
import type { Refusal } from '../schema/index.js';
import type { Attempt, RepairContext } from './context.js';
import { type Branch, fixOf, type Problem, withoutRepair } from './fix.js';
import type { Repair } from './options.js';
import { branchOf } from './problem.js';
import { isUnion } from './unions.js';

/** Limits: the other sets of repairs that are tried, and the repairs in unions that others are tried for. */
const mostTried = { sets: 60, repairs: 3 };

/**
 * Takes back the repairs that are not needed; undefined if either of two could be taken back, but not both,
 * since it is unknown which is meant. When its share of the budget is used up, the repairs stay as they are.
 */
export function withoutNeedless(context: RepairContext, sent: Attempt, made: Attempt): Attempt | undefined {
  const { repairs } = made;
  if (repairs.length < 2) return made;
  const mayGoOn = context.search();
  const certain = sent.refusals.filter(({ isConditional }) => !isConditional);
  const refused = certain.map((refusal) => ({ refusal, within: [] as Repair[] }));
  const refusedAt = new Map(refused.map((each) => [each.refusal.violation.instanceLocation, each]));
  const refusedAround = ({ instanceLocation }: Repair) =>
    withHolders(instanceLocation).flatMap((holder) => refusedAt.get(holder) ?? []);
  for (const repair of repairs) for (const each of refusedAround(repair)) each.within.push(repair);
  const needless: Repair[] = [];
  for (const repair of repairs) {
    const [nearest] = refusedAround(repair);
    if (!context.consume(nearest?.within.length ?? 0) || !mayGoOn()) return made;
    // Few steps show most repairs to be needed: without one, the schema that refused the value refuses it still.
    if (nearest && isRefusedWith(context, nearest.refusal, withoutRepair(nearest.within, repair))) continue;
    context.consume(repairs.length);
    if (context.attempt(sent.value, withoutRepair(repairs, repair)).isSettled) needless.push(repair);
  }
  if (needless.length === 0) return made;
  const rest = context.attempt(sent.value, needless.reduce(withoutRepair, repairs));
  return rest.isSettled ? withoutNeedless(context, sent, rest) : undefined;
}

/** True if the schema that refused a value refuses it with these repairs as well. */
function isRefusedWith(context: RepairContext, refusal: Refusal, repairs: readonly Repair[]): boolean {
  const changed = () => context.changed(refusal.value, repairs, refusal.violation.instanceLocation);
  return repairs.length === 0 || (refusal.again(changed()) ?? []).length > 0;
}

/**
 * True if other repairs in a union cost as little, and settle the arguments with other values: it is unknown then which are
 * meant. Repairs beside the union stay as they are. Of more than three repairs in a union no others are tried, nor once
 * the share of the budget is used up.
 */
export function isTiedWithOthers(context: RepairContext, sent: Attempt, made: Attempt): boolean {
  if (!sent.refusals.some(isUnion)) return false;
  const problems = branchOf(context, sent.refusals).problems.filter(({ refusals }) => refusals.some(isUnion));
  const mayGoOn = context.search();
  const locations = new Set(problems.map(({ location }) => location));
  // The outermost union but the root's, in which nearly all arguments would be.
  const unionOf = (at: string) => withHolders(at).findLast((holder) => holder !== '' && locations.has(holder)) ?? '';
  const repairsIn = grouped(made.repairs, ({ instanceLocation }) => unionOf(instanceLocation));
  const within = (location: string) => (location === '' ? made.repairs : (repairsIn.get(location) ?? []));
  return [...grouped(problems, ({ location }) => unionOf(location))].some(([location, inUnion]) =>
    isTiedIn(context, { sent, made, location, problems: inUnion, around: within(location) }, mayGoOn),
  );
}

interface UnionRepairs {
  readonly sent: Attempt;
  readonly made: Attempt;
  /** The union's, at which some of the problems are. */
  readonly location: string;
  readonly problems: readonly Problem[];
  /** The repairs made there and within. */
  readonly around: readonly Repair[];
}

function isTiedIn(context: RepairContext, union: UnionRepairs, mayGoOn: () => boolean): boolean {
  const { sent, made, location, problems, around } = union;
  if (location !== '' && around.length > mostTried.repairs) return false;
  const candidates = candidatesIn(context, problems, mayGoOn);
  const places = new Set(candidates.map(({ instanceLocation }) => instanceLocation));
  const own = around.filter(({ instanceLocation }) => places.has(instanceLocation));
  if (own.length === 0 || own.length > mostTried.repairs) return false;
  const beside = (repairs: readonly Repair[]) => repairs.filter((repair) => !own.includes(repair));
  const here = problems.flatMap((problem) => (problem.location === location ? [problem.refusals[0]] : []));
  const textOf = (repairs: readonly Repair[]) =>
    canonicalText(context.changed(here[0]?.value, repairs, location), context.consume);
  const text = textOf(around);
  let sets: readonly (readonly Repair[])[] = [[]];
  for (let size = 1; size <= own.length; size++) {
    sets = sets.flatMap((set) => withOneMore(context, set, candidates, fixOf(own).cost)).slice(0, mostTried.sets);
    for (const set of sets) {
      if (!mayGoOn()) return false;
      const others = [...set, ...beside(around)];
      // Only a set that this union takes is worth an evaluation of all arguments.
      const isRefused = here.some((each) => !each.isConditional && isRefusedWith(context, each, others));
      if (isRefused || textOf(others) === text) continue;
      if (context.attempt(sent.value, [...set, ...beside(made.repairs)]).isSettled) return true;
    }
  }
  return false;
}

/** The candidates for all values that are refused, by branches as well. */
function candidatesIn(context: RepairContext, problems: readonly Problem[], mayGoOn: () => boolean): readonly Repair[] {
  return problems.flatMap(({ refusals, unions }) => {
    const inBranch = (branch: Branch) => candidatesIn(context, branch.problems, mayGoOn);
    const inBranches = () => unions().flatMap((all) => all.flatMap(inBranch));
    return context.consume(1) && mayGoOn() ? [...context.candidates(refusals), ...inBranches()] : [];
  });
}

/** The set with one more candidate: a later one, for another location, within the cost. */
function withOneMore(context: RepairContext, set: readonly Repair[], candidates: readonly Repair[], cost: number) {
  const later = candidates.slice(candidates.indexOf(set.at(-1) as Repair) + 1);
  const isFree = ({ instanceLocation }: Repair) => !set.some((each) => each.instanceLocation === instanceLocation);
  const isAffordable = (repair: Repair) => context.consume(1) && fixOf([...set, repair]).cost <= cost;
  return later.filter((each) => isFree(each) && isAffordable(each)).map((each) => [...set, each]);
}
