import { jsonPointer, type WorkBudget } from '../../json/index.js';
import { EvaluatedParts } from '../keywords/evaluated-parts.js';
import type {
  BoundKeyword,
  EvaluationContext,
  Format,
  Resource,
  SchemaNode,
  UndeterminedReason,
  Verdict,
} from '../keywords/keyword.js';
import { and, INVALID, textSteps, UNDETERMINED, VALID } from '../keywords/keyword.js';
import type { Pattern } from '../patterns/pattern.js';
import { canWatch, watched } from '../patterns/watchdog.js';
import type { Expectation } from '../violations/expectation.js';
import type { SharedTexts } from '../violations/context.js';
import { type Branches, RefusedValue, type Violation } from '../violations/violation.js';
import type { Budget } from './budget.js';

/**
 * Steps between two looks at the clock: tens of microseconds, or a few milliseconds if every step is a hard pattern.
 */
const clockInterval = 256;

/** Values and references whose verdict within branches is kept: beyond that, all are forgotten. */
const verdictLimit = 10_000;

/** Making a violation takes as long as so many steps. */
const violationSteps = 10;

/** Nested combinators that are explained: nobody would read deeper ones. */
const levelLimit = 12;

/** State shared by all passes of one evaluation. */
export interface Limits {
  readonly budget: Budget;
  readonly assertFormats: boolean;
  readonly remaining: WorkBudget;
  /**
   * How patterns that may never end are guarded. 'none': the pass gives up with {@link NeedsWatchdog} at the first one.
   * 'pass': one watchdog watches the whole pass. 'match': one watches each match. 'skip': such patterns are not matched
   * at all.
   */
  guard: 'none' | 'pass' | 'match' | 'skip';
  patternMs: number;
}

export interface Undetermined {
  readonly reason: UndeterminedReason;
  readonly schemaLocation?: string;
  readonly instanceLocation?: string;
}

/** A pass met a pattern that needs the watchdog: not an error, and always caught. */
class NeedsWatchdog extends Error {}

const needsWatchdog = new NeedsWatchdog();

/** A pass used up its budget: not an error, and always caught. */
class Stopped extends Error {}

const stopped = new Stopped();

interface Place {
  readonly key: string | number;
  readonly before: Place | undefined;
}

const wholeInstance: Place = { key: '', before: undefined };

interface Entered {
  readonly resource: Resource;
  readonly before: Entered | undefined;
}

export interface StartingPoint {
  readonly place: Place;
  readonly entered: Entered | undefined;
  readonly combinatorLevel: number;
  readonly isConditional: boolean;
}

export interface Explaining extends SharedTexts {
  readonly furtherSteps: number;
  explain(node: SchemaNode, value: unknown, start: StartingPoint): Violation[];
  /** Gets each violation with its location, so that its schema can be applied there to another value. */
  keep?(violation: Violation, bound: BoundKeyword, value: unknown, start: StartingPoint): void;
}

/**
 * Runs a pass over a whole instance, with as few watchdogs as possible. Most schemas have no pattern that could take
 * long, so the first pass has none. At the first risky pattern it starts again under a single watchdog, which is enough
 * for thousands of rows. If that one expires, each match gets its own, so that everything but the endless match is
 * decided.
 */
export function runPass(
  root: SchemaNode,
  instance: unknown,
  limits: Limits,
  maxSteps: number,
  explaining: Explaining,
  start?: StartingPoint,
): { pass: EvaluationPass; verdict: Verdict } {
  const pass = new EvaluationPass(limits, maxSteps, explaining, start);
  try {
    if (limits.guard !== 'pass') return { pass, verdict: pass.apply(root, instance) };
    const ended = watched(() => pass.apply(root, instance), limits.patternMs);
    if (!ended) throw needsWatchdog;
    return { pass, verdict: ended.result };
  } catch (error) {
    if (error instanceof NeedsWatchdog) {
      limits.guard = limits.guard === 'none' ? 'pass' : 'match';
      return runPass(root, instance, limits, maxSteps, explaining, start);
    }
    // The budget's depth leaves room on the stack, but a host may have used nearly all, which throws a RangeError.
    if (error instanceof Stopped || error instanceof RangeError) return { pass, verdict: UNDETERMINED };
    throw error;
  } finally {
    // Short passes are not worth a look at the clock.
    pass.charge(false);
  }
}

/** One pass of a schema over its arguments: its remaining budget, its current place and its violations. */
export class EvaluationPass implements EvaluationContext {
  readonly assertFormats: boolean;
  readonly violations: Violation[] = [];
  /** True if anything was rejected, even if no violation is kept. */
  isRefused = false;
  collecting = true;
  /** The budget was used up: the violations may be incomplete. */
  stopped = false;
  readonly #limits: Limits;
  #maxSteps: number;
  readonly #maxSchemaDepth: number;
  readonly #explaining: Explaining;
  /** Combinators whose branches this pass explains. */
  readonly #combinatorLevel: number;
  /** Steps are charged to the evaluation slice by slice, each time the clock is looked at. */
  #stepsCharged = 0;
  #sliceSize: number;
  #sliceLeft: number;
  /** Schemas applied within one another at the moment. */
  #schemaDepth = 0;
  /** The pass's current place, as linked lists: stepping in and out copies nothing. */
  #place: Place;
  #entered: Entered | undefined;
  #triesAround = 0;
  #conditionsAround = 0;
  #timeIsUp = false;
  #openParts = 0;
  #firstOpen: OpenPart | undefined;
  #verdicts: Map<SchemaNode, Map<unknown, Verdict>> | undefined;
  #kept = 0;

