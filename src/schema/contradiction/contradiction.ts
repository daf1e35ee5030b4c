import { counted, isList, isObject, type JsonObject, quote, startWork } from '../../json/index.js';
import { dialects } from '../dialects/index.js';
import type { Dialect } from '../keywords/keyword.js';
import { excludedSizes, excludedTypes, excludedValues, numbersIn, typesAskedFor } from './exclusions.js';
import { type Names, namesIn } from './names.js';
import { appliedParts, type Surroundings } from './parts.js';

/** What no arguments can satisfy. */
export interface Contradiction {
  /** In a sentence. */
  readonly message: string;
  /** The properties of the root that are asked for and forbidden, or for which no value is valid, where that is it. */
  readonly properties?: readonly string[];
  /** Whether these may be there, and it is their values that cannot be right. */
  readonly isOfValues?: boolean;
  /** Whether it holds for all arguments, or only for those for which some `if` holds, or with some property. */
  readonly always: boolean;
}

/** Schemas and names looked at, again for each alternative; no tool's root is made of more. */
const steps = 50_000;

/**
 * Why no object, or none for which an `if` holds, can satisfy a schema: it requires a property that it does not allow,
 * asks for more than it allows, for types or bounds that exclude one another, or is `false`. Looks at what always
 * applies (`allOf`, local references) and at alternatives all of which contradict it. It claims only what is certain;
 * what it does not find may contradict itself all the same.
 *
 * @param schema a whole document, read as arguments: an object
 */
export function findContradiction(schema: unknown, dialect: Dialect): Contradiction | undefined {
  // Its author said so, and a note of its own tells it.
  if (isObject(schema) && isNothing(schema)) return undefined;
  const surroundings = { root: schema, dialect: dialects[dialect], work: startWork({ steps, ms: 200 }) };
  const parts = [...appliedParts([schema, argumentsAreObjects], surroundings)];
  const found = contradictionIn(parts, surroundings);
  if (found) return { ...sentence(found, ''), always: true };
  const { required } = namesIn(parts, surroundings);
  for (const { schema, where, given } of parts.flatMap((part) => [...conditionsIn(part)])) {
    if (surroundings.work.exhausted) return undefined;
    // That nothing fits a condition is what its author says in so many words.
    const said = [...appliedParts([schema], surroundings)];
    if (said.some(isNothing)) continue;
    const asked = given === undefined ? [] : [{ required: [given] }];
    const inBranch = contradictionIn([...parts, ...said, ...asked], surroundings);
    // What must not be given at all is no contradiction.
    if (!inBranch || (given !== undefined && inBranch.properties?.includes(given) === true)) continue;
    const always = given !== undefined && required.has(given);
    return { ...sentence(inBranch, always ? '' : where), always };
  }
  return undefined;
}

/** A schema that applies on a condition. */
interface Condition {
  readonly schema: unknown;
  /** The beginning of a sentence. */
  readonly where: string;
  /** The property that has to be there. */
  readonly given?: string;
}

function* conditionsIn(part: JsonObject): Generator<Condition> {
  const { if: condition, then = true, else: otherwise = true, ...others } = part;
  if (condition !== undefined) {
    yield { schema: then, where: 'Where "if" holds, ' };
    yield { schema: otherwise, where: 'Where "if" does not hold, ' };
  }
  for (const keyword of ['dependentSchemas', 'dependentRequired', 'dependencies']) {
    const named = others[keyword];
    for (const [given, asked] of isObject(named) ? Object.entries(named) : []) {
      // Names that are required beside another are known already.
      yield { schema: isList(asked) ? true : asked, where: `Where ${quote(given)} is given, `, given };
    }
  }
}

const argumentsAreObjects = { type: 'object' };

/** What contradicts itself, in words that follow "it". */
type Found = { readonly why: string } & Pick<Contradiction, 'properties' | 'isOfValues'>;

function sentence({ why, ...found }: Found, where: string): Omit<Contradiction, 'always'> {
  const subject = where === '' ? 'No' : 'no';
  return { message: `${where}${subject} arguments can satisfy this schema: ${why}.`, ...found };
}

