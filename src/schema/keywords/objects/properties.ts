import { isObject, type JsonObject } from '../../../json/index.js';
import { type BoundKeyword, defineKeyword, everyMember, type SchemaNode } from '../keyword.js';
import { VALID } from '../verdict.js';

interface Properties {
  readonly schemas: JsonObject;
  /** Nodes of the properties that calls really carry: a schema may list thousands. */
  readonly nodes: Map<string, SchemaNode>;
}

/** core, 10.3.2.1 */
export const properties = defineKeyword<Properties>({
  name: 'properties',
  compile(value, at) {
    if (!isObject(value)) return at.malformed('an object of schemas');
    at.checkMembers(value);
    return { schemas: value, nodes: new Map() };
  },
  evaluate: (bound, instance, context, evaluated) =>
    everyMember(instance, context, (name, value) => {
      const node = propertyNode(bound, name);
      if (!node) return VALID;
      evaluated?.addProperty(name);
      return context.applyAt(node, value, name);
    }),
});

function propertyNode({ value, node }: BoundKeyword<Properties>, name: string): SchemaNode | undefined {
  const { schemas, nodes } = value;
  const known = nodes.get(name);
  if (known || !Object.hasOwn(schemas, name)) return known;
  const found = node.child(schemas[name], 'properties', name);
  nodes.set(name, found);
  return found;
}
