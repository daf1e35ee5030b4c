import { decodeFragment, fragmentReadings, isObject, isSchema, type JsonObject, member } from '../../json/index.js';
import { type DialectDefinition, dialectByUri, withVocabularies } from '../dialects/index.js';
import { metaschema } from '../metaschemas/index.js';
import { PlacedNode, SchemaResource, type EnclosingDocument } from './node.js';
import { Pattern } from '../patterns/pattern.js';
import type { BoundKeyword, Reference } from '../keywords/keyword.js';

/** Schemas walked through or compiled on behalf of one tool. The largest real ones have a few thousand. */
const schemaLimit = 200_000;

/** Compiling a pattern takes about as long as so many schemas; each Unicode property in it as long as so many more. */
const patternWeight = 200;
const unicodeWeight = 500;

type Bind = (node: PlacedNode, registry: Registry) => readonly BoundKeyword[];

/** All that a schema may refer to: itself, the documents given and the meta-schemas. Nothing is ever fetched. */
export class Registry {
  readonly main: SchemaResource;
  readonly #defaultDialect: DialectDefinition;
  readonly #documents: ReadonlyMap<string, unknown>;
  readonly #loaded = new Map<string, SchemaDocument>();
  readonly #resources = new Map<string, SchemaResource>();
  readonly #patterns = new Map<string, Pattern>();
  readonly #targets = new Map<unknown, PlacedNode>();
  #remaining = schemaLimit;

  constructor(
    schema: unknown,
    documents: Readonly<Record<string, unknown>> = {},
    defaultDialect: DialectDefinition,
    readonly bind: Bind,
  ) {
    this.#defaultDialect = defaultDialect;
    const named = Object.entries(documents);
    this.#documents = new Map(named.map(([uri, document]) => [absoluteUri(uri, unnamed) ?? uri, document]));
    this.main = new SchemaDocument(this, schema, unnamed, '#').main;
    this.add(this.main);
  }

  get exhausted(): boolean {
    return this.#remaining < 0;
  }

  consume(amount: number): boolean {
    this.#remaining -= amount;
    return this.#remaining >= 0;
  }

  add(resource: SchemaResource): void {
    if (!this.#resources.has(resource.uri)) this.#resources.set(resource.uri, resource);
  }

  /** Resolves a reference against its resource, among the known documents; undefined if it leads to no schema. */
  resolve(reference: string, from: SchemaResource): Reference | undefined {
    const [address = '', ...rest] = reference.split('#');
    const fragment = rest.join('#');
    const start = address === '' ? from.root : this.#find(absoluteUri(address, from.uri), from);
    if (!start || fragment === '') return start && { node: start };
    if (fragment.startsWith('/')) {
      const [node] = fragmentReadings(fragment).flatMap((tokens) => follow(tokens, start) ?? []);
      return node && { node: this.#target(node) };
    }
    const anchor = decodeFragment(fragment);
    const node = anchor === undefined ? undefined : start.resource.anchor(anchor);
    return node && anchor !== undefined ? { node, anchor } : undefined;
  }

  #find(uri: string | undefined, from: SchemaResource): PlacedNode | undefined {
    if (uri === undefined || uri === from.uri) return uri === undefined ? undefined : from.root;
    if (uri === this.main.uri) return this.main.root;
    from.document.index();
    return this.#resources.get(uri)?.root ?? this.#load(uri)?.main.root ?? this.#findInDocuments(uri);
  }

  /** The compiled form of a schema that references lead to: one for all of them, so that recursion ends. */
  #target(node: PlacedNode): PlacedNode {
    const { schema } = node;
    const known = this.#targets.get(schema);
    if (!isObject(schema) || known?.resource === node.resource) return known ?? node;
    this.#targets.set(schema, node);
    return node;
  }

  /** Compiled once per schema; patterns weigh more than other keywords, since JavaScript takes longer over them. */
  pattern(source: string): Pattern {
    const known = this.#patterns.get(source);
    if (known) return known;
    const weight = patternWeight + source.length + unicodeWeight * (source.split(/\\p/i).length - 1);
    const pattern = new Pattern(source, !this.consume(weight));
    this.#patterns.set(source, pattern);
    return pattern;
  }

  /** The dialect that `$schema` declares, else the one around it; documents may be meta-schemas. */
  dialectOf(schema: unknown, surrounding = this.#defaultDialect): DialectDefinition {
    const declared = member(schema, '$schema');
    return (typeof declared === 'string' ? this.dialectNamed(declared) : undefined) ?? surrounding;
  }

  dialectNamed(uri: string): DialectDefinition | undefined {
    const known = dialectByUri(uri);
    if (known) return known;
    const meta = this.#documents.get(absoluteUri(uri, unnamed) ?? uri);
    if (!isObject(meta) || typeof meta['$schema'] !== 'string') return undefined;
    const base = dialectByUri(meta['$schema']);
    return base && isObject(meta['$vocabulary']) ? withVocabularies(base, meta['$vocabulary']) : base;
  }