  constructor(limits: Limits, maxSteps: number, explaining: Explaining, start?: StartingPoint) {
    this.#limits = limits;
    this.#maxSteps = maxSteps;
    this.#maxSchemaDepth = limits.budget.depth;
    this.#sliceSize = this.#sliceLeft = Math.min(maxSteps, clockInterval);
    this.#explaining = explaining;
    this.assertFormats = limits.assertFormats;
    this.#place = start?.place ?? wholeInstance;
    this.#entered = start?.entered;
    this.#combinatorLevel = start?.combinatorLevel ?? 0;
    if (start?.isConditional) this.#conditionsAround++;
  }

  get stepsTaken(): number {
    return Math.min(this.#maxSteps, this.#stepsCharged + this.#sliceSize - this.#sliceLeft);
  }

  /** Why the verdict is undetermined. Without a part of its own the pass was ended: by its budget, or by the stack. */
  get reason(): Undetermined {
    if (this.stopped) return { reason: this.#timeIsUp ? 'time' : 'steps' };
    if (!this.#firstOpen) return { reason: 'depth' };
    const { reason, node, keyword, path } = this.#firstOpen;
    return {
      reason,
      schemaLocation: keyword === undefined ? node.location : node.locationOf(keyword),
      instanceLocation: jsonPointer(path),
    };
  }

  get path(): (string | number)[] {
    const path: (string | number)[] = [];
    for (let at = this.#place; at.before; at = at.before) path.push(at.key);
    return path.reverse();
  }

  get scope(): readonly Resource[] {
    const scope: Resource[] = [];
    for (let entered = this.#entered; entered; entered = entered.before) scope.push(entered.resource);
    return scope.reverse();
  }

  apply(node: SchemaNode, instance: unknown, evaluated?: EvaluatedParts): Verdict {
    this.consume(1);
    if (node.schema === true) return VALID;
    if (this.#schemaDepth >= this.#maxSchemaDepth) return this.undetermined('depth', node);

    const around = this.#entered;
    const { resource } = node;
    if (around?.resource !== resource) this.#entered = { resource, before: around };
    this.#schemaDepth++;
    const before = this.#openParts;
    const verdict = this.#applyKeywords(node.keywords, instance, evaluated);
    if (this.#openParts > before && verdict !== UNDETERMINED) {
      // The undetermined parts turned out not to matter.
      this.#openParts = before;
      if (before === 0) this.#firstOpen = undefined;
    }
    this.#schemaDepth--;
    this.#entered = around;
    return verdict;
  }

  applyAt(node: SchemaNode, instance: unknown, key: string | number): Verdict {
    const around = this.#place;
    this.#place = { key, before: around };
    const verdict = this.apply(node, instance);
    this.#place = around;
    return verdict;
  }

  /** Hundreds of branches may refer to one schema: within branches it is asked once. */
  follow(node: SchemaNode, instance: unknown, evaluated?: EvaluatedParts): Verdict {
    // With another resource around it, a dynamic reference in it may lead elsewhere.
    if (this.#triesAround === 0 || evaluated || this.#entered?.before) return this.apply(node, instance, evaluated);
    const known = this.#verdicts?.get(node)?.get(instance);
    if (known !== undefined) {
      this.consume(1);
      return known;
    }
    const verdict = this.apply(node, instance);
    if (verdict !== UNDETERMINED) this.#keepVerdict(node, instance, verdict);
    return verdict;
  }

  try(node: SchemaNode, instance: unknown, evaluated?: EvaluatedParts): Verdict {
    const { collecting } = this;
    this.collecting = false;
    this.#triesAround++;
    const parts = evaluated && new EvaluatedParts();
    const verdict = this.apply(node, instance, parts);
    if (parts && verdict === VALID) this.consume(evaluated.merge(parts));
    if (evaluated && verdict === UNDETERMINED) evaluated.uncertain = true;
    this.#triesAround--;
    this.collecting = collecting;
    return verdict;
  }

  tryAt(node: SchemaNode, instance: unknown, key: string | number): Verdict {
    const around = this.#place;
    this.#place = { key, before: around };
    const verdict = this.try(node, instance);
    this.#place = around;
    return verdict;
  }

  conditionally<Result>(part: () => Result): Result {
    this.#conditionsAround++;
    const result = part();
    this.#conditionsAround--;
    return result;
  }

  consume(steps: number): void {
    this.#sliceLeft -= steps;
    if (this.#sliceLeft < 0) this.#checkBudget();
  }

  every<T>(parts: Iterable<T>, verdictOf: (part: T) => Verdict): Verdict {
    let result: Verdict = VALID;
    for (const part of parts) {
      result = and(result, verdictOf(part));
      if (result === INVALID && !this.collecting) break;
    }
    return result;
  }

  matches(pattern: Pattern, text: string, node: SchemaNode, keyword: string): Verdict {
    this.consume(1 + textSteps(text));
    if (pattern.isFresh) this.#checkBudget();
    if (!pattern.isTried) return this.undetermined(pattern.withheld ? 'schema-size' : 'pattern-time', node, keyword);
    if (!pattern.isReadable) return VALID;
    const verdict = pattern.isRisky(text.length)
      ? this.#guarded(() => pattern.matches(text))
      : verdictOf(pattern.matches(text));
    return verdict ?? this.undetermined('pattern-time', node, keyword);
  }

  conforms(format: Format, text: string, node: SchemaNode): Verdict {
    this.consume(1 + textSteps(text));
    if (text.length <= format.quickLength) return format.accepts(text) ? VALID : INVALID;
    return this.#guarded(() => format.accepts(text)) ?? this.undetermined('pattern-time', node, 'format');
  }

  undetermined(reason: UndeterminedReason, node: SchemaNode, keyword?: string): Verdict {
    if (this.#openParts++ === 0) this.#firstOpen = { reason, node, keyword, path: this.path };
    return UNDETERMINED;
  }

  report(refusal: BoundKeyword, value: unknown, expectation: Expectation, branches?: () => Branches): Verdict {
    if (!this.collecting) return INVALID;
    this.isRefused = true;
    const texts = this.#explaining;
    if (this.violations.length >= this.#limits.budget.violations) this.#stop();
    if (this.violations.length === 0)
      this.#maxSteps = Math.min(this.#maxSteps, texts.furtherSteps + 10 * this.stepsTaken);
    const violation = new RefusedValue({ path: this.path, refusal, expectation, value, branches: branches?.(), texts });
    texts.keep?.(violation, refusal, value, this.#startingPoint(this.#combinatorLevel));
    this.violations.push(violation);
    this.consume(violationSteps);
    return INVALID;
  }

  refusals(branches: readonly SchemaNode[], instance: unknown): Branches {
    const start = this.#startingPoint(this.#combinatorLevel + 1);
    const known: Violation[][] = [];
    const at = (index: number) => {
      const node = branches[index];
      if (!node || start.combinatorLevel > levelLimit) return [];
      return (known[index] ??= this.#explaining.explain(node, instance, start));
    };
    return { length: branches.length, at };
  }

  #startingPoint(combinatorLevel: number): StartingPoint {
    return { place: this.#place, entered: this.#entered, combinatorLevel, isConditional: this.#conditionsAround > 0 };
  }

  #keepVerdict(node: SchemaNode, instance: unknown, verdict: Verdict): void {
    if (!this.#verdicts || this.#kept++ >= verdictLimit) {
      this.#verdicts = new Map();
      this.#kept = 0;
    }
    const verdicts = this.#verdicts.get(node) ?? new Map<unknown, Verdict>();
    this.#verdicts.set(node, verdicts.set(instance, verdict));
  }

  /** Runs work that may never end; undefined if it exceeded its time. */
  #guarded(match: () => boolean | undefined): Verdict | undefined {
    const limits = this.#limits;
    if (limits.guard === 'skip') return undefined;
    // Without a watchdog nothing can stop a match, so the server alone checks the pattern.
    if (!canWatch()) return VALID;
    if (limits.guard === 'none') throw needsWatchdog;
    if (limits.guard === 'pass') return verdictOf(match());
    const started = performance.now();
    const ended = watched(match, limits.patternMs);
    // The watchdog keeps its own time and may be a little early.
    limits.patternMs = ended ? limits.patternMs - (performance.now() - started) : 0;
    return verdictOf(ended?.result);
  }

  /** Charges the steps since the last call to the evaluation; false if its budget is used up. */
  charge(byTheClock: boolean): boolean {
    const steps = this.#sliceSize - this.#sliceLeft;
    this.#stepsCharged += steps;
    this.#sliceSize = this.#sliceLeft;
    return this.#limits.remaining.consume(steps, byTheClock);
  }

  #checkBudget(): void {
    const inTime = this.charge(true);
    if (this.#stepsCharged > this.#maxSteps) this.#stop();
    this.#timeIsUp = !inTime;
    if (!inTime) this.#stop();
    this.#sliceSize = this.#sliceLeft = Math.min(this.#maxSteps - this.#stepsCharged, clockInterval);
  }

  #stop(): never {
    this.stopped = true;
    throw stopped;
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
    }
    if (outer && parts && tracks) this.consume(outer.merge(parts));
    if (outer && result === UNDETERMINED) outer.uncertain = true;
    return result;
  }
}

function verdictOf(matches: boolean | undefined): Verdict | undefined {
  return matches === undefined ? undefined : matches ? VALID : INVALID;
}

interface OpenPart {
  readonly reason: UndeterminedReason;
  readonly node: SchemaNode;
  readonly keyword: string | undefined;
  readonly path: readonly (string | number)[];
}
