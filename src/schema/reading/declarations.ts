import type { JsonObject, JsonType, WorkBudget } from '../../json/index.js';
import { isJsonType, isList, isObject, typeOf } from '../../json/index.js';
import { type Reading, viewOf } from './view.js';

export function argumentNames(inputSchema: unknown, budget: WorkBudget): string[] {
  return declaredNames(inputSchema, { root: inputSchema, budget });
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
  const { properties, oneOf, if: condition, then, else: otherwise } = read;
  const own = isObject(properties) ? Object.keys(properties) : [];
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
