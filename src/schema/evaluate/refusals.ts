import { fits, WorkBudget } from '../../json/index.js';
import { type CompiledSchema, rootOf } from '../compile/compile.js';
import type { SchemaNode } from '../keywords/keyword.js';
import { UNDETERMINED, VALID, type Verdict } from '../keywords/verdict.js';
import type { Expectation } from '../violations/expectation.js';
import { partsOf, type Violation } from '../violations/violation.js';
import { defaultBudget } from './budget.js';
import { EvaluationPass, type Explaining, type Limits, type StartingPoint } from './pass.js';
import { runPass } from './run-pass.js';

/** A keyword that refused a value, in a form that lets other values be tried in its place. */
export interface Refusal {
  readonly violation: Violation;
  readonly path: readonly (string | number)[];
  readonly value: unknown;
  readonly node: SchemaNode;
  readonly expectation: Expectation;
  /** The violations of each branch of a combinator, computed on first read; empty if there are too many branches. */
  readonly branches: readonly (readonly Refusal[])[];
  /** True if other values may be the cause: under `if`, or beside parts that were not evaluated. */
  readonly isConditional: boolean;
  /** The violations of another value in the same place; undefined if that is undetermined. */
  again(value: unknown): readonly Refusal[] | undefined;
}

/** Violations of one value, and of all branches of a combinator: with more, the intention cannot be found. */
const mostRefusals = 8_000;

/** Branches of one combinator that are examined: no published tool has as many, and each is tried with each fix. */
const mostBranches = 300;

/** The steps that keeping a violation costs. As many as the steps allow take less than 100 MB. */
const refusalSteps = 10;

/** Finds all that a schema refuses, by steps, never by the clock: patterns that may take long are not matched. */
export class Refusals {
  readonly root: SchemaNode;
  consumed = 0;
  readonly #remaining: WorkBudget;
  readonly #limits: Limits;
  readonly #found = new Map<Violation, Refusal>();
  readonly #explaining: Explaining;
  #isPart = false;

  constructor(compiled: CompiledSchema, { assertFormats, steps }: { assertFormats: boolean; steps: number }) {
    this.root = rootOf(compiled);
    this.#remaining = new WorkBudget({ steps, ms: Infinity });
    const budget = { ...defaultBudget, steps: Infinity, ms: Infinity, violations: mostRefusals };
    this.#limits = { budget, assertFormats, remaining: this.#remaining, guard: 'skip', patternMs: 0 };
    const explain: Explaining['explain'] = (node, value, start) => [...this.#pass(node, value, start).violations];
    const keep: Explaining['keep'] = (violation, bound, value, start) => {
      this.consume(refusalSteps);
      this.#found.set(violation, new KeptRefusal(violation, value, bound.node, start, this));
    };
    this.#explaining = { furtherSteps: Infinity, explain, keep, budget: this.#remaining, isPart: false };
  }

  /** True if the steps are used up, or the violations or the value are too large: the list may be incomplete. */
  get exhausted(): boolean {
    return this.#isPart || this.#remaining.exhausted;
  }

  consume(steps: number): boolean {
    this.consumed += steps;
    return this.#remaining.consume(steps);
  }

  /** The violations of arguments. They may be settled and not be valid, if a pattern was not matched. */
  of(value: unknown): { value: unknown; refusals: readonly Refusal[]; isSettled: boolean; isValid: boolean } {
    this.#isPart ||= !fits(value, defaultBudget.argumentSize);
    const { violations, verdict } = this.#pass(this.root, value);
    return { value, refusals: this.known(violations), isSettled: violations.length === 0, isValid: verdict === VALID };
  }

  #pass(
    node: SchemaNode,
    value: unknown,
    start?: StartingPoint,
  ): { violations: readonly Violation[]; verdict: Verdict } {
    if (this.exhausted) return { violations: [], verdict: UNDETERMINED };
    const begin = () => new EvaluationPass(this.#limits, Infinity, this.#explaining, start);
    const { pass, verdict } = runPass(node, value, this.#limits, begin);
    this.consumed += pass.stepsTaken;
    this.#isPart ||= pass.stopped;
    return { violations: pass.violations, verdict };
  }

  /** The violations of another value in place of a rejected one; undefined if that is undetermined. */
  again(node: SchemaNode, value: unknown, start: StartingPoint): readonly Refusal[] | undefined {
    const { violations, verdict } = this.#pass(node, value, start);
    return (violations.length === 0 && verdict !== VALID) || this.exhausted ? undefined : this.known(violations);
  }

  known(violations: readonly Violation[]): readonly Refusal[] {
    return violations.map((violation) => this.#found.get(violation)).filter((each) => each !== undefined);
  }
}

class KeptRefusal implements Refusal {
  readonly violation: Violation;
  readonly value: unknown;
  readonly node: SchemaNode;
  readonly #start: StartingPoint;
  readonly #of: Refusals;
  #branches: readonly (readonly Refusal[])[] | undefined;

  constructor(violation: Violation, value: unknown, node: SchemaNode, start: StartingPoint, of: Refusals) {
    this.violation = violation;
    this.value = value;
    this.node = node;
    this.#start = start;
    this.#of = of;
  }

  get path(): readonly (string | number)[] {
    return partsOf(this.violation).path;
  }

  get expectation(): Expectation {
    return this.violation.expectation;
  }

  get isConditional(): boolean {
    return this.#start.isConditional;
  }

  get branches(): readonly (readonly Refusal[])[] {
    const found = partsOf(this.violation).branches;
    if (this.#branches || !found || found.length > mostBranches) return (this.#branches ??= none);
    let left = mostRefusals;
    return (this.#branches = Array.from({ length: found.length }, (_, index) => {
      const branch = left > 0 ? this.#of.known(found.at(index)) : [];
      left -= branch.length;
      return branch;
    }));
  }

  again(value: unknown): readonly Refusal[] | undefined {
    return this.#of.again(this.node, value, this.#start);
  }
}

const none: readonly never[] = [];
