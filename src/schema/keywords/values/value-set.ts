import { type BoundKeyword, type EvaluationContext, textSteps } from '../keyword.js';
import { canonical, keyOf } from './canonical-key.js';
import { INVALID, UNDETERMINED, VALID, type Verdict } from '../verdict.js';

/** Up to so many values looking through the list is faster than making a set of it. */
const shortList = 12;

/** The values of an `enum` or `const`, looked up rather than compared one by one. */
export class ValueSet {
  readonly #primitives: ReadonlySet<unknown> | undefined;
  #composites: ReadonlySet<string | undefined> | undefined;

  constructor(readonly values: readonly unknown[]) {
    if (values.length > shortList) this.#primitives = new Set(values);
  }

  has(instance: unknown, context: EvaluationContext, { node, keyword }: BoundKeyword): Verdict {
    if (typeof instance !== 'object' || instance === null) {
      const value = instance ?? null;
      // What JSON cannot hold equals nothing.
      if (typeof value === 'number' && !Number.isFinite(value)) return INVALID;
      // Long texts of one length are compared character by character.
      if (typeof value === 'string' && !context.spend(textSteps(value))) {
        return context.undetermined('steps', node, keyword.name);
      }
      return (this.#primitives ? this.#primitives.has(value) : this.values.includes(value)) ? VALID : INVALID;
    }
    this.#composites ??= new Set(this.values.filter(isComposite).map(keyOf));
    if (this.#composites.size === 0) return INVALID;
    const key = canonical(instance, context, node, keyword.name);
    if (typeof key !== 'string') return UNDETERMINED;
    if (this.#composites.has(key)) return VALID;
    // Some value nests too deeply to be compared: it may be the one.
    return this.#composites.has(undefined) ? context.undetermined('depth', node, keyword.name) : INVALID;
  }
}

function isComposite(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
