import { isObject } from '../json/index.js';
import type { SchemaDocument } from './document.js';
import type { DialectDefinition } from './dialects/dialect.js';
import { SchemaNode } from './node.js';

/** A schema with an identity of its own: a document's root, or a subschema with an `$id` (2020-12 core, 4.3.5). */
export class Resource {
  private anchors: Map<string, SchemaNode> | undefined;
  private dynamicAnchors: Map<string, SchemaNode> | undefined;
  /** `$recursiveAnchor: true` stands at its root (2019-09). */
  readonly recursive: boolean;
  readonly root: SchemaNode;

  /**
   * @param uri absolute, without a fragment
   * @param location where its root stands, as seen from the main document: '#', '#/$defs/user', 'https://...#'
   */
  constructor(
    readonly document: SchemaDocument,
    readonly uri: string,
    readonly location: string,
    schema: unknown,
    readonly dialect: DialectDefinition,
  ) {
    this.root = SchemaNode.at(location, schema, this);
    this.recursive = isObject(schema) && schema['$recursiveAnchor'] === true;
  }

  /** The resource that a schema found within this one belongs to: another one where it has an identity itself. */
  of(schema: unknown): Resource {
    if (!isObject(schema)) return this;
    if (!Object.hasOwn(schema, '$id') && !Object.hasOwn(schema, 'id')) return this;
    return this.document.resourceAt(schema) ?? this;
  }

  addAnchor(name: string, node: SchemaNode): void {
    this.anchors ??= new Map();
    if (!this.anchors.has(name)) this.anchors.set(name, node);
  }

  addDynamicAnchor(name: string, node: SchemaNode): void {
    this.dynamicAnchors ??= new Map();
    if (!this.dynamicAnchors.has(name)) this.dynamicAnchors.set(name, node);
  }

  anchor(name: string): SchemaNode | undefined {
    this.document.index();
    return this.anchors?.get(name);
  }

  dynamicAnchor(name: string): SchemaNode | undefined {
    this.document.index();
    return this.dynamicAnchors?.get(name);
  }
}
