import { isObject } from '../json/index.js';
import type { SchemaNode } from './node.js';

/** The schemas directly within a schema, at the places where its dialect's keywords have some. */
export function* subschemas(node: SchemaNode): Generator<SchemaNode> {
  const { schema, resource } = node;
  if (!isObject(schema)) return;
  if (resource.dialect.refHidesSiblings && typeof schema['$ref'] === 'string') return yield* definitions(node);
  for (const name of Object.keys(schema)) {
    const shape = resource.dialect.keywords.get(name)?.subschemas;
    if (shape) yield* within(node, name, schema[name], shape);
  }
}

/** Beside a `$ref` of draft-07 and before nothing counts, yet generators put the definitions exactly there. */
function* definitions(node: SchemaNode): Generator<SchemaNode> {
  if (!isObject(node.schema)) return;
  yield* within(node, 'definitions', node.schema['definitions'], 'members');
}

function* within(node: SchemaNode, name: string, value: unknown, shape: 'value' | 'members'): Generator<SchemaNode> {
  if (shape === 'members') {
    if (!isObject(value)) return;
    for (const key of Object.keys(value)) {
      if (isSchema(value[key])) yield node.enclose(value[key], [name, key]);
    }
  } else if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      if (isSchema(value[i])) yield node.enclose(value[i], [name, i]);
    }
  } else if (isSchema(value)) {
    yield node.enclose(value, [name]);
  }
}

function isSchema(value: unknown): boolean {
  return typeof value === 'boolean' || isObject(value);
}
