import { isObject, isOwn, isSchema, type JsonObject, member, subschemaShape } from '../../json/index.js';
import type {
  BoundKeyword,
  CompileContext,
  Diagnostic,
  DiagnosticCode,
  Reference,
  UndeterminedReason,
} from '../keywords/keyword.js';
import { defineKeyword, INVALID } from '../keywords/keyword.js';
import type { Pattern } from '../patterns/pattern.js';
import { type DialectDefinition, dialects } from '../dialects/index.js';
import type { PlacedNode } from './node.js';
import type { Registry } from './registry.js';

/**
 * Takes a function that makes a diagnostic. It is called only for diagnostics that are kept: a hundred of thousands.
 */
export type Report = (make: () => Diagnostic) => void;

/** The schema `false`: nothing is valid. */
export const never = defineKeyword<undefined>('false', {
  compile: () => undefined,
  evaluate: () => INVALID,
  expected: () => ({ kind: 'nothing' }),
});

/** Takes the place of the keywords of a schema beyond the bound on the schemas of one tool. */
const unavailable = defineKeyword<undefined>('', {
  compile: () => undefined,
  evaluate: ({ node }, _instance, context) => context.undetermined('schema-size', node),
});

/** Schemas in one list, or sixteenths of its other values, beyond which it is not diagnosed. */
const listLimit = 20_000;

/**
 * Compiles a schema's keywords. Pass `report` to collect diagnostics; otherwise malformed keywords are just ignored.
 */
export function bindKeywords(node: PlacedNode, registry: Registry, report?: Report): readonly BoundKeyword[] {
  const { schema, resource } = node;
  if (schema === false) return [{ keyword: never, value: undefined, node }];
  if (!isObject(schema)) return [];
  if (!report && !registry.consume(1)) return [{ keyword: unavailable, value: undefined, node }];

  const { keywords, refHidesSiblings } = resource.dialect;
  const at = new NodeContext(node, schema, registry, report);
  const bound: BoundKeyword[] = [];
  const onlyRef = refHidesSiblings && typeof member(schema, '$ref') === 'string';
  if (report) reportIgnored(node, schema, onlyRef, report);
  for (const name in schema) {
    const keyword = keywords.get(name);
    if (keyword === undefined || !isOwn(schema, name) || (onlyRef && name !== '$ref')) continue;
    const raw = schema[name];
    if (Array.isArray(raw)) {
      const weight = subschemaShape(name, raw) ? raw.length : raw.length >> 4;
      if (report ? weight > listLimit : !registry.consume(weight)) break;
    }
    at.keyword = name;
    const value = keyword.compile(raw, at);
    if (value !== undefined) bound.push({ keyword, value, node });
  }
  // A schema that was not compiled to its end decides nothing.
  if (!report && registry.exhausted) return [{ keyword: unavailable, value: undefined, node }];
  const isLate = ({ keyword }: BoundKeyword) => Number(keyword.dependsOnSiblings === true);
  return bound.sort((left, right) => isLate(left) - isLate(right));
}

function reportIgnored(node: PlacedNode, schema: JsonObject, onlyRef: boolean, report: Report): void {
  const { dialect } = node.resource;
  for (const name of Object.keys(schema)) {
    if (!dialect.keywords.has(name)) {
      if (annotations.has(name) || name.startsWith('x-')) continue;
      report(() => note('unknown-keyword', node.locationOf(name), explainUnknownKeyword(name, dialect)));
    } else if (onlyRef && name !== '$ref' && name !== 'definitions') {
      const message = `Beside "$ref" ${dialect.name} ignores everything, "${name}" too.`;
      report(() => note('ignored-keyword', node.locationOf(name), message));
    }
  }
}

const annotations: ReadonlySet<string> = new Set([
  ...['$schema', '$id', 'id', '$anchor', '$dynamicAnchor', '$recursiveAnchor', '$vocabulary', '$comment'],
  ...['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'],
  ...['contentEncoding', 'contentMediaType', 'contentSchema'],
  // OpenAPI 3
  ...['discriminator', 'example', 'externalDocs', 'nullable', 'xml'],
  // editors and form generators
  ...['enumNames', 'enumDescriptions', 'markdownDescription', 'errorMessage', 'units', 'order'],
]);

function explainUnknownKeyword(name: string, dialect: DialectDefinition): string {
  const elsewhere = Object.values(dialects).find(({ keywords }) => keywords.has(name));
  if (elsewhere) return `"${name}" is a keyword of ${elsewhere.name}, not of ${dialect.name}; it is ignored here.`;
  const meant = [...dialect.keywords.keys()].find((keyword) => keyword.toLowerCase() === name.toLowerCase());
  const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  return `"${name.slice(0, 60)}" is not a keyword of ${dialect.name} and is ignored.${hint}`;
}

export function note(code: DiagnosticCode, schemaLocation: string, message: string): Diagnostic {
  return { severity: 'note', code, schemaLocation, message };
}

class NodeContext implements CompileContext {
  keyword = '';
  readonly #registry: Registry;
  readonly #listener: Report | undefined;

  constructor(
    readonly node: PlacedNode,
    readonly schema: JsonObject,
    registry: Registry,
    listener: Report | undefined,
  ) {
    this.#registry = registry;
    this.#listener = listener;
  }

  get diagnosing(): boolean {
    return this.#listener !== undefined;
  }

  child(value: unknown, key?: string | number): PlacedNode {
    const child = this.node.child(value, this.keyword, key);
    if (!this.#listener) this.#registry.consume(1);
    else if (!isSchema(value)) {
      const message = 'A schema must be an object or a boolean; this value accepts everything.';
      const about = { severity: 'error', code: 'malformed-schema' } as const;
      this.#listener(() => ({ ...about, schemaLocation: child.location, message }));
    }
    return child;
  }

  schemaOf(value: unknown): PlacedNode | undefined {
    return isSchema(value) ? this.child(value) : this.malformed('a schema (an object or a boolean)');
  }

  schemasOf(value: unknown): readonly PlacedNode[] | undefined {
    const isList = Array.isArray(value) && value.length > 0;
    return isList ? value.map((schema, i) => this.child(schema, i)) : this.malformed('a non-empty array of schemas');
  }

  checkMembers(value: JsonObject): void {
    if (!this.#listener) return;
    for (const name of Object.keys(value)) this.child(value[name], name);
  }

  sibling(name: string): unknown {
    const isKnown = this.node.resource.dialect.keywords.has(name);
    return isKnown && Object.hasOwn(this.schema, name) ? this.schema[name] : undefined;
  }

  pattern(source: string): Pattern {
    return this.#registry.pattern(source);
  }

  resolve(reference: string): Reference | UndeterminedReason {
    const target = this.#registry.resolve(reference, this.node.resource);
    return target ?? (this.#registry.exhausted ? 'schema-size' : 'unresolved-reference');
  }

  report(code: DiagnosticCode, message: string, severity: Diagnostic['severity'] = 'note'): void {
    const { node, keyword } = this;
    this.#listener?.(() => ({ severity, code, schemaLocation: node.locationOf(keyword), message }));
  }

  malformed(expected: string): undefined {
    this.report('malformed-keyword', `"${this.keyword}" must be ${expected}; it is ignored here.`, 'error');
  }
}
