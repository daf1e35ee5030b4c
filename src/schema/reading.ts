import {
  isJsonType,
  isList,
  isObject,
  type JsonObject,
  type JsonType,
  pointerTokens,
  propertiesOf,
  resolveLocalReference,
  typeOf,
  WorkBudget,
} from '../json/index.js';

/**
 * The context in which a schema is read: the whole schema, as the target of local references, and the remaining budget.
 */
export interface Reading {
  readonly root: unknown;
  readonly budget: WorkBudget;
}

/** Ten times the budget that any published tool needs. */
const readingLimits = { steps: 300_000, ms: 300 };

export function startReading(root: unknown): Reading {
  return { root, budget: new WorkBudget(readingLimits) };
}

/**
 * A schema as a person would read it: references followed, `allOf` merged, null kept apart. It is only shown (in a
 * signature, a form, an example); the schema itself validates.
 */
export interface SchemaView {
  /** The keywords that apply, merged. Without `$ref`, `allOf`, and without null among its alternatives. */
  readonly schema: JsonObject;
  /** The types named, without null; undefined if any type is allowed. */
  readonly types?: readonly string[];
  readonly nullable: boolean;
  /** The alternatives (`anyOf`, `oneOf`), without null, if there are several. */
  readonly alternatives?: readonly unknown[];
  /** The schemas that references led to on the way here: one that is met again within itself is recursive. */
  readonly followed: readonly unknown[];
  readonly name?: string;
}

/** Reads an empty schema if the budget is used up. */
export function viewOf(schema: unknown, reading: Reading): SchemaView {
  const trail: Trail = { followed: [] };
  const flat = withOnlyBranch(follow(schema, reading, trail, 0), reading, trail);
  const { types, nullable } = typesNamed(flat.schema, reading);
  return {
    schema: flat.schema,
    ...(types && { types }),
    nullable: nullable || flat.nullable,
    ...(flat.alternatives && { alternatives: flat.alternatives }),
    ...trail,
  };
}

/** More references or parts of an `allOf` than any readable schema nests. */
const maxMerged = 32;

interface Trail {
  followed: unknown[];
  name?: string;
}

function follow(schema: unknown, reading: Reading, trail: Trail, depth: number): JsonObject {
  if (!isObject(schema) || depth > maxMerged || !reading.budget.consume(stepsFor(schema))) return {};
  const { $ref, allOf, ...own } = schema;
  const parts: unknown[] = Array.isArray(allOf) ? allOf.slice(0, maxMerged) : [];
  if (typeof $ref === 'string') {
    const target = resolveLocalReference(reading.root, $ref);
    // Compared by target: a reference can be written in many ways.
    if (target !== undefined && !trail.followed.includes(target)) parts.unshift(target);
    trail.followed.push(target);
    trail.name = pointerTokens($ref).at(-1) ?? '';
  }
  let merged: JsonObject = own;
  for (const part of parts) {
    if (trail.followed.length > maxMerged) break;
    merged = merge(merged, follow(part, reading, trail, depth + 1), reading);
  }
  return merged;
}

/** Both schemas' keywords. If both have one, the outer's wins for descriptions, the narrower for restrictions. */
function merge(outer: JsonObject, inner: JsonObject, { budget }: Reading): JsonObject {
  const { properties: a, required: b, enum: c, type: d } = outer;
  const { properties: w, required: x, enum: y, type: z } = inner;
  const doubled = [a && w && [a, w], b && x && [b, x], c && y && [c, y]].filter(isList).flat();
  const steps = doubled.reduce<number>((sum, value) => sum + sizeOf(value), stepsFor(outer) + stepsFor(inner));
  if (!budget.consume(steps)) return {};
  const merged: Record<string, unknown> = { ...inner, ...outer };
  if (isObject(a) && isObject(w)) merged['properties'] = { ...w, ...a };
  if (isList(b) && isList(x)) merged['required'] = [...new Set(b.concat(x))];
  if (Array.isArray(c) && Array.isArray(y)) {
    const common = new Set<unknown>(y);
    merged['enum'] = c.filter((value) => common.has(value));
  }
  if (d !== undefined && z !== undefined) {
    const both = [...typesWithin(d, z), ...typesWithin(z, d)];
    if (both.length > 0) merged['type'] = [...new Set(both)];
  }
  return merged;
}

/** Those of the types that others allow; a number may be an integer. */
function typesWithin(types: unknown, others: unknown): unknown[] {
  const allowed = new Set([others].flat());
  return [types].flat().filter((type) => allowed.has(type) || (type === 'integer' && allowed.has('number')));
}

/** Eight keywords are copied in a step. */
function stepsFor(schema: JsonObject): number {
  return 1 + (sizeOf(schema) >> 3);
}

function sizeOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : 0;
}

interface Flat {
  schema: JsonObject;
  nullable: boolean;
  alternatives?: unknown[];
}

