import { equals, isObject, isSchema, type JsonObject, jsonPointer, type Work } from '../../json/index.js';
import type { EvaluatedParts } from '../keywords/evaluated-parts.js';
import type { CoerceToOptions, SchemaNode } from '../keywords/keyword.js';
import { INVALID, VALID, type Verdict } from '../keywords/verdict.js';
import { closestAlternatives } from '../violations/closest.js';
import { declaredNames } from '../violations/schema-view.js';
import { EvaluationPass, type Limits } from './pass.js';

/** Another value that may be meant in the place of one that a schema refuses. */
export interface CandidateValue {
  /** Undefined where the member is to be left out. */
  readonly to: unknown;
  /** How much is presumed by taking it, in halves below 1,000: of as many coercions those that presume least are taken. */
  readonly presumption: number;
}

/** Where the refused value stands. */
export interface CoercionSite {
  /** The schema that refuses it. */
  readonly schema: JsonObject | boolean;
  /** The schema that its keyword applied there: the same one, or one that led to it by a reference or as a branch. */
  readonly outermost: JsonObject | boolean;
  /** The schemas of the list or the map that it is one of many in. */
  readonly around: readonly unknown[];
  readonly instanceLocation: string;
  readonly place: Place;
  /** Whether any schema that is applied there, or an alternative of it, declares a property of this name. */
  declares(name: string): boolean;
}

/**
 * Where a value stands: an `optional` member is one that the schema around declares and does not require, as the outermost
 * schema sees it.
 */
export type Place = 'root' | 'optional' | 'member' | 'element';

/** A candidate that was taken. */
export interface Coercion<C extends CandidateValue> {
  /** Where, as of the time when it was taken: after the coercions before it. */
  readonly instanceLocation: string;
  readonly from: unknown;
  readonly candidate: C;
}

/** What an object or array holds under a key, before and after a coercion. */
interface Change<C extends CandidateValue> extends Slot {
  readonly instanceLocation: string;
  readonly from: unknown;
  readonly after: unknown;
  readonly cost: number;
  /** Undefined where several are meant as likely: then nothing changes, and what holds the value counts the cost. */
  readonly candidate: C | undefined;
}

interface Slot {
  readonly holder: Record<string | number, unknown>;
  readonly key: string | number;
}

/** A member or an item with the schema by whose keyword it is evaluated. */
interface Site extends Slot {
  readonly schema: unknown;
  /** The schema that is applied there first. */
  outermost?: SchemaNode | undefined;
}

/** What is changed so that a schema accepts. */
interface Way<C extends CandidateValue> {
  readonly node: SchemaNode;
  readonly changes: readonly Change<C>[];
  readonly cost: number;
  /** The places that choices on this way have looked at. */
  readonly chosenAt: readonly string[];
}

/** Where a pass stood before a schema was applied. */
interface State {
  readonly changes: number;
  readonly chosenAt: number;
  readonly isOpen: boolean;
}

/** What a coercion costs beside its presumption: the fewest coercions come first. */
const coercionCost = 1_000;

/** Copying an object takes longer than going through it. */
const copySteps = 4;

/** Candidates within candidates at one place: a text that holds an object with a misspelled name. */
const maxChain = 4;

/**
 * A pass that tries candidates where a schema refuses a value. It works on copies of what it comes by: what a schema accepts
 * in the refused value's place stays in there, so that whatever is evaluated next sees it; what it refuses is taken
 * back. Keywords whose branches all refuse ask for the branch that takes the fewest coercions. Where another value would
 * presume as little, neither is taken.
 */
export class CoercingPass<C extends CandidateValue> extends EvaluationPass {
  /** What was changed, in order. */
  readonly #changes: Change<C>[] = [];
  readonly #candidatesFor: (value: unknown, site: CoercionSite) => readonly C[];
  readonly #sites: Site[];
  readonly #work: Work;
  /** Objects and arrays that are copies already. */
  readonly #copies = new Set<object>();
  /** Scalar candidates that the schema refused, by location: the reason behind a refused type. */
  readonly #refused = new Map<string, unknown>();
  /** The values that were coerced first, by location: no candidate leads back to one. */
  readonly #origins = new Map<string, unknown>();
  /** The schema that is being applied. */
  #schema: unknown;
  #trying = 0;
  #chain = 0;
  /** The places that the choices made so far have looked at, in order. */
  readonly #chosenAt: string[] = [];
  readonly #knownChosen = new Set<string>();
  /** The places that the choice being made looks at; undefined where none is. */
  #looked: Set<string> | undefined;
  #isOpen = false;

