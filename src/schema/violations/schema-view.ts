import {
  isJsonType,
  isList,
  isObject,
  type JsonObject,
  type JsonType,
  resolveLocalReference,
  type Work,
} from '../../json/index.js';

/** References and parts of an `allOf` that are followed: more than any schema has that a message could be about. */
const followedAt = 16;

/** A schema and what it is made of by `$ref` and `allOf`, itself first. */
export function* partsOf(schema: unknown, root: unknown, work: Work): Generator<JsonObject> {
  const waiting: unknown[] = [schema];
  const seen = new Set<unknown>();
  while (waiting.length > 0 && seen.size < followedAt && work.spend(1)) {
    const part = waiting.shift();
    if (!isObject(part) || seen.has(part)) continue;
    seen.add(part);
    yield part;
    if (typeof part['$ref'] === 'string') waiting.push(resolveLocalReference(root, part['$ref']));
    waiting.push(...firstIn(part['allOf']));
  }
}

/** The same with the parts of its alternatives and conditions. */
function* allPartsOf(schema: unknown, root: unknown, work: Work): Generator<JsonObject> {
  const found = [schema];
  for (const each of found) {
    for (const part of partsOf(each, root, work)) {
      yield part;
      const { anyOf, oneOf, if: condition, then, else: otherwise } = part;
      const more = [anyOf, oneOf, [condition, then, otherwise]].flatMap((list) => firstIn(list).filter(isObject));
      found.push(...more.slice(0, followedAt - found.length));
    }
  }
}

function firstIn(list: unknown): readonly unknown[] {
  return isList(list) ? list.slice(0, followedAt) : [];
}

/** The names that a schema declares, those of its alternatives included. */
export function declaredNames(schema: unknown, root: unknown, work: Work): readonly string[] {
  const names = [...allPartsOf(schema, root, work)].flatMap(({ properties }) =>
    isObject(properties) ? Object.keys(properties) : [],
  );
  return [...new Set(names)].filter(() => work.spend(1));
}

/** What a schema says of all items of a list; undefined where its alternatives differ in that. */
export function itemsOf(schema: unknown, root: unknown, work: Work): unknown {
  const [only, ...others] = [...allPartsOf(schema, root, work)].filter(({ items }) => isObject(items));
  return others.length === 0 ? only?.['items'] : undefined;
}

/** What the parts of a schema declare for a property. */
export function propertySchemas(name: string, parts: Iterable<JsonObject>): readonly unknown[] {
  return [...parts].flatMap(({ properties }) =>
    isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [],
  );
}

/** The values that a schema allows, where it lists them. */
export function listedValues(schema: unknown, root: unknown, work: Work): readonly unknown[] | undefined {
  for (const part of partsOf(schema, root, work)) {
    if (Object.hasOwn(part, 'const')) return [part['const']];
    if (isList(part['enum'])) return part['enum'];
  }
  return undefined;
}

/** Alternatives within alternatives that are looked into. */
const deepest = 5;

/** The types that a schema names, null among them where `anyOf` adds it as generators write it. */
export function namedTypes(schema: unknown, root: unknown, work: Work, depth = 0): readonly JsonType[] {
  if (depth > deepest) return [];
  for (const part of partsOf(schema, root, work)) {
    const { type, anyOf, oneOf } = part;
    const own = (isList(type) ? type : [type]).filter(isJsonType);
    if (own.length > 0) return [...new Set(part['nullable'] === true ? [...own, 'null' as const] : own)];
    const alternatives: unknown = anyOf ?? oneOf;
    if (!Array.isArray(alternatives) || alternatives.length > followedAt) continue;
    const types = alternatives.map((branch) => namedTypes(branch, root, work, depth + 1));
    if (types.every((names) => names.length > 0)) return [...new Set(types.flat())];
  }
  return [];
}
