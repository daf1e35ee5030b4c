import { type CompiledSchema, registryOf } from '../compile/compile.js';
import { completeBudget } from '../evaluate/budget.js';
import type { CandidateValue } from './cheapest.js';
import { CoercingPass, type Coercion } from './coercion.js';
import type { EvaluateOptions } from '../evaluate/evaluate.js';
import { runPass, startLimits } from '../evaluate/run-pass.js';
import type { CoercionSite } from './site.js';

export type { CandidateValue } from './cheapest.js';
export type { Coercion } from './coercion.js';
export type { CoercionSite, Place } from './site.js';

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
  candidatesFor: (value: unknown, site: CoercionSite) => readonly C[],
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
