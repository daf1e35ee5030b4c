import { isObject, type JsonObject } from '../../json/index.js';
import { defineKeyword, type Clause } from '../keyword.js';
import type { SchemaNode } from '../node.js';
import { and, VALID, type Verdict } from '../verdict.js';

interface Properties {
  readonly schemas: JsonObject;
  readonly nodes: Map<string, SchemaNode>;
}

/** core, 10.3.2.1 */
export const properties = defineKeyword<Properties>({
  name: 'properties',
  subschemas: 'members',
  compile(value, at) {
    if (!isObject(value)) {
      at.malformed('an object of schemas');
      return;
    }
    at.checkMembers(value);
    return { schemas: value, nodes: new Map() };
  },
  evaluate(clause, instance, run, evaluated) {
    if (!isObject(instance)) return VALID;
    const names = Object.keys(instance);
    if (!run.spend(names.length)) return run.undetermined('steps', clause.node, 'properties');
    let result: Verdict = VALID;
    for (const name of names) {
      const node = propertyNode(clause, name);
      if (node === undefined || instance[name] === undefined) continue;
      evaluated?.addProperty(name);
      result = and(result, run.applyAt(node, instance[name], name));
      if (run.settled(result)) break;
    }
    return result;
  },
});

/** The nodes of the properties that calls really carry; a schema may list thousands. */
function propertyNode({ value: { schemas, nodes }, node }: Clause<Properties>, name: string): SchemaNode | undefined {
  let found = nodes.get(name);
  if (found === undefined && Object.hasOwn(schemas, name)) {
    found = node.child(schemas[name], ['properties', name]);
    nodes.set(name, found);
  }
  return found;
}
