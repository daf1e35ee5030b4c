import { jsonPointer } from '../json/index.js';
import type { Budget } from './budget.js';
import type { Doubt, DoubtReason } from './doubt.js';
import { EvaluatedParts } from './evaluated.js';
import type { Format } from './formats.js';
import type { Clause, Expectation } from './keyword.js';
import type { SchemaNode } from './node.js';
import type { Pattern } from './patterns/pattern.js';
import { type PatternClock, watched } from './patterns/watch.js';
import type { Resource } from './resource.js';
import { and, INVALID, UNDETERMINED, VALID, type Verdict } from './verdict.js';
import { type Received, receive } from './violations/received.js';
import { isSecret } from '../secrets/index.js';
import { createViolation, type Violation } from './violations/violation.js';

/** Only the first doubt is told; the others stand in where it turns out not to matter. */
const doubtLimit = 20;

/** What both passes of one evaluation share. */
export interface RunLimits {
  readonly budget: Budget;
  readonly assertFormats: boolean;
  readonly clock: PatternClock;
}

/** The violations of a pass that collects none. */
const none: Violation[] = [];

/** One pass of a schema over its arguments: what it may still spend, where it stands and what it found. */
export class Run {
  readonly assertFormats: boolean;
  /** The resources entered on the way here, outermost first: the dynamic scope (2020-12 core, 7.1). */
  readonly scope: Resource[] = [];
  readonly path: (string | number)[] = [];
  violations: Violation[] = none;
  truncated = false;
  /** The steps are used up: whatever is not decided yet stays undecided. */
  stopped = false;
  private doubts: Doubt[] | undefined;
  private depth = 0;
  private received: Received | undefined;
  private receivedSecret = false;
  private reported = 0;
  private nesting = 0;
  private steps: number;
  private readonly maxDepth: number;

  /**
   * @param allowance steps that this pass may take
   * @param collecting whether every violation is collected; otherwise the first one ends the run
   */
  constructor(
    private readonly limits: RunLimits,
    private readonly allowance: number,
    readonly collecting: boolean,
  ) {
    this.assertFormats = limits.assertFormats;
    this.maxDepth = limits.budget.depth;
    this.steps = allowance;
    if (collecting) this.violations = [];
  }

  get stepsTaken(): number {
    return this.allowance - this.steps;
  }

  /** Why the verdict is undetermined. */
  get doubt(): Doubt | undefined {
    return this.doubts?.[0];
  }

  /**
   * Applies a schema to the current instance.
   *
   * @param evaluated collects the members and items that were evaluated, where someone waits for that
   */
  apply(node: SchemaNode, instance: unknown, evaluated?: EvaluatedParts): Verdict {
    if (!this.spend(1)) return this.undetermined('steps', node);
    if (node.schema === true) return VALID;
    if (this.depth >= this.maxDepth) return this.undetermined('depth', node);

    const { scope } = this;
    const entered = scope[scope.length - 1] !== node.resource;
    if (entered) scope.push(node.resource);
    this.depth++;
    const doubtsBefore = this.doubts?.length ?? 0;
    const verdict = this.applyClauses(node.clauses, instance, evaluated);
    if (this.doubts && verdict !== UNDETERMINED) this.doubts.length = doubtsBefore;
    this.depth--;
    if (entered) scope.pop();
    return verdict;
  }

  /** Applies a schema to a member or an item of the current instance. */
  applyAt(node: SchemaNode, instance: unknown, key: string | number): Verdict {
    this.path.push(key);
    const verdict = this.apply(node, instance);
    this.path.pop();
    return verdict;
  }

  /** Applies a schema whose failure is not, or not yet, the failure of the whole: a branch. */
  try(node: SchemaNode, instance: unknown, evaluated?: EvaluatedParts): { verdict: Verdict; violations: Violation[] } {
    const outer = this.violations;
    if (this.collecting) this.violations = [];
    this.nesting++;
    const parts = evaluated && new EvaluatedParts();
    const verdict = this.apply(node, instance, parts);
    if (parts && verdict === VALID) this.spend(evaluated.merge(parts));
    if (evaluated && verdict === UNDETERMINED) evaluated.uncertain = true;
    const { violations } = this;
    this.nesting--;
    this.violations = outer;
    return { verdict, violations };
  }

  tryAt(node: SchemaNode, instance: unknown, key: string | number): { verdict: Verdict; violations: Violation[] } {
    this.path.push(key);
    const result = this.try(node, instance);
    this.path.pop();
    return result;
  }

