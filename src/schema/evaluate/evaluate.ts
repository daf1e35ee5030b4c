import { anObject, checkOptions, fits, flag, type Option, visibleLine, WorkBudget } from '../../json/index.js';
import { never } from '../compile/bind.js';
import { type CompiledSchema, rootOf } from '../compile/compile.js';
import { INVALID, type SchemaNode, type UndeterminedReason, VALID } from '../keywords/keyword.js';
import type { DeclaredPlaces, SharedTexts } from '../violations/context.js';
import { summarizedViolations } from '../violations/summary.js';
import { distinct, RefusedValue, type Violation } from '../violations/violation.js';
import { type Budget, budgetOptions, completeBudget } from './budget.js';
import { declaredPlaces } from './declared-places.js';
import type { EvaluationPass, Explaining, Limits, StartingPoint, Undetermined } from './pass.js';
import { runPass } from './pass.js';

/** Options of an evaluation. */
export interface EvaluateOptions {
  /** If true, a value that breaks its `format` is invalid. Default: false. */
  readonly assertFormats?: boolean;
  /** The limits of the evaluation; {@link Budget} has the defaults. */
  readonly budget?: Partial<Budget>;
}

/** The outcome for a value; *undetermined* if the budget ran out or the schema has a dangling reference. */
export type Evaluation =
  | { outcome: 'valid' }
  | {
      outcome: 'invalid';
      violations: Violation[];
      /** More were found than the budget keeps. */
      truncated: boolean;
    }
  | {
      outcome: 'undetermined';
      reason: UndeterminedReason;
      /** The reason as a sentence. */
      message: string;
      /**
       * The locations in the schema, as a fragment such as '#/properties/a', and in the instance, as a JSON Pointer.
       */
      schemaLocation?: string;
      instanceLocation?: string;
    };

const defaults: EvaluateOptions = {};

/** Steps for branches, hints and texts, beyond the steps of deciding. */
const textSteps = 100_000;

/** Steps for finding more violations after the first, beyond a multiple of the steps for that one. */
const furtherSteps = 100_000;

/** The share of the time for deciding that explaining may take. */
const explainingShare = 0.5;

/**
 * Decides whether an instance satisfies a schema, by interpreting the schema: no code is generated. Never exceeds its
 * budget.
 *
 * @throws TypeError if `compiled` did not come from `compileSchema`, or an option is wrong
 *
 * ```ts
 * evaluate(compileSchema({ type: ['integer', 'null'] }), null); // => { outcome: 'valid' }
 * ```
 */
export function evaluate(compiled: CompiledSchema, instance: unknown, options: EvaluateOptions = defaults): Evaluation {
  if (options !== defaults) checkEvaluateOptions('evaluate', options);
  const budget = completeBudget(options.budget);
  const root = rootOf(compiled);
  const remaining = new WorkBudget({ steps: Infinity, ms: budget.ms });
  const assertFormats = options.assertFormats === true;
  const limits: Limits = { budget, assertFormats, remaining, guard: 'none', patternMs: budget.patternMs };
  if (!fits(instance, budget.argumentSize)) return undetermined({ reason: 'argument-size' });
  const explaining = new Explanation(root, instance, limits);
  const { pass, verdict } = runPass(root, instance, limits, budget.steps, explaining);
  // Parts that the budget or the stack left unchecked cannot make a rejected value valid.
  if (verdict === INVALID || pass.isRefused) {
    const { violations } = pass;
    if (violations.length === 0) violations.push(unexplained(root, instance, explaining));
    const truncated = (explaining.isPart = pass.stopped);
    const found = violations.length > 1 ? explaining.budget.during(() => distinct(violations)) : violations;
    return { outcome: 'invalid', violations: found, truncated };
  }
  return verdict === VALID ? { outcome: 'valid' } : undetermined(pass.reason);
}

export function checkEvaluateOptions(whose: string, options: EvaluateOptions): void {
  checkOptions(whose, options, evaluateOptions);
  if (options.budget) checkOptions(whose, options.budget, budgetOptions, 'budget');
}

const evaluateOptions: Readonly<Record<keyof EvaluateOptions, Option>> = { assertFormats: flag, budget: anObject };

/** The budget for the texts of a rejection, and the way the branches of combinators are explained. */
class Explanation implements Explaining {
  readonly instance: unknown;
  isPart = false;
  readonly furtherSteps = furtherSteps;
  readonly #root: SchemaNode;
  readonly #deciding: Limits;
  #limits: Limits | undefined;
  #places: { readonly declared: DeclaredPlaces | undefined } | undefined;

  constructor(root: SchemaNode, instance: unknown, deciding: Limits) {
    this.#root = root;
    this.instance = instance;
    this.#deciding = deciding;
  }

  get budget(): WorkBudget {
    return this.#ownLimits.remaining;
  }

  explain(node: SchemaNode, part: unknown, startingPoint: StartingPoint): Violation[] {
    if (this.budget.exhausted) return [];
    const pass = this.#passOf(node, part, startingPoint);
    this.isPart ||= pass.stopped;
    return pass.violations;
  }

  places(): DeclaredPlaces | undefined {
    this.#places ??= { declared: declaredPlaces(this.#root, this.budget) };
    return this.#places.declared;
  }

  again(instance: unknown): readonly Violation[] | undefined {
    const { stopped, violations } = this.#passOf(this.#root, instance);
    return stopped || this.budget.exhausted ? undefined : summarizedViolations(violations);
  }

  #passOf(node: SchemaNode, part: unknown, startingPoint?: StartingPoint): EvaluationPass {
    const limits = this.#ownLimits;
    const { remaining } = limits;
    const { pass } = remaining.during(() => runPass(node, part, limits, textSteps, this, startingPoint));
    remaining.consume(pass.stepsTaken);
    return pass;
  }

  /** Made when something is to be explained: most refusals say all themselves. */
  get #ownLimits(): Limits {
    if (this.#limits) return this.#limits;
    const { budget, assertFormats, guard, patternMs } = this.#deciding;
    const ms = budget.ms * explainingShare;
    const remaining = new WorkBudget({ steps: textSteps, ms, paused: true });
    return (this.#limits = { budget, assertFormats, remaining, guard, patternMs });
  }
}

function unexplained(node: SchemaNode, instance: unknown, texts: SharedTexts): Violation {
  const refusal = { keyword: never, value: undefined, node };
  return new RefusedValue({ refusal, value: instance, path: [], expectation: { kind: 'unexplained' }, texts });
}

const explanations: Readonly<Record<UndeterminedReason, string>> = {
  steps: 'Checking the arguments against the schema takes more steps than the budget allows',
  time: 'Checking the arguments against the schema takes longer than the budget allows',
  depth: 'The schema and the arguments nest, or the schema refers to itself, more deeply than the budget allows',
  'pattern-time': 'Matching a pattern takes longer than the budget allows',
  'argument-size': 'The arguments are larger than the budget allows',
  'schema-size': 'The schema is larger than the budget allows',
  'unresolved-reference': 'The schema refers to something that it does not contain',
};

function undetermined(found: Undetermined): Exclude<Evaluation, { outcome: 'invalid' }> {
  const { reason, schemaLocation: at } = found;
  const where = at === undefined || at.length <= 200 ? at : `${at.slice(0, 99)}...${at.slice(-98)}`;
  const place = where === undefined ? '' : ` (at ${visibleLine(where)} of the schema)`;
  return { outcome: 'undetermined', ...found, message: `${explanations[reason]}${place}.` };
}
