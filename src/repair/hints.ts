import { isList, isObject, type JsonObject, type JsonType, listOf, subschemasIn } from '../json/index.js';
import { type SchemaNode, typesOfValues, valuesOf } from '../schema/index.js';

/** More schemas than any published tool has for one place. */
const maxSchemas = 5_000;

const maxParts = 1_000;

/**
 * What all schemas that may apply at one place say of the values there: behind references, in `allOf`, in alternatives,
 * under conditions. Whether they apply to the value at hand is not asked.
 */
export class SchemaHints {
  readonly #nodes: readonly SchemaNode[];
  readonly holder: SchemaHints | undefined;
  readonly key: string | number;
  readonly #parts = new Map<string | number, SchemaHints>();
  readonly #answers = new Map<string, unknown>();

  constructor(nodes: readonly SchemaNode[], holder?: SchemaHints, key: string | number = '') {
    this.#nodes = nodes;
    this.holder = holder;
    this.key = key;
  }

  within(path: readonly (string | number)[]): SchemaHints {
    return path.reduce<SchemaHints>((part, key) => part.at(key), this);
  }

  at(key: string | number): SchemaHints {
    const place = typeof key === 'number' ? Math.min(key, this.#longestPrefix) : key;
    const known = this.#parts.get(place);
    if (known) return known;
    const nodes = this.#all.flatMap((node) => [...partsAt(place, node)]);
    const part = new SchemaHints(nodes, this, place);
    if (this.#parts.size >= maxParts) this.#parts.clear();
    this.#parts.set(place, part);
    return part;
  }

  once<Answer>(question: string, find: () => Answer): Answer {
    if (!this.#answers.has(question)) this.#answers.set(question, find());
    return this.#answers.get(question) as Answer; // what was found for this question
  }

  /** The schemas that speak of the value, those of the list or the map included in which it is one of many. */
  get schemas(): readonly JsonObject[] {
    return this.holder && this.isOneOfMany ? [...this.own, ...this.holder.schemas] : this.own;
  }

  get own(): readonly JsonObject[] {
    return this.once('own', () => this.#all.map(schemaOf));
  }

  get isOneOfMany(): boolean {
    return this.holder !== undefined && !this.isDeclared;
  }

  get isDeclared(): boolean {
    return typeof this.key === 'string' && this.holder?.properties.has(this.key) === true;
  }

  get examples(): readonly unknown[] {
    return this.once('examples', () => {
      const ofHolder = this.holder?.examples ?? [];
      return [...this.own.flatMap(examplesIn), ...ofHolder.flatMap((each) => this.#within(each))];
    });
  }

  /** The titles and descriptions of these schemas. */
  get texts(): readonly string[] {
    return this.once('texts', () => this.own.flatMap(({ title, description }) => [title, description]).filter(isText));
  }

  /** The texts and values of the enums there. */
  get listed(): ReadonlySet<unknown> {
    return this.once('listed', () => new Set(this.own.flatMap((schema) => listOf(schema['enum']))));
  }

  /** The steps that reading these schemas takes, also where they were read for another call. */
  get weight(): number {
    return this.once('weight', () => {
      const texts = [...this.texts, ...this.examples.filter(isText)].reduce((sum, text) => sum + (text.length >> 4), 0);
      return this.#closure(aboutNames).length + this.names.size + this.listed.size + this.examples.length + texts;
    });
  }

  get names(): ReadonlySet<string> {
    return this.once('names', () => new Set(this.#closure(aboutNames).flatMap((node) => [...namesIn(schemaOf(node))])));
  }

  get isOptional(): boolean {
    const requires = ({ required }: JsonObject) => isList(required) && required.includes(this.key);
    return this.holder?.own.some(requires) !== true;
  }

  get properties(): ReadonlySet<string> {
    return this.once('properties', () => new Set(this.own.flatMap((each) => membersOf(each['properties']))));
  }

  declares(name: string): boolean {
    const patterned = this.once('patterned', () =>
      this.#all.filter((node) => Object.hasOwn(schemaOf(node), 'patternProperties')),
    );
    return this.names.has(name) || patterned.some((node) => matching(name, node).length > 0);
  }

  get acceptsNull(): boolean {
    return this.once('accepts null', () =>
      this.own.some((schema) => typesOf(schema)?.includes('null') ?? schema['nullable'] === true),
    );
  }

  #within(example: unknown): readonly unknown[] {
    if (isList(example)) return typeof this.key === 'number' ? example : [];
    if (!isObject(example) || typeof this.key === 'number') return [];
    if (!this.isDeclared) return Object.values(example);
    return Object.hasOwn(example, this.key) ? [example[this.key]] : [];
  }

  get #all(): readonly SchemaNode[] {
    return this.once('all', () => this.#closure(aboutItself));
  }

  get #longestPrefix(): number {
    return this.once('prefix', () => this.own.reduce((longest, each) => Math.max(longest, prefixOf(each).length), 0));
  }

  /** The schemas that are applied, and those that they lead to by these keywords. */
  #closure(keywords: readonly string[]): readonly SchemaNode[] {
    const waiting = [...this.#nodes];
    const found = new Map<unknown, SchemaNode>();
    for (let node = waiting.pop(); node && found.size < maxSchemas; node = waiting.pop()) {
      const { schema, resource } = node;
      if (!isObject(schema) || found.has(schema)) continue;
      found.set(schema, node);
      // One by one: a schema may hold more than a call takes arguments.
      for (const part of partsIn(node, keywords)) waiting.push(part);
      for (const bound of node.keywords) waiting.push(...(bound.keyword.leadsTo?.(bound, [resource]) ?? []));
    }
    return [...found.values()];
  }
}

const hintsOf = new WeakMap<SchemaNode, SchemaHints>();

/** What a schema says of its values, read once for all calls. */
export function hintsOfSchema(root: SchemaNode): SchemaHints {
  const hints = hintsOf.get(root) ?? new SchemaHints([root]);
  hintsOf.set(root, hints);
  return hints;
}

/** The types that a schema asks for, by their names or by the values it lists; undefined where it asks for none. */
export function typesOf(schema: JsonObject): readonly JsonType[] | undefined {
  const values = valuesOf(schema);
  if (values) return typesOfValues(values);
  const { type, nullable } = schema;
  if (typeof type !== 'string' && !isList(type)) return undefined;
  // What is no type's name is nobody's type.
  const types = (isList(type) ? type : [type]) as readonly JsonType[];
  return nullable === true ? [...types, 'null'] : types;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

const aboutItself = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas', 'dependencies'];
const aboutNames = [...aboutItself, 'not'];

function partsIn(node: SchemaNode, keywords: readonly string[]): SchemaNode[] {
  const schema = schemaOf(node);
  const named = keywords.filter((keyword) => Object.hasOwn(schema, keyword)).map((name) => [name, schema[name]]);
  if (named.length === 0) return [];
  return [...subschemasIn(Object.fromEntries(named))].map((part) =>
    node.child(part.schema, part.keyword, part.path[1]),
  );
}

function schemaOf({ schema }: SchemaNode): JsonObject {
  return isObject(schema) ? schema : {};
}

function* partsAt(key: string | number, node: SchemaNode): Generator<SchemaNode> {
  const schema = schemaOf(node);
  if (typeof key === 'number') {
    yield* partsIn(node, ['contains', 'unevaluatedItems']);
    const inOrder = prefixOf(schema);
    if (key < inOrder.length) yield node.child(inOrder[key], 'prefixItems', key);
    else yield* partsIn(node, isList(schema['items']) ? ['additionalItems'] : ['items']);
    return;
  }
  const { properties } = schema;
  const declared = isObject(properties) && Object.hasOwn(properties, key) ? [properties[key]] : [];
  const named = [...declared.map((each) => node.child(each, 'properties', key)), ...matching(key, node)];
  yield* named.length > 0 ? named : partsIn(node, ['additionalProperties', 'unevaluatedProperties']);
}

function matching(name: string, node: SchemaNode): readonly SchemaNode[] {
  return node.keywords.flatMap((bound) => bound.keyword.matching?.(bound, name) ?? []);
}

function prefixOf({ prefixItems, items }: JsonObject): readonly unknown[] {
  return isList(prefixItems) ? prefixItems : isList(items) ? items : [];
}

function membersOf(value: unknown): readonly string[] {
  return isObject(value) ? Object.keys(value) : [];
}

function* namesIn(schema: JsonObject): Generator<string> {
  const { properties, required, dependentRequired, dependentSchemas, dependencies, propertyNames } = schema;
  yield* [properties, dependentRequired, dependentSchemas, dependencies].flatMap(membersOf);
  const asked = [dependentRequired, dependencies].flatMap((members) =>
    isObject(members) ? Object.values(members) : [],
  );
  const allowed = isObject(propertyNames) ? [valuesOf(propertyNames)] : [];
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
