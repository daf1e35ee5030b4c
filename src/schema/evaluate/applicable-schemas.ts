import { isList, isObject, isText, type JsonObject, listOf, subschemasIn } from '../../json/index.js';
import type { SchemaNode } from '../keywords/keyword.js';
import { valuesOf } from '../reading.js';

export type ObjectSchema = SchemaNode & { readonly schema: JsonObject };

/** More schemas than any published tool has for one value. */
const maxSchemas = 5_000;

const partKeywords = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas', 'dependencies'];

/**
 * The schemas and all others that may apply to the same value: behind references, in `allOf`, in alternatives, under
 * conditions. Whether they apply to the value at hand is not decided.
 */
export function applicableSchemas(nodes: readonly SchemaNode[]): readonly ObjectSchema[] {
  const waiting = [...nodes];
  const found = new Map<unknown, ObjectSchema>();
  for (let node = waiting.pop(); node && found.size < maxSchemas; node = waiting.pop()) {
    if (!isObjectSchema(node) || found.has(node.schema)) continue;
    const { schema, resource, keywords } = node;
    found.set(schema, node);
    // One by one: a schema may hold more than a call takes arguments.
    for (const part of partsIn(node, partKeywords)) waiting.push(part);
    for (const bound of keywords) waiting.push(...(bound.keyword.leadsTo?.(bound, [resource]) ?? []));
  }
  return [...found.values()];
}

function isObjectSchema(node: SchemaNode): node is ObjectSchema {
  return isObject(node.schema);
}

/** The subschemas under some keywords of a schema. */
export function partsIn(node: ObjectSchema, keywords: readonly string[]): SchemaNode[] {
  const { schema } = node;
  const named = keywords.filter((keyword) => Object.hasOwn(schema, keyword)).map((name) => [name, schema[name]]);
  const parts = named.length === 0 ? [] : [...subschemasIn(Object.fromEntries(named))];
  return parts.map((part) => node.child(part.schema, part.keyword, part.path[1]));
}

/** The subschemas of one schema for a member or an item. */
export function schemasAt(key: string | number, node: ObjectSchema): readonly SchemaNode[] {
  const { properties, items } = node.schema;
  if (typeof key === 'string') {
    const declared = isObject(properties) && Object.hasOwn(properties, key) ? [properties[key]] : [];
    const named = [...declared.map((each) => node.child(each, 'properties', key)), ...schemasMatching(key, node)];
    return named.length > 0 ? named : partsIn(node, ['additionalProperties', 'unevaluatedProperties']);
  }
  const prefix = prefixOf(node);
  const others = isList(items) ? 'additionalItems' : 'items';
  const own = key < prefix.length ? [node.child(prefix[key], 'prefixItems', key)] : partsIn(node, [others]);
  return [...partsIn(node, ['contains', 'unevaluatedItems']), ...own];
}

/** The schemas under the patterns that a name matches. */
export function schemasMatching(name: string, { keywords }: SchemaNode): readonly SchemaNode[] {
  return keywords.flatMap((bound) => bound.keyword.matching?.(bound, name) ?? []);
}

/** The schemas of the first items, each by its position. */
export function prefixOf({ schema: { prefixItems, items } }: ObjectSchema): readonly unknown[] {
  return isList(prefixItems) ? prefixItems : listOf(items);
}

/** Every property name that a schema mentions. */
export function mentionedNames(schema: unknown): readonly string[] {
  if (!isObject(schema)) return [];
  const { properties, required, dependentRequired, dependentSchemas, dependencies, propertyNames } = schema;
  const maps = [properties, dependentRequired, dependentSchemas, dependencies].filter(isObject);
  const asked = [dependentRequired, dependencies].filter(isObject).flatMap((each) => Object.values(each));
  const allowed = isObject(propertyNames) ? valuesOf(propertyNames) : undefined;
  return [
    ...maps.flatMap((each) => Object.keys(each)),
    ...[required, ...asked, allowed].flatMap(listOf).filter(isText),
  ];
}
