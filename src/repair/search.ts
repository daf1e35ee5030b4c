import type { Violation } from '../schema/index.js';
import { Places } from './location.js';
import { join } from './plans.js';
import { currentRepairs, hasPlanLeft, moveOn, targetsIn, type Refusal, type Target } from './targets.js';
import { judge, keyOf, standardFor, type Standard, type State, type Trial } from './trial.js';

/** Slips that only show once others are repaired: a JSON text with a list around it, with integers in it. */
const maxUncovered = 6;

/** Few calls have more slips that get into each other's way; each takes evaluations of its own. */
const maxAlone = 16;

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
  const together = repairTogether(trial, from, targets, refusals);
  if (together) return together;
  let state = from;
  for (const { key } of targets.filter((target) => target.hopeless < target.plans.length).slice(0, maxAlone)) {
    // Others may have been repaired meanwhile, and this one's value with them.
    const [target] = targetsIn(
      state,
      trial,
      state.violations.filter((violation) => keyOf(violation) === key),
    );
    if (target) state = repairAlone(trial, state, target, refusals) ?? state;
  }
  return state === from ? undefined : state;
}

/** Tries the targets' plans all at once, moves on those that the schema objects to, and drops those with no plan left. */
function repairTogether(trial: Trial, from: State, all: readonly Target[], refusals: Refusal[]): State | undefined {
  let targets = all;
  while (targets.length > 0) {
    const repairs = join(...targets.map(currentRepairs));
    const standard = standardFor(from, targets, repairs);
    const next = trial.attempt(from, repairs);
    const against = next && judge(next, standard);
    if (next === undefined || against === undefined) return undefined;
    if (against.length === 0) return next;
    const settled = repairUncovered(trial, next, against, standard, maxUncovered);
    if (settled) return settled;
    moveOn(targets, against, refusals);
    targets = targets.filter(hasPlanLeft);
  }
  return undefined;
}

/** Tries a target's plans one after the other while every other violation stays as it is. */
function repairAlone(trial: Trial, from: State, target: Target, refusals: Refusal[]): State | undefined {
  const uncovering: (() => State | undefined)[] = [];
  for (const plan of target.plans) {
    const standard = standardFor(from, [target], plan.repairs);
    const next = trial.attempt(from, plan.repairs);
    if (next === undefined) return undefined;
    const against = judge(next, standard);
    if (against === undefined) continue;
    if (against.length === 0) return next;
    refusals.push({ violation: target.violation, plan, objections: against });
    uncovering.push(() => repairUncovered(trial, next, against, standard, maxUncovered));
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
  standard: Standard,
  depth: number,
): State | undefined {
  const targets = targetsIn(from, trial, against);
  const sites = new Places(
    targets.flatMap(({ plans }) =>
      plans.flatMap(({ repairs }) => repairs.map(({ instanceLocation }) => instanceLocation)),
    ),
  );
  const keys = new Set(targets.map(({ key }) => key));
  const isCovered = (violation: Violation) => keys.has(keyOf(violation)) || sites.hold(violation.instanceLocation);
  if (depth === 0 || !against.every(isCovered)) return undefined;
  while (targets.length > 0 && targets.every(hasPlanLeft)) {
    const next = trial.attempt(from, join(...targets.map(currentRepairs)));
    const left = next && judge(next, standard);
    if (next === undefined || left === undefined) return undefined;
    if (left.length === 0) return next;
    const settled = repairUncovered(trial, next, left, standard, depth - 1);
    if (settled) return settled;
    moveOn(targets, left);
  }
  return undefined;
}
