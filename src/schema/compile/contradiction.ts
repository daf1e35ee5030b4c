import {
  isObject,
  type JsonObject,
  quote,
  resolveLocalReference,
  startWork,
  typeOf,
  type Work,
  isList,
} from '../../json/index.js';
import type { Dialect } from '../keywords/keyword.js';

/** What no arguments can satisfy. */
export interface Contradiction {
  /** In a sentence. */
  readonly message: string;
  /** The property of the root that is asked for and forbidden, where that is it. */
  readonly property?: string;
  /** Whether it holds for all arguments, or only for those for which some `if` holds. */
  readonly always: boolean;
}

/** Schemas and names looked at, again for each alternative; no tool's root is made of more. */
const steps = 50_000;

/**
 * Why no object, or none for which an `if` holds, can satisfy a schema: it requires a property that it does not allow,
 * asks for types that exclude one another, or is `false`. Looks at what always applies (`allOf`, local references) and at
 * alternatives all of which contradict it. It claims only what is certain; what it does not find may contradict itself
 * all the same.
 *
 * @param schema a whole document, read as arguments: an object
 */
export function findContradiction(schema: unknown, dialect: Dialect): Contradiction | undefined {
  // Older dialects know no `if` and no boolean schemas; what that changes is not worth telling apart.
  if (dialect === 'draft-04' || dialect === 'draft-06') return undefined;
  const work = startWork({ steps, ms: 20 });
  const parts = [...appliedParts([schema, argumentsAreObjects], schema, work)];
  const found = contradictionIn(parts, schema, work, 0);
  if (found) return { ...sentence(found, ''), always: true };
  for (const { if: condition, then, else: otherwise } of parts) {
    if (work.exhausted) return undefined;
    if (condition === undefined) continue;
    for (const [branch, where] of [
      [then, 'Where "if" holds, '],
      [otherwise, 'Where "if" does not hold, '],
    ] as const) {
      const inBranch =
        branch === undefined
          ? undefined
          : contradictionIn([...parts, ...appliedParts([branch], schema, work)], schema, work, 0);
      if (inBranch) return { ...sentence(inBranch, where), always: false };
    }
  }
  return undefined;
}

const argumentsAreObjects = { type: 'object' };

/** What contradicts itself, in words that follow "it". */
type Found = { readonly why: string; readonly property?: string };

function sentence({ why, property }: Found, where: string): Pick<Contradiction, 'message' | 'property'> {
  const subject = where === '' ? 'No' : 'no';
  return {
    message: `${where}${subject} arguments can satisfy this schema: ${why}.`,
    ...(property !== undefined && { property }),
  };
}

/** The keywords of schemas that apply to one value together, with those that they lead to. */
function* appliedParts(schemas: readonly unknown[], root: unknown, work: Work): Generator<JsonObject> {
  const waiting = [...schemas];
  const seen = new Set<unknown>();
  for (let part = waiting.shift(); part !== undefined && work.spend(1); part = waiting.shift()) {
    if (part === false) yield nothing;
    if (!isObject(part) || seen.has(part)) continue;
    seen.add(part);
    // Within a resource of its own, references lead elsewhere.
    if (part !== root && (typeof part['$id'] === 'string' || typeof part['id'] === 'string')) continue;
    const { $ref, allOf } = part;
    if (typeof $ref === 'string') {
      waiting.push(resolveLocalReference(root, $ref) ?? true);
      // Up to draft-07 whatever stands beside a reference is ignored.
      continue;
    }
    yield part;
    if (isList(allOf)) waiting.push(...allOf.slice(0, steps));
  }
}

/** The schema `false`, as an object. */
const nothing: JsonObject = { enum: [] };

/** Properties within properties, and alternatives within alternatives, that are looked into. */
const deepest = 5;

/** @param settled of the parts, how many at the beginning had their alternatives looked at */
function contradictionIn(
  parts: readonly JsonObject[],
  root: unknown,
  work: Work,
  depth: number,
  settled = 0,
): Found | undefined {
  if (!work.spend(parts.length, true)) return undefined;
  // At the root, and in `then`, it is what the author says in so many words.
  if (depth > 0 && parts.some(({ enum: values }) => Array.isArray(values) && values.length === 0)) {
    return { why: 'it allows no value at all' };
  }
  const types = parts.flatMap(({ type, nullable }) => (nullable === true ? [] : typesIn(type)));
  if (types.length > 1 && exclude(types))
    return { why: `it asks for ${types.map((names) => names.join(' or ')).join(' and for ')} at once` };
  const excluded = depth > 0 ? (excludedValues(parts, types, work) ?? excludedSizes(parts, types)) : undefined;
  if (excluded) return excluded;
  if (!types.some((names) => names.every((name) => name === 'object'))) return undefined;
  return missingForbidden(parts, root, work, depth) ?? contradictingAlternatives(parts, root, work, depth, settled);
}

