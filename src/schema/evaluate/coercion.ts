import { equals, isObject, isSchema, type JsonObject, jsonPointer, type Work } from '../../json/index.js';
import type { EvaluatedParts } from '../keywords/evaluated-parts.js';
import type { CoerceToOptions, SchemaNode } from '../keywords/keyword.js';
import { INVALID, VALID, type Verdict } from '../keywords/verdict.js';
import { closestAlternatives } from '../violations/closest.js';
import { EvaluationPass, type Limits } from './pass.js';

/** Another value that may be meant in the place of one that a schema refuses. */
export interface CandidateValue {
  /** Undefined where the member is to be left out. */
  readonly to: unknown;
  /** How much is presumed by taking it; of several ways the one that presumes least in all is taken. */
  readonly presumption: number;
}

/** Where the refused value stands. */
export interface CoercionSite {
  /** The schema that refuses it. */
  readonly schema: JsonObject | boolean;
  /** The schema that its keyword applied there: the same one, or one that led to it by a reference or as a branch. */
  readonly outermost: JsonObject | boolean;
  readonly instanceLocation: string;
  readonly place: Place;
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
interface Change<C extends CandidateValue> extends Coercion<C> {
  readonly holder: Record<string | number, unknown>;
  readonly key: string | number;
  readonly after: unknown;
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

/** An alternative that accepts, and what is changed for it. */
interface Way<C extends CandidateValue> {
  readonly node: SchemaNode;
  readonly changes: Change<C>[];
  readonly presumption: number;
}

/** Copying an object takes longer than going through it. */
const copySteps = 4;

/** Candidates within candidates at one place: a text that holds an object with a misspelled name. */
const maxChain = 4;

/**
 * A pass that tries candidates where a schema refuses a value. It works on copies of what it comes by: what a schema accepts
 * in the refused value's place stays in there, so that whatever is evaluated next sees it; what it refuses is taken
 * back. Keywords whose branches all refuse ask for the branch that takes the fewest coercions.
 */
export class CoercingPass<C extends CandidateValue> extends EvaluationPass {
  /** The candidates taken, in order. */
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
    return this.#changes;
  }

  get refused(): ReadonlyMap<string, unknown> {
    return this.#refused;
  }

