import type { Violation } from '../schema/index.js';
import { Places } from './location.js';
import { plansFor, type Plan } from './plans.js';
import { keyOf, type State, type Trial } from './trial.js';

/** A violation to be repaired, its plans, and the plan being tried. */
export interface Target {
  readonly violation: Violation;
  readonly key: string;
  readonly plans: readonly Plan[];
  tried: number;
  /** How many of the plans would be refused whatever else is repaired. */
  hopeless: number;
}

/** A plan that did not satisfy the schema, with what the schema said then. */
export interface Refusal {
  readonly violation: Violation;
  readonly plan: Plan;
  readonly objections: readonly Violation[];
}

/** The violations of a state that suggest a repair. */
export function targetsIn(state: State, trial: Trial, violations = state.violations): Target[] {
  const targets = new Map<string, Target>();
  for (const violation of violations) {
    const key = keyOf(violation);
    if (targets.has(key)) continue;
    const plans = plansFor(violation, state.instance, trial.options);
    if (plans.length > 0) targets.set(key, { violation, key, plans, tried: 0, hopeless: 0 });
  }
  return [...targets.values()];
}

/**
 * Moves the targets to blame for objections on to their next plan: those whose own violation is still there, and
 * those whose plan changed something where an objection stands. Where none is to blame, all are.
 */
export function moveOn(targets: readonly Target[], against: readonly Violation[], refusals: Refusal[] = []): void {
  const byPlace = new Map<string, Violation[]>();
  for (const objection of against) {
    const there = byPlace.get(objection.instanceLocation);
    if (there) there.push(objection);
    else byPlace.set(objection.instanceLocation, [objection]);
  }
  const keys = new Set(against.map(keyOf));
  const places = new Places(byPlace.keys());
  const isToBlame = (target: Target) =>
    keys.has(target.key) || currentRepairs(target).some(({ instanceLocation }) => places.touch(instanceLocation));
  const culprits = targets.filter(isToBlame);
  for (const target of culprits.length > 0 ? culprits : targets) {
    const refusal = refusalInPlace(target, byPlace);
    if (refusal) {
      refusals.push(refusal);
      target.hopeless++;
    }
    target.tried++;
  }
}

/** The refusal of a scalar's repair for reasons that lie in the value itself: no other repair makes up for them. */
function refusalInPlace(target: Target, byPlace: ReadonlyMap<string, readonly Violation[]>): Refusal | undefined {
  const plan = target.plans[target.tried];
  const [repair, ...others] = plan?.repairs ?? [];
  if (plan === undefined || repair === undefined || others.length > 0) return undefined;
  const { instanceLocation, to } = repair;
  if (typeof to === 'object' || to === undefined || instanceLocation !== target.violation.instanceLocation)
    return undefined;
  const objections = byPlace.get(instanceLocation);
  return objections && { violation: target.violation, plan, objections };
}

export function currentRepairs(target: Target): Plan['repairs'] {
  return target.plans[target.tried]?.repairs ?? [];
}

export function hasPlanLeft(target: Target): boolean {
  return target.tried < target.plans.length;
}
