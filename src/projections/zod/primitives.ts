import type { ZodNumber, ZodString, ZodTypeAny } from 'zod';
import type { Zod } from './context.js';

type Keywords = Record<string, unknown>;

/** A string with these keywords beside its type; undefined where Zod cannot say one of them. */
export function restrictedString(
  { enum: choices, const: constant, ...others }: Keywords,
  z: Zod,
): ZodTypeAny | undefined {
  if (choices === undefined && constant === undefined) return restricted(z.string(), others, ofStrings);
  if (Object.keys(others).length > 0) return undefined;
  if (choices === undefined) return typeof constant === 'string' ? z.literal(constant) : undefined;
  const strings = Array.isArray(choices) ? choices.filter((choice) => typeof choice === 'string') : [];
  const [first, ...more] = strings;
  const isWhole = constant === undefined && Array.isArray(choices) && strings.length === choices.length;
  return first !== undefined && isWhole ? z.enum([first, ...more]) : undefined;
}

/** The same of a number. */
export function restrictedNumber(type: ZodNumber, keywords: Keywords): ZodTypeAny | undefined {
  return restricted(type, keywords, ofNumbers);
}

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

/** A type with one more keyword; undefined where Zod cannot say its value. */
type Restrict<Type> = (type: Type, value: unknown) => Type | undefined;

function restricted<Type>(
  type: Type,
  keywords: Keywords,
  known: ReadonlyMap<string, Restrict<Type>>,
): Type | undefined {
  let narrower: Type | undefined = type;
  for (const [keyword, value] of Object.entries(keywords)) narrower = narrower && known.get(keyword)?.(narrower, value);
  return narrower;
}

function byNumber<Type>(restrict: (type: Type, value: number) => Type): Restrict<Type> {
  return (type, value) => (typeof value === 'number' ? restrict(type, value) : undefined);
}

const ofNumbers: ReadonlyMap<string, Restrict<ZodNumber>> = new Map([
  ['minimum', byNumber<ZodNumber>((type, value) => type.gte(value))],
  ['maximum', byNumber<ZodNumber>((type, value) => type.lte(value))],
  ['exclusiveMinimum', byNumber<ZodNumber>((type, value) => type.gt(value))],
  ['exclusiveMaximum', byNumber<ZodNumber>((type, value) => type.lt(value))],
  ['multipleOf', byNumber<ZodNumber>((type, value) => type.multipleOf(value))],
]);

const ofStrings: ReadonlyMap<string, Restrict<ZodString>> = new Map<string, Restrict<ZodString>>([
  ['minLength', byNumber((type, value) => type.min(value))],
  ['maxLength', byNumber((type, value) => type.max(value))],
  ['pattern', (type, value) => (typeof value === 'string' && value !== '' ? type.regex(rawRegex(value)) : undefined)],
  ['format', (type, value) => formats.get(value)?.(type)],
]);

/** One that refuses nothing, and becomes the pattern: a RegExp's own source has its slashes escaped, if it can be one. */
function rawRegex(pattern: string): RegExp {
  return Object.defineProperty(/(?:)/, 'source', { value: pattern });
}

const formats: ReadonlyMap<unknown, (type: ZodString) => ZodString> = new Map([
  ['date', (type: ZodString) => type.date()],
  ['date-time', (type: ZodString) => type.datetime()],
  ['duration', (type: ZodString) => type.duration()],
  ['email', (type: ZodString) => type.email()],
  ['time', (type: ZodString) => type.time()],
  ['uri', (type: ZodString) => type.url()],
  ['uuid', (type: ZodString) => type.uuid()],
]);
