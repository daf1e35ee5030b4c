import { fits, type Work } from '../../json/index.js';
import { type CompiledSchema, registryOf } from '../compile/compile.js';
import { VALID } from '../keywords/verdict.js';
import { completeBudget } from '../evaluate/budget.js';
import { EvaluationPass } from '../evaluate/pass.js';
import { type EvaluateOptions, type Evaluation, undetermined } from '../evaluate/evaluate.js';
import { runPass, startLimits } from '../evaluate/run-pass.js';
import type { CandidateValue } from './cheapest.js';
import { CoercingPass, type Coercion } from './coercion.js';
import { PlainCoercingPass } from './plain.js';
import type { CoercionSite } from './site.js';

export type { CandidateValue } from './cheapest.js';
export type { Coercion } from './coercion.js';
export type { CoercionSite, Place } from './site.js';

type CandidatesFor<C> = (value: unknown, site: CoercionSite) => readonly C[];

/** What would make a schema accept more of an instance. */
export interface Coerced<C extends CandidateValue> {
  /** The candidates to be taken, in this order. Whether the schema then accepts the whole is for an evaluation to say. */
  readonly coercions: readonly Coercion<C>[];
  /** Scalars in another form that were refused all the same, by instance location. */
  readonly refused: ReadonlyMap<string, unknown>;
  /** Whether other values may be meant that were not tried. */
  readonly isOpen: boolean;
  readonly steps: number;
}

/**
 * Evaluates a schema and tries candidates wherever it refuses a value. Never throws, and takes no more steps than one
 * evaluation may. The instance is not modified.
 *
 * @param candidatesFor what may be meant by a refused value, the candidate that presumes least first
 */
export function coerce<C extends CandidateValue>(
  compiled: CompiledSchema,
  instance: unknown,
  candidatesFor: CandidatesFor<C>,
  options: EvaluateOptions = {},
): Coerced<C> {
  const budget = completeBudget(options.budget);
  const limits = startLimits(budget, options);
  const { root } = registryOf(compiled).main;
  const start = () => new CoercingPass(limits, budget.steps, root, instance, candidatesFor);
  const { pass, overflowed } = runPass(root, instance, limits, start);
  const { coercions, refused, isOpen, stepsTaken: steps } = pass;
  if (overflowed) return { coercions: [], refused: new Map(), isOpen, steps };
  return { coercions, refused, isOpen, steps };
}

/** What an evaluation came to, or what the schema accepts in the instance's place. */
export type PlainlyCoerced<C extends CandidateValue> =
  | Exclude<Evaluation, { outcome: 'invalid' }>
  | { outcome: 'coerced'; value: unknown; coercions: readonly Coercion<C>[] }
  | { outcome: 'refused'; /** Nothing that is refused has a candidate. */ isHopeless: boolean };

/**
 * Evaluates a schema, without finding out all that is wrong, and attempts at once to mend what it refuses: see
 * {@link PlainCoercingPass}. The schema accepts what comes of it, and each coercion is needed where nothing is left out.
 *
 * @param candidatesFor what may be meant by a refused value, the candidate that presumes least first
 */
export function evaluateCoercing<C extends CandidateValue>(
  compiled: CompiledSchema,
  instance: unknown,
  candidatesFor: CandidatesFor<C>,
  options: EvaluateOptions = {},
): { result: PlainlyCoerced<C>; steps: number; work: Work } {
  const budget = completeBudget(options.budget);
  const { root } = registryOf(compiled).main;
  const limits = startLimits(budget, options);
  const { work } = limits;
  if (!fits(instance, budget.argumentSize))
    return { result: undetermined({ reason: 'argument-size' }), steps: 0, work };
  const start = () => new PlainCoercingPass(limits, budget.steps, root, candidatesFor);
  const { pass, verdict, overflowed } = runPass(root, instance, limits, start);
  let steps = pass.stepsTaken;
  if (!pass.hasRefused) {
    return { result: verdict === VALID ? { outcome: 'valid' } : undetermined(pass.reason), steps, work };
  }
  const value = overflowed ? undefined : pass.changed(instance);
  const accepts = (changed: unknown) => {
    const check = runPass(root, changed, limits, () => new EvaluationPass(limits, budget.steps));
    steps += check.pass.stepsTaken;
    return check.verdict === VALID;
  };
  if (value !== undefined && ((verdict === VALID && pass.isCertain) || accepts(value))) {
    return { result: { outcome: 'coerced', value, coercions: pass.coercions }, steps, work };
  }
  return { result: { outcome: 'refused', isHopeless: pass.isHopeless }, steps, work };
}
