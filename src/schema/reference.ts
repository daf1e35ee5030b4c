import { decodeFragment, fragmentReadings, isObject, member, pointerToken } from '../json/index.js';
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
  const fragment = hash < 0 ? '' : reference.slice(hash + 1);
  const start = address === '' ? from.root : find(address, from);
  if (!start) return undefined;
  if (fragment === '') return { node: start };
  if (fragment.startsWith('/')) {
    for (const tokens of fragmentReadings(fragment)) {
      const node = follow(tokens, start);
      if (node) return { node };
    }
    return undefined;
  }
  const anchor = decodeFragment(fragment);
  const node = anchor === undefined ? undefined : start.resource.anchor(anchor);
  return node && anchor !== undefined ? { node, anchor } : undefined;
}

function find(address: string, from: Resource): SchemaNode | undefined {
  const uri = absoluteUri(address, from.uri);
  if (uri === undefined) return undefined;
  return uri === from.uri ? from.root : from.document.registry.find(uri, from.document);
}

/** Walks a JSON Pointer, changing the resource where it passes a schema with an identity of its own. */
function follow(tokens: readonly string[], start: SchemaNode): SchemaNode | undefined {
  let value = start.schema;
  let { resource } = start;
  let location = start.location;
  for (const token of tokens) {
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
