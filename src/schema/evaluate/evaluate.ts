import { fits, startWork } from '../../json/index.js';
import { never } from '../compile/bind.js';
import { type CompiledSchema, registryOf } from '../compile/compile.js';
import type { SchemaNode } from '../keywords/keyword.js';
import { INVALID, UNDETERMINED, type UndeterminedReason, VALID, type Verdict } from '../keywords/verdict.js';
import { createViolation, type Violation } from '../violations/violation.js';
import { type Budget, defaultBudget } from './budget.js';
import { EvaluationPass, hintLimits } from './pass.js';
import { explainUndetermined, type Undetermined } from './undetermined.js';

/** How a schema is evaluated. */
export interface EvaluateOptions {
  /** Whether `format` refuses (default false: it is an annotation). */
  readonly assertFormats?: boolean;
  /** What the evaluation may cost; what is left out is as in {@link defaultBudget}. */
  readonly budget?: Partial<Budget>;
}

/** Whether a value satisfies a schema; *undetermined* where the budget, or the schema itself, does not let it be told. */
export type Evaluation =
  | { outcome: 'valid' }
  | { outcome: 'invalid'; violations: Violation[]; /** More were found than the budget keeps. */ truncated: boolean }
  | {
      outcome: 'undetermined';
      reason: UndeterminedReason;
      /** The reason as a sentence. */
      message: string;
      /** Where in the schema, as a fragment such as '#/properties/a', and in the instance, as a JSON Pointer. */
      schemaLocation?: string;
      instanceLocation?: string;
      /** Always empty so far: one definite violation makes the outcome invalid. */
      violations: Violation[];
    };

/** Steps that explaining a refusal may take, beyond a multiple of what reaching it took. */
const explainingSteps = 100_000;

/**
 * Decides whether an instance satisfies a schema, by interpreting it: no code is made of it. Never throws, never exceeds
 * its budget.
 *
 * ```ts
 * evaluate(compileSchema({ type: ['integer', 'null'] }), null); // => { outcome: 'valid' }
 * ```
 */
export function evaluate(compiled: CompiledSchema, instance: unknown, options: EvaluateOptions = {}): Evaluation {
  return evaluateCounting(compiled, instance, options).evaluation;
}

/** The same, telling also what it cost: tests assert budgets in steps, not in seconds. */
export function evaluateCounting(
  compiled: CompiledSchema,
  instance: unknown,
  options: EvaluateOptions = {},
): { evaluation: Evaluation; steps: number } {
  const budget = options.budget ? { ...defaultBudget, ...options.budget } : defaultBudget;
  if (!fits(instance, budget.argumentSize)) {
    return { evaluation: undetermined({ reason: 'argument-size' }), steps: 0 };
  }
  const { root } = registryOf(compiled).main;
  const limits = { budget, assertFormats: options.assertFormats === true, clock: { remainingMs: budget.patternMs } };
  const deciding = new EvaluationPass(limits, budget.steps, false);
  const verdict = applyWithinStack(deciding, root, instance);
  const steps = deciding.stepsTaken;
  if (verdict === VALID) return { evaluation: { outcome: 'valid' }, steps };
  if (verdict !== INVALID) return { evaluation: undetermined(reasonOf(deciding)), steps };

  // Decided. Only now is it worth the effort to find and describe everything that is wrong.
  const collecting = new EvaluationPass(limits, Math.min(budget.steps - steps, explainingSteps + 10 * steps), true);
  applyWithinStack(collecting, root, instance);
  return {
    evaluation: {
      outcome: 'invalid',
      violations: collecting.violations.length > 0 ? distinct(collecting.violations) : [unexplained(root, instance)],
      truncated: collecting.truncated || collecting.stopped,
    },
    steps: steps + collecting.stepsTaken,
  };
}

/** Without a reason of its own the pass was ended: by its steps, or by the stack. */
function reasonOf(pass: EvaluationPass): Undetermined {
  return pass.reason ?? { reason: pass.stopped ? 'steps' : 'depth' };
}

/** The budget's depth leaves room on the stack; a host that has used nearly all of it must not fall all the same. */
function applyWithinStack(pass: EvaluationPass, root: SchemaNode, instance: unknown): Verdict {
  try {
    return pass.apply(root, instance);
  } catch (error) {
    if (error instanceof RangeError) return UNDETERMINED;
    throw error;
  }
}

/** The same demand often comes twice: through `allOf`, or through two references to one schema. */
function distinct(violations: readonly Violation[]): Violation[] {
  const seen = new Set<string>();
  return violations.filter((violation) => {
    const key = JSON.stringify([violation.instanceLocation, violation.keyword, violation.expected]);
    return !seen.has(key) && seen.add(key);
  });
}

/** Where the budget was enough to refuse, but not to find out why. */
function unexplained(node: SchemaNode, instance: unknown): Violation {
  const bound = { keyword: never, value: undefined, node };
  return createViolation(bound, instance, [], { kind: 'unexplained' }, undefined, startWork(hintLimits));
}

function undetermined(found: Undetermined): Evaluation {
  return { outcome: 'undetermined', ...found, message: explainUndetermined(found), violations: [] };
}
