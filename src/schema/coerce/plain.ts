import { isList, isObject, jsonPointer, typeOf } from '../../json/index.js';
import type { EvaluatedParts } from '../keywords/evaluated-parts.js';
import type { CoerceToOptions, SchemaNode } from '../keywords/keyword.js';
import { INVALID, UNDETERMINED, VALID, type Verdict } from '../keywords/verdict.js';
import { type CandidateValue, isScalar } from './cheapest.js';
import type { Coercion } from './coercion.js';
import { EvaluationPass, type Limits } from '../evaluate/pass.js';
import { Meaning } from './meaning.js';
import { type CoercionSite, RefusedSite } from './site.js';
import { copyOf, copySteps, put, sizeOf, type Slot, valueOf } from './slot.js';

/** A change that a schema asks for by itself. */
interface PlainChange<C> {
  readonly path: readonly (string | number)[];
  readonly from: unknown;
  readonly candidate: C;
}

/** What is known of the place where the pass stands. */
interface Place {
  /** The first schema applied there, and the one whose keyword applied it. */
  readonly outermost: SchemaNode;
  readonly holder: SchemaNode | undefined;
  /** How many branches were looked at. */
  looks: number;
}

/**
 * A first attempt for what most slips are: a text, a number, a boolean or null in whose place a schema accepts one candidate,
 * and nothing around it decides, so that no other change would do. `anyOf` and `oneOf` that refuse such a value take the
 * candidate that presumes least, and of a list or an object the one alternative that it can be meant for. At the first
 * value for which it cannot be told so simply the pass gives up: there are other passes for those; but not where nothing
 * that is refused has a candidate. Values stay as they are; what they become is made in the end.
 */
export class PlainCoercingPass<C extends CandidateValue> extends EvaluationPass {
  readonly #changes: PlainChange<C>[] = [];
  #gaveUp = false;
  #isHopeless = false;
  readonly #candidatesFor: (value: unknown, site: CoercionSite) => readonly C[];
  readonly #meaning: Meaning;
  /** The schema that is being applied, and the value that it is applied to. */
  #node: SchemaNode | undefined;
  #instance: unknown;
  #place: Place;
  /** What branches ask for, while they are looked at for that. */
  #found: C[] | undefined;

  constructor(
    limits: Limits,
    maxSteps: number,
    root: SchemaNode,
    candidatesFor: (value: unknown, site: CoercionSite) => readonly C[],
  ) {
    super(limits, maxSteps);
    this.collecting = true;
    this.#place = { outermost: root, holder: undefined, looks: 0 };
    this.#meaning = new Meaning([root], this);
    this.#candidatesFor = candidatesFor;
  }

  /** Whether there is no candidate for anything that is refused. */
  get isHopeless(): boolean {
    return this.#isHopeless && !this.stopped && this.#changes.length === 0;
  }

  get coercions(): readonly Coercion<C>[] {
    return this.#changes.map(({ path, from, candidate }) => ({ instanceLocation: jsonPointer(path), from, candidate }));
  }

