import { isObject } from './json.js';
import { pointerToken, tokenName } from './json-pointer.js';
import { SchemaNode } from './node.js';
import type { Resource } from './resource.js';
import { absoluteUri } from './uri.js';

/** What a `$ref` or `$dynamicRef` leads to. */
export interface Reference {
  readonly node: SchemaNode;
  /** The anchor's name, where the reference named one rather than a pointer. */
  readonly anchor?: string;
}

/**
 * Resolves a reference within what is known; nothing is fetched.
 *
 * @param from the resource that the reference stands in: its URI is the base
 * @returns undefined where the reference leads nowhere, or to something that is no schema
 */
export function resolveReference(reference: string, from: Resource): Reference | undefined {
  const hash = reference.indexOf('#');
  const address = hash < 0 ? reference : reference.slice(0, hash);
  const fragment = decode(hash < 0 ? '' : reference.slice(hash + 1));
  const start = address === '' ? from.root : find(address, from);
  if (!start || fragment === undefined) return undefined;
  if (fragment === '') return { node: start };
  if (fragment.startsWith('/')) {
    const node = follow(fragment, start);
    return node && { node };
  }
  const node = start.resource.anchor(fragment);
  return node && { node, anchor: fragment };
}

function find(address: string, from: Resource): SchemaNode | undefined {
  const uri = absoluteUri(address, from.uri);
  if (uri === undefined) return undefined;
  return uri === from.uri ? from.root : from.document.registry.find(uri, from.document);
}

function decode(fragment: string): string | undefined {
  try {
    return fragment.includes('%') ? decodeURIComponent(fragment) : fragment;
  } catch {
    return undefined;
  }
}

/** Walks a JSON Pointer, changing the resource where it passes a schema with an identity of its own. */
function follow(pointer: string, start: SchemaNode): SchemaNode | undefined {
  let value = start.schema;
  let { resource } = start;
  let location = start.location;
  for (const raw of pointer.slice(1).split('/')) {
    const token = tokenName(raw);
    value = member(value, token);
    if (value === undefined) return undefined;
    resource = resource.of(value);
    location += `/${pointerToken(token)}`;
  }
  if (typeof value === 'boolean') return SchemaNode.at(location, value, resource);
  if (!isObject(value)) return undefined;
  const schema = value;
  return resource.document.registry.target(schema, resource, () => SchemaNode.at(location, schema, resource));
}

function member(value: unknown, token: string): unknown {
  if (Array.isArray(value)) return /^(0|[1-9]\d{0,9})$/.test(token) ? value[Number(token)] : undefined;
  return isObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
}
