import { fits, type Work } from '../../json/index.js';
import { never } from '../compile/bind.js';
import { type CompiledSchema, registryOf } from '../compile/compile.js';
import type { SchemaNode } from '../keywords/keyword.js';
import { INVALID, type UndeterminedReason, VALID } from '../keywords/verdict.js';
import { createViolation, sharedTexts, type Violation } from '../violations/violation.js';
import { type Budget, completeBudget } from './budget.js';
import { EvaluationPass } from './pass.js';
import { runPass, startLimits } from './run-pass.js';
import { explainUndetermined, type Undetermined } from './undetermined.js';

/** How a schema is evaluated. */
export interface EvaluateOptions {
  /** Whether `format` refuses (default false: it is an annotation). */
  readonly assertFormats?: boolean;
  /** What the evaluation may cost; what is left out is as in {@link defaultBudget}. */
  readonly budget?: Partial<Budget>;
  /** Work of the caller's that this evaluation is a part of: it is charged there, and ends where that is used up. */
  readonly work?: Work;
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
    };

/** Steps that explaining a refusal may take, beyond a multiple of what reaching it took. */
const explainingSteps = 100_000;

/**
 * Decides whether an instance satisfies a schema, by interpreting it: no code is made of it. Never exceeds its budget.
 *
 * @throws TypeError where `compiled` is not what `compileSchema` returned
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
  const budget = completeBudget(options.budget);
  const { root } = registryOf(compiled).main;
  if (!fits(instance, budget.argumentSize)) {
    return { evaluation: undetermined({ reason: 'argument-size' }), steps: 0 };
  }
  const limits = startLimits(budget, options);
  const { pass: deciding, verdict } = runPass(
    root,
    instance,
    limits,
    () => new EvaluationPass(limits, budget.steps, false),
  );
  const steps = deciding.stepsTaken;
  if (verdict === VALID) return { evaluation: { outcome: 'valid' }, steps };
  if (verdict !== INVALID) return { evaluation: undetermined(deciding.reason), steps };

  // Decided. Only now is it worth the effort to find and describe everything that is wrong.
  const explaining = Math.min(budget.steps - steps, explainingSteps + 10 * steps);
  const { pass: collecting } = runPass(root, instance, limits, () => new EvaluationPass(limits, explaining, true));
  return {
    evaluation: {
      outcome: 'invalid',
      violations: collecting.violations.length > 0 ? distinct(collecting.violations) : [unexplained(root, instance)],
      truncated: collecting.truncated || collecting.stopped,
    },
    steps: steps + collecting.stepsTaken,
  };
}

/** The same demand often comes twice: through `allOf`, or through two references to one schema. */
function distinct(violations: readonly Violation[]): Violation[] {
  const seen = new Map<string, Violation[]>();
  return violations.filter((violation) => {
    const place = `${violation.keyword} ${violation.instanceLocation}`;
    const others = seen.get(place);
    if (!others) return seen.set(place, [violation]);
    // What is expected is put in words only where it could be the same.
    return !others.some(({ expected }) => expected === violation.expected) && others.push(violation);
  });
}

/** Where the budget was enough to refuse, but not to find out why. */
function unexplained(node: SchemaNode, instance: unknown): Violation {
  const bound = { keyword: never, value: undefined, node };
  return createViolation(bound, instance, [], { kind: 'unexplained' }, undefined, sharedTexts());
}

function undetermined(found: Undetermined): Evaluation {
  return { outcome: 'undetermined', ...found, message: explainUndetermined(found) };
}
