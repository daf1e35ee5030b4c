import { isList, isObject, type JsonObject, subschemasIn } from '../../json/index.js';
import type { EvaluationContext, SchemaNode } from '../keywords/keyword.js';

/** What reading schemas takes of the pass that asks. */
interface Reader extends EvaluationContext {
  /** Whether a schema accepts another value as it is. */
  accepts(node: SchemaNode, value: unknown): boolean;
}

/**
 * What the schemas that are applied at one place say of the values there, wherever they say it: behind references, in
 * `allOf`, in alternatives, under conditions. Whether those apply to the value at hand is not asked: what one of them
 * gives a meaning may be meant.
 */
export class Meaning {
  readonly #nodes: readonly SchemaNode[];
  readonly #reader: Reader;
  /** Of the object or the list that holds the place. */
  readonly holder: Meaning | undefined;
  readonly #key: string | number;
  /** Made when first needed: of most values the schema alone says what they may mean. */
  #parts: Map<string | number, Meaning> | undefined;
  #speaking: readonly SchemaNode[] | undefined;
  #names: ReadonlySet<string> | undefined;
  #properties: ReadonlySet<string> | undefined;

  /**
   * @param nodes the schemas that are applied there
   * @param key the place's in what holds it
   */
  constructor(nodes: readonly SchemaNode[], reader: Reader, holder?: Meaning, key: string | number = '') {
    this.#nodes = nodes;
    this.#reader = reader;
    this.holder = holder;
    this.#key = key;
  }

