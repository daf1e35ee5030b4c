import { isObject, type JsonObject } from '../../json/index.js';
import type { DialectDefinition } from '../dialects/index.js';
import type { BoundKeyword } from '../keywords/keyword.js';
import { type PlacedNode, SchemaResource, type EnclosingDocument } from './node.js';
import { absoluteUri } from './uri.js';

/** Where a document registers what it holds. */
export interface DocumentIndex {
  bind(node: PlacedNode): readonly BoundKeyword[];
  dialectOf(schema: unknown, surrounding?: DialectDefinition): DialectDefinition;
  /** Charges schemas that are read; false once there are too many. */
  consume(schemas: number): boolean;
  add(resource: SchemaResource): void;
}

/**
 * A JSON document that holds schemas. Its identifiers and anchors are indexed when something first asks for them;
 * the usual tool schema has none and is never walked through.
 */
export class SchemaDocument implements EnclosingDocument {
  readonly main: SchemaResource;
  readonly #registry: DocumentIndex;
  #indexed = false;
  readonly #resources = new Map<JsonObject, SchemaResource>();

  /** @param uri where the document was found; @param location how its root is named in schema locations */
  constructor(registry: DocumentIndex, schema: unknown, uri: string, location: string) {
    this.#registry = registry;
    const dialect = registry.dialectOf(schema);
    const id = identity(schema, dialect);
    this.main = new SchemaResource(this, (id && absoluteUri(id, uri)) ?? uri, location, schema, dialect);
  }

  bind(node: PlacedNode): readonly BoundKeyword[] {
    return this.#registry.bind(node);
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
      // Of two with one name the first counts.
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
  const { dialect } = node.resource;
  if (dialect.anchorsInId) {
    const id = schema[dialect.idKeyword];
    if (typeof id === 'string' && id.includes('#')) node.resource.addAnchor(id.slice(id.indexOf('#') + 1), node);
    return;
  }
  const { $anchor: anchor, $dynamicAnchor: dynamic } = schema;
  if (typeof anchor === 'string') node.resource.addAnchor(anchor, node);
  if (typeof dynamic !== 'string' || !dialect.keywords.has('$dynamicRef')) return;
  node.resource.addAnchor(dynamic, node);
  node.resource.addDynamicAnchor(dynamic, node);
}

/** The identifier that makes a schema a resource; a mere fragment (an anchor of draft-07 and before) does not. */
function identity(schema: unknown, dialect: DialectDefinition): string | undefined {
  if (!isObject(schema) || !Object.hasOwn(schema, dialect.idKeyword)) return undefined;
  if (dialect.refHidesSiblings && typeof schema['$ref'] === 'string') return undefined;
  const id = schema[dialect.idKeyword];
  if (typeof id !== 'string' || id.startsWith('#')) return undefined;
  return id;
}