function typesIn(type: unknown): string[][] {
  const names = Array.isArray(type) ? type : [type];
  return names.length > 0 && names.every((name) => typeof name === 'string') ? [names] : [];
}

function exclude(types: readonly string[][]): boolean {
  return (
    !knownTypes.some((type) =>
      types.every((names) => names.includes(type) || (type === 'integer' && names.includes('number'))),
    ) && types.flat().every(isKnownType)
  );
}

const knownTypes = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

function isKnownType(name: string): boolean {
  return knownTypes.includes(name);
}

/** Values of which none has the type that is asked for, or is among the others. */
function excludedValues(parts: readonly JsonObject[], types: readonly string[][], work: Work): Found | undefined {
  const lists = parts.flatMap((part) => [
    ...(isList(part['enum']) ? [part['enum']] : []),
    ...(part['const'] === undefined ? [] : [[part['const']]]),
  ]);
  const [first, ...others] = lists;
  if (!first || !work.spend(lists.reduce((sum, list) => sum + list.length, 0))) return undefined;
  const isTyped = (value: unknown) => {
    const type = typeOf(value);
    const isAmong = (names: readonly string[]) =>
      names.includes(type) || (type === 'integer' && names.includes('number')) || !names.every(isKnownType);
    return types.every(isAmong);
  };
  // Lists and objects are not compared: one may be among the others.
  const isScalar = (value: unknown) => typeof value !== 'object' || value === null;
  const known = others.map((list) => new Set(list));
  const isListed = (value: unknown) => !isScalar(value) || known.every((values) => values.has(value));
  if (first.length === 0 || first.some((value) => isTyped(value) && isListed(value))) return undefined;
  return { why: 'none of the values that it lists is allowed' };
}

/** Bounds between which there is nothing, where a value has the one type that they bound. */
function excludedSizes(parts: readonly JsonObject[], types: readonly string[][]): Found | undefined {
  for (const [least, most, bounded] of bounds) {
    if (!types.some((names) => names.every((name) => bounded.includes(name)))) continue;
    const numbers = (keyword: string) =>
      parts.map((part) => part[keyword]).filter((value) => typeof value === 'number');
    const [low, high] = [Math.max(...numbers(least)), Math.min(...numbers(most))];
    if (low > high) return { why: `${least} ${low} is more than ${most} ${high}` };
  }
  return undefined;
}

const bounds: readonly (readonly [string, string, readonly string[]])[] = [
  ['minimum', 'maximum', ['number', 'integer']],
  ['minLength', 'maxLength', ['string']],
  ['minItems', 'maxItems', ['array']],
  ['minProperties', 'maxProperties', ['object']],
];

/** A property that is required but may not be there, or could not have any value. */
function missingForbidden(parts: readonly JsonObject[], root: unknown, work: Work, depth: number): Found | undefined {
  const required = parts.flatMap(({ required: names }) =>
    Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [],
  );
  for (const name of new Set(required)) {
    if (!work.spend(parts.length)) return undefined;
    if (parts.some((part) => isClosedTo(name, part))) {
      return { why: `it requires the property ${quote(name)} and does not allow it`, property: name };
    }
    const schemas = parts.flatMap(({ properties }) =>
      isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [],
    );
    if (depth >= deepest || schemas.length === 0) continue;
    const inner = contradictionIn([...appliedParts(schemas, root, work)], root, work, depth + 1);
    if (inner) return { why: `it requires the property ${quote(name)}, for which no value is valid`, property: name };
  }
  return undefined;
}

function isClosedTo(name: string, { additionalProperties, properties, patternProperties }: JsonObject): boolean {
  if (additionalProperties !== false) return false;
  // What a pattern matches is not looked into.
  if (isObject(patternProperties) && Object.keys(patternProperties).length > 0) return false;
  return !isObject(properties) || !Object.hasOwn(properties, name);
}

/** Alternatives every one of which contradicts itself or what applies beside them. */
function contradictingAlternatives(
  parts: readonly JsonObject[],
  root: unknown,
  work: Work,
  depth: number,
  settled: number,
): Found | undefined {
  if (depth >= deepest) return undefined;
  for (const { anyOf, oneOf } of parts.slice(settled)) {
    for (const branches of [anyOf, oneOf]) {
      if (!Array.isArray(branches) || branches.length === 0) continue;
      let first: Found | undefined;
      const all = branches.every((branch: unknown) => {
        const within = [...parts, ...appliedParts([branch], root, work)];
        const found = contradictionIn(within, root, work, depth + 1, parts.length);
        first ??= found;
        return found !== undefined;
      });
      if (all && first) return first;
    }
  }
  return undefined;
}
