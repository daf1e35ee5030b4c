import {
  isObject,
  isSchema,
  mapSubschemas,
  resolveLocalReference,
  startBudget,
  walkSchemas,
  type JsonObject,
  type WorkBudget,
  isList,
  checkOption,
  oneOf,
  required,
} from '../../json/index.js';
import { geminiSchema } from './gemini.js';
import { plainRoot } from './plain-root.js';
import { annotationsOf } from './portable.js';
import { anthropicKey, combinators, projectionLimits, type Provider } from './provider.js';

/**
 * A projection of an input schema that a provider takes. It is shown to the model and nothing else: the original
 * still decides about the arguments. It says less than the original, in words where the provider has no keyword.
 *
 * The law: for OpenAI and Anthropic it accepts every object that the original accepts. Gemini's schemas name one type
 * each, and know neither recursion nor values of any type: where none is named a text is asked for, and any object where
 * the original recurs.
 *
 * ```ts
 * const schema = { type: 'object', anyOf: [{ required: ['id'] }, { required: ['name'] }] };
 * 'anyOf' in providerSafeSchema(schema, 'anthropic'); // => false
 * ```
 *
 * @returns the very schema where the provider takes it as it is, and where it is too large to be rewritten in time
 */
export function providerSafeSchema(
  schema: Readonly<Record<string, unknown>>,
  provider: Provider,
): Readonly<Record<string, unknown>> {
  checkOption('providerSafeSchema', 'provider', provider, required(oneOf(...Object.keys(projections))));
  const budget = startBudget(projectionLimits);
  const safe = projections[provider](schema, budget);
  return budget.exhausted ? schema : safe;
}

const projections: Record<Provider, (schema: JsonObject, budget: WorkBudget) => JsonObject> = {
  openai: (schema, budget) =>
    withItems(withProperties(withPlainRoot(schema, [...combinators, 'enum', 'not'], budget)), budget),
  anthropic: (schema, budget) => withLegalKeys(withPlainRoot(schema, combinators, budget), budget),
  google: (schema, budget) => geminiSchema(schema, budget),
  // LangChain rebuilds it anyway, from what any schema has.
  cohere: (schema) => schema,
};

function withPlainRoot(schema: JsonObject, refused: readonly string[], budget: WorkBudget): JsonObject {
  const isPlain = schema['type'] === 'object' && !refused.some((keyword) => keyword in schema);
  return isPlain ? schema : plainRoot(schema, refused, budget);
}

/** Tools without parameters often leave them out. */
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
    const whole = withOwnItems(
      mapSubschemas(part, (subschema) => complete(subschema, depth + 1)),
      hasNegation,
    );
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

/**
 * An optional parameter whose name is refused is not shown; the tool is of use without it, and refused with it. What
 * closes the object would then refuse it, and goes as well.
 */
function withLegalKeys(schema: JsonObject, budget: WorkBudget): JsonObject {
  const { properties, required } = schema;
  if (!isObject(properties)) return schema;
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  const members = Object.entries(properties);
  const shown = members.filter(([name]) => anthropicKey.test(name) || needed.has(name));
  if (shown.length === members.length) return schema;
  const open = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !closing.includes(keyword)));
  const result = { ...open, properties: Object.fromEntries(shown) };
  const whole = shown.map(([name, part]) => [name, withoutLost(part, schema, result, budget)] as const);
  return { ...result, properties: Object.fromEntries<unknown>(whole) };
}

const closing = ['additionalProperties', 'unevaluatedProperties'];

/** Of a part that refers to what is not shown, the annotations remain. */
function withoutLost(part: unknown, before: JsonObject, after: JsonObject, budget: WorkBudget): unknown {
  for (const { schema } of walkSchemas(part, Infinity)) {
    const { $ref } = schema;
    if (!budget.consume()) break;
    if (typeof $ref !== 'string' || resolveLocalReference(after, $ref) !== undefined) continue;
    if (resolveLocalReference(before, $ref) !== undefined) return annotationsOf(part);
  }
  return part;
}
