import { has, isObject, isOwn, type JsonObject } from '../../../json/index.js';
import {
  type BoundKeyword,
  defineKeyword,
  type EvaluationContext,
  nameStep,
  nameSteps,
  type SchemaNode,
} from '../keyword.js';
import { and, INVALID, VALID, type Verdict } from '../verdict.js';

interface Properties {
  readonly schemas: JsonObject;
  readonly nodes: Map<string, SchemaNode>;
  /** The names whose values are listed: they are what tells branches apart. Found when first needed. */
  tags?: readonly string[];
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
    if (context.inBranch && !context.collecting && !evaluated && !fitsTags(bound, instance, context)) return INVALID;
    let result: Verdict = VALID;
    let looked = 0;
    for (const name in instance) {
      if (!isOwn(instance, name)) continue;
      if (!context.spend(nameStep(++looked))) return context.undetermined('steps', bound.node, 'properties');
      const member = instance[name];
      if (member === undefined) continue;
      const node = propertyNode(bound, name);
      if (node === undefined) continue;
      evaluated?.addProperty(name);
      const verdict = context.applyAt(node, member, name);
      if (verdict === VALID) continue;
      result = and(result, verdict);
      if (context.settled(result)) break;
    }
    return result;
  },
});

/** Names beyond which the tags are looked at first. */
const manyNames = 4;

/** Whether the values by which branches are told apart are not refused: a quick look before all the others. */
function fitsTags(bound: BoundKeyword<Properties>, instance: JsonObject, context: EvaluationContext): boolean {
  const { value } = bound;
  const names = Object.keys(instance);
  if (names.length <= manyNames || !context.spend(nameSteps(names))) return true;
  if (!value.tags) {
    const declared = Object.keys(value.schemas);
    if (!context.spend(declared.length >> 3)) return true;
    value.tags = declared.filter((name) => isTag(value.schemas[name]));
  }
  return value.tags.every((name) => {
    const node = has(instance, name) ? propertyNode(bound, name) : undefined;
    return !node || context.applyAt(node, instance[name], name) !== INVALID;
  });
}

function isTag(schema: unknown): boolean {
  return isObject(schema) && (Object.hasOwn(schema, 'const') || Object.hasOwn(schema, 'enum'));
}

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
