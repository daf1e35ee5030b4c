import { isObject, type JsonObject } from '../json/index.js';
import type { Diagnostic, DiagnosticCode } from './diagnostic.js';
import type { Clause, Position } from './keyword.js';
import { never } from './keywords/never.js';
import { unavailable } from './keywords/unavailable.js';
import type { SchemaNode } from './node.js';
import type { Pattern } from './patterns/pattern.js';
import { type Reference, resolveReference } from './reference.js';
import { explainUnknownKeyword } from './unknown-keywords.js';

export type Report = (diagnostic: Diagnostic) => void;

/**
 * Compiles the keywords that stand in one schema. Subschemas become nodes that compile themselves when reached.
 *
 * @param report told of everything malformed; left out, malformed keywords are just ignored
 */
export function compileNode(node: SchemaNode, report?: Report): readonly Clause[] {
  const { schema, resource } = node;
  if (schema === false) return [{ keyword: never, value: undefined, node }];
  if (!isObject(schema)) return [];
  const { registry } = resource.document;
  if (!report && !registry.spend(1)) return [{ keyword: unavailable, value: undefined, node }];

  const { keywords, refHidesSiblings } = resource.dialect;
  const position = new KeywordPosition(node, schema, report);
  const clauses: Clause[] = [];
  let late: Clause[] | undefined;
  const onlyRef = refHidesSiblings && typeof schema['$ref'] === 'string';
  if (report) reportIgnored(node, schema, onlyRef, report);
  for (const name of onlyRef ? ['$ref'] : Object.keys(schema)) {
    const keyword = keywords.get(name);
    if (keyword === undefined) continue;
    const raw = schema[name];
    if (Array.isArray(raw)) {
      const weight = keyword.subschemas ? raw.length : raw.length >> 4;
      if (report ? weight > listLimit : !registry.spend(weight)) break;
    }
    position.keyword = name;
    const value = keyword.compile(raw, position);
    if (value === undefined) continue;
    if (keyword.dependsOnSiblings) (late ??= []).push({ keyword, value, node });
    else clauses.push({ keyword, value, node });
  }
  // A schema that was not compiled to its end says nothing.
  if (!report && registry.exhausted) return [{ keyword: unavailable, value: undefined, node }];
  return late ? clauses.concat(late) : clauses;
}

/** Schemas in one list, or sixteenths of its other values, beyond which it is not diagnosed. */
const listLimit = 20_000;

function reportIgnored(node: SchemaNode, schema: JsonObject, onlyRef: boolean, report: Report): void {
  const { dialect } = node.resource;
  for (const name of Object.keys(schema)) {
    const note = (code: DiagnosticCode, message: string) =>
      report({ severity: 'note', code, schemaLocation: node.locationOf(name), message });
    const keyword = dialect.keywords.get(name);
    if (!keyword) {
      const message = explainUnknownKeyword(name, dialect);
      if (message !== undefined) note('unknown-keyword', message);
    } else if (onlyRef && name !== '$ref' && name !== 'definitions') {
      note('ignored-keyword', `Beside "$ref" ${dialect.name} ignores everything, "${name}" too.`);
    }
  }
}

class KeywordPosition implements Position {
  keyword = '';

  constructor(
    readonly node: SchemaNode,
    readonly schema: JsonObject,
    private readonly listener: Report | undefined,
  ) {}

  get diagnosing(): boolean {
    return this.listener !== undefined;
  }

  child(value: unknown, ...tokens: (string | number)[]): SchemaNode {
    const child = this.node.child(value, [this.keyword, ...tokens]);
    if (this.listener) this.checkSchema(value, child);
    else this.node.resource.document.registry.spend(1);
    return child;
  }

  schemaOf(value: unknown): SchemaNode | undefined {
    return isSchema(value) ? this.child(value) : this.malformed('a schema (an object or a boolean)');
  }

  schemasOf(value: unknown): readonly SchemaNode[] | undefined {
    return Array.isArray(value) && value.length > 0
      ? value.map((schema, i) => this.child(schema, i))
      : this.malformed('a non-empty array of schemas');
  }

  checkMembers(value: JsonObject): void {
    if (!this.listener) return;
    for (const name of Object.keys(value)) this.child(value[name], name);
  }

  sibling(name: string): unknown {
    return this.node.resource.dialect.keywords.has(name) && Object.hasOwn(this.schema, name)
      ? this.schema[name]
      : undefined;
  }

  pattern(source: string): Pattern {
    return this.node.resource.document.registry.pattern(source);
  }

  resolve(reference: string): Reference | undefined {
    return resolveReference(reference, this.node.resource);
  }

  report(code: DiagnosticCode, message: string, severity: Diagnostic['severity'] = 'note'): void {
    this.listener?.({ severity, code, schemaLocation: this.node.locationOf(this.keyword), message });
  }

  malformed(expected: string): undefined {
    this.report('malformed-keyword', `"${this.keyword}" must be ${expected}; it is ignored here.`, 'error');
  }

  private checkSchema(value: unknown, child: SchemaNode): void {
    if (isSchema(value)) return;
    const message = 'A schema must be an object or a boolean; what stands here accepts everything.';
    this.listener?.({ severity: 'error', code: 'malformed-schema', schemaLocation: child.location, message });
  }
}

function isSchema(value: unknown): boolean {
  return typeof value === 'boolean' || isObject(value);
}
