import { isList, isObject, type JsonObject, type JsonType, lazy, listOf, subschemasIn } from '../json/index.js';
import { type SchemaNode, typesOfValues, valuesOf } from '../schema/index.js';
import type { RepairedTool } from './options.js';

/** More schemas than any published tool has for one place. */
const maxSchemas = 5_000;

const maxParts = 1_000;

/**
 * Everything that the schemas for one place say about its values: behind references, in `allOf`, in alternatives, under
 * conditions. Schemas that may not apply to the value at hand are included.
 */
export interface SchemaHints {
  readonly holder: SchemaHints | undefined;
  readonly key: string | number;
  /** True if the place is a member that is declared under `properties`. */
  readonly isDeclared: boolean;
  /** True if the place is an item of a list or a member of a map. */
  readonly isOneOfMany: boolean;
  /** The hints for a member or an item; all items after the prefixes share one. */
  at(key: string | number): SchemaHints;
  within(path: readonly (string | number)[]): SchemaHints;
  /** The answer to a question about this place, found once for all calls. */
  once<Answer>(question: string, find: () => Answer): Answer;
  /** The schemas that speak of the value itself. */
  readonly own: readonly JsonObject[];
  /** The schemas of this place, with those of the list or map that it is one item of. */
  readonly schemas: () => readonly JsonObject[];
  readonly isOptional: () => boolean;
  readonly acceptsNull: () => boolean;
  /** The names under `properties`. */
  readonly properties: () => ReadonlySet<string>;
  /** All names that these schemas speak of. */
  readonly names: () => ReadonlySet<string>;
  /** True if a name is declared, or matches a pattern. */
  readonly declares: (name: string) => boolean;
  /** The values of the enums there. */
  readonly listed: () => ReadonlySet<unknown>;
  /** The titles and descriptions of these schemas. */
  readonly texts: () => readonly string[];
  readonly examples: () => readonly unknown[];
  /** The steps that reading these schemas takes, even if they were read for another call. */
  readonly weight: () => number;
}

/** The place of a rejected value, and the facts about the call. */
export interface Place {
  readonly path: readonly (string | number)[];
  readonly hints: SchemaHints;
  readonly tool: RepairedTool | undefined;
  /** True if null may tell the tool to clear something. */
  readonly mayClear: () => boolean;
  readonly consume: (steps: number) => boolean;
  /** The JSON of lists and objects: a hundred alternatives may ask for it. */
  readonly jsonTexts: Map<object, string | undefined>;
}

function hintsAbout(nodes: readonly SchemaNode[], holder?: SchemaHints, key: string | number = ''): SchemaHints {
  const all = withParts(nodes);
  const own = all.map(schemaOf);
  const parts = new Map<string | number, SchemaHints>();
  const answers = new Map<string, unknown>();
  const longestPrefix = lazy(() => Math.max(0, ...own.map((each) => prefixOf(each).length)));
  const patterned = lazy(() => all.filter((node) => Object.hasOwn(schemaOf(node), 'patternProperties')));
  const isDeclared = typeof key === 'string' && holder?.properties().has(key) === true;
  const isOneOfMany = holder !== undefined && !isDeclared;
  const hints: SchemaHints = {
    holder,
    key,
    isDeclared,
    isOneOfMany,
    own,
    schemas: lazy(() => (isOneOfMany ? [...own, ...holder.schemas()] : own)),
    isOptional: () => holder?.own.some(({ required }) => listOf(required).includes(key)) !== true,
    acceptsNull: lazy(() => own.some((each) => typesOf(each)?.includes('null') ?? each['nullable'] === true)),
    properties: lazy(() => new Set(own.flatMap((each) => membersOf(each['properties'])))),
    names: lazy(
      () =>
        new Set(
          own
            .flatMap((each) => [each, each['not']])
            .filter(isObject)
            .flatMap(namesIn),
        ),
    ),
    declares: (name) => hints.names().has(name) || patterned().some((node) => matching(name, node).length > 0),
    listed: lazy(() => new Set(own.flatMap((schema) => listOf(schema['enum'])))),
    texts: lazy(() => own.flatMap(({ title, description }) => [title, description]).filter(isText)),
    examples: lazy(() => [
      ...own.flatMap(examplesIn),
      ...(holder?.examples() ?? []).flatMap((each) => partOfExample(each, hints)),
    ]),
    weight: lazy(() => {
      const { names, listed, examples, texts } = hints;
      const characters = [...texts(), ...examples().filter(isText)].reduce((sum, text) => sum + (text.length >> 4), 0);
      return own.length + names().size + listed().size + examples().length + characters;
    }),
    within: (path) => path.reduce((part, name) => part.at(name), hints),
    at(name) {
      const place = typeof name === 'number' ? Math.min(name, longestPrefix()) : name;
      const partNodes = () => all.flatMap((node) => [...partsAt(place, node)]);
      const part = parts.get(place) ?? hintsAbout(partNodes(), hints, place);
      if (parts.size >= maxParts) parts.clear();
      parts.set(place, part);
      return part;
    },
    once(question, find) {
      if (!answers.has(question)) answers.set(question, find());
      return answers.get(question) as ReturnType<typeof find>; // what was found for this question
    },
  };
  return hints;
}

