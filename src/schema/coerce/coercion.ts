import { canonicalText, isObject, jsonPointer, type Work } from '../../json/index.js';
import type { EvaluatedParts } from '../keywords/evaluated-parts.js';
import type { CoerceToOptions, SchemaNode } from '../keywords/keyword.js';
import { INVALID, VALID, type Verdict } from '../keywords/verdict.js';
import { closestAlternatives } from './closest.js';
import { type Alternative, type CandidateValue, cheapest, costOf, isScalar, type Solution } from './cheapest.js';
import { EvaluationPass, type Limits } from '../evaluate/pass.js';
import { ChangeLog } from './change-log.js';
import { Meaning } from './meaning.js';
import {
  candidateFor,
  type Change,
  type CoercionSite,
  type Finding,
  otherTypes,
  RefusedSite,
  type Site,
  type Spot,
  siteAt,
  spotIn,
} from './site.js';
import { sizeOf, valueOf } from './slot.js';

/** A candidate that was taken. */
export interface Coercion<C extends CandidateValue> {
  /** Where, as of the time when it was taken: after the coercions before it. */
  readonly instanceLocation: string;
  readonly from: unknown;
  readonly candidate: C;
}

interface Way<C extends CandidateValue> {
  readonly changes: readonly Change<C>[];
  readonly cost: number;
}

/** Candidates within candidates at one place: a text that holds an object with a misspelled name. */
const maxChain = 4;

/** How often a schema is applied again because a change brought up something new. */
const maxRounds = 4;

/**
 * A pass that tries candidates where a schema refuses a value. It works on copies of what it comes by: what a schema
 * accepts in the refused value's place stays in there, so that whatever is evaluated next sees it; what it refuses is
 * taken back. Keywords whose branches all refuse ask for the branch that takes the fewest coercions.
 *
 * What a schema refuses unless it is changed, has to be changed. Only where a schema decides (between branches, by a
 * condition, which item is meant) other changes may do as well. So where something was changed at a place at which, or
 * within which, a schema decided, every other candidate that the decisions came by is taken first in its turn, and the
 * rest is left to the pass again, until the changes are found that presume least. Where others presume as little, none
 * is taken.
 */
export class CoercingPass<C extends CandidateValue> extends EvaluationPass {
  readonly #log = new ChangeLog<C>();
  readonly #candidatesFor: (value: unknown, site: CoercionSite) => readonly C[];
  readonly #work: Work;
  /** Scalar candidates that the schema refused, by location: the reason behind a refused type. */
  readonly #refused = new Map<string, unknown>();
  /** What may be meant instead, as far as it was looked for. */
  #alternatives: Alternative<C>[] = [];
  /** Changes in whose place others may be meant. */
  readonly #unclear = new Set<Change<C>>();
  #site: Site<C>;
  /** What is said of the whole instance. */
  readonly #meaning: Meaning;
  /** The schema that is being applied. */
  #schema: unknown;
  /**
   * Within branches that are only looked at; within branches that are coerced to; within what may be meant not to hold.
   */
  #trying = 0;
  #choosing = 0;
  #doubting = 0;
  #isSearching = false;

  constructor(
    limits: Limits,
    maxSteps: number,
    root: SchemaNode,
    instance: unknown,
    candidatesFor: (value: unknown, site: CoercionSite) => readonly C[],
  ) {
    super(limits, maxSteps);
    this.collecting = true;
    this.#work = limits.work;
    this.#site = siteAt(spotIn(undefined, { root: instance }, 'root'), undefined, undefined);
    this.#meaning = new Meaning([root], this);
    this.#candidatesFor = candidatesFor;
  }