  #load(uri: string): SchemaDocument | undefined {
    const loaded = this.#loaded.get(uri);
    if (loaded) return loaded;
    const schema = this.#documents.get(uri) ?? metaschema(uri);
    if (schema === undefined) return undefined;
    const document = new SchemaDocument(this, schema, uri, `${uri}#`);
    this.#loaded.set(uri, document);
    this.add(document.main);
    document.index();
    return document;
  }

  #findInDocuments(uri: string): PlacedNode | undefined {
    for (const name of this.#documents.keys()) {
      this.#load(name);
      const found = this.#resources.get(uri);
      if (found) return found.root;
    }
    return undefined;
  }
}

/** Walks a JSON Pointer, changing the resource when it passes a schema with an identity of its own. */
function follow(tokens: readonly string[], start: PlacedNode): PlacedNode | undefined {
  let value = start.schema;
  let { resource } = start;
  let node = start;
  for (const [i, token] of tokens.entries()) {
    value = member(value, token);
    if (value === undefined) return undefined;
    resource = resource.of(value);
    // As a keyword and the key of what it holds.
    node =
      i % 2 === 0
        ? new PlacedNode(value, resource, node, token)
        : new PlacedNode(value, resource, node.parent, node.step, token);
  }
  return isSchema(value) ? node : undefined;
}

/** A document that holds schemas. Identifiers and anchors are looked for when something first asks for them. */
class SchemaDocument implements EnclosingDocument {
  readonly main: SchemaResource;
  readonly #registry: Registry;
  #indexed = false;
  readonly #resources = new Map<JsonObject, SchemaResource>();

  constructor(registry: Registry, schema: unknown, uri: string, location: string) {
    this.#registry = registry;
    const dialect = registry.dialectOf(schema);
    const id = identity(schema, dialect);
    this.main = new SchemaResource(this, (id && absoluteUri(id, uri)) ?? uri, location, schema, dialect);
  }

  bind(node: PlacedNode): readonly BoundKeyword[] {
    return this.#registry.bind(node, this.#registry);
  }

  resourceAt(schema: JsonObject): SchemaResource | undefined {
    if (schema === this.main.root.schema) return this.main;
    this.index();
    return this.#resources.get(schema);
  }

  /** Finds every identifier and anchor, without recursion and within the registry's bound on schemas. */
  index(): void {
    if (this.#indexed) return;
    const waiting: PlacedNode[] = [this.main.root];
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      if (!this.#registry.consume(1)) break;
      const { schema } = node;
      if (!isObject(schema)) continue;
      const known = node === this.main.root ? this.main : this.#resources.get(schema);
      const resource = known ?? this.#identify(schema, node);
      const placed = resource === node.resource ? node : node.within(resource);
      addAnchors(schema, placed);
      // The first of two schemas with one name counts.
      for (const child of [...placed.subschemas()].reverse()) waiting.push(child);
    }
    this.#indexed = true;
  }

  #identify(schema: JsonObject, node: PlacedNode): SchemaResource {
    const parent = node.resource;
    const dialect = this.#registry.dialectOf(schema, parent.dialect);
    const id = identity(schema, dialect);
    const uri = id === undefined ? undefined : absoluteUri(id, parent.uri);
    if (uri === undefined) return parent;
    const resource = new SchemaResource(this, uri, node, schema, dialect);
    this.#resources.set(schema, resource);
    this.#registry.add(resource);
    return resource;
  }
}

function addAnchors(schema: JsonObject, node: PlacedNode): void {
  const { dialect, anchors, dynamicAnchors } = node.resource;
  const add = (name: string, to = anchors) => to.has(name) || to.set(name, node);
  if (dialect.anchorsInId) {
    const id = schema[dialect.idKeyword];
    if (typeof id === 'string' && id.includes('#')) add(id.slice(id.indexOf('#') + 1));
    return;
  }
  const { $anchor: anchor, $dynamicAnchor: dynamic } = schema;
  if (typeof anchor === 'string') add(anchor);
  if (typeof dynamic !== 'string' || !dialect.keywords.has('$dynamicRef')) return;
  add(dynamic);
  add(dynamic, dynamicAnchors);
}

/** The identifier that makes a schema a resource; a mere fragment (an anchor of draft-07 and before) does not. */
function identity(schema: unknown, dialect: DialectDefinition): string | undefined {
  if (!isObject(schema) || !Object.hasOwn(schema, dialect.idKeyword)) return undefined;
  if (dialect.refHidesSiblings && typeof schema['$ref'] === 'string') return undefined;
  const id = schema[dialect.idKeyword];
  return typeof id !== 'string' || id.startsWith('#') ? undefined : id;
}

const unnamed = 'schema:///';

/** Resolves a URI reference (RFC 3986, section 5) and drops its fragment; undefined if it is not a URI reference. */
function absoluteUri(reference: string, base: string): string | undefined {
  try {
    const url = new URL(reference, base);
    url.hash = '';
    return url.href;
  } catch {
    return undefined;
  }
}
