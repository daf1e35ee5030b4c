import {
  isList,
  isObject,
  isSchema,
  jsonText,
  pointerToken,
  shortened,
  visibleLine,
  walkSchemas,
  type JsonObject,
  checkOption,
  oneOf,
  required,
} from '../../json/index.js';
import {
  anthropicKey,
  combinators,
  geminiKeywords,
  type Provider,
  type ProviderNote,
  requiresUndeclared,
} from './provider.js';

/**
 * What a provider, or the library in front of it, is known to do to a tool's schema. Nothing here changes anything:
 * it is for a warning before the run. {@link providerSafeSchema} is the way out.
 *
 * ```ts
 * const inputSchema = { type: 'object', anyOf: [{ required: ['id'] }, { required: ['name'] }] };
 * providerNotes({ inputSchema }, 'anthropic').map(({ effect }) => effect); // => ['dropped']
 * ```
 */
export function providerNotes(
  tool: { readonly inputSchema: Readonly<Record<string, unknown>> },
  provider: Provider,
): ProviderNote[] {
  checkOption('providerNotes', 'provider', provider, required(oneOf(...Object.keys(checks))));
  // A root without a type never reaches anybody so: see `modelSchema`.
  return [...checks[provider]({ type: 'object', ...tool.inputSchema })];
}

const checks: Record<Provider, (schema: JsonObject) => Iterable<ProviderNote>> = {
  openai: openaiNotes,
  anthropic: anthropicNotes,
  google: googleNotes,
  cohere: cohereNotes,
};

/**
 * "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level", "object schema
 * missing properties" (OpenAI's API).
 */
function* openaiNotes(schema: JsonObject): Generator<ProviderNote> {
  if (schema['type'] !== 'object') {
    const what = `OpenAI takes only "type": "object" at the root, not ${shortened(jsonText(schema['type']), 60)}.`;
    yield note('refused', 'root-type', '#/type', what);
  }
  if (!isObject(schema['properties'])) {
    // An empty one is added for every model: see `modelSchema`.
    const effect = schema['properties'] === undefined ? 'changed' : 'refused';
    yield note(effect, 'root-without-properties', '#', 'OpenAI refuses a root without "properties".');
  }
  for (const keyword of [...combinators, 'enum', 'not']) {
    if (keyword in schema)
      yield note('refused', 'root-combinator', `#/${keyword}`, `OpenAI refuses "${keyword}" at the root.`);
  }
  for (const { schema: part, location } of walkSchemas(schema)) {
    if ([part['type']].flat().includes('array') && !isSchema(part['items'])) {
      yield note('refused', 'array-without-items', location, 'OpenAI refuses an array whose items are not described.');
    }
  }
}

/** "input_schema does not support oneOf, allOf, or anyOf at the top level" (Anthropic's API). */
function* anthropicNotes(schema: JsonObject): Generator<ProviderNote> {
  for (const keyword of combinators) {
    if (keyword in schema) {
      const what = `Anthropic refuses "${keyword}" at the root; LangChain silently leaves such a tool out.`;
      yield note('dropped', 'root-combinator', `#/${keyword}`, what);
    }
  }
  for (const name of Object.keys(isObject(schema['properties']) ? schema['properties'] : {})) {
    if (anthropicKey.test(name)) continue;
    const what = `Anthropic refuses the parameter name ${shortened(jsonText(name), 80)}; it takes letters, digits, "_", "." and "-", at most 64.`;
    yield note('refused', 'property-name', `#/properties/${pointerToken(name)}`, what);
  }
}

/** Of Gemini's `parameters`, which client libraries fill; its newer `parametersJsonSchema` knows more. */
function* googleNotes(schema: JsonObject): Generator<ProviderNote> {
  const found = new Set<string>();
  for (const { schema: part, location } of walkSchemas(schema))
    for (const each of geminiFaults(part, location)) {
      if (found.has(each.message)) continue;
      yield each;
      if (found.add(each.message).size === mostNotes) return;
    }
}

/** Different notes that anybody reads. */
const mostNotes = 100;

function* geminiFaults(part: JsonObject, location: string): Generator<ProviderNote> {
  for (const keyword of Object.keys(part)) {
    const at = `${location}/${pointerToken(keyword)}`;
    if (keyword === 'additionalProperties' || keyword === '$schema')
      yield note('changed', 'removed-keyword', at, `LangChain removes "${keyword}" for Google.`);
    else if (!geminiKeywords.has(keyword))
      yield note('refused', 'unknown-keyword', at, `Gemini's schemas do not know "${shortened(keyword, 60)}".`);
  }
  const { enum: values, type, items } = part;
  const refused = (code: string, at: string, message: string) => note('refused', code, `${location}${at}`, message);
  if (isList(values) && values.some((value) => typeof value !== 'string'))
    yield refused('enum-of-others', '/enum', 'Gemini takes only strings in an "enum".');
  if (isList(values) && values.includes(''))
    yield refused('empty-enum-value', '/enum', 'Google\'s client throws if an "enum" contains an empty string.');
  if (isList(type)) yield refused('type-list', '/type', 'Gemini takes one type, not a list of them.');
  if ([type].flat().includes('array') && !isObject(items))
    yield refused('array-without-items', '', 'Gemini refuses an array whose items are not described.');
  if (requiresUndeclared(part))
    yield refused('required-undeclared', '/required', 'Gemini refuses "required" names that are no properties.');
}

function* cohereNotes(schema: JsonObject): Generator<ProviderNote> {
  const isPlain = (part: JsonObject, allowed: readonly string[]) =>
    Object.keys(part).every((keyword) => allowed.includes(keyword));
  const properties = isObject(schema['properties']) ? Object.values(schema['properties']) : [];
  const survives =
    isPlain(schema, ['type', 'properties', 'required']) &&
    properties.every(
      (part) => isObject(part) && typeof part['type'] === 'string' && isPlain(part, ['type', 'description']),
    );
  const what = "LangChain rebuilds the schema for Cohere: only each parameter's name, type and description survive.";
  if (!survives) yield note('changed', 'rebuilt', '#', what);
}

function note(effect: ProviderNote['effect'], code: string, schemaLocation: string, message: string): ProviderNote {
  return { effect, code, message: visibleLine(message), schemaLocation };
}
