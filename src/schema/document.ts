import { isObject, type JsonObject } from '../json/index.js';
import type { DialectDefinition } from './dialects/dialect.js';
import type { SchemaNode } from './node.js';
import type { Registry } from './registry.js';
import { Resource } from './resource.js';
import { subschemas } from './subschemas.js';
import { absoluteUri } from './uri.js';

/**
 * A JSON document that holds schemas. Its identifiers and anchors are indexed when something first asks for them;
 * the usual tool schema has none and is never walked through.
 */
export class SchemaDocument {
  readonly main: Resource;
  private indexed = false;
  private resources: Map<JsonObject, Resource> | undefined;

  /** @param uri where the document was found; @param location how its root is named in schema locations */
  constructor(
    readonly registry: Registry,
    schema: unknown,
    uri: string,
    location: string,
  ) {
    const dialect = registry.dialectOf(schema);
    const id = identity(schema, dialect);
    this.main = new Resource(this, (id && absoluteUri(id, uri)) ?? uri, location, schema, dialect);
  }

  resourceAt(schema: JsonObject): Resource | undefined {
    if (schema === this.main.root.schema) return this.main;
    this.index();
    return this.resources?.get(schema);
  }

  /** Finds every identifier and anchor, without recursion and within the registry's bound on schemas. */
  index(): void {
    if (this.indexed) return;
    const waiting: SchemaNode[] = [this.main.root];
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      if (!this.registry.spend(1)) break;
      const { schema } = node;
      if (!isObject(schema)) continue;
      const known = node === this.main.root ? this.main : this.resources?.get(schema);
      const resource = known ?? this.identify(schema, node);
      const placed = resource === node.resource ? node : node.within(resource);
      this.addAnchors(schema, placed);
      for (const child of subschemas(placed)) waiting.push(child);
    }
    this.indexed = true;
  }

  private identify(schema: JsonObject, node: SchemaNode): Resource {
    const parent = node.resource;
    const dialect = this.registry.dialectOf(schema, parent.dialect);
    const id = identity(schema, dialect);
    const uri = id === undefined ? undefined : absoluteUri(id, parent.uri);
    if (uri === undefined) {
      this.addAlias(schema, node);
      return parent;
    }
    const resource = new Resource(this, uri, node.location, schema, dialect);
    this.resources ??= new Map();
    this.resources.set(schema, resource);
    this.registry.add(resource);
    return resource;
  }

  /** The other drafts' spelling of an identifier names the schema too, but changes no base URI. */
  private addAlias(schema: JsonObject, node: SchemaNode): void {
    const other = node.resource.dialect.idKeyword === 'id' ? schema['$id'] : schema['id'];
    if (typeof other !== 'string' || other.startsWith('#')) return;
    const uri = absoluteUri(other, node.resource.uri);
    if (uri !== undefined) this.registry.addAlias(uri, node);
  }

  private addAnchors(schema: JsonObject, node: SchemaNode): void {
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
}

/** The identifier that makes a schema a resource; a mere fragment (an anchor of draft-07 and before) does not. */
function identity(schema: unknown, dialect: DialectDefinition): string | undefined {
  if (!isObject(schema) || !Object.hasOwn(schema, dialect.idKeyword)) return undefined;
  if (dialect.refHidesSiblings && typeof schema['$ref'] === 'string') return undefined;
  const id = schema[dialect.idKeyword];
  if (typeof id !== 'string' || id.startsWith('#')) return undefined;
  return id;
}
