import type * as zod from 'zod';
import type { AnyZodObject, ZodNumber, ZodRawShape, ZodString, ZodTypeAny } from 'zod';
import { filtered, isObject, readingsOf } from '../../json/index.js';
import { inlineReferences, mostParts, toJson } from './inline-references.js';

/** The host's own Zod, passed as a value: its results are instances of the host's classes. */
export type Zod = typeof zod.z;

export interface ZodContext {
  readonly z: Zod;
  /** Leaves objects as they are: Zod 3 always writes `additionalProperties`, which Gemini rejects. */
  readonly rawObjects?: boolean;
}

/** The keywords of an input schema's root. */
export interface Root {
  readonly properties: Keywords;
  readonly required: readonly unknown[];
  readonly keywords: Keywords;
}

/**
 * An input schema as a Zod object, which is all that hosts and providers take at the root. Its properties are made when
 * somebody looks at them, which agents do not.
 */
export function zodArguments(
  original: object,
  { properties, required, keywords }: Root,
  context: ZodContext,
): AnyZodObject {
  const { z } = context;
  const source = { root: original, left: mostParts };
  const typeOf = (schema: unknown, name = '') => {
    const { schema: whole, isRecursive } = inlineReferences(schema, source);
    if (!isRecursive) return zodType(whole, context, name);
    // Hosts do not escape names in the pointers that they make.
    return rawAnyOf([/[~/%]/.test(name) ? toJson(whole, () => undefined) : whole], z);
  };
  const isFlat = Object.keys(properties).length > mostProperties;
  let shape: ZodRawShape | undefined;
  const type = z.late.object(() => (shape ??= shapeOf(properties, required, isFlat ? () => z.any() : typeOf)));
  return withOthers(type, isFlat ? true : others(keywords), typeOf);
}

function others({ patternProperties, additionalProperties }: Keywords): unknown {
  if (!isObject(patternProperties) || additionalProperties === undefined || additionalProperties === true)
    return additionalProperties;
  const ways = [...Object.values(patternProperties), ...(additionalProperties === false ? [] : [additionalProperties])];
  return ways.length > 1 ? { anyOf: ways } : (ways[0] ?? false);
}

/**
 * The Zod type that becomes this very schema, apart from the order of keywords and an added `additionalProperties: {}`
 * or `items: {}`: Zod's own type if it can express all keywords, else a raw `anyOf`.
 *
 * @param schema without references
 * @param name of the property that it describes, if any
 */
function zodType(schema: unknown, context: ZodContext, name = '', depth = 0): ZodTypeAny {
  const exact = depth > mostTypes ? undefined : annotatedType(untitled(schema, name), { ...context, depth: depth + 1 });
  return exact ?? rawAnyOf([schema], context.z);
}

/** Without a title that repeats the name, as generators in Python write for every property: Zod cannot say any. */
function untitled(schema: unknown, name: string): unknown {
  const { title } = isObject(schema) ? schema : {};
  const isRepeated = typeof title === 'string' && readingsOf(title)[0] === readingsOf(name)[0];
  return isRepeated ? filtered(schema as Keywords, (keyword) => keyword !== 'title') : schema; // it has a title
}

/** Within one another: hosts need more of the stack for them than for a raw `anyOf`. */
const mostTypes = 40;

type Within = ZodContext & { readonly depth: number };
type Keywords = Record<string, unknown>;

function annotatedType(schema: unknown, within: Within): ZodTypeAny | undefined {
  if (schema === false) return within.z.never();
  if (!isObject(schema)) return within.z.unknown();
  const { description, default: preset, ...asserted } = schema;
  let type = assertedType(asserted, within);
  for (const keyword of Object.keys(schema)) {
    if (keyword === 'default') type = type?.default(() => structuredClone(preset));
    if (keyword === 'description')
      type = typeof description === 'string' && description !== '' ? type?.describe(description) : undefined;
  }
  return type;
}

