import { isJsonType, isList, isObject, type JsonType } from '../../json/index.js';
import { type Reading, viewOf } from './view.js';

/** The values that a schema allows, where it lists them. */
export function listedValues(schema: unknown, reading: Reading): readonly unknown[] | undefined {
  const { schema: read } = viewOf(schema, reading);
  if (Object.hasOwn(read, 'const')) return [read['const']];
  return isList(read['enum']) ? read['enum'] : undefined;
}

/** What a schema says of all items of a list; undefined where its alternatives differ in that. */
export function itemsOf(schema: unknown, reading: Reading): unknown {
  const { schema: read, alternatives = [] } = viewOf(schema, reading);
  const all = [read, ...alternatives.map((each) => viewOf(each, reading).schema)];
  const [only, ...others] = all.filter(({ items }) => isObject(items));
  return others.length === 0 ? only?.['items'] : undefined;
}

/** Alternatives that are looked into, and within one another. */
const limits = { alternatives: 16, deepest: 5 };

/** The types that a schema names; none where one of its alternatives names none. */
export function namedTypes(schema: unknown, reading: Reading, depth = 0): readonly JsonType[] {
  const { schema: read, types: own, nullable, alternatives = [] } = viewOf(schema, reading);
  if (!own && (depth > limits.deepest || alternatives.length > limits.alternatives)) return [];
  const each = own ? [own] : alternatives.map((branch) => namedTypes(branch, reading, depth + 1));
  const types = each.some((names) => names.length === 0) ? [] : each.flat();
  const isNull = nullable && (types.length > 0 || read['type'] !== undefined);
  return [...new Set(isNull ? [...types, 'null'] : types)].filter(isJsonType);
}
