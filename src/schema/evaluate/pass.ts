import { jsonPointer, startWork, type Work } from '../../json/index.js';
import { EvaluatedParts } from '../keywords/evaluated-parts.js';
import type {
  Alternative,
  Attempt,
  BoundKeyword,
  CoerceToOptions,
  EvaluationContext,
  Resource,
  SchemaNode,
} from '../keywords/keyword.js';
import type { Format } from '../keywords/strings/formats.js';
import { and, INVALID, UNDETERMINED, type UndeterminedReason, VALID, type Verdict } from '../keywords/verdict.js';
import type { Pattern } from '../patterns/pattern.js';
import { type PatternClock, watched } from '../patterns/watch.js';
import type { Expectation } from '../violations/expectation.js';
import { createViolation, type Violation } from '../violations/violation.js';
import type { Budget } from './budget.js';
import type { Undetermined } from './undetermined.js';

/** Only the first undetermined part is told; the others stand in where it turns out not to matter. */
const undeterminedLimit = 20;

/**
 * What the messages of one evaluation may spend on hints such as "did you mean". They are made when they are read,
 * however long after it.
 */
export const hintLimits = { steps: 100_000, ms: Infinity };

/** What both passes of one evaluation share. */
export interface SharedLimits {
  readonly budget: Budget;
  readonly assertFormats: boolean;
  readonly clock: PatternClock;
}

/** The violations of a pass that collects none. */
const none: Violation[] = [];

/** One pass of a schema over its arguments: what it may still spend, where it stands and what it found. */
export class EvaluationPass implements EvaluationContext {
  readonly assertFormats: boolean;
  readonly scope: Resource[] = [];
  readonly path: (string | number)[] = [];
  violations: Violation[] = none;
  truncated = false;
  stopped = false;
  readonly #limits: SharedLimits;
  readonly #maxSteps: number;
  readonly #maxDepth: number;
  #steps: number;
  #depth = 0;
  #undetermined: Undetermined[] | undefined;
  #hints: Work | undefined;
  #reported = 0;
  #nesting = 0;

  /**
   * @param maxSteps steps that this pass may take
   * @param collecting whether every violation is collected; otherwise the first one ends the pass
   */
  constructor(
    limits: SharedLimits,
    maxSteps: number,
    readonly collecting: boolean,
  ) {
    this.#limits = limits;
    this.#maxSteps = maxSteps;
    this.#maxDepth = limits.budget.depth;
    this.#steps = maxSteps;
    this.assertFormats = limits.assertFormats;
    if (collecting) this.violations = [];
  }

  get stepsTaken(): number {
    return this.#maxSteps - this.#steps;
  }

  /** Why the verdict is undetermined. */
  get reason(): Undetermined | undefined {
    return this.#undetermined?.[0];
  }

