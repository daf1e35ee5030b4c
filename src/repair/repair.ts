import { isObject } from '../json/index.js';
import type { CompiledSchema, EvaluateOptions, Evaluation } from '../schema/index.js';
import { checkEvaluateOptions, defaultBudget, evaluate, noteRefused, unsettled } from '../schema/index.js';
import { placeAfter } from './apply.js';
import { rememberArguments } from './describe.js';
import { mend } from './mend.js';
import { chosenRepairs, type Repair, type RepairChoice, type RepairedTool } from './options.js';

/** The repaired arguments, and the schema's verdict on them. */
export interface RepairedArguments {
  /** The repaired arguments; the given value itself if nothing was repaired. */
  readonly arguments: unknown;
  /** The changes, in the order in which they were made. */
  readonly repairs: readonly Repair[];
  /** The verdict on `arguments`. Violations are those of the given values, but for what repairs settled. */
  readonly evaluation: Evaluation;
}

/** Options for evaluating and repairing arguments. */
export interface RepairArgumentsOptions extends EvaluateOptions {
  /** The called tool: what null means to it, and how calls may be wrapped. */
  readonly tool?: RepairedTool | undefined;
}

/**
 * Repairs arguments that a model malformed, guided by the schema.
 *
 * A repair changes the notation of a value, never the value. Values that the schema accepts are never touched; no
 * value leaves its JSON type while the schema takes that type there; if two repairs cost the same and mean
 * different things, none is made; repairs that valid arguments do not need are taken back, unless they are so many that
 * this takes too long. A value that cannot be repaired keeps no other from being repaired. The same call always gives
 * the same result: all attempts share a budget of steps, and if it is used up, nothing is repaired. The given arguments
 * are not modified.
 *
 * ```ts
 * const compiled = compileSchema({ properties: { limit: { type: 'integer' }, zip: { type: 'string' } } });
 * repairArguments(compiled, { limit: '10', zip: '01234' }).arguments; // => { limit: 10, zip: '01234' }
 * ```
 *
 * @param choice the kinds of malformed arguments to repair; default `safe`
 * @param options for the evaluation; all attempts together take at most four times its steps
 * @throws TypeError if an option is wrong
 */
export function repairArguments(
  compiled: CompiledSchema,
  args: unknown,
  choice: RepairChoice = 'safe',
  options: RepairArgumentsOptions = {},
): RepairedArguments {
  const chosen = chosenRepairs(choice);
  const { tool, ...evaluateOptions }: RepairArgumentsOptions = options;
  checkEvaluateOptions('repairArguments', isObject(options) ? evaluateOptions : options);
  const evaluation = evaluate(compiled, args, evaluateOptions);
  // A repair counts steps, never time: it may find what an evaluation that ran out of time has not.
  const isDecided =
    evaluation.outcome === 'valid' || (evaluation.outcome === 'undetermined' && evaluation.reason !== 'time');
  if (isDecided || chosen.size === 0) return { arguments: args, repairs: [], evaluation };
  const steps = stepsFactor * (options.budget?.steps ?? defaultBudget.steps);
  const mended = mend(compiled, args, { chosen, tool, assertFormats: options.assertFormats === true, steps });
  if (!mended) return { arguments: args, repairs: [], evaluation };
  const { repairs, value: repaired, isValid, readings } = mended;
  rememberArguments(repairs, repaired);
  if (isValid) return { arguments: repaired, repairs, evaluation: { outcome: 'valid' } };
  // The texts of these violations show the readings.
  if (evaluation.outcome === 'invalid') noteRefused(evaluation.violations, { readings });
  if (repairs.length === 0) return { arguments: args, repairs, evaluation };
  const left = evaluate(compiled, repaired, evaluateOptions);
  if (left.outcome === 'invalid') noteRefused(left.violations, { readings });
  if (evaluation.outcome !== 'invalid' || left.outcome !== 'invalid')
    return { arguments: repaired, repairs, evaluation: left };
  const changes = repairs.map((repair) => ({ from: repair.instanceLocation, to: placeAfter(repair) }));
  const violations = unsettled(evaluation.violations, left.violations, changes, repaired);
  // The repairs settle all that was refused, and bring up something else: then the call is refused as it was sent.
  if (violations.length === 0) return { arguments: args, repairs: [], evaluation };
  return { arguments: repaired, repairs, evaluation: { ...evaluation, violations } };
}

/** Steps of all attempts, as a multiple of those of the evaluation. */
const stepsFactor = 4;
