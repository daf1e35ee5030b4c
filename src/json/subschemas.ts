import { pointerToken, put } from './pointer.js';
import { isObject, isSchema, isText, type JsonObject, listOf } from './value.js';

/** How a keyword holds subschemas: as its value, in a list, or as an object's members. */
export type SubschemaShape = 'schema' | 'list' | 'members';

/** Which keywords hold subschemas, in any dialect, and in which shapes. Every walk over schemas reads this table. */
const shapes: Readonly<Record<SubschemaShape, ReadonlySet<string>>> = {
  schema: new Set([
    ...['additionalItems', 'additionalProperties', 'contains', 'contentSchema', 'else', 'if', 'items', 'not'],
    ...['propertyNames', 'then', 'unevaluatedItems', 'unevaluatedProperties'],
  ]),
  list: new Set(['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems']),
  members: new Set([
    ...['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties', 'properties'],
  ]),
};

/** The way in which a keyword's value holds subschemas; undefined if it holds none. */
export function subschemaShape(keyword: string, value: unknown): SubschemaShape | undefined {
  if (Array.isArray(value)) return shapes.list.has(keyword) ? 'list' : undefined;
  if (isObject(value) && shapes.members.has(keyword)) return 'members';
  return isSchema(value) && shapes.schema.has(keyword) ? 'schema' : undefined;
}

/** The properties that a schema declares; none if the keyword is malformed. */
export function propertiesOf({ properties }: JsonObject): JsonObject {
  return isObject(properties) ? properties : {};
}

/** The names that a schema requires; what else the list holds is ignored. */
export function requiredOf({ required }: JsonObject): readonly string[] {
  return listOf(required).filter(isText);
}

export interface Subschema {
  readonly keyword: string;
  /** The steps from the holding schema: the keyword, then the index or the member's name, if any. */
  readonly path: readonly (string | number)[];
  readonly schema: JsonObject | boolean;
}

/** The direct subschemas of a schema, in their order in the text. Skips values that are not schemas. */
export function* subschemasIn(schema: unknown): Generator<Subschema> {
  if (!isObject(schema)) return;
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword];
    const shape = subschemaShape(keyword, value);
    if (shape === undefined) continue;
    if (shape === 'schema' && isSchema(value)) yield { keyword, path: [keyword], schema: value };
    const parts = value as Readonly<Record<string | number, unknown>>; // unless it is a schema itself
    for (const key of shape === 'list' ? listOf(value).keys() : shape === 'members' ? Object.keys(parts) : []) {
      const part = parts[key];
      if (isSchema(part)) yield { keyword, path: [keyword, key], schema: part };
    }
  }
}

export interface PlacedSchema {
  readonly schema: JsonObject;
  /** The subschema's location as a fragment: '#/properties/limit'. */
  readonly location: string;
  readonly keyword: string | undefined;
  readonly depth: number;
}

/**
 * Every schema object within a schema, itself first, in the order in which they are written, each once. Without
 * recursion, because servers' schemas nest as deep as they like.
 *
 * @param limit how many are given at most
 */
export function* walkSchemas(root: unknown, limit = 20_000): Generator<PlacedSchema> {
  const seen = new Set<unknown>();
  const waiting: { schema: unknown; location: string; keyword: string | undefined; depth: number }[] = [
    { schema: root, location: '#', keyword: undefined, depth: 0 },
  ];
  while (seen.size < limit) {
    const next = waiting.pop();
    if (!next) return;
    const { schema, location, keyword, depth } = next;
    if (!isObject(schema) || seen.has(schema)) continue;
    seen.add(schema);
    yield { schema, location, keyword, depth };
    const inner: typeof waiting = [];
    for (const part of subschemasIn(schema)) {
      if (seen.size + inner.length > limit) break;
      const place = `${location}/${part.path.map(pointerToken).join('/')}`;
      inner.push({ schema: part.schema, location: place, keyword: part.keyword, depth: depth + 1 });
    }
    for (const part of inner.reverse()) waiting.push(part);
  }
}

/** The schema with each of its direct subschemas replaced; the same object if none has changed. */
export function mapSubschemas(
  schema: JsonObject,
  replace: (part: unknown, keyword: string, path: readonly (string | number)[]) => unknown,
): JsonObject {
  return mapMembers(schema, (keyword, value) => replaced(keyword, value, replace));
}

function replaced(keyword: string, value: unknown, replace: Parameters<typeof mapSubschemas>[1]): unknown {
  const shape = subschemaShape(keyword, value);
  if (shape === undefined) return value;
  if (shape === 'schema') return replace(value, keyword, [keyword]);
  const changed = (part: unknown, key: string | number) =>
    isSchema(part) ? replace(part, keyword, [keyword, key]) : part;
  // By their shapes.
  if (shape === 'members') return mapMembers(value as JsonObject, (name, part) => changed(part, name));
  const list = value as readonly unknown[];
  const parts = list.map(changed);
  return parts.every((part, index) => part === list[index]) ? value : parts;
}

/** Returns the same object if no member has changed. */
function mapMembers(object: JsonObject, replace: (name: string, value: unknown) => unknown): JsonObject {
  let changed: JsonObject | undefined;
  for (const name of Object.keys(object)) {
    const value = replace(name, object[name]);
    if (value === object[name]) continue;
    put((changed ??= { ...object }), name, value);
  }
  return changed ?? object;
}