function isNothing({ enum: values }: JsonObject): boolean {
  return Array.isArray(values) && values.length === 0;
}

/** Properties within properties, and alternatives within alternatives, that are looked into. */
const deepest = 5;

/** @param settled of the parts, how many at the beginning had their alternatives looked at */
function contradictionIn(
  parts: readonly JsonObject[],
  surroundings: Surroundings,
  depth = 0,
  settled = 0,
): Found | undefined {
  if (!surroundings.work.spend(parts.length, true)) return undefined;
  if (parts.some(isNothing)) return { why: 'it allows no value at all' };
  const types = typesAskedFor(parts);
  const why = excludedTypes(types) ?? excludedValues(parts, types, surroundings.work) ?? excludedSizes(parts, types);
  if (why !== undefined) return { why };
  if (!types.some((names) => names.every((name) => name === 'object'))) return undefined;
  const names = namesIn(parts, surroundings);
  return (
    missingForbidden(parts, names, surroundings, depth) ??
    miscounted(parts, names) ??
    contradictingAlternatives(parts, surroundings, depth, settled)
  );
}

/** A property that is required but may not be there, or could not have any value. */
function missingForbidden(
  parts: readonly JsonObject[],
  { required, allows }: Names,
  surroundings: Surroundings,
  depth: number,
): Found | undefined {
  if (!surroundings.work.spend(required.size)) return undefined;
  const forbidden = [...required].filter((name) => !allows(name));
  if (forbidden[0] !== undefined) {
    const why = `it requires the property ${quote(forbidden[0])} and does not allow it`;
    return { why, properties: forbidden };
  }
  for (const name of required) {
    if (!surroundings.work.spend(parts.length)) return undefined;
    const schemas = parts.flatMap(({ properties }) =>
      isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [],
    );
    if (depth >= deepest || schemas.length === 0) continue;
    const inner = contradictionIn([...appliedParts(schemas, surroundings)], surroundings, depth + 1);
    if (inner)
      return {
        why: `it requires the property ${quote(name)}, for which no value is valid`,
        properties: [name],
        isOfValues: true,
      };
  }
  return undefined;
}

/** More properties than are allowed, or fewer than are required. */
function miscounted(parts: readonly JsonObject[], { required, allowed }: Names): Found | undefined {
  const least = Math.max(0, ...numbersIn(parts, 'minProperties'));
  const most = Math.min(...numbersIn(parts, 'maxProperties'));
  if (allowed && least > allowed.size) return { why: `it asks for ${propertiesIn(least)} and allows ${allowed.size}` };
  if (required.size > most) return { why: `it requires ${propertiesIn(required.size)} and allows ${most}` };
  return undefined;
}

function propertiesIn(count: number): string {
  return counted(count, 'property');
}

/** Alternatives every one of which contradicts itself or what applies beside them. */
function contradictingAlternatives(
  parts: readonly JsonObject[],
  surroundings: Surroundings,
  depth: number,
  settled: number,
): Found | undefined {
  if (depth >= deepest) return undefined;
  for (const { anyOf, oneOf } of parts.slice(settled)) {
    for (const branches of [anyOf, oneOf]) {
      if (!Array.isArray(branches) || branches.length === 0) continue;
      const found: Found[] = [];
      const all = branches.every((branch: unknown) => {
        const within = [...parts, ...appliedParts([branch], surroundings)];
        const inBranch = contradictionIn(within, surroundings, depth + 1, parts.length);
        if (inBranch) found.push(inBranch);
        return inBranch !== undefined;
      });
      if (all) return together(found);
    }
  }
  return undefined;
}

/** What contradicts itself whichever alternative is meant, in the words of the first. */
function together(found: readonly Found[]): Found | undefined {
  const [first] = found;
  const named = found.flatMap(({ properties = [] }) => properties);
  const isNamed = found.every(({ properties, isOfValues }) => properties && isOfValues === first?.isOfValues);
  return first && (isNamed ? { ...first, properties: named } : { why: first.why });
}
