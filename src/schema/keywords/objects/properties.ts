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
  /** Of the properties that calls really carry, as they were first met; a schema may list thousands. */
  readonly nodes: SchemaNode[];
  /** The same by name. Made when first needed: most objects of one kind name their members in one order. */
  byName: Map<unknown, SchemaNode> | undefined;
  /** The names whose values are listed: they are what tells branches apart. Found when first needed. */
  tags: readonly string[] | undefined;
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
    // Not within the literal: V8 makes nested ones in its slow path.
    const nodes: SchemaNode[] = [];
    return { schemas: value, nodes, byName: undefined, tags: undefined };
  },
  evaluate(bound, instance, context, evaluated) {
    if (!isObject(instance)) return VALID;
    if (context.inBranch && !context.collecting && !evaluated && !fitsTags(bound, instance, context)) return INVALID;
    let result: Verdict = VALID;
    let looked = 0;
    const { nodes } = bound.value;
    let next = 0;
    for (const name in instance) {
      if (!isOwn(instance, name)) continue;
      if (!context.consume(nameStep(++looked))) return context.undetermined('steps', bound.node, 'properties');
      const member = instance[name];
      if (member === undefined) continue;
      let node = nodes[next];
      if (node?.key !== name) node = propertyNode(bound, name, next);
      if (node === undefined) continue;
      next++;
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
  if (names.length <= manyNames || !context.consume(nameSteps(names))) return true;
  if (!value.tags) {
    const declared = Object.keys(value.schemas);
    if (!context.consume(declared.length >> 3)) return true;
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

/** @param next how many nodes the object's members had so far, in their order, as long as there is no other */
function propertyNode({ value, node }: BoundKeyword<Properties>, name: string, next = -1): SchemaNode | undefined {
  const { schemas, nodes } = value;
  // As long as there is no other order, and all nodes are of its members so far, this one has none.
  if (next < nodes.length) value.byName ??= new Map(nodes.map((each) => [each.key, each]));
  const known = value.byName?.get(name);
  if (known || !Object.hasOwn(schemas, name)) return known;
  const found = node.child(schemas[name], 'properties', name);
  nodes.push(found);
  value.byName?.set(name, found);
  return found;
}
