import { canonicalText, isJsonType, isList, type JsonType, member, typeOf } from '../../json/index.js';
import type { BoundKeyword, EvaluationContext, SchemaNode, Verdict } from './keyword.js';
import { defineKeyword, INVALID, textSteps, UNDETERMINED, VALID } from './keyword.js';

/** validation, 6.1.1. `nullable: true` beside it (OpenAPI 3.0) adds null, as its authors mean it. */
export const type = defineKeyword<readonly JsonType[]>('type', {
  compile(value, at) {
    const names: readonly unknown[] = isList(value) ? value : [value];
    if (names.length === 0 || !names.every(isJsonType))
      return at.malformed('one of the seven type names, or a list of them');
    if (names.includes('null') || member(at.schema, 'nullable') !== true) return names;
    at.report('nullable', '"nullable" is not a JSON Schema keyword; null is accepted here, as in OpenAPI.');
    return [...names, 'null'];
  },
  evaluate: ({ value }, instance) => (isOneOf(value, instance) ? VALID : INVALID),
  expected: ({ value }, instance) =>
    isUnwritable(instance) && value.includes('number') ? { kind: 'finite' } : { kind: 'types', types: value },
});

function isOneOf(types: readonly JsonType[], instance: unknown): boolean {
  if (isUnwritable(instance)) return false;
  const own = typeOf(instance);
  return types.includes(own) || (own === 'integer' && types.includes('number'));
}

/** True for a number that JSON cannot write: it is of no type. `1e400` is read as one. */
function isUnwritable(instance: unknown): boolean {
  return typeof instance === 'number' && !Number.isFinite(instance);
}

/** validation, 6.1.3 */
export const constant = defineKeyword<ValueSet>('const', {
  compile: (value) => new ValueSet([value]),
  evaluate: (bound, instance, context) => bound.value.has(instance, context, bound),
  expected: ({ value: { values } }) => ({ kind: 'values', values }),
});

/** validation, 6.1.2 */
export const enumeration = defineKeyword<ValueSet>('enum', {
  compile(value, at) {
    if (!Array.isArray(value)) return at.malformed('an array');
    if (value.length === 0) {
      // draft-04 forbids an empty list; since draft-06 it is allowed, and nothing is in it.
      if (at.node.resource.dialect.name === 'draft-04') return at.malformed('a non-empty array');
      at.report('empty-enum', 'The list is empty, so no value at all is allowed here.');
    }
    return new ValueSet(value);
  },
  evaluate: (bound, instance, context) => bound.value.has(instance, context, bound),
  expected: ({ value }) => ({ kind: 'values', values: value.values }),
});

/** Up to this length, searching the list is faster than making a set. */
const shortList = 12;

/** The values of an `enum` or `const`, looked up rather than compared one by one. */
class ValueSet {
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
    this.#composites ??= new Set(
      this.values.filter((value) => typeof value === 'object' && value !== null).map(textOf),
    );
    if (this.#composites.size === 0) return INVALID;
    const key = canonical(instance, context, node, keyword.name);
    if (typeof key !== 'string') return UNDETERMINED;
    if (this.#composites.has(key)) return VALID;
    // Some value nests too deeply to be compared: it may be the one.
    return this.#composites.has(undefined) ? context.undetermined('depth', node, keyword.name) : INVALID;
  }
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
