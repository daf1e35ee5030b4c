import { isList, isObject, jsonPointer, typeOf } from '../../json/index.js';
import type { EvaluatedParts } from '../keywords/evaluated-parts.js';
import type { BoundKeyword, CoerceToOptions, SchemaNode } from '../keywords/keyword.js';
import { INVALID, UNDETERMINED, VALID, type Verdict } from '../keywords/verdict.js';
import { type CandidateValue, isScalar } from './cheapest.js';
import type { Coercion } from './coercion.js';
import { EvaluationPass, type Limits, pathTo, type Place } from '../evaluate/pass.js';
import { Meaning } from './meaning.js';
import { type CoercionSite, RefusedSite } from './site.js';
import { copyOf, copySteps, put, sizeOf, type Slot, valueOf } from './slot.js';

/** A change that a schema asks for by itself. */
interface PlainChange<C> {
  readonly place: Place;
  readonly from: unknown;
  readonly candidate: C;
  /** The schema that refused the value and accepts the candidate, unless that was for a combinator to say. */
  readonly node: SchemaNode | undefined;
}

/**
 * An evaluation that is a first attempt as well, for what most slips are: a text, a number, a boolean or null in whose
 * place a schema accepts one candidate, and nothing around it decides, so that no other change would do. `anyOf` and
 * `oneOf` that refuse such a value take the candidate that presumes least, and of a list or an object the one
 * alternative that it can be meant for. At the first value for which it cannot be told so simply the pass gives up:
 * there are other passes for those; but not where nothing that is refused has a candidate. Values stay as they are;
 * what they become is made in the end.
 */
