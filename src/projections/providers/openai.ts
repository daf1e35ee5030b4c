import type { JsonObject, WorkBudget } from '../../json/index.js';
import { isList, isObject, isSchema, jsonText, mapSubschemas, shortened, walkSchemas } from '../../json/index.js';
import { plainRoot } from './plain-root.js';
import { combinators, note, type ProviderNote, type ProviderRules } from './provider.js';

/** For OpenAI the projection accepts every object that the original accepts. */
export const openai: ProviderRules = {
  notes,
  accepted: (schema, budget) => withItems(withProperties(plainRoot(schema, refusedAtRoot, budget)), budget),
};

const refusedAtRoot: readonly string[] = [...combinators, 'enum', 'not'];

/**
 * "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level", "object schema
 * missing properties" (OpenAI's API).
 */
function* notes(schema: JsonObject): Generator<ProviderNote> {
  if (schema['type'] !== 'object') {
    const what = `OpenAI takes only "type": "object" at the root, not ${shortened(jsonText(schema['type']), 60)}.`;
    yield note('refused', 'root-type', '#/type', what);
  }
  if (!isObject(schema['properties'])) {
    // An empty one is added for every model: see `modelSchema`.
    const effect = schema['properties'] === undefined ? 'changed' : 'refused';
    yield note(effect, 'root-without-properties', '#', 'OpenAI refuses a root without "properties".');
  }
  for (const keyword of refusedAtRoot) {
    if (keyword in schema)
      yield note('refused', 'root-combinator', `#/${keyword}`, `OpenAI refuses "${keyword}" at the root.`);
  }
  for (const { schema: part, location } of walkSchemas(schema)) {
    if ([part['type']].flat().includes('array') && !isSchema(part['items']))
      yield note('refused', 'array-without-items', location, 'OpenAI refuses an array whose items are not described.');
  }
}

function withProperties(schema: JsonObject): JsonObject {
  return isObject(schema['properties']) ? schema : { ...schema, properties: {} };
}

/** What is in an array that does not say so may be anything. */
function withItems(root: JsonObject, budget: WorkBudget): JsonObject {
  const { hasUnevaluated, hasNegation } = traitsOf(root, budget);
  // Items that are described count as evaluated.
  if (hasUnevaluated) return root;
  const completed = new Map<unknown, unknown>();
  const complete = (part: unknown, depth: number): unknown => {
    if (!isObject(part) || depth > maxDepth || !budget.consume()) return part;
    // One that is met again within itself stays as it is.
    if (completed.has(part)) return completed.get(part);
    completed.set(part, part);
    const inner = mapSubschemas(part, (subschema) => complete(subschema, depth + 1));
    const whole = withOwnItems(inner, hasNegation);
    completed.set(part, whole);
    return whole;
  };
  return mapSubschemas(root, (part) => complete(part, 1));
}

const maxDepth = 200;

function withOwnItems(schema: JsonObject, hasNegation: boolean): JsonObject {
  const { type, items, additionalItems, ...others } = schema;
  if (![type].flat().includes('array') || isSchema(items)) return schema;
  if (!isList(items)) return { ...schema, items: {} };
  // A list of items is joined into less than it says, which turns into more within a negation.
  if (hasNegation) return schema;
  const rest = additionalItems === false ? [] : [isSchema(additionalItems) ? additionalItems : {}];
  return { ...others, type, items: { anyOf: [...items, ...rest] } };
}

/** Keywords under which a schema that accepts more makes one that accepts less. */
const negating = ['not', 'if', 'oneOf', 'contains'];

function traitsOf(root: JsonObject, budget: WorkBudget): { hasUnevaluated: boolean; hasNegation: boolean } {
  let [hasUnevaluated, hasNegation] = [false, false];
  for (const { schema } of walkSchemas(root, Infinity)) {
    if (!budget.consume()) break;
    hasUnevaluated ||= 'unevaluatedItems' in schema;
    hasNegation ||= negating.some((keyword) => keyword in schema);
  }
  return { hasUnevaluated, hasNegation };
}
