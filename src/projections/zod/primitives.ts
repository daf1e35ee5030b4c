import type { ZodNumber, ZodString, ZodTypeAny } from 'zod';
import type { Zod } from './context.js';

type Keywords = Record<string, unknown>;

/** A string with these keywords beside its type; undefined where Zod cannot say one of them. */
export function restrictedString(keywords: Keywords, z: Zod): ZodTypeAny | undefined {
  return enumeration(keywords, z) ?? constant(keywords, z) ?? restricted(z.string(), keywords, stringRestriction);
}

/** The same of a number. */
export function restrictedNumber(type: ZodNumber, keywords: Keywords): ZodTypeAny | undefined {
  return restricted(type, keywords, numberRestriction);
}

/** A list of types, without integers: Zod has no word for them there. */
export function alternativeTypes(names: readonly unknown[], z: Zod): ZodTypeAny | undefined {
  const [one, other, ...more] = names.map((name) => primitive(name, z));
  if (one === undefined || other === undefined) return undefined;
  const rest = more.filter((type) => type !== undefined);
  return rest.length === more.length ? z.union([one, other, ...rest]) : undefined;
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

function enumeration({ enum: choices, ...others }: Keywords, z: Zod): ZodTypeAny | undefined {
  if (!Array.isArray(choices) || Object.keys(others).length > 0) return undefined;
  const strings = choices.filter((choice) => typeof choice === 'string');
  const [first, ...more] = strings;
  return first !== undefined && strings.length === choices.length ? z.enum([first, ...more]) : undefined;
}

function constant({ const: value, ...others }: Keywords, z: Zod): ZodTypeAny | undefined {
  return typeof value === 'string' && Object.keys(others).length === 0 ? z.literal(value) : undefined;
}

function restricted<Type>(
  type: Type,
  keywords: Keywords,
  restriction: (keyword: string, value: unknown) => ((type: Type) => Type) | undefined,
): Type | undefined {
  const restrictions = Object.entries(keywords).map(([keyword, value]) => restriction(keyword, value));
  return restrictions.reduce<Type | undefined>(
    (narrower, restrict) => (narrower && restrict ? restrict(narrower) : undefined),
    type,
  );
}

type Restriction<Type> = ((type: Type) => Type) | undefined;

function stringRestriction(keyword: string, value: unknown): Restriction<ZodString> {
  if (keyword === 'minLength' && typeof value === 'number') return (type) => type.min(value);
  if (keyword === 'maxLength' && typeof value === 'number') return (type) => type.max(value);
  if (keyword === 'pattern' && typeof value === 'string' && value !== '') return (type) => type.regex(rawRegex(value));
  return keyword === 'format' ? formats.get(value) : undefined;
}

/** One that refuses nothing, and becomes the pattern: a RegExp's own source has its slashes escaped, if it can be one. */
function rawRegex(pattern: string): RegExp {
  return Object.defineProperty(/(?:)/, 'source', { value: pattern });
}

const formats: ReadonlyMap<unknown, Restriction<ZodString>> = new Map<unknown, Restriction<ZodString>>([
  ['date', (type) => type.date()],
  ['date-time', (type) => type.datetime()],
  ['duration', (type) => type.duration()],
  ['email', (type) => type.email()],
  ['time', (type) => type.time()],
  ['uri', (type) => type.url()],
  ['uuid', (type) => type.uuid()],
]);

function numberRestriction(keyword: string, value: unknown): Restriction<ZodNumber> {
  if (typeof value !== 'number') return undefined;
  switch (keyword) {
    case 'minimum':
      return (type) => type.gte(value);
    case 'maximum':
      return (type) => type.lte(value);
    case 'exclusiveMinimum':
      return (type) => type.gt(value);
    case 'exclusiveMaximum':
      return (type) => type.lt(value);
    case 'multipleOf':
      return (type) => type.multipleOf(value);
    default:
      return undefined;
  }
}
