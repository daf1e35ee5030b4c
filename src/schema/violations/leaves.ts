import { isObject, jsonPointer, type JsonObject, type JsonType, typeOf } from '../../json/index.js';
import type { Expectation } from './expectation.js';
import { listedValues, partsOf as schemaParts, propertySchema } from './schema-view.js';
import { isPhrase } from './sentences.js';
import { contextOf, distinct, partsOf, type Violation, withExpectation } from './violation.js';

/**
 * The violations worth telling: combinators replaced by what is wrong with the alternative that was meant, duplicates
 * dropped. One level: none of the violations returned needs its branches to be understood.
 */
export function leafViolations(violations: readonly Violation[]): Violation[] {
  const [first] = violations;
  return first ? partsOf(first).texts.work.during(() => leavesOf(violations)) : [];
}

function leavesOf(violations: Refused): Violation[] {
  const leaves = violations.filter((each) => !isConsequence(each, violations)).flatMap(expand);
  if (leaves.length === 1) return leaves;
  // The failed condition is only interesting where nothing is left of what `else` refused.
  const relevant = leaves.filter(({ keyword }) => keyword !== 'if');
  const listed = new Set(leaves.flatMap((each) => (each.expectation.kind === 'values' ? [each.instanceLocation] : [])));
  // Where the values are listed, their type goes without saying.
  const needed = ({ expectation: { kind }, instanceLocation }: Violation) =>
    kind !== 'types' || !listed.has(instanceLocation);
  return distinct((relevant.length > 0 ? relevant : leaves).filter(needed), ({ expectation }) => expectation.kind);
}

/**
 * Whether a part was only left unevaluated because the alternative that declares it was refused: to forbid it beside
 * what is wrong with that alternative would contradict it.
 */
function isConsequence(violation: Violation, all: readonly Violation[]): boolean {
  const unevaluated = all.length > 1 && /\/unevaluated(Properties|Items)(?:\/|$)/.exec(violation.schemaLocation);
  if (!unevaluated) return false;
  // What must not be there is reported of its holder, or of itself where its schema says what it would have to be.
  const { path, texts } = partsOf(violation);
  const steps = violation.property === undefined ? path : [...path, violation.property];
  const holder = jsonPointer(steps.slice(0, -1));
  const { root } = contextOf(violation);
  const declares = ({ schema }: { readonly schema: unknown }) =>
    unevaluated[1] === 'Items' || propertySchema(String(steps.at(-1)), schema, root, texts.work) !== undefined;
  return all.some(
    ({ expectation, instanceLocation }) =>
      expectation.kind === 'alternatives' && instanceLocation === holder && expectation.schemas.some(declares),
  );
}

/** What an alternative found wrong, without combinators. */
type Refused = readonly Violation[];

/**
 * Alternatives that are looked into: of more than a few only those that know most names, and not all of these. Names of a
 * value by which they are compared, and unions within unions that are one with them.
 */
const limits = { few: 16, alternatives: 100, names: 60, levels: 3 };

function expand(violation: Violation): Refused {
  if (violation.expectation.kind !== 'alternatives') return [violation];
  const { value } = violation.received;
  const names = isObject(value) ? Object.keys(value).slice(0, limits.names) : [];
  const all = withTag(alternativesOf(violation), names, violation);
  const { work } = partsOf(violation).texts;
  const known = all.map(({ parts }) => {
    work.spend(1 + (names.length >> 3));
    return names.filter((name) => schemasFor(name, parts).length > 0).length;
  });
  const most = all.length > limits.few ? known.reduce((one, other) => Math.max(one, other), 0) : 0;
  const near = all.flatMap(({ refusals }, index) =>
    (known[index] ?? 0) < most ? [] : [{ refusals, known: known[index] }],
  );
  const looked = near.slice(0, limits.alternatives);
  const refused = new Map(looked.map((each): [Refused, number] => [leavesOf(each.refusals()), 2 * (each.known ?? 0)]));
  if (refused.size === 0 || [...refused.keys()].some((each) => each.length === 0)) return [violation];
  return demandOf([...refused.keys()], violation, (each) => refused.get(each) ?? 0);
}

/** What the parts of an alternative ask of a member. */
function schemasFor(name: string, parts: readonly JsonObject[]): readonly unknown[] {
  return parts.flatMap(({ properties }) =>
    isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [],
  );
}

/** What an alternative is made of, and what it finds wrong: worked out when it is asked for. */
interface Alternative {
  readonly parts: readonly JsonObject[];
  readonly refusals: () => readonly Violation[];
}