/** `anyOf: [X, {type: null}]` is X or null: the way most generators write an optional value. */
function withOnlyBranch(schema: JsonObject, reading: Reading, trail: Trail, depth = 0): Flat {
  const keyword = (['anyOf', 'oneOf'] as const).find((name) => Array.isArray(schema[name]));
  if (keyword === undefined) return { schema, nullable: false };
  const { [keyword]: branches, ...own } = schema;
  const all = branches as unknown[]; // by the keyword that was found
  if (!reading.budget.consume(all.length)) return { schema: own, nullable: false };
  const others = all.filter((branch) => !isNull(branch));
  const nullable = others.length < all.length;
  if (others.length !== 1 || depth > maxMerged) return { schema: own, nullable, alternatives: others };
  const only = follow(others[0], reading, trail, 0);
  const inner = withOnlyBranch(merge(own, only, reading), reading, trail, depth + 1);
  return { ...inner, nullable: nullable || inner.nullable };
}

function isNull(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const { type, const: constant, enum: values } = schema;
  return type === 'null' || constant === null || (Array.isArray(values) && values.length === 1 && values[0] === null);
}

function typesNamed(schema: JsonObject, { budget }: Reading): { types?: string[]; nullable: boolean } {
  const { type, enum: values } = schema;
  if (!budget.consume(sizeOf(type) + sizeOf(values))) return { nullable: false };
  const named = [type].flat().filter((name): name is string => typeof name === 'string');
  const allowsNull = named.includes('null') || (schema['nullable'] === true && named.length > 0);
  const nullable = allowsNull || (Array.isArray(values) && values.includes(null) && named.length === 0);
  const types = named.filter((name) => name !== 'null');
  return types.length > 0 ? { types, nullable } : { nullable };
}

/** The names that a schema declares: behind references, in all parts, in every alternative and under conditions. */
export function declaredNames(schema: unknown, reading: Reading): string[] {
  return [...new Set(namesIn(schema, reading, 0))].filter(() => reading.budget.consume());
}

/** Alternatives within alternatives that anybody writes. */
const deepest = 4;

function namesIn(schema: unknown, reading: Reading, depth: number): string[] {
  if (depth > deepest) return [];
  const { schema: read, alternatives = [] } = viewOf(schema, reading);
  const { oneOf, if: condition, then, else: otherwise } = read;
  const own = Object.keys(propertiesOf(read));
  const others = [alternatives, oneOf, condition, then, otherwise].flat().filter(isObject);
  return [...own, ...others.flatMap((each) => (reading.budget.consume() ? namesIn(each, reading, depth + 1) : []))];
}

/** The values that a schema allows, if it lists them. Follows references. */
export function listedValues(schema: unknown, reading: Reading): readonly unknown[] | undefined {
  return valuesOf(viewOf(schema, reading).schema);
}

export function valuesOf(schema: JsonObject): readonly unknown[] | undefined {
  if (Object.hasOwn(schema, 'const')) return [schema['const']];
  return isList(schema['enum']) ? schema['enum'] : undefined;
}

/** The types that a schema allows, by their names or by its listed values; undefined if it names none. */
export function typesOf(schema: JsonObject): readonly JsonType[] | undefined {
  const values = valuesOf(schema);
  if (values) return typesOfValues(values);
  const { type, nullable } = schema;
  if (typeof type !== 'string' && !isList(type)) return undefined;
  // An unknown name equals no type.
  return [type, nullable === true ? 'null' : []].flat() as readonly JsonType[];
}

export function typesOfValues(values: readonly unknown[]): readonly JsonType[] {
  const types = typesOfLists.get(values) ?? [...new Set(values.map(typeOf))];
  typesOfLists.set(values, types);
  return types;
}

/** An enum may have thousands of values, and is asked with every item of a list. */
const typesOfLists = new WeakMap<readonly unknown[], readonly JsonType[]>();

/** The schema of all items of a list: of alternatives that differ in it, any of them. */
export function itemsOf(schema: unknown, reading: Reading): unknown {
  const { schema: read, alternatives = [] } = viewOf(schema, reading);
  const all = [read, ...alternatives.map((each) => viewOf(each, reading).schema)];
  const [only, ...others] = all.filter(({ items }) => isObject(items));
  return others.length === 0 ? only?.['items'] : { anyOf: [only, ...others].map((each) => each?.['items']) };
}

const limits = { alternatives: 16, deepest: 5 };

export function namedTypes(schema: unknown, reading: Reading, depth = 0): readonly JsonType[] {
  const { schema: read, types: own, nullable, alternatives = [] } = viewOf(schema, reading);
  if (!own && (depth > limits.deepest || alternatives.length > limits.alternatives)) return [];
  const each = own ? [own] : alternatives.map((branch) => namedTypes(branch, reading, depth + 1));
  const types = each.some((names) => names.length === 0) ? [] : each.flat();
  const isNull = nullable && (types.length > 0 || read['type'] !== undefined);
  return [...new Set(isNull ? [...types, 'null'] : types)].filter(isJsonType);
}