  apply(node: SchemaNode, instance: unknown, evaluated?: EvaluatedParts): Verdict {
    if (!this.spend(1)) return this.undetermined('steps', node);
    if (node.schema === true) return VALID;
    if (this.#depth >= this.#maxDepth) return this.undetermined('depth', node);

    const { scope } = this;
    const entered = scope[scope.length - 1] !== node.resource;
    if (entered) scope.push(node.resource);
    this.#depth++;
    const before = this.#undetermined?.length ?? 0;
    const verdict = this.#applyKeywords(node.keywords, instance, evaluated);
    if (this.#undetermined && verdict !== UNDETERMINED) this.#undetermined.length = before;
    this.#depth--;
    if (entered) scope.pop();
    return verdict;
  }

  applyAt(node: SchemaNode, instance: unknown, key: string | number): Verdict {
    this.path.push(key);
    const verdict = this.apply(node, instance);
    this.path.pop();
    return verdict;
  }

  try(node: SchemaNode, instance: unknown, evaluated?: EvaluatedParts): Attempt {
    const outer = this.violations;
    if (this.collecting) this.violations = [];
    this.#nesting++;
    const parts = evaluated && new EvaluatedParts();
    const verdict = this.apply(node, instance, parts);
    if (parts && verdict === VALID) this.spend(evaluated.merge(parts));
    if (evaluated && verdict === UNDETERMINED) evaluated.uncertain = true;
    const { violations } = this;
    this.#nesting--;
    this.violations = outer;
    return { verdict, violations };
  }

  tryAt(node: SchemaNode, instance: unknown, key: string | number): Attempt {
    this.path.push(key);
    const result = this.try(node, instance);
    this.path.pop();
    return result;
  }

  /** Candidates are tried by {@link CoercingPass} alone. */
  coerceTo(_alternatives: readonly Alternative[], _options?: CoerceToOptions): boolean {
    return false;
  }

  spend(steps: number): boolean {
    if (this.stopped) return false;
    this.#steps -= steps;
    if (this.#steps < 0) {
      this.#steps = 0;
      this.stopped = true;
    }
    return !this.stopped;
  }

  charge(steps: number, { node, keyword }: BoundKeyword, verdict: Verdict): Verdict {
    return this.spend(steps) ? verdict : this.undetermined('steps', node, keyword.name);
  }

  settled(result: Verdict): boolean {
    return result !== VALID && (this.stopped || (result === INVALID && !this.collecting));
  }

  matches(pattern: Pattern, text: string, node: SchemaNode, keyword: string): Verdict {
    if (!this.spend(1 + (text.length >> 4))) return this.undetermined('steps', node, keyword);
    const found = pattern.find(text, this.#limits.clock);
    if (found === undefined) return this.undetermined(pattern.withheld ? 'schema-size' : 'pattern-time', node, keyword);
    return found ? VALID : INVALID;
  }

  conforms(format: Format, text: string, node: SchemaNode): Verdict {
    if (!this.spend(1 + (text.length >> 4))) return this.undetermined('steps', node, 'format');
    const quick = text.length <= format.quickLength;
    // The bundle loads the library behind the checks on the first call of any, which the watchdog must not cut off.
    if (!quick) format.accepts('');
    const found = quick ? format.accepts(text) : watched(() => format.accepts(text), this.#limits.clock);
    if (found === undefined) return this.undetermined('pattern-time', node, 'format');
    return found ? VALID : INVALID;
  }

  undetermined(reason: UndeterminedReason, node: SchemaNode, keyword?: string): Verdict {
    this.#undetermined ??= [];
    if (this.#undetermined.length >= undeterminedLimit) return UNDETERMINED;
    this.#undetermined.push({
      reason,
      schemaLocation: keyword === undefined ? node.location : node.locationOf(keyword),
      instanceLocation: jsonPointer(this.path),
    });
    return UNDETERMINED;
  }

  report(bound: BoundKeyword, instance: unknown, expectation: Expectation, branches?: Violation[][]): Verdict {
    if (!this.collecting) return INVALID;
    if (this.#hasRoom()) {
      this.#reported++;
      this.violations.push(
        createViolation(bound, instance, this.path, expectation, branches, (this.#hints ??= startWork(hintLimits))),
      );
    } else {
      this.truncated = true;
      // Nothing outside of branches could be added any more.
      if (this.#nesting === 0) this.stopped = true;
    }
    return INVALID;
  }

  /** Branches share the bound; what stands outside of all branches keeps its own, so that it is never crowded out. */
  #hasRoom(): boolean {
    const { violations } = this.#limits.budget;
    return this.#nesting === 0 ? this.violations.length < violations : this.#reported < violations;
  }

  #applyKeywords(keywords: readonly BoundKeyword[], instance: unknown, outer: EvaluatedParts | undefined): Verdict {
    const tracks = keywords[keywords.length - 1]?.keyword.dependsOnSiblings === true;
    const parts = tracks ? new EvaluatedParts() : outer;
    let result: Verdict = VALID;
    for (const bound of keywords) {
      const verdict = bound.keyword.evaluate(bound, instance, this, parts);
      if (verdict === VALID) continue;
      result = and(result, verdict);
      if (verdict === INVALID) {
        if (!this.collecting) break;
        const { keyword } = bound;
        if (keyword.expected) this.report(bound, instance, keyword.expected(bound, instance));
      }
      if (this.stopped) break;
    }
    if (outer && parts && tracks) this.spend(outer.merge(parts));
    if (outer && result === UNDETERMINED) outer.uncertain = true;
    return result;
  }
}
