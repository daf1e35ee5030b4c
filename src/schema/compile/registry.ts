import { isObject, type JsonObject, member } from '../../json/index.js';
import { type DialectDefinition, dialectByUri, withVocabularies } from '../dialects/index.js';
import { type DocumentIndex, SchemaDocument } from './document.js';
import { metaschema } from '../metaschemas/index.js';
import type { PlacedNode, SchemaResource, EnclosingDocument } from './node.js';
import { Pattern } from '../patterns/pattern.js';
import type { BoundKeyword } from '../keywords/keyword.js';
import { absoluteUri, unnamed } from './uri.js';

/** Schemas walked through or compiled on behalf of one tool. The largest real ones have a few thousand. */
const schemaLimit = 200_000;

/** Compiling a pattern takes about as long as so many schemas; each Unicode property in it as long as so many more. */
const patternWeight = 200;
const unicodeWeight = 500;

/** Compiles the keywords that stand in one schema. */
export type BindKeywords = (node: PlacedNode, registry: Registry) => readonly BoundKeyword[];

/**
 * Everything that one compiled schema may refer to: itself, the documents given along with it and the dialects'
 * own meta-schemas. Nothing is ever fetched.
 */
export class Registry implements DocumentIndex {
  readonly main: SchemaResource;
  readonly #defaultDialect: DialectDefinition;
  readonly #bind: BindKeywords;
  readonly #documents: ReadonlyMap<string, unknown>;
  readonly #loaded = new Map<string, SchemaDocument>();
  readonly #resources = new Map<string, SchemaResource>();
  readonly #patterns = new Map<string, Pattern>();
  readonly #targets = new Map<JsonObject, PlacedNode>();
  #remaining = schemaLimit;

  /** @param documents those that references may lead to, by URI */
  constructor(
    schema: unknown,
    documents: Readonly<Record<string, unknown>> | undefined,
    defaultDialect: DialectDefinition,
    bind: BindKeywords,
  ) {
    this.#defaultDialect = defaultDialect;
    this.#bind = bind;
    this.#documents = documents ? byAbsoluteUri(documents) : none;
    this.main = new SchemaDocument(this, schema, unnamed, '#').main;
    this.add(this.main);
  }

  bind(node: PlacedNode): readonly BoundKeyword[] {
    return this.#bind(node, this);
  }

  /** Whether the schemas are still within the bound that one compiled schema may have. */
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

  /** The resource of an absolute URI, as seen from a document. */
  find(uri: string, from: EnclosingDocument): PlacedNode | undefined {
    if (uri === this.main.uri) return this.main.root;
    from.index();
    return this.#resources.get(uri)?.root ?? this.#load(uri)?.main.root ?? this.#findInDocuments(uri);
  }

  /** The compiled form of a schema that references lead to: one for all of them, so that recursion ends. */
  target(schema: JsonObject, node: PlacedNode): PlacedNode {
    const known = this.#targets.get(schema);
    if (known?.resource === node.resource) return known;
    this.#targets.set(schema, node);
    return node;
  }

  /** Compiled once per schema; patterns weigh more than other keywords, since JavaScript takes longer over them. */
  pattern(source: string): Pattern {
    let pattern = this.#patterns.get(source);
    if (!pattern) {
      const withinBound = this.consume(
        patternWeight + source.length + unicodeWeight * (source.split(/\\p/i).length - 1),
      );
      this.#patterns.set(source, (pattern = new Pattern(source, !withinBound)));
    }
    return pattern;
  }

  /**
   * The dialect that a schema declares with `$schema`, else the one that surrounds it. A meta-schema among the
   * documents may leave vocabularies out.
   */
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

  /** An identifier that stands inside a document which no reference has named so far. */
  #findInDocuments(uri: string): PlacedNode | undefined {
    for (const name of this.#documents.keys()) {
      this.#load(name);
      const found = this.#resources.get(uri);
      if (found) return found.root;
    }
    return undefined;
  }
}

const none: ReadonlyMap<string, unknown> = new Map();

function byAbsoluteUri(documents: Readonly<Record<string, unknown>>): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(documents).map(([uri, document]) => [absoluteUri(uri, unnamed) ?? uri, document]));
}