export class PlainCoercingPass<C extends CandidateValue> extends EvaluationPass {
  readonly #changes: PlainChange<C>[] = [];
  #gaveUp = false;
  #isHopeless = false;
  readonly #candidatesFor: (value: unknown, site: CoercionSite) => readonly C[];
  readonly #root: SchemaNode;
  #meaning: Meaning | undefined;
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
    this.place.outermost = root;
    this.#root = root;
    this.#candidatesFor = candidatesFor;
  }

  /** Whether there is no candidate for anything that is refused. */
  get isHopeless(): boolean {
    return this.#isHopeless && !this.stopped && this.#changes.length === 0;
  }

  get coercions(): readonly Coercion<C>[] {
    return this.#changes.map(({ place, from, candidate }) => ({
      instanceLocation: jsonPointer(pathTo(place)),
      from,
      candidate,
    }));
  }

  /** Whether each change is only for the schema that accepts it: if nothing else is refused, the whole is accepted. */
  get isCertain(): boolean {
    return this.#changes.every(({ place, candidate, node }) => candidate.to !== undefined && this.#isFor(node, place));
  }

  /** Whether the schema refused anything, be it that a candidate was taken in its place. */
  get hasRefused(): boolean {
    return this.#gaveUp || this.#isHopeless || this.#changes.length > 0;
  }

  protected override refuse(node: SchemaNode, instance: unknown): Verdict {
    if (!this.inBranch) {
      return this.#takeOne(instance, this.#candidates(instance, node), ({ to }) => super.try(node, to), node);
    }
    if (this.#found) this.#found.push(...this.#candidates(instance, node));
    return INVALID;
  }

  override try(node: SchemaNode, instance: unknown, evaluated?: EvaluatedParts): Verdict {
    if (!this.inBranch) this.place.looks++;
    return super.try(node, instance, evaluated);
  }

  override accepts(node: SchemaNode, value: unknown): boolean {
    const { isThorough } = this;
    const found = this.#found;
    this.#found = undefined;
    this.isThorough = false;
    const verdict = super.try(node, value);
    this.#found = found;
    this.isThorough = isThorough;
    return verdict === VALID;
  }

  override tryAt(node: SchemaNode, instance: unknown, key: string | number): Verdict {
    if (!this.inBranch) this.place.looks++;
    return super.tryAt(node, instance, key);
  }

  override doubt(): void {
    // What would make a branch refuse, others find out.
    if (this.#found) this.#giveUp();
  }

  override report(): Verdict {
    return INVALID;
  }

  override coerceTo(
    instance: unknown,
    nodes: readonly SchemaNode[],
    { evaluated, items, accepts }: CoerceToOptions = {},
  ): boolean {
    const { place } = this;
    // Of several schemas that are applied here, others may ask for something, too.
    const isAlone = this.node === place.outermost && !evaluated;
    if (this.inBranch) return false;
    if (items || !isAlone) return this.#giveUp() === VALID;
    const others = place.looks - nodes.length;
    if (!isSimple(instance)) {
      const possible = nodes.filter((node) => this.#mayHold(instance, node));
      const [only] = possible;
      if (!only || possible.length > 1) return this.#giveUp() === VALID;
      place.looks = others;
      return this.apply(only, instance) === VALID;
    }
    const own = this.#candidates(instance);
    const askedBy = new Map<C, SchemaNode>();
    this.isThorough = true;
    for (const node of nodes) {
      // What was looked at already is looked at again, for what it asks for.
      this.forgetVerdicts();
      this.#found = [];
      super.try(node, instance);
      for (const candidate of this.#found) askedBy.set(candidate, node);
    }
    this.isThorough = false;
    this.#found = undefined;
    const found = [...own, ...askedBy.keys()].sort((left, right) => left.presumption - right.presumption);
    const isAccepted = (candidate: C) => {
      const { to } = candidate;
      const node = askedBy.get(candidate);
      const accepting = node ? [node] : nodes;
      return accepting.some((each) => super.try(each, to) === VALID) && (accepts?.(to) ?? true);
    };
    const verdict = this.#takeOne(instance, found, (candidate) => (isAccepted(candidate) ? VALID : INVALID));
    // The decision is taken.
    place.looks = others;
    return verdict === VALID;
  }

  /** What the instance becomes; undefined where it cannot be told. */
  changed(instance: unknown): unknown {
    if (this.#gaveUp || this.#isHopeless || this.#changes.length === 0) return undefined;
    const given = instance as Slot['holder']; // schemas were applied to a member or an item: an object or an array
    const whole = this.#copyOf(given);
    for (const { place, from, candidate } of this.#changes) {
      const path = pathTo(place);
      if (!this.spend(path.length) || hasLooked(place)) return undefined;
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
  #takeOne(instance: unknown, candidates: readonly C[], judge: (candidate: C) => Verdict, node?: SchemaNode): Verdict {
    if (candidates.length === 0) {
      this.#isHopeless = true;
      return INVALID;
    }
    if (this.stopped || this.place.before === undefined) return this.#giveUp();
    let taken: C | undefined;
    for (const candidate of candidates) {
      if (taken && candidate.presumption > taken.presumption) break;
      const { to } = candidate;
      if (to !== undefined && !isSimple(to)) return this.#giveUp();
      const verdict = to === undefined ? VALID : judge(candidate);
      if (verdict === INVALID) continue;
      if (verdict === UNDETERMINED || (taken && taken.to !== to)) return this.#giveUp();
      taken ??= candidate;
    }
    if (!taken) return this.#giveUp();
    this.#changes.push({ place: this.place, from: instance, candidate: taken, node });
    return VALID;
  }

  /** Whether a list or an object may be meant for a schema: of its type, or something else in its stead. */
  #mayHold(instance: unknown, node: SchemaNode): boolean {
    const { type, $ref } = isObject(node.schema) ? node.schema : {};
    // Beside a reference, older drafts ignore it.
    if ($ref !== undefined || (typeof type !== 'string' && !isList(type))) return true;
    return [type].flat().includes(typeOf(instance)) || this.#candidates(instance, node).length > 0;
  }

  /** What may be meant by the current value, as a schema asks for it. */
  #candidates(value: unknown, node = this.node): readonly C[] {
    if (this.stopped || !this.spend(1 + sizeOf(value))) return [];
    const { outermost, holder } = this.place;
    const meaning = (this.#meaning ??= new Meaning([this.#root], this));
    const site = new RefusedSite(node?.schema, this.path, holder?.schema, node === outermost, meaning);
    return this.#candidatesFor(value, site);
  }

  /** Whether a schema is the only one that looks at the value at a place. */
  #isFor(node: SchemaNode | undefined, { outermost, before, holder }: Place): boolean {
    if (!node || node !== outermost || !this.spend(1)) return false;
    return !before || (holder?.keywords.every(isMemberwise) === true && this.#isFor(holder, before));
  }

  #giveUp(): Verdict {
    this.#gaveUp = this.stopped = true;
    return INVALID;
  }
}

function isMemberwise({ keyword }: BoundKeyword): boolean {
  return keyword.isMemberwise === true;
}

/** Whether branches were looked at on the way to a place: another change may do for these. */
function hasLooked(place: Place): boolean {
  return place.looks > 0 || (place.before !== undefined && hasLooked(place.before));
}

function isSimple(value: unknown): boolean {
  return isScalar(value) || value === null;
}
