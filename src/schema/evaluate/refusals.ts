import { fits, lazy, WorkBudget } from '../../json/index.js';
import { type CompiledSchema, rootOf } from '../compile/compile.js';
import { type SchemaNode, UNDETERMINED, VALID, type Verdict } from '../keywords/keyword.js';
import type { Expectation } from '../violations/expectation.js';
import { partsOf, type Violation } from '../violations/violation.js';
import { defaultBudget } from './budget.js';
import { type Explaining, type Limits, runPass, type StartingPoint } from './pass.js';

/** A keyword that refused a value, in a form that lets other values be tried in its place. */
export interface Refusal {
  readonly violation: Violation;
  readonly path: readonly (string | number)[];
  readonly value: unknown;
  readonly node: SchemaNode;
  readonly expectation: Expectation;
  /** The violations of each branch of a combinator, computed on first read; empty if there are too many branches. */
  readonly branches: () => readonly (readonly Refusal[])[];
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
      this.#found.set(violation, keptRefusal(violation, value, bound.node, start, this));
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
    const { pass, verdict } = runPass(node, value, this.#limits, Infinity, this.#explaining, start);
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

function keptRefusal(
  violation: Violation,
  value: unknown,
  node: SchemaNode,
  start: StartingPoint,
  all: Refusals,
): Refusal {
  const { path, expectation, branches: found } = partsOf(violation);
  const branches = lazy(() => {
    let left = mostRefusals;
    return Array.from({ length: found && found.length <= mostBranches ? found.length : 0 }, (_, index) => {
      const branch = found && left > 0 ? all.known(found.at(index)) : [];
      left -= branch.length;
      return branch;
    });
  });
  return {
    violation,
    value,
    node,
    path,
    expectation,
    isConditional: start.isConditional,
    branches,
    again: (other) => all.again(node, other, start),
  };
}
