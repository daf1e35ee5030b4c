import { fits, startWork, type Work } from '../../json/index.js';
import { never } from '../compile/bind.js';
import { type CompiledSchema, registryOf } from '../compile/compile.js';
import type { SchemaNode } from '../keywords/keyword.js';
import { INVALID, type UndeterminedReason, VALID } from '../keywords/verdict.js';
import { createViolation, type SharedTexts, type Violation } from '../violations/violation.js';
import { type Budget, completeBudget } from './budget.js';
import { EvaluationPass, type Explaining, type Limits, type StartingPoint } from './pass.js';
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
  | {
      outcome: 'invalid';
      /** Found when they are first read, in the arguments as they are then. */
      readonly violations: Violation[];
      /** More were found than the budget keeps. */
      readonly truncated: boolean;
    }
  | {
      outcome: 'undetermined';
      reason: UndeterminedReason;
      /** The reason as a sentence. */
      message: string;
      /** Where in the schema, as a fragment such as '#/properties/a', and in the instance, as a JSON Pointer. */
      schemaLocation?: string;
      instanceLocation?: string;
    };

/** Steps that finding all violations may take, beyond a multiple of what the refusal took. */
const explainingSteps = 100_000;

/** Steps that branches, hints and texts may take besides. */
const textSteps = 100_000;

/** What explaining may take of the time that deciding may. */
const explainingShare = 0.5;

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
  return decide(compiled, instance, options).evaluation;
}

/** The same, telling also what it cost: tests assert budgets in steps, not in seconds. */
export function evaluateCounting(
  compiled: CompiledSchema,
  instance: unknown,
  options: EvaluateOptions = {},
): { evaluation: Evaluation; steps: number } {
  const { evaluation, steps } = decide(compiled, instance, options);
  return { evaluation, steps: steps() };
}

function decide(
  compiled: CompiledSchema,
  instance: unknown,
  options: EvaluateOptions,
): { evaluation: Evaluation; steps: () => number } {
  const budget = completeBudget(options.budget);
  const { root } = registryOf(compiled).main;
  const limits = startLimits(budget, options);
  if (!fits(instance, budget.argumentSize)) {
    return { evaluation: undetermined({ reason: 'argument-size' }), steps: () => 0 };
  }
  const start = () => new EvaluationPass(limits, budget.steps);
  const { pass, verdict } = runPass(root, instance, limits, start);
  const steps = pass.stepsTaken;
  if (verdict === VALID) return { evaluation: { outcome: 'valid' }, steps: () => steps };
  if (verdict !== INVALID) return { evaluation: undetermined(pass.reason), steps: () => steps };

  let explained: Explained | undefined;
  const explain = () => (explained ??= explainRefusal(root, instance, limits, steps, options.work));
  const evaluation: Evaluation = {
    outcome: 'invalid',
    get violations() {
      return explain().violations;
    },
    get truncated() {
      return explain().truncated;
    },
  };
  return { evaluation, steps: () => steps + explain().steps };
}

interface Explained {
  readonly violations: Violation[];
  readonly truncated: boolean;
  readonly steps: number;
}

/** Finds everything that is wrong, once the verdict is reached and somebody wants to know why. */
function explainRefusal(
  root: SchemaNode,
  instance: unknown,
  deciding: Limits,
  stepsTaken: number,
  within: Work | undefined,
): Explained {
  const { budget } = deciding;
  const steps = Math.min(budget.steps - stepsTaken, explainingSteps + 10 * stepsTaken);
  const work = startWork({ steps: steps + textSteps, ms: budget.ms * explainingShare, within, paused: true });
  const limits: Limits = { ...deciding, work };
  const texts: Explaining = {
    work,
    known: new Map(),
    isPart: false,
    explain: (...branch) => {
      if (work.exhausted) return [];
      const pass = collect(limits, textSteps, texts, ...branch);
      work.spend(pass.stepsTaken);
      return pass.violations;
    },
  };
  const { violations, truncated, stopped, stepsTaken: taken } = collect(limits, steps, texts, root, instance);
  if (violations.length === 0) violations.push(unexplained(root, instance, texts));
  return {
    violations: violations.length > 1 ? work.during(() => distinct(violations)) : violations,
    truncated: truncated || stopped,
    steps: taken,
  };
}

function collect(
  limits: Limits,
  steps: number,
  texts: Explaining,
  node: SchemaNode,
  instance: unknown,
  startingPoint?: StartingPoint,
): EvaluationPass {
  const start = () => new EvaluationPass(limits, steps, { texts, ...(startingPoint && { start: startingPoint }) });
  const { pass } = texts.work.during(() => runPass(node, instance, limits, start));
  texts.isPart ||= pass.truncated || pass.stopped;
  return pass;
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
function unexplained(node: SchemaNode, instance: unknown, texts: SharedTexts): Violation {
  const bound = { keyword: never, value: undefined, node };
  return createViolation(bound, instance, [], { kind: 'unexplained' }, undefined, texts);
}

function undetermined(found: Undetermined): Evaluation {
  return { outcome: 'undetermined', ...found, message: explainUndetermined(found) };
}