  /** Takes steps off the budget; false once it is used up. */
  spend(steps: number): boolean {
    if (this.stopped) return false;
    this.steps -= steps;
    if (this.steps < 0) {
      this.steps = 0;
      this.stopped = true;
    }
    return !this.stopped;
  }

  /** A verdict that took so many steps to reach; undetermined where they are not left. */
  charge(steps: number, { node, keyword }: Clause, verdict: Verdict): Verdict {
    return this.spend(steps) ? verdict : this.undetermined('steps', node, keyword.name);
  }

  /** Whether a loop over parts can end: nothing that follows could change the result, or be afforded. */
  settled(result: Verdict): boolean {
    return result !== VALID && (this.stopped || (result === INVALID && !this.collecting));
  }

  /** Whether the pattern is found in the text; undetermined where finding out takes longer than it may. */
  matches(pattern: Pattern, text: string, node: SchemaNode, keyword: string): Verdict {
    if (!this.spend(1 + (text.length >> 4))) return this.undetermined('steps', node, keyword);
    const found = pattern.find(text, this.limits.clock);
    if (found === undefined) return this.undetermined(pattern.withheld ? 'schema-size' : 'pattern-time', node, keyword);
    return found ? VALID : INVALID;
  }

  /** Whether the text conforms to the format; undetermined as for a pattern, since most formats are patterns. */
  conforms(format: Format, text: string, node: SchemaNode): Verdict {
    if (!this.spend(1 + (text.length >> 4))) return this.undetermined('steps', node, 'format');
    const quick = text.length <= format.quickLength;
    // The bundle loads the library behind the checks on the first call of any, which the watchdog must not cut off.
    if (!quick) format.accepts('');
    const found = quick ? format.accepts(text) : watched(() => format.accepts(text), this.limits.clock);
    if (found === undefined) return this.undetermined('pattern-time', node, 'format');
    return found ? VALID : INVALID;
  }

  undetermined(reason: DoubtReason, node: SchemaNode, keyword?: string): Verdict {
    this.doubts ??= [];
    if (this.doubts.length >= doubtLimit) return UNDETERMINED;
    this.doubts.push({
      reason,
      schemaLocation: keyword === undefined ? node.location : node.locationOf(keyword),
      instanceLocation: jsonPointer(this.path),
    });
    return UNDETERMINED;
  }

  /** The specification wants a reference to nothing refused, not waved through (2020-12 core, 8.2.3.1). */
  unresolved(node: SchemaNode, keyword: string, evaluated: EvaluatedParts | undefined): Verdict {
    if (evaluated) evaluated.uncertain = true;
    const { exhausted } = node.resource.document.registry;
    return this.undetermined(exhausted ? 'schema-size' : 'unresolved-reference', node, keyword);
  }

  /** Records that the current instance violates a keyword. Always answers INVALID. */
  report(clause: Clause, instance: unknown, expectation: Expectation, branches?: Violation[][]): Verdict {
    if (!this.collecting) return INVALID;
    if (this.hasRoom()) {
      this.reported++;
      this.violations.push(createViolation(clause, this.receive(instance), this.path, expectation, branches));
    } else {
      this.truncated = true;
      // Nothing outside of branches could be added any more.
      if (this.nesting === 0) this.stopped = true;
    }
    return INVALID;
  }

  /** Branches share the bound; what stands outside of all branches keeps its own, so that it is never crowded out. */
  private hasRoom(): boolean {
    const { violations } = this.limits.budget;
    return this.nesting === 0 ? this.violations.length < violations : this.reported < violations;
  }

  /** The same value is often refused several times over, and describing a large one is work. */
  private receive(instance: unknown): Received {
    const secret = isSecret(this.path, instance);
    if (!this.received || this.received.value !== instance || this.receivedSecret !== secret) {
      this.received = receive(instance, secret);
      this.receivedSecret = secret;
    }
    return this.received;
  }

  private applyClauses(clauses: readonly Clause[], instance: unknown, outer: EvaluatedParts | undefined): Verdict {
    const tracks = clauses[clauses.length - 1]?.keyword.dependsOnSiblings === true;
    const parts = tracks ? new EvaluatedParts() : outer;
    let result: Verdict = VALID;
    for (const clause of clauses) {
      const verdict = clause.keyword.evaluate(clause, instance, this, parts);
      if (verdict === VALID) continue;
      result = and(result, verdict);
      if (verdict === INVALID) {
        if (!this.collecting) break;
        const { expected } = clause.keyword;
        if (expected) this.report(clause, instance, expected(clause, instance));
      }
      if (this.stopped) break;
    }
    if (outer && parts && tracks) this.spend(outer.merge(parts));
    if (outer && result === UNDETERMINED) outer.uncertain = true;
    return result;
  }
}