  /** What is said of a member or an item. */
  at(key: string | number): Meaning {
    const place = typeof key === 'number' ? Math.min(key, longestPrefix(this.#all)) : key;
    const known = this.#parts?.get(place);
    if (known) return known;
    const nodes = this.#all.flatMap((node) => [...partsAt(place, node, this.#reader)]);
    const part = new Meaning(nodes, this.#reader, this, place);
    (this.#parts ??= new Map()).set(place, part);
    return part;
  }

  /** The schemas that speak of the value, those of the list or the map included in which it is one of many. */
  get schemas(): readonly JsonObject[] {
    return this.holder && this.isOneOfMany ? [...this.own, ...this.holder.schemas] : this.own;
  }

  /** The schemas that are applied to the value. */
  get own(): readonly JsonObject[] {
    return this.#all.map(schemaOf);
  }

  /** Whether the place is one of those of a list or a map, and has no name of its own. */
  get isOneOfMany(): boolean {
    return this.holder !== undefined && !this.#isDeclared;
  }

  /** Values that are shown as examples or as the default. */
  get examples(): readonly unknown[] {
    const around = this.holder?.examples ?? [];
    return [...this.own.flatMap(examplesIn), ...around.flatMap((each) => this.#within(each))];
  }

  /** Whether one of the schemas that refuse a value accepts null in its place. */
  acceptsNullFor(value: unknown): boolean {
    const reader = this.#reader;
    return this.#nodes.some((node) => reader.accepts(node, null) && !reader.accepts(node, value));
  }

  /** The names of members that are known here: declared, required, or asked for in a condition. */
  get names(): ReadonlySet<string> {
    return (this.#names ??= new Set(this.#closure(aboutNames).flatMap((node) => [...namesIn(schemaOf(node))])));
  }

  /** The names of declared members. */
  get properties(): ReadonlySet<string> {
    return (this.#properties ??= new Set(this.#all.flatMap((node) => membersOf(schemaOf(node)['properties']))));
  }

  /** Whether a member of this name is known here, or fits a pattern for names. */
  declares(name: string): boolean {
    return this.names.has(name) || this.#all.some((node) => matching(name, node, this.#reader).length > 0);
  }

  get #isDeclared(): boolean {
    return typeof this.#key === 'string' && this.holder?.properties.has(this.#key) === true;
  }

  /** What an example of what holds the place says of it. */
  #within(example: unknown): readonly unknown[] {
    if (isList(example)) return typeof this.#key === 'number' ? example : [];
    if (!isObject(example) || typeof this.#key === 'number') return [];
    if (!this.#isDeclared) return Object.values(example);
    return Object.hasOwn(example, this.#key) ? [example[this.#key]] : [];
  }

  get #all(): readonly SchemaNode[] {
    return (this.#speaking ??= this.#closure(aboutItself));
  }

  /** The schemas that are applied, and those that they lead to by these keywords. */
  #closure(keywords: readonly string[]): readonly SchemaNode[] {
    const waiting = [...this.#nodes];
    const found = new Map<unknown, SchemaNode>();
    for (let node = waiting.pop(); node && this.#reader.spend(1); node = waiting.pop()) {
      const { schema } = node;
      if (!isObject(schema) || found.has(schema)) continue;
      found.set(schema, node);
      waiting.push(...partsIn(node, keywords));
      for (const bound of node.keywords) waiting.push(...(bound.keyword.leadsTo?.(bound, this.#reader) ?? []));
    }
    return [...found.values()];
  }
}

const aboutItself = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas', 'dependencies'];
const aboutNames = [...aboutItself, 'not'];

/** The schemas that some keywords of a schema hold. */
function partsIn(node: SchemaNode, keywords: readonly string[]): SchemaNode[] {
  const schema = schemaOf(node);
  const named = keywords.filter((keyword) => Object.hasOwn(schema, keyword)).map((name) => [name, schema[name]]);
  if (named.length === 0) return [];
  return [...subschemasIn(Object.fromEntries(named))].map((part) =>
    partOf(node, part.schema, part.keyword, part.path[1]),
  );
}

const known = new WeakMap<SchemaNode, Map<unknown, SchemaNode>>();

/** A schema within another one, the same each time: it is compiled once, and counts once for the size of the whole. */
function partOf(node: SchemaNode, schema: unknown, keyword: string, key?: string | number): SchemaNode {
  const parts = known.get(node) ?? new Map<unknown, SchemaNode>();
  known.set(node, parts);
  const part = parts.get(schema) ?? node.child(schema, keyword, key);
  parts.set(schema, part);
  return part;
}

function schemaOf({ schema }: SchemaNode): JsonObject {
  return isObject(schema) ? schema : {};
}

/** The schemas that a schema applies to a member or an item. */
function* partsAt(key: string | number, node: SchemaNode, reader: Reader): Generator<SchemaNode> {
  if (typeof key === 'number') {
    for (const part of partsIn(node, ['contains', 'unevaluatedItems'])) yield part;
    const inOrder = prefixOf(schemaOf(node));
    if (key < inOrder.length) yield partOf(node, inOrder[key], 'prefixItems', key);
    else yield* partsIn(node, isList(schemaOf(node)['items']) ? ['additionalItems'] : ['items']);
    return;
  }
  const { properties } = schemaOf(node);
  const declared = isObject(properties) && Object.hasOwn(properties, key) ? [properties[key]] : [];
  const named = [...declared.map((schema) => partOf(node, schema, 'properties', key)), ...matching(key, node, reader)];
  yield* named.length > 0 ? named : partsIn(node, ['additionalProperties', 'unevaluatedProperties']);
}

function matching(name: string, node: SchemaNode, reader: Reader): readonly SchemaNode[] {
  return node.keywords.flatMap((bound) => bound.keyword.matching?.(bound, name, reader) ?? []);
}

/** The schemas of the first items, each for its own. */
function prefixOf({ prefixItems, items }: JsonObject): readonly unknown[] {
  return isList(prefixItems) ? prefixItems : isList(items) ? items : [];
}

function longestPrefix(nodes: readonly SchemaNode[]): number {
  return nodes.reduce((longest, node) => Math.max(longest, prefixOf(schemaOf(node)).length), 0);
}

function membersOf(value: unknown): readonly string[] {
  return isObject(value) ? Object.keys(value) : [];
}

function* namesIn(schema: JsonObject): Generator<string> {
  const { properties, required, dependentRequired, dependentSchemas, dependencies, propertyNames } = schema;
  for (const members of [properties, dependentRequired, dependentSchemas, dependencies]) {
    yield* membersOf(members);
  }
  const asked = [dependentRequired, dependencies].flatMap((members) =>
    isObject(members) ? Object.values(members) : [],
  );
  const allowed = isObject(propertyNames) ? [propertyNames['enum'], [propertyNames['const']]] : [];
  for (const names of [required, ...asked, ...allowed]) {
    if (isList(names)) yield* names.filter((name) => typeof name === 'string');
  }
}

/** `example` and examples by name are OpenAPI's. */
function examplesIn({ default: usual, example, examples }: JsonObject): readonly unknown[] {
  const named = isObject(examples)
    ? Object.values(examples).map((each) => (isObject(each) ? each['value'] : each))
    : [];
  return [usual, example, ...(isList(examples) ? examples : named)];
}
