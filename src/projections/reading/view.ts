import { isObject, resolveLocalReference, type JsonObject } from '../../json/index.js';

/**
 * A schema as a person would read it: references followed, `allOf` merged, null told apart. For showing only (a
 * signature, a form, an example); what a value must satisfy is the schema itself.
 */
export interface SchemaView {
  /** The keywords that apply, merged. Without `$ref`, `allOf`, and without null among its alternatives. */
  readonly schema: JsonObject;
  /** The types named, null left out; undefined where any is allowed. */
  readonly types?: readonly string[];
  readonly nullable: boolean;
  /** What the value may be instead of one another (`anyOf`, `oneOf`), null left out, where there are several. */
  readonly alternatives?: readonly unknown[];
  /** The references followed to get here, so that a recursive schema can be told. */
  readonly references: readonly string[];
  /** A reference that leads nowhere in this schema, or round in a circle. */
  readonly unresolved?: string;
}

/** @param root the whole schema, into which local references point */
export function viewOf(schema: unknown, root: unknown): SchemaView {
  const references: string[] = [];
  const followed = follow(schema, root, references, 0);
  const flat = withOnlyBranch(followed.schema, root, references);
  const { types, nullable } = typesOf(flat.schema);
  return {
    schema: flat.schema,
    ...(types && { types }),
    nullable: nullable || flat.nullable,
    ...(flat.alternatives && { alternatives: flat.alternatives }),
    references,
    ...(followed.unresolved !== undefined && { unresolved: followed.unresolved }),
  };
}

/** More references or parts of an `allOf` than any readable schema nests. */
const maxMerged = 32;

interface Followed {
  schema: JsonObject;
  unresolved?: string;
}

function follow(schema: unknown, root: unknown, references: string[], depth: number): Followed {
  if (!isObject(schema) || depth > maxMerged) return { schema: {} };
  const { $ref, allOf, ...own } = schema;
  let merged: Followed = { schema: own };
  const parts: unknown[] = Array.isArray(allOf) ? allOf.slice(0, maxMerged) : [];
  if (typeof $ref === 'string') {
    const target = references.includes($ref) ? undefined : resolveLocalReference(root, $ref);
    if (target === undefined) merged = { ...merged, unresolved: $ref };
    else parts.unshift(target);
    references.push($ref);
  }
  for (const part of parts) {
    if (references.length > maxMerged) break;
    const { schema: more, unresolved } = follow(part, root, references, depth + 1);
    const known: string | undefined = merged.unresolved ?? unresolved;
    merged = { schema: merge(merged.schema, more), ...(known !== undefined && { unresolved: known }) };
  }
  return merged;
}

/** Both schemas' keywords; where both have one, the outer's for what describes, the narrower for what restricts. */
function merge(outer: JsonObject, inner: JsonObject): JsonObject {
  const merged: Record<string, unknown> = { ...inner, ...outer };
  const { properties: a, required: b, enum: c, type: d } = outer;
  const { properties: w, required: x, enum: y, type: z } = inner;
  if (isObject(a) && isObject(w)) merged['properties'] = { ...w, ...a };
  if (Array.isArray(b) && Array.isArray(x)) merged['required'] = [...new Set([...b, ...x])];
  if (Array.isArray(c) && Array.isArray(y)) {
    const inner = new Set<unknown>(y);
    merged['enum'] = c.filter((value) => inner.has(value));
  }
  if (d !== undefined && z !== undefined) {
    const both = [d].flat().filter((type) => [z].flat().includes(type));
    if (both.length > 0) merged['type'] = both;
  }
  return merged;
}

interface Flat {
  schema: JsonObject;
  nullable: boolean;
  alternatives?: unknown[];
}

/** `anyOf: [X, {type: null}]` is X or null: the way most generators write an optional value. */
function withOnlyBranch(schema: JsonObject, root: unknown, references: string[], depth = 0): Flat {
  const keyword = (['anyOf', 'oneOf'] as const).find((name) => Array.isArray(schema[name]));
  if (keyword === undefined) return { schema, nullable: false };
  const { [keyword]: branches, ...own } = schema;
  // Found to be an array just above.
  const all = branches as unknown[];
  const others = all.filter((branch) => !isNull(branch));
  const nullable = others.length < all.length;
  if (others.length !== 1 || depth > maxMerged) return { schema: own, nullable, alternatives: others };
  const only = follow(others[0], root, references, 0).schema;
  const inner = withOnlyBranch(merge(own, only), root, references, depth + 1);
  return { ...inner, nullable: nullable || inner.nullable };
}

function isNull(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const { type, const: constant, enum: values } = schema;
  return type === 'null' || constant === null || (Array.isArray(values) && values.length === 1 && values[0] === null);
}

function typesOf(schema: JsonObject): { types?: string[]; nullable: boolean } {
  const { type, enum: values } = schema;
  const named = [type].flat().filter((name): name is string => typeof name === 'string');
  const allowsNull = named.includes('null') || (schema['nullable'] === true && named.length > 0);
  const nullable = allowsNull || (Array.isArray(values) && values.includes(null) && named.length === 0);
  const types = named.filter((name) => name !== 'null');
  return types.length > 0 ? { types, nullable } : { nullable };
}
