import type * as zod from 'zod';
import type { ZodNumber, ZodString, ZodTypeAny } from 'zod';
import { isObject } from '../../json/index.js';
import { toJson } from './inline-references.js';

/** The host's own Zod, given as a value: what is made with it is an instance of the host's classes. */
export type Zod = typeof zod.z;

type Keywords = Record<string, unknown>;

/** A string with these keywords beside its type; undefined where Zod cannot say one of them. */
export function restrictedString({ enum: choices, const: constant, ...others }: Keywords, z: Zod) {
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
  ['date', 'date'],
  ['date-time', 'datetime'],
  ['duration', 'duration'],
  ['email', 'email'],
  ['time', 'time'],
  ['uri', 'url'],
  ['uuid', 'uuid'],
]);

/** The same of a number. */
export function restrictedNumber(type: ZodNumber, keywords: Keywords): ZodNumber | undefined {
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
export function alternativeTypes(names: readonly unknown[], z: Zod): ZodTypeAny | undefined {
  const types = names.flatMap((name) => primitive(name, z) ?? []);
  const [one, other, ...more] = types;
  return one && other && types.length === names.length ? z.union([one, other, ...more]) : undefined;
}

export function primitive(name: unknown, z: Zod): ZodTypeAny | undefined {
  switch (name) {
    case 'string':
      return z.string();
    case 'number':
      return z.number();
    case 'boolean':
      return z.boolean();
    case 'null':
      return z.null();
    default:
      return undefined;
  }
}

/**
 * A Zod type that becomes `{"anyOf": [...]}` with these very schemas: for what Zod cannot say. To Zod it is a union
 * of anything; zod-to-json-schema asks the list of its alternatives (`map`) for the schema of each.
 */
export function rawAnyOf(schemas: readonly unknown[], z: Zod): ZodTypeAny {
  const type = z.union([z.any(), z.any()]);
  const map = (write: unknown) =>
    schemas.map((schema, index) => toJson(asObject(schema), () => placeOf(index, write, z)));
  Object.defineProperty(type._def.options, 'map', { value: map });
  return type;
}

/** zod-to-json-schema leaves out alternatives that are no objects. */
function asObject(schema: unknown): Keywords {
  if (isObject(schema)) return schema;
  return schema === false ? { not: {} } : {};
}

/** zod-to-json-schema writes a type that it meets again as a reference to where it first stood: here, that is. */
function placeOf(index: number, write: unknown, z: Zod): string | undefined {
  if (typeof write !== 'function') return undefined;
  const convert = write as (type: ZodTypeAny, index: number) => unknown; // zod-to-json-schema's callback
  const here = z.any();
  convert(here, index);
  const again = convert(here, index);
  const place = isObject(again) ? again['$ref'] : undefined;
  return typeof place === 'string' && place.startsWith('#') ? place : undefined;
}
