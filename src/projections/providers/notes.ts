import {
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
    yield note(
      'refused',
      'root-type',
      '#/type',
      `OpenAI takes only "type": "object" at the root, not ${shortened(jsonText(schema['type']), 60)}.`,
    );
  }
  if (!isObject(schema['properties'])) {
    // An empty one is added wherever a model is told of a tool: see `modelSchema`.
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
  const removed = new Map<string, string>();
  const unknown = new Map<string, string>();
  for (const { schema: part, location } of walkSchemas(schema)) {
    for (const keyword of Object.keys(part)) {
      if (keyword === 'additionalProperties' || keyword === '$schema')
        removed.set(keyword, removed.get(keyword) ?? `${location}/${keyword}`);
      else if (!geminiKeywords.has(keyword))
        unknown.set(keyword, unknown.get(keyword) ?? `${location}/${pointerToken(keyword)}`);
    }
    const { enum: values } = part;
    if (Array.isArray(values) && values.some((value) => typeof value !== 'string'))
      unknown.set('enum', unknown.get('enum') ?? `${location}/enum`);
    if (Array.isArray(values) && values.includes('')) unknown.set('', unknown.get('') ?? `${location}/enum`);
    if (Array.isArray(part['type'])) unknown.set('type', unknown.get('type') ?? `${location}/type`);
    if ([part['type']].flat().includes('array') && !isObject(part['items']))
      unknown.set('items', unknown.get('items') ?? location);
    if (requiresUndeclared(part)) unknown.set('required', unknown.get('required') ?? `${location}/required`);
  }
  for (const [keyword, location] of removed)
    yield note('changed', 'removed-keyword', location, `LangChain removes "${keyword}" for Google.`);
  for (const [keyword, location] of unknown) yield geminiRefusal(keyword, location);
}

function geminiRefusal(keyword: string, location: string): ProviderNote {
  switch (keyword) {
    case 'type':
      return note('refused', 'type-list', location, 'Gemini takes one type, not a list of them.');
    case 'enum':
      return note('refused', 'enum-of-others', location, 'Gemini takes only strings in an "enum".');
    case 'items':
      return note('refused', 'array-without-items', location, 'Gemini refuses an array whose items are not described.');
    case 'required':
      return note(
        'refused',
        'required-undeclared',
        location,
        'Gemini refuses "required" names that are no properties.',
      );
    case '':
      return note(
        'refused',
        'empty-enum-value',
        location,
        'Google\'s client throws if an "enum" contains an empty string.',
      );
    default:
      return note('refused', 'unknown-keyword', location, `Gemini's schemas do not know "${shortened(keyword, 60)}".`);
  }
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
  if (!survives)
    yield note(
      'changed',
      'rebuilt',
      '#',
      "LangChain rebuilds the schema for Cohere: only each parameter's name, type and description survive.",
    );
}

function note(effect: ProviderNote['effect'], code: string, schemaLocation: string, message: string): ProviderNote {
  return { effect, code, message: visibleLine(message), schemaLocation };
}
