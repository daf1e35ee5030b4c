import type { JsonObject } from '../../../json/index.js';
import { type BoundKeyword, type EvaluationContext, textSteps } from '../keyword.js';
import { canonical, keyOf } from './canonical-key.js';
import { INVALID, UNDETERMINED, VALID, type Verdict } from '../verdict.js';

/** Up to so many values looking through the list is faster than making a set of it. */
const shortList = 12;

/** The values of an `enum` or `const`, looked up rather than compared one by one. */
export class ValueSet {
  readonly #primitives: ReadonlySet<unknown> | undefined;
  /** Its objects and arrays; made when first needed. */
  #composites: readonly Composite[] | undefined;
  #keys: ReadonlySet<string | undefined> | undefined;

  constructor(readonly values: readonly unknown[]) {
    if (values.length > shortList) this.#primitives = new Set(values);
  }

  has(instance: unknown, context: EvaluationContext, { node, keyword }: BoundKeyword): Verdict {
    if (typeof instance !== 'object' || instance === null) {
      const value = instance ?? null;
      // What JSON cannot hold equals nothing.
      if (typeof value === 'number' && !Number.isFinite(value)) return INVALID;
      // Long texts of one length are compared character by character.
      if (typeof value === 'string' && !context.consume(textSteps(value))) {
        return context.undetermined('steps', node, keyword.name);
      }
      return (this.#primitives ? this.#primitives.has(value) : this.values.includes(value)) ? VALID : INVALID;
    }
    this.#composites ??= this.values.filter(isComposite).map((value) => ({ value, names: namesOf(value) }));
    if (!context.consume(this.#composites.length >> 2)) return context.undetermined('steps', node, keyword.name);
    if (!this.#composites.some((composite) => mayEqual(composite, instance))) return INVALID;
    this.#keys ??= new Set(this.#composites.map(({ value }) => keyOf(value)));
    const key = canonical(instance, context, node, keyword.name);
    if (typeof key !== 'string') return UNDETERMINED;
    if (this.#keys.has(key)) return VALID;
    // Some value nests too deeply to be compared: it may be the one.
    return this.#keys.has(undefined) ? context.undetermined('depth', node, keyword.name) : INVALID;
  }
}

function isComposite(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

interface Composite {
  readonly value: object;
  /** Those of its names that are looked at before the whole is compared: listing those of a large instance takes long. */
  readonly names: readonly string[];
}

const lookedAt = 8;

function namesOf(value: object): readonly string[] {
  return Object.keys(value).slice(0, lookedAt);
}

/** Whether the two may be equal, by what can be seen at once. */
function mayEqual({ value, names }: Composite, instance: object): boolean {
  if (lengthOf(value) !== lengthOf(instance)) return false;
  // Both are read by names, objects and arrays alike.
  return names.every((name) => mayBeSame((value as JsonObject)[name], (instance as JsonObject)[name]));
}

/** Of an object none. */
function lengthOf(value: object): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

/** Only what JSON can hold is told apart here. */
function mayBeSame(wanted: unknown, given: unknown): boolean {
  if (isPlain(wanted)) return wanted === given || !(isPlain(given) || isComposite(given) || given === undefined);
  return !isComposite(wanted) || !isPlain(given);
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}
