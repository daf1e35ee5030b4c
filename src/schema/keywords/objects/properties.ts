import { isObject, type JsonObject } from '../../../json/index.js';
import { type BoundKeyword, defineKeyword, namesIn, type SchemaNode } from '../keyword.js';
import { and, VALID, type Verdict } from '../verdict.js';

interface Properties {
  readonly schemas: JsonObject;
  /** Of the properties that calls really carry: a schema may list thousands. */
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
  evaluate(bound, instance, context, evaluated) {
    if (!isObject(instance)) return VALID;
    let result: Verdict = VALID;
    for (const name of namesIn(instance, context)) {
      const node = propertyNode(bound, name);
      if (!node) continue;
      evaluated?.addProperty(name);
      result = and(result, context.applyAt(node, instance[name], name));
      if (context.settled(result)) break;
    }
    return result;
  },
});

function propertyNode({ value, node }: BoundKeyword<Properties>, name: string): SchemaNode | undefined {
  const { schemas, nodes } = value;
  const known = nodes.get(name);
  if (known || !Object.hasOwn(schemas, name)) return known;
  const found = node.child(schemas[name], 'properties', name);
  nodes.set(name, found);
  return found;
}
