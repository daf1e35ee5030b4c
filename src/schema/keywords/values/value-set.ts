import { canonicalText } from '../../../json/index.js';
import { type BoundKeyword, type EvaluationContext, type SchemaNode, textSteps } from '../keyword.js';
import { INVALID, UNDETERMINED, VALID, type Verdict } from '../verdict.js';

/** Up to this length, searching the list is faster than making a set. */
const shortList = 12;

/** The values of an `enum` or `const`, looked up rather than compared one by one. */
export class ValueSet {
  readonly #primitives: ReadonlySet<unknown> | undefined;
  /** The canonical texts of its objects and arrays, made when first needed; undefined if one nests too deeply. */
  #composites: ReadonlySet<string | undefined> | undefined;

  constructor(readonly values: readonly unknown[]) {
    if (values.length > shortList) this.#primitives = new Set(values);
  }

  has(instance: unknown, context: EvaluationContext, { node, keyword }: BoundKeyword): Verdict {
    if (typeof instance !== 'object' || instance === null) {
      const value = instance ?? null;
      // A value that JSON cannot represent equals nothing.
      if (typeof value === 'number' && !Number.isFinite(value)) return INVALID;
      // Long texts of one length are compared character by character.
      if (typeof value === 'string') context.consume(textSteps(value));
      return (this.#primitives ? this.#primitives.has(value) : this.values.includes(value)) ? VALID : INVALID;
    }
    this.#composites ??= new Set(this.values.filter(isComposite).map(textOf));
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

/** Characters and values looked at without being charged: more than a schema of a megabyte has. */
const freeSteps = 1_000_000;

function textOf(value: object): string | undefined {
  let left = freeSteps;
  return canonicalText(value, (steps) => (left -= steps) >= 0);
}

/** The text that equal objects or arrays share; undefined, and reported, if one nests too deeply. */
export function canonical(
  value: object,
  context: EvaluationContext,
  node: SchemaNode,
  keyword: string,
): string | undefined {
  const text = canonicalText(value, (steps) => {
    context.consume(steps);
    return true;
  });
  if (text === undefined) context.undetermined('depth', node, keyword);
  return text;
}