const hintsOf = new WeakMap<SchemaNode, SchemaHints>();

/** The hints of a schema, read once for all calls. */
export function hintsOfSchema(root: SchemaNode): SchemaHints {
  const hints = hintsOf.get(root) ?? hintsAbout([root]);
  hintsOf.set(root, hints);
  return hints;
}

/** The types that a schema asks for, by name or by its listed values; undefined if it asks for none. */
export function typesOf(schema: JsonObject): readonly JsonType[] | undefined {
  const values = valuesOf(schema);
  if (values) return typesOfValues(values);
  const { type, nullable } = schema;
  if (typeof type !== 'string' && !isList(type)) return undefined;
  // Unknown type names match no value.
  return [type, nullable === true ? 'null' : []].flat() as readonly JsonType[];
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

const partKeywords = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas', 'dependencies'];

/** The schemas, and those that they lead to about the same value. */
function withParts(nodes: readonly SchemaNode[]): readonly SchemaNode[] {
  const waiting = [...nodes];
  const found = new Map<unknown, SchemaNode>();
  for (let node = waiting.pop(); node && found.size < maxSchemas; node = waiting.pop()) {
    const { schema, resource } = node;
    if (!isObject(schema) || found.has(schema)) continue;
    found.set(schema, node);
    // One by one: a schema may hold more than a call takes arguments.
    for (const part of partsIn(node, partKeywords)) waiting.push(part);
    for (const bound of node.keywords) waiting.push(...(bound.keyword.leadsTo?.(bound, [resource]) ?? []));
  }
  return [...found.values()];
}

function partsIn(node: SchemaNode, keywords: readonly string[]): SchemaNode[] {
  const schema = schemaOf(node);
  const named = keywords.filter((keyword) => Object.hasOwn(schema, keyword)).map((name) => [name, schema[name]]);
  const parts = named.length === 0 ? [] : [...subschemasIn(Object.fromEntries(named))];
  return parts.map((part) => node.child(part.schema, part.keyword, part.path[1]));
}

function* partsAt(key: string | number, node: SchemaNode): Generator<SchemaNode> {
  const schema = schemaOf(node);
  const { properties, items } = schema;
  if (typeof key === 'string') {
    const declared = isObject(properties) && Object.hasOwn(properties, key) ? [properties[key]] : [];
    const named = [...declared.map((each) => node.child(each, 'properties', key)), ...matching(key, node)];
    yield* named.length > 0 ? named : partsIn(node, ['additionalProperties', 'unevaluatedProperties']);
    return;
  }
  yield* partsIn(node, ['contains', 'unevaluatedItems']);
  const inOrder = prefixOf(schema);
  if (key < inOrder.length) yield node.child(inOrder[key], 'prefixItems', key);
  else yield* partsIn(node, isList(items) ? ['additionalItems'] : ['items']);
}

function matching(name: string, node: SchemaNode): readonly SchemaNode[] {
  return node.keywords.flatMap((bound) => bound.keyword.matching?.(bound, name) ?? []);
}

function schemaOf({ schema }: SchemaNode): JsonObject {
  return isObject(schema) ? schema : {};
}

function prefixOf({ prefixItems, items }: JsonObject): readonly unknown[] {
  return isList(prefixItems) ? prefixItems : listOf(items);
}

function membersOf(value: unknown): readonly string[] {
  return isObject(value) ? Object.keys(value) : [];
}

function namesIn(schema: JsonObject): readonly string[] {
  const { properties, required, dependentRequired, dependentSchemas, dependencies, propertyNames } = schema;
  const members = [properties, dependentRequired, dependentSchemas, dependencies].flatMap(membersOf);
  const asked = [dependentRequired, dependencies].flatMap((each) => (isObject(each) ? Object.values(each) : []));
  const allowed = isObject(propertyNames) ? valuesOf(propertyNames) : undefined;
  return [...members, ...[required, ...asked, allowed].flatMap(listOf).filter(isText)];
}

/** `example` and examples by name are OpenAPI's. */
function examplesIn({ default: usual, example, examples }: JsonObject): readonly unknown[] {
  const named = isObject(examples) ? Object.values(examples) : [];
  return [usual, example, ...listOf(examples), ...named.map((each) => (isObject(each) ? each['value'] : each))];
}

/** The part of the holder's example that belongs to a place in it. */
function partOfExample(example: unknown, { key, isDeclared }: SchemaHints): readonly unknown[] {
  if (typeof key === 'number') return listOf(example);
  if (!isObject(example)) return [];
  return isDeclared ? (Object.hasOwn(example, key) ? [example[key]] : []) : Object.values(example);
}
