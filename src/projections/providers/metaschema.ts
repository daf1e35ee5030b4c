import { filtered, isJsonType, isList, isObject, isSchema, isText, type JsonObject, listOf } from '../../json/index.js';
import { dialects, type Dialect } from '../../schema/index.js';
import { ruleOf } from './provider.js';
import type { Rewrite } from './rewrite.js';

const strict = ruleOf('openai', 'anthropic', 'google', 'mistral', 'deepseek', 'moonshot');

/** A schema that the 2020-12 metaschema rejects takes the whole request down, whatever `$schema` says. */
export const metaschema = strict('metaschema', 'rejects what the metaschema of JSON Schema 2020-12 rejects', {
  evidence:
    'reported: github/codeql-mcp#262, Dokploy#74, claude-in-mobile#55, pdf-reader-mcp#63, Reasonix#4086; boolean exclusiveMinimum at OpenAI is inferred, and so is Gemini, which reads typed fields',
  faults: invalidKeywords,
  // Most keywords are already valid in 2020-12; of the others, those that the validator ignores are removed.
  equal: (schema) =>
    Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, repaired(keyword, value)])),
  wider: 'omit',
});

type Check = (value: unknown) => boolean;

const isFlag: Check = (value) => typeof value === 'boolean';
const isNumber: Check = (value) => typeof value === 'number';
const isCount: Check = (value) => Number.isInteger(value) && Number(value) >= 0;
const isDistinct = (value: unknown, check: Check) =>
  isList(value) && new Set(value).size === value.length && value.every(check);
const isNames: Check = (value) => isDistinct(value, isText);
const isSchemas: Check = (value) => isList(value) && value.length > 0 && value.every(isSchema);
const areMembers =
  (check: Check): Check =>
  (value) =>
    isObject(value) && Object.values(value).every(check);

const forms: readonly (readonly [check: Check, keywords: string])[] = [
  [isText, '$schema $ref $dynamicRef $recursiveRef $comment title description format pattern'],
  [isText, 'contentEncoding contentMediaType'],
  [(value) => typeof value === 'string' && /^[^#]*#?$/.test(value), '$id'],
  [(value) => typeof value === 'string' && /^[A-Za-z_][-\w.]*$/.test(value), '$anchor $dynamicAnchor $recursiveAnchor'],
  [isFlag, 'uniqueItems readOnly writeOnly deprecated'],
  [isNumber, 'minimum maximum exclusiveMinimum exclusiveMaximum'],
  [(value) => typeof value === 'number' && value > 0, 'multipleOf'],
  [isCount, 'minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains'],
  [isList, 'enum examples'],
  [
    (value) => isJsonType(value) || (isDistinct(value, isJsonType) && value !== undefined && listOf(value).length > 0),
    'type',
  ],
  [isNames, 'required'],
  [areMembers(isNames), 'dependentRequired'],
  [areMembers(isFlag), '$vocabulary'],
  [isSchema, 'items contains additionalProperties propertyNames not if then else contentSchema'],
  [isSchema, 'unevaluatedItems unevaluatedProperties'],
  [isSchemas, 'allOf anyOf oneOf prefixItems'],
  [areMembers(isSchema), '$defs definitions properties patternProperties dependentSchemas'],
  [areMembers((value) => isSchema(value) || isNames(value)), 'dependencies'],
];

const checks = new Map(forms.flatMap(([check, keywords]) => keywords.split(' ').map((keyword) => [keyword, check])));

function isValid(keyword: string, value: unknown): boolean {
  return checks.get(keyword)?.(value) ?? true;
}

/** Several providers ask, and each pass of an adaptation: of a schema that is frozen, one look is enough. */
const invalid = new WeakMap<JsonObject, readonly string[]>();

function invalidKeywords(schema: JsonObject): readonly string[] {
  const known = invalid.get(schema) ?? Object.keys(schema).filter((keyword) => !isValid(keyword, schema[keyword]));
  if (Object.isFrozen(schema)) invalid.set(schema, known);
  return known;
}

/** The valid part of a malformed value, as the validator reads it. */
function repaired(keyword: string, value: unknown): unknown {
  if (isValid(keyword, value)) return value;
  if (keyword === 'required' && isList(value)) return [...new Set(value.filter(isText))];
  if (keyword === 'type' && isList(value)) return [...new Set(value)];
  if (!isObject(value) || !['properties', '$defs', 'definitions'].includes(keyword)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, isSchema(part) ? part : {}]));
}

/**
 * A schema of any dialect rewritten in 2020-12 with equal meaning. Keywords that its own dialect ignores are removed.
 */
export function in2020(dialect: Dialect): Rewrite {
  const { keywords: own, refHidesSiblings } = dialects[dialect];
  const later = [...dialects['2020-12'].keywords.keys()].filter(
    (keyword) => !own.has(keyword) && !['$defs', 'definitions'].includes(keyword),
  );
  return (schema, { keyword: holder }) => {
    const { $ref, items, additionalItems } = schema;
    const gone = new Set(later);
    if (holder === undefined && dialect !== '2020-12') gone.add('$schema');
    const isHidden = refHidesSiblings && typeof $ref === 'string';
    if (isHidden) for (const keyword of own.keys()) if (!kept.includes(keyword)) gone.add(keyword);
    const more: Record<string, unknown> = {};
    for (const [limit, exclusive] of bounds) {
      if (typeof schema[exclusive] !== 'boolean') continue;
      gone.add(exclusive);
      if (!schema[exclusive] || typeof schema[limit] !== 'number') continue;
      gone.add(limit);
      more[exclusive] = schema[limit];
    }
    if (additionalItems !== undefined) gone.add('additionalItems');
    if (isList(items)) {
      gone.add('items');
      if (items.length > 0) more['prefixItems'] = items;
      if (isSchema(additionalItems)) more['items'] = additionalItems;
    }
    const isChanged = Object.keys(schema).some((keyword) => gone.has(keyword));
    return {
      schema: isChanged ? { ...filtered(schema, (keyword) => !gone.has(keyword)), ...(!isHidden && more) } : schema,
      isWider: false,
    };
  };
}

const bounds = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const;

/** Beside a reference these are read in any dialect. */
const kept = ['$ref', '$defs', 'definitions'];
