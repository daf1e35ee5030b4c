import { isList, isObject, type JsonObject, type Work } from '../../json/index.js';
import { listedValues } from './schema-view.js';

/** Alternatives that are looked into where more are equally close. */
const lookedInto = 32;

/** Names of a value, and names that an alternative requires, that are compared. */
const namesAt = 100;

/** The member by whose value alternatives are told apart, and the values that they list for it. */
export interface Tag {
  readonly name: string;
  readonly values: readonly unknown[];
}

/**
 * The alternatives that an object comes closest to: those with its tag, and of these the ones that know most of its names
 * and miss fewest; all of them for other values, each of which is looked into quickly. A guess that costs little, where
 * looking into each of hundreds would cost much.
 *
 * @returns the tag as well, where it is missing or has a value that none of them lists
 */
export function closestTo<T extends { readonly parts: readonly JsonObject[] }>(
  value: unknown,
  alternatives: readonly T[],
  root: unknown,
  work: Work,
): { chosen: readonly T[]; tag?: Tag } {
  const own = alternatives.filter(({ parts }) => parts.every(takesObjects));
  if (!isObject(value) || own.length === 0) return { chosen: alternatives };
  const names = Object.keys(value).slice(0, namesAt);
  let chosen = own;
  const listsFor = (name: string) => {
    const isCompared = chosen.length > 1 && typeof value[name] !== 'object' && work.spend(1 + (chosen.length >> 3));
    return isCompared ? chosen.map(({ parts }) => valuesFor(name, parts, root, work)) : [undefined];
  };
  const tags = names.filter((name) => {
    const lists = listsFor(name);
    const isListed = lists.some((list) => list?.includes(value[name]));
    if (isListed) chosen = chosen.filter((_, index) => lists[index]?.includes(value[name]) ?? true);
    return !isListed && !lists.includes(undefined);
  });
  const required = chosen.map(({ parts }) => new Set(parts.flatMap(namesRequired)));
  const missing = [...(required[0] ?? [])].filter((name) => !Object.hasOwn(value, name));
  for (const name of [...tags, ...missing.filter((name) => required.every((all) => all.has(name)))]) {
    const lists = listsFor(name);
    const values = [...new Set(lists.flat())];
    // What all list alike tells none from another.
    const tells = !lists.includes(undefined) && values.length > (lists[0]?.length ?? 0);
    if (tells) return { chosen: chosen.slice(0, 1), tag: { name, values } };
  }
  const scores = chosen.map(({ parts }, index) => scoreOf(value, names, parts, required[index] ?? new Set(), work));
  // A guess of which half was worked out would mislead.
  if (work.exhausted) return { chosen: [] };
  const best = scores.reduce((one, other) => Math.max(one, other), -Infinity);
  return { chosen: chosen.filter((_, index) => scores[index] === best).slice(0, lookedInto) };
}

function takesObjects({ type, const: constant, enum: values }: JsonObject): boolean {
  if (type !== undefined && type !== 'object' && !(isList(type) && type.includes('object'))) return false;
  return constant === undefined && isList(values)
    ? values.some(isObject)
    : constant === undefined || isObject(constant);
}

function namesRequired({ required }: JsonObject): string[] {
  return isList(required) ? required.slice(0, namesAt).map(String) : [];
}

/** The values that an alternative lists for a member. */
function valuesFor(name: string, parts: readonly JsonObject[], root: unknown, work: Work) {
  for (const { properties } of parts) {
    const schema = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!isObject(schema) || !('const' in schema || 'enum' in schema || '$ref' in schema || 'allOf' in schema))
      continue;
    const values = listedValues(schema, root, work);
    if (values && work.spend(values.length >> 4)) return values;
  }
  return undefined;
}

/** What the names speak for an alternative, and against it. */
function scoreOf(
  value: JsonObject,
  names: readonly string[],
  parts: readonly JsonObject[],
  required: ReadonlySet<string>,
  work: Work,
): number {
  if (!work.spend(1 + (names.length >> 3))) return 0;
  const knows = (name: string) =>
    parts.some(({ properties }) => isObject(properties) && Object.hasOwn(properties, name));
  const known = names.filter(knows).length;
  const unwanted = parts.some((part) => part['additionalProperties'] === false) ? names.length - known : 0;
  const missing = [...required].filter((name) => !Object.hasOwn(value, name)).length;
  return 2 * known - 4 * unwanted - 2 * missing;
}
