import type { Provider } from '../../src/projections/index.js';

type Schema = Readonly<Record<string, unknown>>;

interface Placed {
  readonly schema: Schema;
  readonly keyword: string;
  readonly depth: number;
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const holding: Record<string, 'one' | 'list' | 'named'> = {
  ...named('one', 'additionalProperties contains else if items not propertyNames then unevaluatedItems contentSchema'),
  ...named('one', 'unevaluatedProperties'),
  ...named('list', 'allOf anyOf oneOf prefixItems'),
  ...named('named', '$defs definitions dependentSchemas patternProperties properties'),
};

function named<Shape>(shape: Shape, keywords: string): Record<string, Shape> {
  return Object.fromEntries(keywords.split(' ').map((keyword) => [keyword, shape]));
}

/** Every schema within a schema, as 2020-12 has them. Written anew here, so that a mistake is not made twice. */
function everySchema(schema: Schema, keyword = '', depth = 0): Placed[] {
  const inner = Object.entries(schema).flatMap(([name, value]) => {
    const shape = Object.hasOwn(holding, name) ? holding[name] : undefined;
    const parts = shape === 'one' ? [value] : shape && typeof value === 'object' ? Object.values(value ?? {}) : [];
    return parts.filter(isSchema).flatMap((part) => everySchema(part, name, depth + 1));
  });
  return [{ schema, keyword, depth }, ...inner];
}

const has = (schema: Schema, names: string) => names.split(' ').filter((name) => Object.hasOwn(schema, name));
const types = ({ type }: Schema) => (Array.isArray(type) ? type : [type]) as unknown[];
const bounds = 'minLength maxLength minItems maxItems';
const describing = 'title description default examples $comment $defs definitions $schema deprecated';

/** Faults at the root only. */
const roots: Partial<Record<Provider, (root: Schema) => unknown[]>> = {
  openai: (root) => [
    ...has(root, 'anyOf oneOf allOf enum not const'),
    ...(root['type'] === 'object' && isSchema(root['properties']) ? [] : ['root']),
  ],
  anthropic: (root) => [
    ...has(root, 'anyOf oneOf allOf'),
    ...(root['type'] === 'object' ? [] : ['root']),
    ...Object.keys(root['properties'] ?? {}).filter((name) => !/^[\w.-]{1,64}$/.test(name)),
  ],
  deepseek: (root) => (root['type'] === 'object' ? [] : ['root']),
  moonshot: (root) => [...has(root, 'anyOf oneOf allOf definitions'), ...(root['type'] === 'object' ? [] : ['root'])],
  google: (root) => (root['type'] === 'object' ? [] : ['root']),
  cohere: ({ properties, required }) => [
    ...Object.values(isSchema(properties) ? properties : {}).filter(
      (part) => !isSchema(part) || typeof part['type'] !== 'string',
    ),
    ...(required === undefined || Array.isArray(required) ? [] : ['required']),
  ],
};

const geminiKeywords =
  'type format title description nullable enum default example anyOf properties required items minItems maxItems minProperties maxProperties minLength maxLength pattern minimum maximum propertyOrdering';

/** Faults of any schema. */
const parts: Partial<Record<Provider, (placed: Placed) => unknown[]>> = {
  openai: ({ schema }) => (types(schema).includes('array') && !Object.hasOwn(schema, 'items') ? ['items'] : []),
  google: ({ schema, keyword }) => {
    if (keyword === 'items' && Object.keys(schema).length === 0) return [];
    const { type, enum: values, items, properties, required, format } = schema;
    if (Object.hasOwn(schema, 'anyOf')) return Object.keys(schema).filter((name) => name !== 'anyOf');
    const removed = `${geminiKeywords} additionalProperties $schema`.split(' ');
    const all: unknown[] = properties === undefined ? [] : Object.keys(properties as object);
    return [
      ...Object.keys(schema).filter((name) => !removed.includes(name)),
      ...(typeof type === 'string' && 'string number integer boolean array object null'.split(' ').includes(type)
        ? []
        : ['type']),
      ...((type === 'array') === isSchema(items) ? [] : ['items']),
      ...(type === 'object' ? [] : has(schema, 'properties required')),
      ...(values === undefined || (type === 'string' && isTexts(values)) ? [] : ['enum']),
      ...(Array.isArray(required) ? (required as unknown[]).filter((name) => !all.includes(name)) : []),
      ...(format === undefined || /^(date-time|enum|float|double|int32|int64)$/.test(format as string)
        ? []
        : ['format']),
    ];
  },
  groq: ({ schema }) => (Object.hasOwn(schema, 'required') && !Object.hasOwn(schema, 'properties') ? ['required'] : []),
  xai: ({ schema }) => [
    ...has(schema, `${bounds} minContains maxContains`),
    ...Object.values(schema['properties'] ?? {}).filter((part) => typeof part === 'boolean'),
  ],
  moonshot: ({ schema, keyword, depth }) => {
    const { $ref, enum: values } = schema;
    const isTyped = has(schema, 'type anyOf oneOf allOf $ref enum const').length > 0;
    return [
      ...(isTyped || /^(anyOf|oneOf|allOf)$/.test(keyword) ? [] : ['untyped']),
      ...(Object.hasOwn(schema, 'anyOf')
        ? Object.keys(schema).filter((name) => name !== 'anyOf' && !describing.split(' ').includes(name))
        : []),
      ...($ref !== undefined && (Object.hasOwn(schema, 'type') || !/^#(\/\$defs\/[^/]+)?$/.test($ref as string))
        ? ['$ref']
        : []),
      ...(Array.isArray(values) && new Set(values.map((value) => typeof value)).size !== 1 ? ['enum'] : []),
      ...(depth > 9 ? ['depth'] : []),
      ...(types(schema).includes('string') || !Object.hasOwn(schema, 'type') ? [] : has(schema, 'minLength pattern')),
    ];
  },
  fireworks: ({ schema }) =>
    has(schema, 'type anyOf oneOf allOf $ref $dynamicRef enum const').length > 0 ? [] : ['untyped'],
  'llama.cpp': ({ schema }) => {
    const { pattern } = schema;
    const isPlain = typeof pattern !== 'string' || (/^\^.*\$$/s.test(pattern) && !/\\[sSbBpP]|\(\?[^:]/.test(pattern));
    return [...(isPlain ? [] : ['pattern']), ...has(schema, bounds).filter((name) => Number(schema[name]) > 2000)];
  },
};

function isTexts(values: unknown): boolean {
  return Array.isArray(values) && values.every((value) => typeof value === 'string' && value !== '');
}

/** The faults for which a provider rejects a schema, by docs/providers.md and without the adapting code. */
export function judged(schema: Schema, provider: Provider): unknown[] {
  const found = everySchema(schema).flatMap((placed) => parts[provider]?.(placed) ?? []);
  return [...(roots[provider]?.(schema) ?? []), ...found];
}

export function patternsIn(schema: Schema): string[] {
  return everySchema(schema).flatMap(({ schema: { pattern, patternProperties } }) => [
    ...(typeof pattern === 'string' ? [pattern] : []),
    ...(isSchema(patternProperties) ? Object.keys(patternProperties) : []),
  ]);
}
