import type { Violation } from '../schema/index.js';
import { parentOf, Places, valueAt } from './location.js';
import type { Repair, RepairKind, RepairOptions } from './options.js';
import { readingsOf, type Place } from './slips.js';

/** Repairs that together may satisfy one violation, at different locations. */
export interface Plan {
  readonly repairs: readonly Repair[];
  /** The branches of the violation that this plan follows, where it has some. */
  readonly branches: readonly number[];
}

/** Enough for every schema met; a hostile one multiplies its branches without end. */
const maxPlans = 24;
const maxVaried = 6;

/** What a repair presumes about what the model meant: a number's text little, a left-out property most. */
const presumption: Record<RepairKind, number> = {
  integer: 1,
  number: 1,
  boolean: 1,
  json: 2,
  singleton: 4,
  null: 4,
};

/**
 * The plans that a violation suggests: for a type, enum or const the readings of the value found there; for a
 * combinator those of its branches. The least presuming comes first, and among equals the earlier branch.
 */
export function plansFor(violation: Violation, instance: unknown, options: RepairOptions): Plan[] {
  const plans = violation.branches ? branchPlans(violation.branches, instance, options) : [];
  // Several elements may be missing; those that turn out not to be needed are taken back in the end.
  if (violation.keyword === 'contains' && plans.length > 1) plans.push(allOf(plans));
  for (const repair of readingsAt(violation, instance, options)) plans.push({ repairs: [repair], branches: [] });
  return distinct(plans).sort((a, b) => cost(a) - cost(b));
}

function* readingsAt(violation: Violation, instance: unknown, options: RepairOptions): Generator<Repair> {
  const { instanceLocation, expectedTypes } = violation;
  if (expectedTypes === undefined) return;
  const from = valueAt(instance, instanceLocation);
  if (from === undefined) return;
  for (const { kind, to } of readingsOf(from, expectedTypes, placeOf(instanceLocation, instance), options)) {
    yield { instanceLocation, kind, from, to };
  }
}

function placeOf(location: string, instance: unknown): Place {
  const parent = parentOf(location);
  if (parent === undefined) return 'root';
  return Array.isArray(valueAt(instance, parent)) ? 'element' : 'property';
}

function branchPlans(branches: readonly Violation[][], instance: unknown, options: RepairOptions): Plan[] {
  const plans: Plan[] = [];
  for (const [index, branch] of branches.entries()) {
    for (const repairs of conjunctionPlans(branch, instance, options)) {
      plans.push({ repairs, branches: [index] });
      if (plans.length >= maxPlans) return plans;
    }
  }
  return plans;
}

function allOf(plans: readonly Plan[]): Plan {
  return { repairs: join(...plans.map(({ repairs }) => repairs)), branches: plans.flatMap(({ branches }) => branches) };
}

/** The combinations of plans that touch every violation of a branch; none where one of them is beyond repair. */
function conjunctionPlans(branch: readonly Violation[], instance: unknown, options: RepairOptions): Repair[][] {
  const choices = branch.map((violation) => plansFor(violation, instance, options));
  const touched = new Places(choices.flatMap((plans) => plans.flatMap(({ repairs }) => repairs.map(location))));
  const beyondRepair = branch.some(
    (violation, index) => choices[index]?.length === 0 && !mayVanish(violation, touched),
  );
  if (beyondRepair || choices.every((plans) => plans.length === 0)) return [];
  // Most violations have one plan, common to all combinations; of very many choices only the first few are varied.
  const varied = choices.filter((plans) => plans.length > 1).slice(0, maxVaried);
  const common = choices
    .filter((plans) => !varied.includes(plans))
    .flatMap(([first]) => (first ? [first.repairs] : []));
  let combinations: Repair[][] = [join(...common)];
  for (const plans of varied) {
    combinations = combinations.flatMap((done) => plans.map(({ repairs }) => join(done, repairs))).slice(0, maxPlans);
  }
  return combinations;
}

/**
 * A violation without a plan of its own goes where the value it stands at changes, or what counts as evaluated; a
 * condition that failed only matters as long as what follows from that is violated.
 */
function mayVanish({ keyword, instanceLocation }: Violation, touched: Places): boolean {
  return keyword.startsWith('unevaluated') || keyword === 'if' || touched.hold(instanceLocation);
}

/** The repairs of several plans; of two at one place, or one inside the other's place, the first stays. */
export function join(...plans: readonly (readonly Repair[])[]): Repair[] {
  const places = new Places();
  return plans.flat().filter(({ instanceLocation }) => {
    if (places.touch(instanceLocation)) return false;
    places.add(instanceLocation);
    return true;
  });
}

function location(repair: Repair): string {
  return repair.instanceLocation;
}

function cost(plan: Plan): number {
  return plan.repairs.reduce((sum, { kind }) => sum + presumption[kind], 0);
}

/** Branches often suggest the very same change; it is tried once and stands for all of them. */
function distinct(plans: readonly Plan[]): Plan[] {
  const known = new Map<string, Plan>();
  for (const plan of plans) {
    // A place and a kind have one reading.
    const id = JSON.stringify(plan.repairs.map(({ instanceLocation, kind }) => `${kind} ${instanceLocation}`).sort());
    const twin = known.get(id);
    known.set(id, twin ? { ...twin, branches: [...twin.branches, ...plan.branches] } : plan);
  }
  return [...known.values()];
}