  override apply(node: SchemaNode, instance: unknown, evaluated?: EvaluatedParts): Verdict {
    if (this.#trying > 0) return super.apply(node, instance, evaluated);
    const around = this.#schema;
    this.#schema = node.schema;
    const site = this.#sites.at(-1);
    if (site) site.outermost ??= node;
    const mark = this.#changes.length;
    let verdict = this.#applyToCurrent(node, evaluated);
    if (verdict === INVALID && !this.stopped && this.#chain < maxChain) {
      verdict = this.#tryCandidates(node, mark, evaluated);
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

  override coerceTo(nodes: readonly SchemaNode[], { evaluated, items, accepts }: CoerceToOptions = {}): boolean {
    if (this.#trying > 0) return false;
    const ways: Way<C>[] = [];
    const mark = this.#changes.length;
    for (const { node, key } of this.#alternatives(nodes, items)) {
      const verdict = key === undefined ? this.apply(node, this.#current()) : this.applyAt(node, undefined, key);
      const changes = this.#undo(mark);
      if (this.stopped) return false;
      if (verdict === VALID && changes.length > 0) ways.push({ node, changes, presumption: presumptionOf(changes) });
    }
    const [best, ...others] = ways.sort((left, right) => left.presumption - right.presumption);
    if (best && others.some((other) => isOtherMeaning(best, other)) && items === undefined) return false;
    for (const { node, changes } of ways) {
      this.#redo(changes);
      const value = this.#current();
      if (value === undefined || !accepts || accepts(value)) {
        if (value !== undefined && evaluated) this.try(node, value, evaluated);
        return true;
      }
      this.#undo(mark);
    }
    return false;
  }

  *#alternatives(
    nodes: readonly SchemaNode[],
    items: number | undefined,
  ): Generator<{ node: SchemaNode; key?: number }> {
    if (items === undefined) {
      const root = nodes[0]?.resource.root.schema;
      const { chosen } = closestAlternatives(this.#current(), nodes, root, this.#work);
      for (const index of chosen) {
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
    let candidates = this.#candidates(node);
    if (candidates.length === 0) return INVALID;
    // What was coerced within a value that is refused all the same is no part of what its candidates are made of.
    const partial = this.#undo(mark);
    if (partial.length > 0) candidates = this.#candidates(node);
    const value = this.#current();
    const instanceLocation = jsonPointer(this.path);
    this.#chain++;
    for (const candidate of candidates) {
      if (this.#origins.get(instanceLocation) === candidate.to && candidate.to !== undefined) continue;
      this.#take({ candidate, from: value, instanceLocation });
      const verdict = this.apply(node, candidate.to, evaluated);
      if (verdict === VALID) {
        this.#chain--;
        return VALID;
      }
      this.#undo(mark);
      if (isScalar(value) && isScalar(candidate.to)) this.#refused.set(instanceLocation, candidate.to);
      if (this.stopped) break;
    }
    this.#chain--;
    this.#redo(partial);
    return INVALID;
  }

  #candidates(node: SchemaNode): readonly C[] {
    const value = this.#current();
    if (!this.spend(sizeOf(value))) return [];
    const first = this.#sites.at(-1)?.outermost ?? node;
    const [schema = true, outermost = true] = [node, first].map((each) => (isSchema(each.schema) ? each.schema : true));
    const place = this.#place(node === first);
    return this.#candidatesFor(value, { schema, outermost, instanceLocation: jsonPointer(this.path), place });
  }

  #place(isOutermost: boolean): Place {
    const { key, schema } = this.#sites.at(-1) ?? {};
    if (this.path.length === 0) return 'root';
    if (typeof key !== 'string') return 'element';
    const { properties, required } = isObject(schema) ? schema : {};
    const isDeclared = isObject(properties) && Object.hasOwn(properties, key);
    return isOutermost && isDeclared && !(Array.isArray(required) && required.includes(key)) ? 'optional' : 'member';
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
    const site = this.#sites.at(-1);
    // The candidate itself is reported; the copy in its place may be coerced further.
    if (!this.#origins.has(coercion.instanceLocation)) this.#origins.set(coercion.instanceLocation, coercion.from);
    if (site) this.#redo([{ holder: site.holder, key: site.key, ...coercion, after: copyOf(coercion.candidate.to) }]);
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

/** Whether a way that presumes as much makes something else of the value: then it cannot be told which is meant. */
function isOtherMeaning<C extends CandidateValue>(best: Way<C>, other: Way<C>): boolean {
  if (other.presumption > best.presumption || other.changes.length !== best.changes.length) return false;
  return !other.changes.every(({ instanceLocation, candidate }, index) => {
    const taken = best.changes[index];
    return taken?.instanceLocation === instanceLocation && equals(taken.candidate.to, candidate.to);
  });
}

/** The fewest coercions first; how much each presumes decides among equals. */
function presumptionOf(changes: readonly Change<CandidateValue>[]): number {
  return changes.reduce((sum, { candidate }) => sum + 1 + candidate.presumption / 1000, 0);
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
function copyOf(value: unknown): unknown {
  const root: Slot['holder'] = { value };
  const waiting: Slot[] = [{ holder: root, key: 'value' }];
  for (let slot = waiting.pop(); slot; slot = waiting.pop()) {
    const original = slot.holder[slot.key];
    if (Array.isArray(original)) {
      const copy = original.slice() as unknown as Slot['holder']; // an array, written by its indexes
      put(slot, copy);
      for (let index = 0; index < original.length; index++) waiting.push({ holder: copy, key: index });
    } else if (isObject(original)) {
      const copy = { ...original };
      put(slot, copy);
      for (const key of Object.keys(copy)) waiting.push({ holder: copy, key });
    }
  }
  return root['value'];
}
