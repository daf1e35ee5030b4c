import { decodeFragment, fragmentReadings, isObject, isSchema, member } from '../../json/index.js';
import type { Reference } from '../keywords/keyword.js';
import { PlacedNode, type SchemaResource } from './node.js';
import { absoluteUri, type Registry } from './registry.js';

/** Resolves a reference within what is known, against the resource around it; undefined where it leads to no schema. */
export function resolveReference(reference: string, from: SchemaResource, registry: Registry): Reference | undefined {
  const hash = reference.indexOf('#');
  const address = hash < 0 ? reference : reference.slice(0, hash);
  const fragment = hash < 0 ? '' : reference.slice(hash + 1);
  const start = address === '' ? from.root : find(address, from, registry);
  if (!start) return undefined;
  if (fragment === '') return { node: start };
  if (fragment.startsWith('/')) {
    for (const tokens of fragmentReadings(fragment)) {
      const node = follow(tokens, start, registry);
      if (node) return { node };
    }
    return undefined;
  }
  const anchor = decodeFragment(fragment);
  const node = anchor === undefined ? undefined : start.resource.anchor(anchor);
  return node && anchor !== undefined ? { node, anchor } : undefined;
}

function find(address: string, from: SchemaResource, registry: Registry): PlacedNode | undefined {
  const uri = absoluteUri(address, from.uri);
  if (uri === undefined) return undefined;
  return uri === from.uri ? from.root : registry.find(uri, from.document);
}

/** Walks a JSON Pointer, changing the resource where it passes a schema with an identity of its own. */
function follow(tokens: readonly string[], start: PlacedNode, registry: Registry): PlacedNode | undefined {
  let value = start.schema;
  let { resource } = start;
  let node = start;
  for (const [i, token] of tokens.entries()) {
    value = member(value, token);
    if (value === undefined) return undefined;
    resource = resource.of(value);
    // As a keyword and the key of what it holds.
    node =
      i % 2 === 0
        ? new PlacedNode(value, resource, node, token)
        : new PlacedNode(value, resource, node.parent, node.step, token);
  }
  if (!isSchema(value)) return undefined;
  return isObject(value) ? registry.target(value, node) : node;
}
