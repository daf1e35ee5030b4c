import { isList, isObject, jsonText, type JsonObject } from '../src/json/index.js';

/** The rows of a fixedCollection: `{ values: [{...}, ...] }`. */
export function rows(collection: unknown): readonly JsonObject[] {
  const values = isObject(collection) ? collection['values'] : undefined;
  return isList(values) ? values.filter(isObject) : [];
}

/** Rows of names and values, without those that have no name and those for which an expression gives nothing. */
export function namedValues(collection: unknown): Record<string, string> {
  const named = rows(collection).map(({ name, value }) => [textOf(name).trim(), value] as const);
  const given = named.filter(([name, value]) => name !== '' && value !== undefined && value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, textOf(value)]));
}

/** Text as it is, and the JSON of everything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : jsonText(value);
}