function assertedType({ type, ...keywords }: Keywords, within: Within): ZodTypeAny | undefined {
  const { z } = within;
  switch (type) {
    case undefined:
      return alternatives(keywords, z);
    case 'string':
      return restrictedString(keywords, z);
    case 'number':
      return restrictedNumber(z.number(), keywords);
    case 'integer':
      return restrictedNumber(z.number().int(), keywords);
    case 'array':
      return list(keywords, within);
    case 'object':
      return object(keywords, within);
    default:
      if (Object.keys(keywords).length > 0) return undefined;
      return Array.isArray(type) ? alternativeTypes(type, z) : primitive(type, z);
  }
}

function alternatives({ anyOf, ...others }: Keywords, z: Zod): ZodTypeAny | undefined {
  if (Object.keys(others).length > 0) return undefined;
  if (anyOf === undefined) return z.unknown();
  return Array.isArray(anyOf) && anyOf.length > 0 ? rawAnyOf(anyOf, z) : undefined;
}

function list({ items, minItems, maxItems, uniqueItems, ...others }: Keywords, within: Within): ZodTypeAny | undefined {
  const isCount = (value: unknown) => value === undefined || typeof value === 'number';
  if (Object.keys(others).length > 0 || Array.isArray(items) || !isCount(minItems) || !isCount(maxItems))
    return undefined;
  if (uniqueItems !== undefined && uniqueItems !== true) return undefined;
  const { z, depth } = within;
  // `{}` by default: OpenAI rejects an array without items.
  const type = zodType(items ?? true, within, '', depth);
  const whole = uniqueItems ? z.set(type) : z.array(type);
  const longer = typeof minItems === 'number' ? whole.min(minItems) : whole;
  return typeof maxItems === 'number' ? longer.max(maxItems) : longer;
}

function object(
  { properties, required = [], additionalProperties, propertyNames, ...others }: Keywords,
  within: Within,
): ZodTypeAny | undefined {
  // The names of properties are always strings; schemas generated by Zod 4 say so.
  const hasPlainNames = propertyNames === undefined || JSON.stringify(propertyNames) === '{"type":"string"}';
  if (within.rawObjects || Object.keys(others).length > 0 || !hasPlainNames || !Array.isArray(required))
    return undefined;
  const { z, depth } = within;
  const typeOf = (schema: unknown, name?: string) => zodType(schema, within, name, depth);
  if (properties === undefined && required.length === 0 && additionalProperties !== false)
    return z.record(typeOf(additionalProperties ?? true));
  if (!isObject(properties) || Object.keys(properties).length > mostProperties) return undefined;
  if (!required.every((name) => typeof name === 'string' && Object.hasOwn(properties, name))) return undefined;
  return withOthers(z.object(shapeOf(properties, required, typeOf)), additionalProperties, typeOf);
}

/** Hosts need time for its square. The largest published tool has a tenth of this many. */
const mostProperties = 500;

function shapeOf(
  properties: Record<string, unknown>,
  required: readonly unknown[],
  typeOf: (schema: unknown, name: string) => ZodTypeAny,
): ZodRawShape {
  const names = new Set(required);
  const shape = Object.entries(properties).map(([name, schema]): [string, ZodTypeAny] => {
    const type = typeOf(schema, name);
    // Zod decides by parsing, so that any type with a default, or one that takes anything, passes as optional.
    return [name, names.has(name) ? (Object.assign(type, { isOptional: () => false }) as ZodTypeAny) : type.optional()];
  });
  return Object.fromEntries(shape);
}

/**
 * The type of all other properties: by default `{}`, which n8n itself closes when it asks OpenAI for the strict mode.
 */
function withOthers(
  type: AnyZodObject,
  additionalProperties: unknown,
  typeOf: (schema: unknown) => ZodTypeAny,
): AnyZodObject {
  if (additionalProperties === false) return type.strict();
  return additionalProperties === true ? type.passthrough() : type.catchall(typeOf(additionalProperties ?? true));
}

