import { isObject, type JsonObject } from '../../../json/index.js';
import { type BoundKeyword, defineKeyword, type SchemaNode } from '../keyword.js';
import { and, VALID, type Verdict } from '../verdict.js';

interface Properties {
  readonly schemas: JsonObject;
  readonly nodes: Map<string, SchemaNode>;
}

/** core, 10.3.2.1 */
export const properties = defineKeyword<Properties>({
  name: 'properties',
  compile(value, at) {
    if (!isObject(value)) {
      at.malformed('an object of schemas');
      return;
    }
    at.checkMembers(value);
    return { schemas: value, nodes: new Map() };
  },
  evaluate(bound, instance, context, evaluated) {
    if (!isObject(instance)) return VALID;
    const names = Object.keys(instance);
    if (!context.spend(names.length)) return context.undetermined('steps', bound.node, 'properties');
    let result: Verdict = VALID;
    for (const name of names) {
      const node = propertyNode(bound, name);
      if (node === undefined || instance[name] === undefined) continue;
      evaluated?.addProperty(name);
      result = and(result, context.applyAt(node, instance[name], name));
      if (context.settled(result)) break;
    }
    return result;
  },
});

/** The nodes of the properties that calls really carry; a schema may list thousands. */
function propertyNode(
  { value: { schemas, nodes }, node }: BoundKeyword<Properties>,
  name: string,
): SchemaNode | undefined {
  let found = nodes.get(name);
  if (found === undefined && Object.hasOwn(schemas, name)) {
    found = node.child(schemas[name], ['properties', name]);
    nodes.set(name, found);
  }
  return found;
}