  constructor(
    limits: Limits,
    maxSteps: number,
    instance: unknown,
    candidatesFor: (value: unknown, site: CoercionSite) => readonly C[],
  ) {
    super(limits, maxSteps);
    this.collecting = true;
    this.#work = limits.work;
    this.#sites = [{ holder: { root: instance }, key: 'root', schema: undefined }];
    this.#candidatesFor = candidatesFor;
  }

  get coercions(): readonly Coercion<C>[] {
    return this.#changes.flatMap(({ instanceLocation, from, candidate }) =>
      candidate ? [{ instanceLocation, from, candidate }] : [],
    );
  }

  /**
   * Whether other values may be meant that were not tried: each choice is made by itself, before what follows. So where two
   * choices are about the same place, or not what a choice asks for was missing but too much of it fits, what is found need
   * not be what presumes least.
   */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  get refused(): ReadonlyMap<string, unknown> {
    return this.#refused;
  }

  override apply(node: SchemaNode, instance: unknown, evaluated?: EvaluatedParts): Verdict {
    if (this.#trying > 0) return super.apply(node, instance, evaluated);
    this.#looked?.add(jsonPointer(this.path));
    const around = this.#schema;
    this.#schema = node.schema;
    const site = this.#sites.at(-1);
    if (site) site.outermost ??= node;
    const start = { changes: this.#changes.length, chosenAt: this.#chosenAt.length, isOpen: this.#isOpen };
    let verdict = this.#applyToCurrent(node, evaluated);
    if (verdict === INVALID && !this.stopped && this.#chain < maxChain) {
      verdict = this.#tryCandidates(node, start, evaluated);
    }
    this.#schema = around;
    return verdict;
  }

  override applyAt(node: SchemaNode, instance: unknown, key: string | number): Verdict {
    if (this.#trying > 0) return super.applyAt(node, instance, key);
    const holder = this.#current();
    if (typeof holder !== 'object' || holder === null) return VALID;
    const chain = this.#chain;
    this.#chain = 0;
    // An object or an array of the copy, as checked above: both are read and written by keys.
    this.#sites.push({ holder: holder as Slot['holder'], key, schema: this.#schema });
    const verdict = super.applyAt(node, instance, key);
    this.#sites.pop();
    this.#chain = chain;
    return verdict;
  }

  /** Branches are looked at without coercions first: what fits as it is, is not touched. */
  override try(node: SchemaNode, instance: unknown, evaluated?: EvaluatedParts): Verdict {
    if (this.#trying++ === 0) this.forgetVerdicts();
    const verdict = super.try(node, instance, evaluated);
    this.#trying--;
    return verdict;
  }

  override report(): Verdict {
    return INVALID;
  }

  override leaveOpen(node?: SchemaNode): void {
    if (this.#trying > 0 || this.#isOpen) return;
    const way = node && this.#wayTo(node, undefined, () => this.apply(node, this.#current()));
    if (!node || (way && way.changes.length > 0)) this.#isOpen = true;
  }

  override coerceTo(nodes: readonly SchemaNode[], options: CoerceToOptions = {}): boolean {
    if (this.#trying > 0) return false;
    const around = this.#looked;
    const looked = (this.#looked = new Set<string>());
    const isCoerced = this.#coerceToOne(nodes, options);
    this.#looked = around;
    // An object is looked at by every choice about one of its members.
    if (isObject(this.#current())) looked.delete(jsonPointer(this.path));
    for (const place of looked) around?.add(place);
    this.#chooseAt(looked);
    return isCoerced;
  }

  #chooseAt(places: Iterable<string>): void {
    for (const place of places) {
      if (this.#knownChosen.has(place)) this.#isOpen = true;
      else this.#chosenAt.push(place);
      this.#knownChosen.add(place);
    }
  }

  /** Forgets the choices that were made since there were so many places. */
  #forgetChosen(count: number): string[] {
    const forgotten = this.#chosenAt.splice(count);
    for (const place of forgotten) this.#knownChosen.delete(place);
    return forgotten;
  }

  #coerceToOne(nodes: readonly SchemaNode[], { evaluated, items, accepts }: CoerceToOptions): boolean {
    const ways: Way<C>[] = [];
    for (const { node, key } of this.#alternatives(nodes, items?.length)) {
      const way = this.#wayTo(node, accepts, () =>
        key === undefined ? this.apply(node, this.#current()) : this.applyAt(node, undefined, key),
      );
      if (this.stopped) return false;
      if (way && way.changes.length > 0) ways.push(way);
    }
    return this.#takeCheapest(ways, items?.wanted ?? 1, evaluated);
  }

  /** What is changed where an attempt succeeds; the attempt itself is taken back. */
  #wayTo(node: SchemaNode, accepts: CoerceToOptions['accepts'], attempt: () => Verdict): Way<C> | undefined {
    const mark = this.#changes.length;
    const before = this.#chosenAt.length;
    const verdict = attempt();
    const chosenAt = this.#forgetChosen(before);
    const changed = withoutSettled(this.#changes.slice(mark));
    const value = this.#current();
    const isAccepted = () => changed.some(isUnclear) || value === undefined || !accepts || accepts(value);
    const fits = verdict === VALID && isAccepted();
    // Another value that this schema accepts may be, though this one is not.
    if (verdict === VALID && !fits) this.#isOpen = true;
    const way = fits ? { node, changes: changed, cost: costOf(changed), chosenAt } : undefined;
    this.#undo(mark);
    return way;
  }

  /** Takes the cheapest of the ways, so many of them as are wanted; where others are as cheap, none. */
  #takeCheapest(ways: Way<C>[], wanted: number, evaluated?: EvaluatedParts): boolean {
    if (ways.length < wanted) return false;
    ways.sort((left, right) => left.cost - right.cost);
    const taken = ways.slice(0, wanted);
    const last = taken.at(-1);
    const isClear = !ways.slice(wanted).some((other) => other.cost === last?.cost && !meansTheSame(other, last));
    const mark = this.#changes.length;
    for (const { changes } of taken) this.#redo(changes);
    const value = this.#current();
    // What is evaluated in it counts all the same.
    if (last && value !== undefined && evaluated) this.try(last.node, value, evaluated);
    if (!isClear) this.#leaveOpen(costOf(this.#undo(mark)));
    return true;
  }

  *#alternatives(
    nodes: readonly SchemaNode[],
    items: number | undefined,
  ): Generator<{ node: SchemaNode; key?: number }> {
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

  #tryCandidates(node: SchemaNode, start: State, evaluated: EvaluatedParts | undefined): Verdict {
    let candidates = this.#candidates(node);
    if (candidates.length === 0) return INVALID;
    // What was coerced within a value that is refused all the same is no part of what its candidates are made of.
    const partial = this.#undo(start.changes);
    const chosenAt = this.#forgetChosen(start.chosenAt);
    const wasOpen = this.#isOpen;
    this.#isOpen = start.isOpen;
    if (partial.length > 0) candidates = this.#candidates(node);
    const value = this.#current();
    const instanceLocation = jsonPointer(this.path);
    const ways: Way<C>[] = [];
    let least = Infinity;
    this.#chain++;
    for (const candidate of candidates) {
      const { to } = candidate;
      if (coercionCost + candidate.presumption > least || this.stopped) break;
      if (this.#origins.get(instanceLocation) === to && to !== undefined) continue;
      const way = this.#wayTo(node, undefined, () => {
        this.#take({ candidate, from: value, instanceLocation });
        return this.apply(node, to);
      });
      if (way) ways.push(way);
      else if (isScalar(value) && isScalar(to)) this.#refused.set(instanceLocation, to);
      least = Math.min(least, way?.cost ?? Infinity);
    }
    this.#chain--;
    if (!this.stopped && this.#takeCheapest(ways, 1, evaluated)) {
      this.#chooseAt(ways[0]?.chosenAt ?? []);
      return VALID;
    }
    this.#redo(partial);
    this.#chooseAt(chosenAt);
    this.#isOpen ||= wasOpen;
    return INVALID;
  }

  #candidates(node: SchemaNode): readonly C[] {
    const value = this.#current();
    if (!this.spend(sizeOf(value))) return [];
    const site = this.#sites.at(-1);
    const first = site?.outermost ?? node;
    const [schema = true, outermost = true, holder = true] = [node.schema, first.schema, site?.schema].map((each) =>
      isSchema(each) ? each : true,
    );
    const { properties, required } = isObject(holder) ? holder : {};
    const isDeclared = isObject(properties) && Object.hasOwn(properties, site?.key ?? '');
    const isRequired = Array.isArray(required) && required.includes(site?.key);
    return this.#candidatesFor(value, {
      schema,
      outermost,
      around: isDeclared ? [] : [holder, this.#sites.at(-2)?.outermost?.schema],
      instanceLocation: jsonPointer(this.path),
      place: this.#place(node === first && isDeclared && !isRequired),
      declares: (name) => declaredNames(outermost, first.resource.root.schema, this.#work).includes(name),
    });
  }

  #place(isOptional: boolean): Place {
    if (this.path.length === 0) return 'root';
    if (typeof this.path.at(-1) === 'number') return 'element';
    return isOptional ? 'optional' : 'member';
  }

  #current(): unknown {
    const site = this.#sites.at(-1);
    return site && Object.hasOwn(site.holder, site.key) ? site.holder[site.key] : undefined;
  }

  /** What stands here, as a copy that may be changed; undefined where it is too large for that. */
  #currentCopy(): unknown {
    const value = this.#current();
    if (typeof value !== 'object' || value === null || this.#copies.has(value)) return value;
    const site = this.#sites.at(-1);
    if (!site || !this.spend(copySteps * sizeOf(value))) return undefined;
    const copy = Array.isArray(value) ? (value.slice() as unknown[]) : { ...value };
    this.#copies.add(copy);
    put(site, copy);
    return copy;
  }

  #take(coercion: Coercion<C>): void {
    const { instanceLocation, from, candidate } = coercion;
    if (!this.#origins.has(instanceLocation)) this.#origins.set(instanceLocation, from);
    // The candidate itself is reported; the copy in its place may be coerced further.
    this.#change({
      ...coercion,
      after: copyOf(candidate.to, this.#copies),
      cost: coercionCost + candidate.presumption,
    });
  }

  #leaveOpen(cost: number): void {
    const value = this.#current();
    const instanceLocation = jsonPointer(this.path);
    this.#change({ instanceLocation, from: value, after: value, cost, candidate: undefined });
  }

  #change(change: Omit<Change<C>, keyof Slot>): void {
    const site = this.#sites.at(-1);
    if (site) this.#redo([{ holder: site.holder, key: site.key, ...change }]);
  }

  #redo(changes: readonly Change<C>[]): void {
    for (const change of changes) {
      put(change, change.after);
      this.#changes.push(change);
    }
  }

  /** Takes back what was changed since; in the end the copy is as it was. */
  #undo(mark: number): Change<C>[] {
    const undone = this.#changes.splice(mark);
    for (const change of undone.toReversed()) put(change, change.from);
    return undone;
  }
}

