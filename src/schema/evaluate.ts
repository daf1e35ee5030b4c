import { type Budget, defaultBudget } from './budget.js';
import { type CompiledSchema, registryOf } from './compile.js';
import { type Doubt, type DoubtReason, explainDoubt } from './doubt.js';
import { fits } from './argument-size.js';
import { Run } from './run.js';
import { INVALID, VALID } from './verdict.js';
import type { Violation } from './violations/violation.js';

export interface EvaluateOptions {
  /** Whether `format` refuses (default false: it is an annotation). */
  readonly assertFormats?: boolean;
  readonly budget?: Partial<Budget>;
}

/** Whether a value satisfies a schema; *undetermined* where the budget, or the schema itself, does not let it be told. */
export type Evaluation =
  | { outcome: 'valid' }
  | { outcome: 'invalid'; violations: Violation[]; /** More were found than the budget keeps. */ truncated: boolean }
  | {
      outcome: 'undetermined';
      reason: DoubtReason;
      message: string;
      schemaLocation?: string;
      instanceLocation?: string;
      /** Always empty so far: one definite violation makes the outcome invalid. */
      violations: Violation[];
    };

/** Decides whether an instance satisfies a schema. Never throws, never exceeds its budget. */
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
  const clock = { remainingMs: budget.patternMs };
  const assertFormats = options.assertFormats === true;
  const deciding = new Run({ budget, assertFormats, clock, steps: budget.steps, collecting: false });
  const verdict = deciding.apply(root, instance);
  if (verdict === VALID) return { evaluation: { outcome: 'valid' }, steps: budget.steps - deciding.stepsLeft };
  if (verdict !== INVALID) {
    return { evaluation: undetermined(deciding.doubt ?? { reason: 'steps' }), steps: budget.steps - deciding.stepsLeft };
  }
  // Decided. Only now is it worth the effort to find and describe everything that is wrong.
  const collecting = new Run({ budget, assertFormats, clock, steps: deciding.stepsLeft, collecting: true });
  collecting.apply(root, instance);
  return {
    evaluation: {
      outcome: 'invalid',
      violations: collecting.violations,
      truncated: collecting.truncated || collecting.stopped,
    },
    steps: budget.steps - collecting.stepsLeft,
  };
}

function undetermined(doubt: Doubt): Evaluation {
  return { outcome: 'undetermined', ...doubt, message: explainDoubt(doubt), violations: [] };
}
