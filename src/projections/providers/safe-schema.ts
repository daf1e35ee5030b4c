import { isObject, jsonText, mapSubschemas, shortened, type JsonObject } from '../../json/index.js';
import { viewOf } from '../reading/view.js';
import { geminiSchema } from './gemini.js';
import { anthropicKey, combinators, type Provider } from './provider.js';

/**
 * A projection of an input schema that a provider takes. It is shown to the model and nothing else: the original
 * still decides about the arguments. It says less than the original, in words where the provider has no keyword: for
 * OpenAI and Anthropic it accepts whatever the original accepts, save optional parameters whose names are refused;
 * Gemini knows neither recursion nor values of any type, which become plain objects and strings.
 *
 * ```ts
 * const schema = { type: 'object', anyOf: [{ required: ['id'] }, { required: ['name'] }] };
 * 'anyOf' in providerSafeSchema(schema, 'anthropic'); // => false
 * ```
 *
 * @returns the very schema where the provider takes it as it is
 */
export function providerSafeSchema(
  schema: Readonly<Record<string, unknown>>,
  provider: Provider,
): Readonly<Record<string, unknown>> {
  switch (provider) {
    case 'openai':
      return withItems(withPlainRoot(schema, [...combinators, 'enum', 'not']));
    case 'anthropic':
      return withLegalKeys(withPlainRoot(schema, combinators));
    case 'google':
      return geminiSchema(schema);
    case 'cohere':
      // LangChain rebuilds it anyway, from what any schema has.
      return schema;
  }
}

/** Joins the root's alternatives into one object: all their properties, and required what every alternative requires. */
function withPlainRoot(schema: JsonObject, refused: readonly string[]): JsonObject {
  if (schema['type'] === 'object' && !refused.some((keyword) => keyword in schema)) return schema;
  const { schema: merged, alternatives = [] } = viewOf(schema, schema);
  const plain = Object.fromEntries(Object.entries(merged).filter(([keyword]) => !refused.includes(keyword)));
  const branches = alternatives.map((branch) => viewOf(branch, schema).schema);
  const properties = joinedProperties([plain, ...branches]);
  const required = [...new Set([...namesIn(plain), ...requiredByAll(branches)])];
  return {
    ...plain,
    type: 'object',
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
    ...(branches.length > 0 && { description: described(plain, branches) }),
  };
}

/** The same property in several alternatives takes what any of them takes. */
function joinedProperties(schemas: readonly JsonObject[]): JsonObject {
  const ways = new Map<string, Map<unknown, unknown>>();
  for (const { properties } of schemas) {
    for (const [name, part] of Object.entries(isObject(properties) ? properties : {})) {
      const known = ways.get(name) ?? new Map<unknown, unknown>();
      ways.set(name, known.set(textOf(part), part));
    }
  }
  return Object.fromEntries(
    [...ways].map(([name, known]) => {
      const [first, ...others] = known.values();
      return [name, others.length === 0 ? first : { anyOf: [first, ...others] }];
    }),
  );
}

/** What equal schemas have in common; one that nests too deeply for JSON is equal to itself alone. */
function textOf(schema: unknown): unknown {
  try {
    return JSON.stringify(schema);
  } catch {
    return schema;
  }
}

function requiredByAll(branches: readonly JsonObject[]): string[] {
  const [first, ...others] = branches.map((branch) => new Set(namesIn(branch)));
  return [...(first ?? [])].filter((name) => others.every((names) => names.has(name)));
}

function namesIn({ required }: JsonObject): string[] {
  return Array.isArray(required) ? required.filter((name): name is string => typeof name === 'string') : [];
}

/** Tells the model in words what the joined object no longer says. */
function described({ description }: JsonObject, branches: readonly JsonObject[]): string {
  const sets = branches
    .map((branch) =>
      namesIn(branch)
        .map((name) => jsonText(name))
        .join(' and '),
    )
    .filter((names) => names !== '');
  const text = typeof description === 'string' && description !== '' ? [description] : [];
  if (sets.length > 1)
    text.push(`Give one of these sets of parameters: ${shortened([...new Set(sets)].join('; '), 1000)}.`);
  return text.join('\n') || `One of ${branches.length} alternatives.`;
}

/** What is in an array that does not say so may be anything. */
function withItems(schema: JsonObject): JsonObject {
  const complete = (part: unknown, depth: number): unknown => {
    if (!isObject(part) || depth > maxDepth) return part;
    const inner = mapSubschemas(part, (subschema) => complete(subschema, depth + 1));
    const isOpen =
      [part['type']].flat().includes('array') && !isObject(part['items']) && typeof part['items'] !== 'boolean';
    return isOpen ? { ...inner, items: itemsOf(inner) } : inner;
  };
  return mapSubschemas(schema, (part) => complete(part, 1));
}

const maxDepth = 200;

function itemsOf({ prefixItems, items }: JsonObject): JsonObject {
  const listed = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
  return listed.length > 0 && listed.every(isObject) ? { anyOf: listed } : {};
}

/** An optional parameter whose name is refused is not shown; the tool is of use without it, and refused with it. */
function withLegalKeys(schema: JsonObject): JsonObject {
  if (!isObject(schema['properties'])) return schema;
  const required = new Set(namesIn(schema));
  const members = Object.entries(schema['properties']);
  const shown = members.filter(([name]) => anthropicKey.test(name) || required.has(name));
  return shown.length === members.length ? schema : { ...schema, properties: Object.fromEntries(shown) };
}