/** Defines rather than assigns: an assignment to __proto__ could set the prototype. */
function put({ holder, key }: Slot, value: unknown): void {
  if (value === undefined) Reflect.deleteProperty(holder, key);
  else Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Whether two ways make the same of a value, in whatever order. */
function meansTheSame<C extends CandidateValue>(left: Way<C>, right: Way<C> | undefined): boolean {
  if (!right || [...left.changes, ...right.changes].some(isUnclear)) return false;
  const [lefts, rights] = [left, right].map(({ changes }) => resultsOf(changes));
  return lefts?.size === rights?.size && [...(lefts ?? [])].every(([place, to]) => equals(to, rights?.get(place)));
}

/** What stands at each place in the end. */
function resultsOf(changes: readonly Change<CandidateValue>[]): ReadonlyMap<string, unknown> {
  return new Map(changes.map(({ instanceLocation, candidate }) => [instanceLocation, candidate?.to]));
}

/** What was unclear until something in it was changed for another reason is left to that change. */
function withoutSettled<C extends CandidateValue>(changes: Change<C>[]): Change<C>[] {
  if (!changes.some(isUnclear)) return changes;
  const changed = new Set<string>();
  const isLeft = (change: Change<C>) => {
    const { instanceLocation: place } = change;
    if (isUnclear(change)) return !changed.has(place);
    for (let end = place.length; end >= 0; end = place.lastIndexOf('/', end - 1)) {
      changed.add(place.slice(0, end));
      if (end === 0) break;
    }
    return true;
  };
  return changes.toReversed().filter(isLeft).toReversed();
}

function isUnclear({ candidate }: Change<CandidateValue>): boolean {
  return candidate === undefined;
}

function costOf(changes: readonly Change<CandidateValue>[]): number {
  return changes.reduce((sum, { cost }) => sum + cost, 0);
}

/** What looking at a value costs: a step for each member, or for 64 characters. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length >> 6;
  if (Array.isArray(value)) return value.length >> 6;
  return isObject(value) ? Object.keys(value).length : 0;
}

function isScalar(value: unknown): boolean {
  return value !== undefined && value !== null && typeof value !== 'object';
}

/** A copy that may be changed: of objects and arrays, without recursion, since arguments nest as deep as they like. */
function copyOf(value: unknown, copies: Set<object>): unknown {
  const root: Slot['holder'] = { value };
  const waiting: Slot[] = [{ holder: root, key: 'value' }];
  for (let slot = waiting.pop(); slot; slot = waiting.pop()) {
    const original = slot.holder[slot.key];
    if (Array.isArray(original)) {
      const copy = original.slice() as unknown as Slot['holder']; // an array, written by its indexes
      copies.add(copy);
      put(slot, copy);
      for (let index = 0; index < original.length; index++) waiting.push({ holder: copy, key: index });
    } else if (isObject(original)) {
      const copy = { ...original };
      copies.add(copy);
      put(slot, copy);
      for (const key of Object.keys(copy)) waiting.push({ holder: copy, key });
    }
  }
  return root['value'];
}
