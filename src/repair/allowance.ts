import {
  defaultBudget,
  evaluate,
  type CompiledSchema,
  type EvaluateOptions,
  type Evaluation,
  type Violation,
} from '../schema/index.js';

/** What may still be spent on finding a repair. */
export interface Allowance {
  /** Undefined when nothing may be spent any more. */
  evaluate(instance: unknown): Evaluation | undefined;
}

/** Arguments with a few dozen slips need fewer than ten; the rest is for schemas that make it hard. */
const maxEvaluations = 100;

/** How often the evaluation's own budget may be spent on all attempts together. */
const budgets = 3;

/** Real calls need a few hundred steps. */
const usualSteps = 20_000;

/** Each slip is a violation that has to be seen; the evaluator's own bound is made for messages. */
const maxViolations = 5_000;

/**
 * Schemas and arguments are a stranger's, and finding a repair takes many evaluations. Each is given the steps that
 * real ones need and more only when it runs out of them, so that their number and their steps together are bounded.
 */
export function startAllowance(compiled: CompiledSchema, options: EvaluateOptions): Allowance {
  const budget = { ...defaultBudget, ...options.budget };
  const violations = Math.max(budget.violations, maxViolations);
  const clock = startClock(compiled, budget.patternMs);
  let evaluations = maxEvaluations;
  let steps = budgets * budget.steps;
  let portion = Math.min(usualSteps, budget.steps);
  return {
    evaluate(instance) {
      for (;;) {
        if (evaluations <= 0 || steps <= 0 || clock.isOver()) return undefined;
        const share = Math.min(portion, steps);
        evaluations--;
        steps -= share;
        const evaluation = clock.watch((patternMs) =>
          evaluate(compiled, instance, { ...options, budget: { ...budget, violations, steps: share, patternMs } }),
        );
        if (portion >= budget.steps || !ranOut(evaluation, violations)) return evaluation;
        portion = Math.min(portion * 7, budget.steps);
      }
    },
  };
}

/** Whether steps were what was missing, not room for more violations, of which some may have been dropped again. */
function ranOut(evaluation: Evaluation, maxViolations: number): boolean {
  if (evaluation.outcome === 'invalid')
    return evaluation.truncated && countOf(evaluation.violations) < maxViolations / 2;
  return evaluation.outcome === 'undetermined' && evaluation.reason === 'steps';
}

function countOf(violations: readonly Violation[]): number {
  return violations.reduce(
    (sum, { branches = [] }) => sum + 1 + branches.reduce((inner, branch) => inner + countOf(branch), 0),
    0,
  );
}

/** Time only counts where a pattern could use it up: it is the one cost that is not measured in steps. */
function startClock(compiled: CompiledSchema, patternMs: number) {
  const isRisky = compiled.diagnostics.some(({ code }) => code === 'risky-pattern');
  let left = budgets * patternMs;
  return {
    isOver: () => isRisky && left <= 0,
    watch<T>(evaluation: (patternMs: number) => T): T {
      const start = performance.now();
      const result = evaluation(isRisky ? Math.min(patternMs, left) : patternMs);
      left -= performance.now() - start;
      return result;
    },
  };
}
