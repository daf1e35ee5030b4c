import { isObject, pointerToken } from '../json/index.js';
import { compileNode } from './compile-node.js';
import type { Clause } from './keyword.js';
import type { Resource } from './resource.js';

/** Characters of a schema location. */
const locationLimit = 5000;

/**
 * A schema at its place. It is compiled when an evaluation first reaches it: most calls touch a small part of
 * their tool's schema.
 */
export class SchemaNode {
  private compiled: readonly Clause[] | undefined;

  private constructor(
    readonly schema: unknown,
    readonly resource: Resource,
    private readonly parent: SchemaNode | undefined,
    private readonly start: string,
    private readonly tokens: readonly (string | number)[],
  ) {}

  /** @param location where the schema stands, as a URI or a fragment: '#/$defs/user' */
  static at(location: string, schema: unknown, resource: Resource): SchemaNode {
    return new SchemaNode(schema, resource, undefined, location, []);
  }

  child(schema: unknown, tokens: readonly (string | number)[]): SchemaNode {
    return new SchemaNode(schema, this.resource.of(schema), this, '', tokens);
  }

  /** A child that is taken to belong to the same resource: for the walk that finds the resources. */
  enclose(schema: unknown, tokens: readonly (string | number)[]): SchemaNode {
    return new SchemaNode(schema, this.resource, this, '', tokens);
  }

  /** The same schema, as belonging to another resource. */
  within(resource: Resource): SchemaNode {
    return new SchemaNode(this.schema, resource, this.parent, this.start, this.tokens);
  }

  /** The same schema in the resource that it belongs to by its identifier. */
  settle(): SchemaNode {
    const resource = this.resource.of(this.schema);
    return resource === this.resource ? this : this.within(resource);
  }

  get clauses(): readonly Clause[] {
    return (this.compiled ??= compileNode(this));
  }

  /** Where the schema stands, as a URI or a fragment. Computed on demand. */
  get location(): string {
    return SchemaNode.locate(this);
  }

  /** Where one of this schema's keywords stands. */
  locationOf(keyword: string): string {
    return isObject(this.schema) ? `${this.location}/${pointerToken(keyword).slice(0, locationLimit)}` : this.location;
  }

  /** A location is put together without recursion: schemas nest as deep as strangers like. */
  private static locate(node: SchemaNode): string {
    const steps: string[] = [];
    let length = 0;
    let current = node;
    while (current.parent && length <= locationLimit) {
      for (const token of current.tokens.toReversed()) {
        const step = pointerToken(token).slice(0, locationLimit);
        steps.push(step);
        length += step.length + 1;
      }
      current = current.parent;
    }
    // Too long to be read by anyone, it loses its beginning.
    steps.push(current.parent ? '...' : current.start);
    return steps.reverse().join('/');
  }
}
