import { isWithin } from './location.js';
import type { State, Trial } from './trial.js';

/**
 * Takes back every repair that valid arguments do not need: several repairs made at once can satisfy a schema of
 * which each asks for less. What is left is needed, one by one: with any of it undone the schema refuses. Only where
 * there are very many repairs, all for different places, this is not looked into.
 */
export function withoutNeedless(trial: Trial, state: State): State {
  if (state.repairs.length > maxRepairs) return state;
  let needed = state;
  for (let index = state.repairs.length - 1; index >= 0 && needed.repairs.length > 1; index--) {
    const repair = needed.repairs[index];
    if (repair === undefined) continue;
    // What was repaired inside of this repair's result goes with it.
    const others = needed.repairs.filter(
      (other, at) => at < index || (at > index && !isWithin(other.instanceLocation, repair.instanceLocation)),
    );
    const without = trial.attempt(trial.start, others);
    if (without === undefined) return needed;
    if (without.evaluation.outcome === 'valid') needed = without;
  }
  return needed;
}

/** Each is an evaluation more. */
const maxRepairs = 32;
