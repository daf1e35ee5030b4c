import { isList, isObject, type JsonObject, type Work } from '../../json/index.js';
import { partsOf } from '../violations/schema-view.js';

/** Alternatives that are looked into where there are more. */
const lookedInto = 8;

/** Names of a value that speak for or against an alternative. */
const namesAt = 100;

/** What speaks for an alternative and against it, in comparison with a name that it knows. */
const weights = { tag: 20, otherTag: -1000, unknown: -2, missing: -1, otherType: -1_000_000 };

/** Which of many alternatives a value comes close to. */
export interface Closest {
  /** By their positions, in the order of the schema. */
  readonly chosen: readonly number[];
  /** The others for values of this type. */
  readonly others: readonly number[];
  /** Those of the others that are as close as the closest. */
  readonly tied: readonly number[];
}

/**
 * The few alternatives that an object comes closest to by its names and the values by which alternatives are told
 * apart. All of them where they are few, and for other values: each of those is looked into quickly. A guess that costs
 * little, where looking into each of hundreds would cost much.
 */
export function closestAlternatives(
  value: unknown,
  schemas: readonly { readonly schema: unknown }[],
  root: unknown,
  work: Work,
): Closest {
  if (schemas.length <= lookedInto || !isObject(value)) return { chosen: [...schemas.keys()], others: [], tied: [] };
  const names = Object.keys(value);
  work.spend(names.length);
  const looked = names.slice(0, namesAt);
  const alternatives = partsOfAll(schemas, root, work);
  const tags = tagsAmong(looked, alternatives, work);
  const scored = alternatives.map((each, index) => ({ index, score: scoreOf(value, looked, each, tags, work) }));
  // A guess of which half was worked out would mislead.
  if (work.exhausted) return { chosen: [], others: [], tied: [] };
  scored.sort((left, right) => right.score - left.score);
  const [best] = scored;
  // Where one is for objects, or has the right tag, those for other values, or with another tag, were not meant.
  const least = [weights.otherTag, weights.otherType].find((weight) => best && best.score > weight / 2) ?? -Infinity;
  const chosen = scored.slice(0, lookedInto).filter(({ score }) => score > least / 2);
  const others = scored.slice(lookedInto).filter(({ score }) => score > least / 2);
  return {
    chosen: chosen.map(({ index }) => index).sort((left, right) => left - right),
    others: others.map(({ index }) => index),
    tied: others.filter(({ score }) => score === best?.score).map(({ index }) => index),
  };
}

type Parts = readonly JsonObject[];

/** Worked out once: hundreds of rows may be compared with hundreds of alternatives. */
const knownParts = new WeakMap<object, readonly Parts[]>();

function partsOfAll(schemas: readonly { readonly schema: unknown }[], root: unknown, work: Work): readonly Parts[] {
  const known = knownParts.get(schemas);
  if (known) return known;
  const parts = schemas.map(({ schema }) => [...partsOf(schema, root, work)]);
  if (!work.exhausted) knownParts.set(schemas, parts);
  return parts;
}

/** The names by whose values alternatives are told apart: several of them list values. */
function tagsAmong(names: readonly string[], alternatives: readonly Parts[], work: Work): ReadonlySet<string> {
  const isListedIn = (name: string) => (parts: Parts) =>
    parts.some(({ properties }) => isObject(properties) && listedIn(properties[name]) !== undefined);
  return new Set(
    names.filter((name) => {
      if (!work.spend(alternatives.length >> 3)) return false;
      return alternatives.filter(isListedIn(name)).length > 1;
    }),
  );
}

function scoreOf(
  value: JsonObject,
  names: readonly string[],
  parts: Parts,
  tags: ReadonlySet<string>,
  work: Work,
): number {
  if (!work.spend(1 + (names.length >> 3))) return 0;
  let score = 0;
  const known = new Set<string>();
  for (const part of parts) {
    const { type, properties, required } = part;
    if (type !== undefined && type !== 'object' && !(isList(type) && type.includes('object'))) return weights.otherType;
    if (isObject(properties)) {
      for (const name of names) {
        if (!Object.hasOwn(properties, name) || known.has(name)) continue;
        known.add(name);
        score += 1 + (tags.has(name) ? tagWeight(value[name], properties[name]) : 0);
      }
    }
    if (Array.isArray(required)) {
      for (const name of required.slice(0, namesAt)) {
        if (!Object.hasOwn(value, String(name))) score += weights.missing;
      }
    }
  }
  return score + weights.unknown * (names.length - known.size);
}

function tagWeight(value: unknown, schema: unknown): number {
  const values = listedIn(schema);
  if (!values || typeof value === 'object') return 0;
  return values.includes(value) ? weights.tag : weights.otherTag;
}

function listedIn(schema: unknown): readonly unknown[] | undefined {
  if (!isObject(schema)) return undefined;
  if (Object.hasOwn(schema, 'const')) return [schema['const']];
  return isList(schema['enum']) ? schema['enum'] : undefined;
}
