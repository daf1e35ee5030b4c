import type { Violation } from '../schema/index.js';
import { Places } from './location.js';
import { join, plansFor, type Plan } from './plans.js';
import { keyOf, objections, type State, type Trial } from './trial.js';

/** A violation to be repaired, its plans, and the plan being tried. */
interface Target {
  readonly violation: Violation;
  readonly key: string;
  readonly plans: readonly Plan[];
  tried: number;
}

/** A plan that was tried alone and did not satisfy the schema, with what the schema said then. */
export interface Refusal {
  readonly violation: Violation;
  readonly plan: Plan;
  readonly objections: readonly Violation[];
}

/** Slips that only show once others are repaired: a JSON text with a list around it, with integers in it. */
const maxUncovered = 6;

/**
 * Repairs as much as the schema lets be repaired.
 *
 * All targets are tried at once; those whose plan the schema refuses try their next one, the rest is tried alone.
 * A change is kept where the violation it was made for is gone and nothing new is violated in its stead. This is
 * repeated until a whole round keeps nothing, so repairing twice changes nothing more.
 *
 * @returns the last state, and what was refused in the last round
 */
export function repairAll(trial: Trial): { state: State; refusals: Refusal[] } {
  let state = trial.start;
  for (;;) {
    const refusals: Refusal[] = [];
    const better = repairRound(trial, state, refusals);
    if (better === undefined) return { state, refusals };
    state = better;
    if (state.violations.length === 0) return { state, refusals: [] };
  }
}

function repairRound(trial: Trial, from: State, refusals: Refusal[]): State | undefined {
  const targets = targetsIn(from, trial);
  if (targets.length === 0) return undefined;
  const together = repairTogether(trial, from, targets);
  let state = together ?? from;
  const settled = (target: Target) => !state.keys.has(target.key);
  for (const target of targets) {
    if (settled(target)) continue;
    state = repairAlone(trial, state, target, refusals) ?? state;
  }
  return state === from ? undefined : state;
}

/** The violations of a state that suggest a repair. */
function targetsIn(state: State, trial: Trial, violations = state.violations): Target[] {
  const targets = new Map<string, Target>();
  for (const violation of violations) {
    const key = keyOf(violation);
    if (targets.has(key)) continue;
    const plans = plansFor(violation, state.instance, trial.options);
    if (plans.length > 0) targets.set(key, { violation, key, plans, tried: 0 });
  }
  return [...targets.values()];
}

/** Tries the targets' plans all at once, moves on those that the schema objects to, and drops those with no plan left. */
function repairTogether(trial: Trial, from: State, all: readonly Target[]): State | undefined {
  let targets = all.map((target) => ({ ...target }));
  while (targets.length > 0) {
    const repairs = join(...targets.map(currentRepairs));
    const letThrough = unconcerned(from, targets, repairs);
    const next = trial.attempt(from, repairs);
    const against = next && objections(next, letThrough);
    if (next === undefined || against === undefined) return undefined;
    if (against.length === 0) return next;
    const settled = repairUncovered(trial, next, against, letThrough, maxUncovered);
    if (settled) return settled;
    moveOn(targets, against);
    targets = targets.filter(hasPlanLeft);
  }
  return undefined;
}

/** Tries a target's plans one after the other while every other violation stays as it is. */
function repairAlone(trial: Trial, from: State, target: Target, refusals: Refusal[]): State | undefined {
  const uncovering: (() => State | undefined)[] = [];
  for (const plan of target.plans) {
    const letThrough = unconcerned(from, [target], plan.repairs);
    const next = trial.attempt(from, plan.repairs);
    if (next === undefined) return undefined;
    const against = objections(next, letThrough);
    if (against === undefined) continue;
    if (against.length === 0) return next;
    refusals.push({ violation: target.violation, plan, objections: against });
    uncovering.push(() => repairUncovered(trial, next, against, letThrough, maxUncovered));
  }
  for (const goOn of uncovering) {
    const settled = goOn();
    if (settled) return settled;
  }
  return undefined;
}

/**
 * Goes on where a repair has uncovered further slips. All of them have to be repairable, or the repair that
 * uncovered them is taken back.
 */
function repairUncovered(
  trial: Trial,
  from: State,
  against: readonly Violation[],
  letThrough: ReadonlySet<string>,
  depth: number,
): State | undefined {
  const targets = targetsIn(from, trial, against);
  const sites = new Places(targets.flatMap(({ plans }) => plans.flatMap(({ repairs }) => repairs.map(siteOf))));
  const keys = new Set(targets.map(({ key }) => key));
  const isCovered = (violation: Violation) => keys.has(keyOf(violation)) || sites.hold(violation.instanceLocation);
  if (depth === 0 || !against.every(isCovered)) return undefined;
  while (targets.length > 0 && targets.every(hasPlanLeft)) {
    const next = trial.attempt(from, join(...targets.map(currentRepairs)));
    const left = next && objections(next, letThrough);
    if (next === undefined || left === undefined) return undefined;
    if (left.length === 0) return next;
    const settled = repairUncovered(trial, next, left, letThrough, depth - 1);
    if (settled) return settled;
    moveOn(targets, left);
  }
  return undefined;
}

/**
 * Moves the targets to blame for objections on to their next plan: those whose own violation is still there, and
 * those whose plan changed something where an objection stands. Where none is to blame, all are.
 */
function moveOn(targets: readonly Target[], against: readonly Violation[]): void {
  const keys = new Set(against.map(keyOf));
  const places = new Places(against.map(({ instanceLocation }) => instanceLocation));
  const culprits = targets.filter(
    (target) => keys.has(target.key) || currentRepairs(target).some((repair) => places.touch(siteOf(repair))),
  );
  for (const target of culprits.length > 0 ? culprits : targets) target.tried++;
}

/**
 * The violations that may stay when repairs are judged: all but those being repaired and those at the very places
 * that change. A repair is kept where the schema then accepts the value, not where it merely complains about less.
 */
function unconcerned(state: State, targets: readonly Target[], repairs: Plan['repairs']): ReadonlySet<string> {
  const keys = new Set(targets.map(({ key }) => key));
  const sites = new Places(repairs.map(siteOf));
  const staying = state.violations.filter(({ instanceLocation }) => !sites.hold(instanceLocation)).map(keyOf);
  return new Set(staying.filter((key) => !keys.has(key)));
}

function hasPlanLeft(target: Target): boolean {
  return target.tried < target.plans.length;
}

function currentRepairs(target: Target): Plan['repairs'] {
  return target.plans[target.tried]?.repairs ?? [];
}

function siteOf(repair: Plan['repairs'][number]): string {
  return repair.instanceLocation;
}
