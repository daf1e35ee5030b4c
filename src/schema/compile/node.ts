import { isObject, type JsonObject, member, pointerToken, subschemasIn } from '../../json/index.js';
import type { DialectDefinition } from '../dialects/index.js';
import type { BoundKeyword, Resource, SchemaNode } from '../keywords/keyword.js';

const locationLimit = 5000;

export interface EnclosingDocument {
  bind(node: PlacedNode): readonly BoundKeyword[];
  resourceAt(schema: JsonObject): SchemaResource | undefined;
  index(): void;
}

/** A schema at its place, compiled when it is first reached: most calls touch a small part of a schema. */
export class PlacedNode implements SchemaNode {
  #keywords: readonly BoundKeyword[] | undefined;

  /** @param step the keyword that holds it in its parent; without a parent, its location: '#/$defs/user' */
  constructor(
    readonly schema: unknown,
    readonly resource: SchemaResource,
    readonly parent: PlacedNode | undefined,
    readonly step: string,
    readonly key?: string | number,
  ) {}

  child(schema: unknown, keyword: string, key?: string | number): PlacedNode {
    return new PlacedNode(schema, this.resource.of(schema), this, keyword, key);
  }

  /** The schemas directly within, by the dialect's keywords, as belonging to the same resource. */
  *subschemas(): Generator<PlacedNode> {
    const { schema, resource } = this;
    const { keywords, refHidesSiblings } = resource.dialect;
    // Beside a `$ref` of draft-07 and before nothing counts, yet generators put the definitions exactly there.
    const onlyDefinitions = refHidesSiblings && isObject(schema) && typeof schema['$ref'] === 'string';
    for (const { keyword, path, schema: part } of subschemasIn(schema)) {
      if (onlyDefinitions ? keyword !== 'definitions' : !keywords.has(keyword)) continue;
      yield new PlacedNode(part, resource, this, keyword, path[1]);
    }
  }

  within(resource: SchemaResource): PlacedNode {
    return new PlacedNode(this.schema, resource, this.parent, this.step, this.key);
  }

  get keywords(): readonly BoundKeyword[] {
    return (this.#keywords ??= this.resource.document.bind(this));
  }

  get location(): string {
    return PlacedNode.#locate(this);
  }

  locationOf(keyword: string): string {
    return isObject(this.schema) ? `${this.location}/${pointerToken(keyword).slice(0, locationLimit)}` : this.location;
  }

  /** Without recursion: schemas nest as deep as strangers like. */
  static #locate(from: PlacedNode): string {
    const steps: string[] = [];
    let length = 0;
    let node = from;
    while (node.parent && length <= locationLimit) {
      for (const token of node.key === undefined ? [node.step] : [node.key, node.step]) {
        const step = pointerToken(token).slice(0, locationLimit);
        steps.push(step);
        length += step.length + 1;
      }
      node = node.parent;
    }
    // Too long to be read by anyone, it loses its beginning.
    steps.push(node.parent ? '...' : node.step);
    return steps.reverse().join('/');
  }
}

export class SchemaResource implements Resource {
  readonly root: PlacedNode;
  readonly anchors = new Map<string, PlacedNode>();
  readonly dynamicAnchors = new Map<string, PlacedNode>();

  /** @param place the root within the resource around it; or its location: '#', 'https://...#' */
  constructor(
    readonly document: EnclosingDocument,
    readonly uri: string,
    place: PlacedNode | string,
    schema: unknown,
    readonly dialect: DialectDefinition,
  ) {
    this.root = typeof place === 'string' ? new PlacedNode(schema, this, undefined, place) : place.within(this);
  }

  get recursive(): boolean {
    return member(this.root.schema, '$recursiveAnchor') === true;
  }

  /** The resource of a schema found within this one: another one if the schema has an identity of its own. */
  of(schema: unknown): SchemaResource {
    if (!isObject(schema)) return this;
    if (!Object.hasOwn(schema, '$id') && !Object.hasOwn(schema, 'id')) return this;
    return this.document.resourceAt(schema) ?? this;
  }

  anchor(name: string): PlacedNode | undefined {
    this.document.index();
    return this.anchors.get(name);
  }

  dynamicAnchor(name: string): PlacedNode | undefined {
    this.document.index();
    return this.dynamicAnchors.get(name);
  }
}