  override apply(node: SchemaNode, instance: unknown, evaluated?: EvaluatedParts): Verdict {
    const aroundNode = this.#node;
    const aroundInstance = this.#instance;
    this.#node = node;
    this.#instance = instance;
    let verdict = super.apply(node, instance, evaluated);
    if (verdict === INVALID) {
      if (!this.inBranch) verdict = this.#takeOne(this.#candidates(), (to) => super.try(node, to));
      else if (this.#found) this.#found.push(...this.#candidates());
    }
    this.#node = aroundNode;
    this.#instance = aroundInstance;
    return verdict;
  }

  override applyAt(node: SchemaNode, instance: unknown, key: string | number): Verdict {
    const around = this.#place;
    const place = (this.#place = { outermost: node, holder: this.#node, looks: 0 });
    const mark = this.#changes.length;
    const verdict = super.applyAt(node, instance, key);
    this.#place = around;
    if (!this.inBranch && this.#changes.length > mark && place.looks > 0) this.#giveUp();
    return verdict;
  }

  override try(node: SchemaNode, instance: unknown, evaluated?: EvaluatedParts): Verdict {
    if (!this.inBranch) this.#place.looks++;
    return super.try(node, instance, evaluated);
  }

  override accepts(node: SchemaNode, value: unknown): boolean {
    const found = this.#found;
    this.#found = undefined;
    const verdict = super.try(node, value);
    this.#found = found;
    return verdict === VALID;
  }

  override tryAt(node: SchemaNode, instance: unknown, key: string | number): Verdict {
    const around = this.#place;
    if (!this.inBranch) around.looks++;
    this.#place = { outermost: node, holder: this.#node, looks: 0 };
    const verdict = super.tryAt(node, instance, key);
    this.#place = around;
    return verdict;
  }

  override doubt(): void {
    // What would make a branch refuse, others find out.
    if (this.#found) this.#giveUp();
  }

  override report(): Verdict {
    return INVALID;
  }

  override coerceTo(nodes: readonly SchemaNode[], { evaluated, items, accepts }: CoerceToOptions = {}): boolean {
    const place = this.#place;
    // Of several schemas that are applied here, others may ask for something, too.
    const isAlone = this.#node === place.outermost && !evaluated;
    if (this.inBranch) return false;
    if (items || !isAlone) return this.#giveUp() === VALID;
    const others = place.looks - nodes.length;
    if (!isSimple(this.#instance)) {
      const possible = nodes.filter((node) => this.#mayHold(node));
      const [only] = possible;
      if (!only || possible.length > 1) return this.#giveUp() === VALID;
      place.looks = others;
      return this.apply(only, this.#instance) === VALID;
    }
    const found = (this.#found = [...this.#candidates()]);
    // What was looked at already is looked at again, for what it asks for.
    this.forgetVerdicts();
    for (const node of nodes) super.try(node, this.#instance);
    this.#found = undefined;
    found.sort((left, right) => left.presumption - right.presumption);
    const isAccepted = (to: unknown) => accepts?.(to) ?? nodes.some((node) => super.try(node, to) === VALID);
    const verdict = this.#takeOne(found, (to) => (isAccepted(to) ? VALID : INVALID));
    // The decision is taken.
    place.looks = others;
    return verdict === VALID;
  }

  /** What the instance becomes; undefined where it cannot be told. */
  changed(instance: unknown): unknown {
    if (this.#gaveUp || this.#isHopeless || this.#changes.length === 0 || this.#place.looks > 0) return undefined;
    const given = instance as Slot['holder']; // schemas were applied to a member or an item: an object or an array
    const whole = this.#copyOf(given);
    for (const { path, from, candidate } of this.#changes) {
      if (!this.spend(path.length)) return undefined;
      let holder = whole;
      let original = given;
      for (let i = 0; i < path.length - 1; i++) {
        const slot = { holder, key: path[i] ?? '' };
        const part = original[slot.key] as Slot['holder']; // as above
        // As long as it is the original, it is no copy.
        if (valueOf(slot) === part) put(slot, this.#copyOf(part));
        const copy = valueOf(slot);
        // Another schema asked for a scalar in its place.
        if (typeof copy !== 'object' || copy === null) return undefined;
        holder = copy as Slot['holder']; // an object or an array
        original = part;
      }
      const slot = { holder, key: path.at(-1) ?? '' };
      // Changed before, by another schema.
      if (valueOf(slot) !== from) return undefined;
      put(slot, candidate.to);
    }
    return whole;
  }

  #copyOf(part: object): Slot['holder'] {
    this.spend(copySteps * sizeOf(part));
    return copyOf(part);
  }

  /** Takes the candidate that presumes least of those that are accepted, the first ones presuming least. */
  #takeOne(candidates: readonly C[], judge: (to: unknown) => Verdict): Verdict {
    if (candidates.length === 0) {
      this.#isHopeless = true;
      return INVALID;
    }
    if (this.stopped || this.#place.holder === undefined) return this.#giveUp();
    let taken: C | undefined;
    for (const candidate of candidates) {
      if (taken && candidate.presumption > taken.presumption) break;
      const { to } = candidate;
      if (to !== undefined && !isSimple(to)) return this.#giveUp();
      const verdict = to === undefined ? VALID : judge(to);
      if (verdict === INVALID) continue;
      if (verdict === UNDETERMINED || (taken && taken.to !== to)) return this.#giveUp();
      taken ??= candidate;
    }
    if (!taken) return this.#giveUp();
    this.#changes.push({ path: this.path, from: this.#instance, candidate: taken });
    return VALID;
  }

  /** Whether the current list or object may be meant for a schema: of its type, or something else in its stead. */
  #mayHold(node: SchemaNode): boolean {
    const { type, $ref } = isObject(node.schema) ? node.schema : {};
    // Beside a reference, older drafts ignore it.
    if ($ref !== undefined || (typeof type !== 'string' && !isList(type))) return true;
    return [type].flat().includes(typeOf(this.#instance)) || this.#candidates(node).length > 0;
  }

  /** What may be meant by the current value, as a schema asks for it. */
  #candidates(node = this.#node): readonly C[] {
    const value = this.#instance;
    if (this.stopped || !this.spend(1 + sizeOf(value))) return [];
    const { outermost, holder } = this.#place;
    const isOutermost = node === outermost;
    return this.#candidatesFor(
      value,
      new RefusedSite(node?.schema, this.path, holder?.schema, isOutermost, this.#meaning),
    );
  }

  #giveUp(): Verdict {
    this.#gaveUp = this.stopped = true;
    return INVALID;
  }
}

function isSimple(value: unknown): boolean {
  return isScalar(value) || value === null;
}