/** A string with these keywords beside its type; undefined if Zod cannot express one of them. */
function restrictedString({ enum: choices, const: constant, ...others }: Keywords, z: Zod) {
  if (choices === undefined && constant === undefined)
    return Object.entries(others).reduce<ZodString | undefined>(
      (type, [keyword, value]) => type && withKeyword(type, keyword, value),
      z.string(),
    );
  if (Object.keys(others).length > 0) return undefined;
  if (choices === undefined) return typeof constant === 'string' ? z.literal(constant) : undefined;
  const strings = Array.isArray(choices) ? choices.filter((choice) => typeof choice === 'string') : [];
  const [first, ...more] = strings;
  const isWhole = constant === undefined && Array.isArray(choices) && strings.length === choices.length;
  return first !== undefined && isWhole ? z.enum([first, ...more]) : undefined;
}

function withKeyword(type: ZodString, keyword: string, value: unknown): ZodString | undefined {
  if (keyword === 'minLength' && typeof value === 'number') return type.min(value);
  if (keyword === 'maxLength' && typeof value === 'number') return type.max(value);
  if (keyword === 'pattern' && typeof value === 'string' && value !== '') return type.regex(rawRegex(value));
  const format = keyword === 'format' ? formats.get(value) : undefined;
  return format && type[format]();
}

/** One that refuses nothing, and becomes the pattern: a RegExp's own source has its slashes escaped, if it can be one. */
function rawRegex(pattern: string): RegExp {
  return Object.defineProperty(/(?:)/, 'source', { value: pattern });
}

const formats = new Map<unknown, 'date' | 'datetime' | 'duration' | 'email' | 'time' | 'url' | 'uuid'>([
  ...(['date', 'duration', 'email', 'time', 'uuid'] as const).map((name) => [name, name] as const),
  ['date-time', 'datetime'],
  ['uri', 'url'],
]);

function restrictedNumber(type: ZodNumber, keywords: Keywords): ZodNumber | undefined {
  return Object.entries(keywords).reduce<ZodNumber | undefined>((narrower, [keyword, value]) => {
    const bound = bounds.get(keyword);
    return bound && typeof value === 'number' ? narrower?.[bound](value) : undefined;
  }, type);
}

const bounds = new Map<string, 'gte' | 'lte' | 'gt' | 'lt' | 'multipleOf'>([
  ['minimum', 'gte'],
  ['maximum', 'lte'],
  ['exclusiveMinimum', 'gt'],
  ['exclusiveMaximum', 'lt'],
  ['multipleOf', 'multipleOf'],
]);

/** A list of types, without integers: Zod has no word for them there. */
function alternativeTypes(names: readonly unknown[], z: Zod): ZodTypeAny | undefined {
  const types = names.flatMap((name) => primitive(name, z) ?? []);
  const [one, other, ...more] = types;
  return one && other && types.length === names.length ? z.union([one, other, ...more]) : undefined;
}

function primitive(name: unknown, z: Zod): ZodTypeAny | undefined {
  const type = (['string', 'number', 'boolean', 'null'] as const).find((each) => each === name);
  return type && z[type]();
}

/**
 * A Zod type that becomes `{"anyOf": [...]}` with these very schemas: for schemas that Zod cannot express. To Zod it is
 * a union of anything; zod-to-json-schema asks the list of its alternatives (`map`) for the schema of each.
 */
function rawAnyOf(schemas: readonly unknown[], z: Zod): ZodTypeAny {
  const type = z.union([z.any(), z.any()]);
  // zod-to-json-schema leaves out alternatives that are no objects.
  const map = (write: unknown) =>
    schemas.map((schema, index) =>
      toJson(isObject(schema) ? schema : schema === false ? { not: {} } : {}, () => placeOf(index, write, z)),
    );
  Object.defineProperty(type._def.options, 'map', { value: map });
  return type;
}

/** zod-to-json-schema writes a repeated type as a reference to its first occurrence, which is this place. */
function placeOf(index: number, write: unknown, z: Zod): string | undefined {
  if (typeof write !== 'function') return undefined;
  const convert = write as (type: ZodTypeAny, index: number) => unknown; // zod-to-json-schema's callback
  const here = z.any();
  convert(here, index);
  const again = convert(here, index);
  const place = isObject(again) ? again['$ref'] : undefined;
  return typeof place === 'string' && place.startsWith('#') ? place : undefined;
}