  get coercions(): readonly Coercion<C>[] {
    return this.#log.changes
      .filter((change) => !this.#unclear.has(change))
      .map(({ path, from, candidate }) => ({ instanceLocation: jsonPointer(path), from, candidate }));
  }

  /** Whether other values may be meant somewhere: there is no coercion there. */
  get isOpen(): boolean {
    return this.#log.changes.some((change) => this.#unclear.has(change));
  }

  get refused(): ReadonlyMap<string, unknown> {
    return this.#refused;
  }

  override apply(node: SchemaNode, instance: unknown, evaluated?: EvaluatedParts): Verdict {
    const site = this.#site;
    const around = this.#schema;
    this.#schema = node.schema;
    const isFirst = site.outermost === undefined;
    if (isFirst) site.outermost = node;
    const verdict =
      this.#trying > 0 ? this.#look(node, instance, evaluated) : this.#applyChanging(node, isFirst, evaluated);
    this.#schema = around;
    return verdict;
  }

  override applyAt(node: SchemaNode, instance: unknown, key: string | number): Verdict {
    const around = this.#site;
    if (!this.#enter(key)) return VALID;
    const verdict = super.applyAt(node, instance, key);
    this.#leave(around);
    return verdict;
  }

  override tryAt(node: SchemaNode, instance: unknown, key: string | number): Verdict {
    this.#decide();
    const around = this.#site;
    if (!this.#enter(key)) return VALID;
    const verdict = super.tryAt(node, instance, key);
    this.#leave(around);
    return verdict;
  }

  /** Branches are looked at without coercions first: what fits as it is, is not touched. */
  override try(node: SchemaNode, instance: unknown, evaluated?: EvaluatedParts): Verdict {
    this.#decide();
    if (this.#trying++ === 0) this.forgetVerdicts();
    const verdict = super.try(node, instance, evaluated);
    this.#trying--;
    return verdict;
  }

  override accepts(node: SchemaNode, value: unknown): boolean {
    const isThorough = this.isThorough;
    this.isThorough = false;
    if (this.#trying++ === 0) this.forgetVerdicts();
    const verdict = super.try(node, value);
    this.#trying--;
    this.isThorough = isThorough;
    return verdict === VALID;
  }

  override doubt(attempt: () => void): void {
    // Whoever doubts has looked at everything within already.
    if (this.#doubting > 0) return;
    this.#decide();
    this.forgetVerdicts();
    this.#doubting++;
    attempt();
    this.#doubting--;
    this.forgetVerdicts();
  }

  override report(): Verdict {
    return INVALID;
  }

  override coerceTo(
    _instance: unknown,
    nodes: readonly SchemaNode[],
    { evaluated, items, accepts }: CoerceToOptions = {},
  ): boolean {
    if (this.#trying > 0) return false;
    const ways: (Way<C> & { node: SchemaNode })[] = [];
    this.#choosing++;
    for (const { node, key } of this.#targets(nodes, items?.length)) {
      const way = this.#wayTo(accepts, () =>
        key === undefined ? this.apply(node, this.#current()) : this.applyAt(node, undefined, key),
      );
      if (this.stopped) break;
      if (way && way.changes.length > 0) ways.push({ ...way, node });
    }
    this.#choosing--;
    const wanted = items?.wanted ?? 1;
    if (this.stopped || ways.length < wanted) return false;
    const taken = ways.sort((left, right) => left.cost - right.cost).slice(0, wanted);
    for (const { changes } of taken) this.#log.redo(changes);
    const value = this.#current();
    const last = taken.at(-1);
    // What is evaluated in it counts all the same.
    if (last && value !== undefined && evaluated) this.try(last.node, value, evaluated);
    return true;
  }

  #decide(): void {
    if (this.#trying === 0) this.#site.decides = true;
  }

  /** Goes to a member or an item; false where there is none. */
  #enter(key: string | number): boolean {
    const around = this.#site;
    const holder = this.#current();
    if (typeof holder !== 'object' || holder === null) return false;
    this.#site = siteAt(spotIn(around.spot, holder, key), around, this.#schema);
    return true;
  }

  #leave(around: Site<C>): void {
    const { spot, decides } = this.#site;
    this.#site = around;
    if (this.#trying > 0) return;
    const parts = (around.spot.parts ??= new Map());
    // Decided by itself twice, or changed for one schema and again for another, it is for what holds it to say what
    // both come to.
    if (parts.get(spot.key) !== spot) parts.set(spot.key, spot);
    else if (spot.decides || decides || isChangedAgain(spot)) around.decides = true;
    if (decides) spot.decides = true;
  }

  /** What a schema says, within a branch that is only looked at. */
  #look(node: SchemaNode, instance: unknown, evaluated: EvaluatedParts | undefined): Verdict {
    const verdict = super.apply(node, instance, evaluated);
    const isRefused = verdict === INVALID;
    if (this.isThorough && (isRefused || this.#doubting > 0) && instance === this.#current()) {
      this.#findAlternatives(node, isRefused ? node.schema : {});
    }
    return verdict;
  }

  #applyChanging(node: SchemaNode, isFirst: boolean, evaluated: EvaluatedParts | undefined): Verdict {
    const mark = this.#log.length;
    const { basis } = this.#site.spot;
    let verdict = this.#applyToCurrent(node, evaluated);
    if (verdict === INVALID && !this.stopped && this.#site.chain < maxChain) {
      verdict = this.#tryCandidates(node, mark, evaluated);
    }
    const isWhole = isFirst && this.#choosing === 0 && !this.#isSearching;
    return isWhole && this.#site.decides && this.#log.length > mark ? this.#settle(node, mark, basis) : verdict;
  }

  /** What is changed where an attempt succeeds; the attempt itself is taken back. */
  #wayTo(accepts: CoerceToOptions['accepts'], attempt: () => Verdict): Way<C> | undefined {
    const mark = this.#log.length;
    const verdict = attempt();
    const value = this.#current();
    const fits = verdict === VALID && (value === undefined || !accepts || accepts(value));
    const changes = this.#log.undo(mark);
    return fits ? { changes, cost: costOf(changes) } : undefined;
  }

  *#targets(nodes: readonly SchemaNode[], items: number | undefined): Generator<{ node: SchemaNode; key?: number }> {
    if (items === undefined) {
      const root = nodes[0]?.resource.root.schema;
      const { chosen, tied } = closestAlternatives(this.#current(), nodes, root, this.#work);
      for (const index of [...chosen, ...tied]) {
        const node = nodes[index];
        if (node) yield { node };
      }
    }
    for (let key = 0; key < (items ?? 0); key++) for (const node of nodes) yield { node, key };
  }

  /** A keyword such as `$ref` or `allOf` may put another value here, which the keywords before it have not seen. */
  #applyToCurrent(node: SchemaNode, evaluated: EvaluatedParts | undefined): Verdict {
    for (let round = 0; ; round++) {
      // Left out by a coercion, there is nothing to evaluate any more.
      if (this.#current() === undefined) return VALID;
      const value = this.#currentCopy();
      if (value === undefined) return this.undetermined('steps', node);
      const verdict = super.apply(node, value, evaluated);
      if (this.#current() === value || round === maxChain) return verdict;
    }
  }

  #tryCandidates(node: SchemaNode, mark: number, evaluated: EvaluatedParts | undefined): Verdict {
    const again = this.#finder(node, node.schema);
    let candidates = again(this.#current());
    if (candidates.length === 0) return INVALID;
    // What was coerced within a value that is refused all the same is no part of what its candidates are made of.
    const partial = this.#log.undo(mark);
    const value = this.#current();
    if (partial.length > 0) candidates = again(value);
    let best: Way<C> | undefined;
    this.#site.chain++;
    for (const candidate of candidates) {
      if (this.stopped || (best && costOf([{ candidate }]) > best.cost)) break;
      if (this.#leadsBack(candidate.to)) continue;
      const way = this.#wayTo(undefined, () => {
        this.#log.take(this.#site.spot, this.path, candidate, again);
        return this.apply(node, candidate.to);
      });
      // Which of two is meant, is to be found out.
      if (way?.cost === best?.cost && way) this.#decide();
      if (way && (!best || way.cost < best.cost)) best = way;
      if (!way && isScalar(value) && isScalar(candidate.to)) this.#refused.set(jsonPointer(this.path), candidate.to);
    }
    this.#site.chain--;
    this.#log.redo(best && !this.stopped ? best.changes : partial);
    if (!best || this.stopped) return INVALID;
    const current = this.#current();
    // What is evaluated in it counts all the same.
    if (evaluated && current !== undefined) this.try(node, current, evaluated);
    return VALID;
  }

  /** Whether a value stood here before: no candidate leads back to it. */
  #leadsBack(to: unknown): boolean {
    for (let change = this.#site.spot.basis; change?.path.length === this.path.length; change = change.basis) {
      if (change.from === to && to !== undefined) return true;
    }
    return false;
  }

  /** Takes, of all changes that make a schema accept, those that presume least. */
  #settle(node: SchemaNode, mark: number, basis: Change<C> | undefined): Verdict {
    this.#isSearching = true;
    const around = this.#alternatives;
    const attempt = (first: readonly Alternative<C>[]) => {
      this.#alternatives = [];
      if (!first.every((each) => this.#takeAt(each))) return undefined;
      const verdict = this.#applyAgain(node);
      const changes = this.#log.changes.slice(mark);
      const text = () => canonicalText(this.#current(), (steps) => this.spend(steps));
      const solution: Solution<Change<C>> = { changes, cost: costOf(changes), text, isSure: verdict === VALID };
      return { solution: verdict === INVALID ? undefined : solution, alternatives: this.#alternatives, verdict };
    };
    const { solution, verdict = INVALID } = attempt([]) ?? {};
    if (solution) {
      const text = solution.text();
      this.#log.undo(mark);
      this.#alternatives = [];
      this.#lookAtAll(node);
      const known = { solution: { ...solution, text: () => text }, alternatives: this.#alternatives, ground: basis };
      const { best, isOnly } = cheapest(
        known,
        (first) => {
          this.#log.undo(mark);
          return attempt(first);
        },
        (steps) => this.spend(steps),
      );
      this.#log.undo(mark);
      this.#log.redo(best.changes);
      for (const change of solution.changes) this.#unclear.delete(change);
      if (!isOnly) for (const change of best.changes) this.#unclear.add(change);
    }
    this.#alternatives = around;
    this.#isSearching = false;
    return verdict;
  }

  /** Applies a schema until it accepts without another change, or nothing changes any more. */
  #applyAgain(node: SchemaNode): Verdict {
    for (let round = 0; ; round++) {
      const verdict = this.#lookAtAll(node);
      if (verdict !== INVALID || round === maxRounds || this.stopped) return verdict;
      const mark = this.#log.length;
      if (this.#applyToCurrent(node, undefined) === INVALID) this.#tryCandidates(node, mark, undefined);
      if (this.#log.length === mark) return verdict;
    }
  }

  /** Looks at everything that a schema refuses, and finds what may be meant instead. */
  #lookAtAll(node: SchemaNode): Verdict {
    const value = this.#current();
    this.isThorough = true;
    const verdict = value === undefined ? VALID : this.try(node, value);
    this.isThorough = false;
    return verdict;
  }

  /** What a value may be of which a schema accepts something else, or to which it may have nothing to say. */
  #findAlternatives(node: SchemaNode, schema: unknown): void {
    const { spot } = this.#site;
    const [path, from] = [this.path, valueOf(spot)];
    const again = this.#finder(node, { ...(isObject(schema) && schema), type: otherTypes(from, schema) });
    for (const candidate of again(from)) {
      const found: Finding<C> = { path, from, candidate, basis: spot.basis, again };
      this.#alternatives.push(found);
    }
  }

  /** Finds candidates for values at this place, as a schema asks for them. */
  #finder(node: SchemaNode, schema: unknown): (value: unknown) => readonly C[] {
    const site = this.#site;
    const { path } = this;
    return (value) => {
      if (!this.spend(1 + sizeOf(value))) return [];
      const isOutermost = node === site.outermost;
      return this.#candidatesFor(value, new RefusedSite(schema, path, site.schema, isOutermost, this.#meaning));
    };
  }

  #current(): unknown {
    return valueOf(this.#site.spot);
  }

  /** What stands here, as a copy that may be changed; undefined where it is too large for that. */
  #currentCopy(): unknown {
    return this.#log.copyAt(this.#site.spot, (steps) => this.spend(steps));
  }

  /** Takes an alternative at a place within the current one; false where another value stands there now. */
  #takeAt(alternative: Alternative<C>): boolean {
    // All of them were found here.
    const finding = alternative as Finding<C>;
    const { path } = alternative;
    const here = this.#site;
    let isThere = true;
    for (const key of path.slice(this.path.length)) {
      const holder = this.#currentCopy();
      isThere = typeof holder === 'object' && holder !== null;
      if (typeof holder !== 'object' || holder === null) break;
      const { spot } = this.#site;
      const part = spotIn(spot, holder, key);
      (spot.parts ??= new Map()).set(key, part);
      this.#site = siteAt(part, this.#site, undefined);
    }
    const candidate = isThere ? candidateFor(this.#current(), finding) : undefined;
    if (candidate) this.#log.take(this.#site.spot, path, candidate, finding.again);
    this.#site = here;
    return candidate !== undefined;
  }
}

/** Whether a value has taken another one's place that itself had taken one: for both schemas, something else may do. */
function isChangedAgain<C extends CandidateValue>(spot: Spot<C>): boolean {
  return spot.basis?.spot === spot && spot.basis.basis?.spot === spot;
}
