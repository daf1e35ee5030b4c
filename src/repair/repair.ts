import { evaluate, type CompiledSchema, type EvaluateOptions, type Evaluation } from '../schema/index.js';
import { withoutNeedless } from './minimize.js';
import { defaultRepairs, type Repair, type RepairOptions } from './options.js';
import { plansFor } from './plans.js';
import { withReasons } from './reasons.js';
import { repairAll } from './search.js';
import { startTrial } from './trial.js';

/** What came of a repair, and whether the schema accepts it. */
export interface RepairedArguments {
  /** The very value that came in where nothing was repaired. */
  readonly arguments: unknown;
  /** What was changed, in that order. */
  readonly repairs: readonly Repair[];
  /** Of the arguments returned; a value refused in both readings is reported as it came. */
  readonly evaluation: Evaluation;
}

/**
 * Repairs the type slips that models make, guided by what the schema says about the arguments.
 *
 * The laws: what the schema accepts is never touched; a change is kept only where the schema refused the value and
 * accepts the changed one; arguments that end up valid hold no change that could be undone. Where a schema offers
 * several ways (`anyOf`, `oneOf`), the one that presumes least is taken, and among equals the first in the schema.
 * Violations that cannot be repaired do not keep others from being repaired. The arguments given are not modified.
 *
 * ```ts
 * const compiled = compileSchema({ properties: { limit: { type: 'integer' }, zip: { type: 'string' } } });
 * repairArguments(compiled, { limit: '10', zip: '01234' }).arguments; // => { limit: 10, zip: '01234' }
 * ```
 *
 * @param repairs which slips are repaired, see {@link RepairOptions}; by default integers only
 * @param options for the evaluation; all attempts together cost at most three times its budget, see {@link startAllowance}
 */
export function repairArguments(
  compiled: CompiledSchema,
  args: unknown,
  repairs: Partial<RepairOptions> = {},
  options: EvaluateOptions = {},
): RepairedArguments {
  const chosen = chosenRepairs(repairs);
  const first = evaluate(compiled, args, options);
  if (!suggestsRepair(first, args, chosen)) return { arguments: args, repairs: [], evaluation: first };

  const trial = startTrial(compiled, args, first, chosen, options);
  const { state, refusals } = repairAll(trial);
  if (state.evaluation.outcome === 'valid') {
    const { instance, repairs, evaluation } = withoutNeedless(trial, state);
    return { arguments: instance, repairs, evaluation };
  }
  const evaluation = state.repairs.length === 0 ? first : evaluate(compiled, state.instance, options);
  if (evaluation.outcome === 'valid') return { arguments: state.instance, repairs: state.repairs, evaluation };
  return {
    arguments: state.instance,
    repairs: state.repairs,
    evaluation: { ...evaluation, violations: withReasons(evaluation.violations, refusals) },
  };
}

/** An option given as undefined is one not given. */
function chosenRepairs(repairs: Partial<RepairOptions>): RepairOptions {
  const given = Object.entries(repairs).filter(([, value]) => value !== undefined);
  return { ...defaultRepairs, ...Object.fromEntries(given) };
}

function suggestsRepair(evaluation: Evaluation, args: unknown, options: RepairOptions): boolean {
  if (evaluation.outcome === 'valid') return false;
  return evaluation.violations.some((violation) => plansFor(violation, args, options).length > 0);
}
