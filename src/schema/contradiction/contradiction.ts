import { counted, isObject, type JsonObject, quote, startWork } from '../../json/index.js';
import { dialects } from '../dialects/index.js';
import type { Dialect } from '../keywords/keyword.js';
import { excludedSizes, excludedTypes, excludedValues, numbersIn, typesAskedFor } from './exclusions.js';
import { type Names, namesIn } from './names.js';
import { appliedParts, type Surroundings } from './parts.js';

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
 * asks for more than it allows, for types or bounds that exclude one another, or is `false`. Looks at what always applies (`allOf`, local references) and at
 * alternatives all of which contradict it. It claims only what is certain; what it does not find may contradict itself
 * all the same.
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
  for (const { if: condition, then, else: otherwise } of parts) {
    if (surroundings.work.exhausted) return undefined;
    if (condition === undefined) continue;
    for (const [branch, where] of [
      [then, 'Where "if" holds, '],
      [otherwise, 'Where "if" does not hold, '],
    ] as const) {
      // That nothing fits a condition is what its author says in so many words.
      const said = branch === undefined ? [] : [...appliedParts([branch], surroundings)];
      if (said.length === 0 || said.some(isNothing)) continue;
      const inBranch = contradictionIn([...parts, ...said], surroundings);
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
  for (const name of required) {
    if (!surroundings.work.spend(parts.length)) return undefined;
    if (!allows(name)) return { why: `it requires the property ${quote(name)} and does not allow it`, property: name };
    const schemas = parts.flatMap(({ properties }) =>
      isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [],
    );
    if (depth >= deepest || schemas.length === 0) continue;
    const inner = contradictionIn([...appliedParts(schemas, surroundings)], surroundings, depth + 1);
    if (inner) return { why: `it requires the property ${quote(name)}, for which no value is valid`, property: name };
  }
  return undefined;
}

/** More properties than are allowed, or fewer than are required. */
function miscounted(parts: readonly JsonObject[], { required, allowed }: Names): Found | undefined {
  const least = Math.max(0, ...numbersIn(parts, 'minProperties'));
  const most = Math.min(...numbersIn(parts, 'maxProperties'));
  if (allowed && least > allowed.size) return { why: `it asks for ${properties(least)} and allows ${allowed.size}` };
  if (required.size > most) return { why: `it requires ${properties(required.size)} and allows ${most}` };
  return undefined;
}

function properties(count: number): string {
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
      let first: Found | undefined;
      const all = branches.every((branch: unknown) => {
        const within = [...parts, ...appliedParts([branch], surroundings)];
        const found = contradictionIn(within, surroundings, depth + 1, parts.length);
        first ??= found;
        return found !== undefined;
      });
      if (all && first) return first;
    }
  }
  return undefined;
}