/** The alternatives of a combinator; those of one of them, where nothing is wrong with it but these. */
function alternativesOf(violation: Violation, levels = limits.levels): readonly Alternative[] {
  const { expectation, instanceLocation } = violation;
  const { branches, texts } = partsOf(violation);
  if (expectation.kind !== 'alternatives' || !branches) return [];
  const { root } = contextOf(violation);
  return expectation.schemas.flatMap(({ schema }, index): readonly Alternative[] => {
    if (schema === false) return [];
    const parts = [...schemaParts(schema, root, texts.work)];
    const alternative = { parts, refusals: () => branches.at(index) };
    if (levels === 0 || !parts.some(({ anyOf, oneOf }) => anyOf ?? oneOf)) return [alternative];
    const [only, ...others] = branches.at(index);
    const isUnion = only !== undefined && others.length === 0 && only.instanceLocation === instanceLocation;
    const within = isUnion ? alternativesOf(only, levels - 1) : [];
    return within.length > 0 ? within : [alternative];
  });
}

/** Without those that list other values of a member, where some list the one that it has: that tag tells them apart. */
function withTag(all: readonly Alternative[], names: readonly string[], violation: Violation): readonly Alternative[] {
  const { received, root, texts } = contextOf(violation);
  return names.reduce((left, name) => {
    const value = isObject(received.value) ? received.value[name] : undefined;
    if (left.length < 2 || typeof value === 'object' || !texts.work.spend(left.length >> 3)) return left;
    const lists = left.map(({ parts }) => {
      const [schema] = schemasFor(name, parts);
      const isListing = isObject(schema) && ['const', 'enum', '$ref', 'allOf'].some((keyword) => keyword in schema);
      return isListing ? listedValues(schema, root, texts.work) : undefined;
    });
    if (!lists.some((list) => list?.includes(value))) return left;
    return left.filter((_, index) => lists[index]?.includes(value) ?? true);
  }, all);
}

/**
 * What alternatives ask of a value. The one for values of its type was meant. Where there is none, or where its text is
 * none of those that are listed, another type may have been meant as well: all say what they ask for.
 *
 * @param holder the violation of that value
 * @param merits what speaks for an alternative, against its faults
 */
function demandOf(all: readonly Refused[], holder: Violation, merits: (each: Refused) => number): Refused {
  const isHere = ({ instanceLocation }: Violation) => instanceLocation === holder.instanceLocation;
  const own = all.filter((each) => !each.some((violation) => isHere(violation) && rulesOut(violation)));
  const isListed = (each: Violation) => isHere(each) && each.expectation.kind === 'values';
  const isOtherText = typeof holder.received.value === 'string' && own.some((each) => each.some(isListed));
  if (own.length === 0 || (isOtherText && own.length < all.length)) {
    const demands = all.flatMap((each) => demandsIn(each.filter(isHere)));
    return demanding(holder, demands) ?? [holder];
  }
  const tag = own.length > 1 && tagOf(own);
  if (tag) return [tag];
  const fault = ({ expectation, instanceLocation }: Violation) =>
    expectation.kind === 'unwanted' ? 4 : instanceLocation === holder.instanceLocation ? 2 : 1;
  const faults = (each: Refused) => each.reduce((sum, violation) => sum + fault(violation), 0);
  const closest = leastBy(own, (each) => faults(each) - merits(each));
  const [first = [holder]] = closest;
  const [elsewhere, ...others] = closest.flat();
  const isOnePlace = others.every(({ instanceLocation }) => instanceLocation === elsewhere?.instanceLocation);
  if (closest.length === 1 || !elsewhere || !isOnePlace) return leastBy(closest, ruledOut)[0] ?? first;
  if (!isHere(elsewhere)) return demandOf(closest, elsewhere, () => 0);
  return together(closest, holder) ?? first;
}

/** Where all alternatives list values of one member, others each, the answer is all of them. */
function tagOf([first = [], ...others]: readonly Refused[]): Violation | undefined {
  for (const one of first) {
    const { expectation, instanceLocation, property } = one;
    const isSame = (each: Violation) =>
      each.instanceLocation === instanceLocation &&
      each.expectation.kind === expectation.kind &&
      each.property === property;
    const listed = valuesAsked(one);
    const lists = others.map((each) => valuesAsked(each.find(isSame)));
    if (!listed || lists.includes(undefined)) continue;
    const values = [...new Set([listed, ...lists].flat())];
    if (values.length === listed.length) continue;
    const schema = { enum: values };
    return withExpectation(
      one,
      expectation.kind === 'missing' ? { ...expectation, schema } : { kind: 'values', values },
    );
  }
  return undefined;
}

function valuesAsked(violation: Violation | undefined): readonly unknown[] | undefined {
  if (violation?.expectation.kind === 'values') return violation.expectation.values;
  if (violation?.expectation.kind !== 'missing') return undefined;
  const { root, texts } = contextOf(violation);
  return listedValues(violation.expectation.schema, root, texts.work);
}

function ruledOut(violations: Refused): number {
  return violations.filter(rulesOut).length;
}

/** Whether a value of its type was not meant there. */
function rulesOut({ expectation, received }: Violation): boolean {
  return excludes(expectation, received.type);
}

function excludes(expectation: Expectation, type: JsonType): boolean {
  if (expectation.kind === 'types') return !expectation.types.some((each) => isSameType(each, type));
  if (expectation.kind === 'values') return !expectation.values.some((each) => isSameType(typeOf(each), type));
  if (expectation.kind === 'any') return expectation.of.every((each) => excludes(each, type));
  return expectation.kind === 'nothing';
}

function isSameType(one: JsonType, other: JsonType): boolean {
  return one.replace('integer', 'number') === other.replace('integer', 'number');
}

/** What one alternative asks of a value itself: the values that it lists, or its types, or else the first it says. */
function demandsIn(violations: Refused): readonly Expectation[] {
  const all = violations.flatMap(({ expectation }) => (expectation.kind === 'any' ? expectation.of : [expectation]));
  const plain = all.filter(({ kind }) => kind === 'values' || kind === 'types');
  return plain.length > 0 ? plain : all.filter(isPhrase).slice(0, 1);
}

/** Any of these, the types and the values each together; undefined where there are none. */
function demanding(holder: Violation, of: readonly Expectation[]): Refused | undefined {
  const types = of.flatMap((each) => (each.kind === 'types' ? each.types : []));
  const values = of.flatMap((each) => (each.kind === 'values' ? each.values : []));
  const [first, ...others]: readonly Expectation[] = [
    ...(types.length > 0 ? [{ kind: 'types', types: [...new Set(types)] } as const] : []),
    ...of.filter(({ kind }) => kind !== 'types' && kind !== 'values'),
    ...(values.length > 0 ? [{ kind: 'values', values: [...new Set(values)] } as const] : []),
  ];
  if (!first) return undefined;
  return [withExpectation(holder, others.length === 0 ? first : { kind: 'any', of: [first, ...others] })];
}

function leastBy<T>(all: readonly T[], measure: (each: T) => number): readonly T[] {
  const measured = all.map(measure);
  const least = measured.reduce((one, other) => Math.min(one, other), Infinity);
  return all.filter((_, index) => measured[index] === least);
}

/** What alternatives that are equally close ask for, where that is one thing each. */
function together(alternatives: readonly Refused[], holder: Violation): Refused | undefined {
  const missing = alternatives.map((each) => each.filter((violation) => missingName(violation).length > 0));
  const others = alternatives.map((each) => each.filter((violation) => missingName(violation).length === 0));
  const sets = missing.map((each) => each.flatMap(missingName));
  const isPlain = others.flat().every(({ expectation: { kind } }) => kind === 'unwanted');
  if (isPlain && sets.every((names) => names.length > 0)) {
    const isOne = new Set(sets.map(String)).size === 1;
    const demands = isOne ? missingInAll(missing) : [withExpectation(holder, { kind: 'missing-one', sets })];
    return [...demands, ...unwantedByAll(others)];
  }
  const isSimple = ([only, ...more]: Refused) => only !== undefined && more.length === 0 && isPhrase(only.expectation);
  return alternatives.every(isSimple) ? demanding(holder, alternatives.flatMap(demandsIn)) : undefined;
}

/** The properties that all alternatives miss, each as any of them would have it. */
function missingInAll(alternatives: readonly Refused[]): Refused {
  return (alternatives[0] ?? []).flatMap((one, index) => {
    const all = alternatives.flatMap((each) => each[index]?.expectation ?? []);
    const schemas = all.flatMap((each) => (each.kind === 'missing' ? [each.schema] : []));
    const schema = new Set(schemas).size === 1 ? schemas[0] : { anyOf: schemas };
    return [withExpectation(one, { kind: 'missing', property: one.property ?? '', schema })];
  });
}

function missingName({ expectation }: Violation): string[] {
  return expectation.kind === 'missing' && expectation.beside === undefined ? [expectation.property] : [];
}

/** The properties that no alternative allows. */
function unwantedByAll([first = [], ...others]: readonly Refused[]): Refused {
  return first.flatMap((one) => {
    const all = [one, ...others.flatMap((list) => list.find(({ property }) => property === one.property) ?? [])];
    const schemas = all.flatMap(({ expectation }) => (expectation.kind === 'unwanted' ? [expectation.schema] : []));
    if (schemas.length <= others.length) return [];
    return [withExpectation(one, { kind: 'unwanted', property: one.property ?? '', schema: { anyOf: schemas } })];
  });
}
