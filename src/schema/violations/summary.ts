import { isObject, jsonPointer, type JsonObject, member, pointerTokens } from '../../json/index.js';
import { declaredNames, listedValues, viewOf } from '../reading.js';
import type { Expectation, Property } from './expectation.js';
import { isPhrase } from './messages.js';
import { contextOf, distinct, partsOf, type Violation, withExpectation } from './violation.js';

/**
 * The violations that tell what to change: a combinator is replaced by the violations of the intended alternative, and
 * duplicates are dropped. No returned violation needs its branches to be understood.
 */
export function summarizedViolations(violations: readonly Violation[]): Violation[] {
  const [first] = violations;
  return first ? partsOf(first).texts.budget.during(() => summaryOf(violations)) : [];
}

function summaryOf(violations: Refused): Violation[] {
  const found = violations.filter((each) => !isConsequence(each, violations)).flatMap(expand);
  if (found.length === 1) return found;
  // The failed condition matters only if no violation of `else` is left.
  const relevant = found.filter(({ keyword }) => keyword !== 'if');
  const placesOf = (wanted: Expectation['kind']) => {
    const all = found.filter(({ expectation }) => expectation.kind === wanted);
    return new Set(all.map(({ instanceLocation }) => instanceLocation));
  };
  const [listed, mistyped] = [placesOf('values'), placesOf('types')];
  // Listed values imply their type; a value of the wrong type is replaced, so what is forbidden does not matter.
  const needed = ({ expectation: { kind }, instanceLocation }: Violation) =>
    kind === 'types' ? !listed.has(instanceLocation) : kind !== 'not' || !mistyped.has(instanceLocation);
  return distinct((relevant.length > 0 ? relevant : found).filter(needed));
}

/** True if a part is unevaluated only because the alternative that declares it was rejected. */
function isConsequence(violation: Violation, all: Refused): boolean {
  const [, parts] = /\/unevaluated(Properties|Items)(?:\/|$)/.exec(violation.schemaLocation) ?? [];
  if (!parts || all.length === 1) return false;
  // An unexpected property is reported for its holder, or for itself if a schema says what it should be.
  const steps = pointerTokens(violation.instanceLocation).concat(violation.property ?? []);
  const name = steps.pop() ?? '';
  const holder = jsonPointer(steps);
  return all.some(({ expectation, instanceLocation }) => {
    if (expectation.kind !== 'alternatives' || instanceLocation !== holder) return false;
    const anyOf = expectation.schemas.map(({ schema }) => schema);
    return parts === 'Items' || declaredNames({ anyOf }, contextOf(violation)).includes(name);
  });
}

type Refused = readonly Violation[];

/** Alternatives looked into: of more than a few those that know most names; and names that are compared. */
const limits = { few: 16, alternatives: 100, names: 60 };

function expand(violation: Violation): Refused {
  if (violation.expectation.kind !== 'alternatives') return [violation];
  const { value } = violation.received;
  const names = isObject(value) ? Object.keys(value).slice(0, limits.names) : [];
  const all = withTag(alternativesOf(violation), names, violation).map(({ schema, refusals }) => {
    contextOf(violation).budget.consume(1 + (names.length >> 4));
    return { refusals, known: names.filter((name) => member(schema['properties'], name) !== undefined).length };
  });
  const looked = (all.length > limits.few ? leastBy(all, ({ known }) => -known) : all).slice(0, limits.alternatives);
  const known = new Map(looked.map((each): [Refused, number] => [summaryOf(each.refusals()), each.known]));
  const refused = [...known.keys()];
  if (refused.length === 0 || refused.some((each) => each.length === 0)) return [violation];
  return demandOf(refused, violation, known);
}

/** An alternative as a person reads it, and its violations, which are computed when needed. */
interface Alternative {
  readonly schema: JsonObject;
  readonly refusals: () => readonly Violation[];
}

/** The alternatives of a combinator. One that fails only a combinator of its own is replaced by the latter's alternatives. */
function alternativesOf(violation: Violation): readonly Alternative[] {
  const { expectation, instanceLocation } = violation;
  const { branches } = partsOf(violation);
  if (expectation.kind !== 'alternatives' || !branches) return [];
  const context = contextOf(violation);
  return expectation.schemas.flatMap(({ schema }, index): readonly Alternative[] => {
    if (schema === false) return [];
    const view = viewOf(schema, context);
    const alternative = { schema: view.schema, refusals: () => branches.at(index) };
    if (!view.alternatives) return [alternative];
    const [only, ...others] = branches.at(index);
    const isUnion = only !== undefined && others.length === 0 && only.instanceLocation === instanceLocation;
    const within = isUnion ? alternativesOf(only) : [];
    return within.length > 0 ? within : [alternative];
  });
}

/**
 * The alternatives whose tag fits: if some list a member's value, those with other values for the member are dropped.
 */
function withTag(all: readonly Alternative[], names: readonly string[], violation: Violation): readonly Alternative[] {
  const context = contextOf(violation);
  const { received, budget } = context;
  return names.reduce((left, name) => {
    const value = isObject(received.value) ? received.value[name] : undefined;
    if (left.length < 2 || typeof value === 'object' || !budget.consume(left.length >> 3)) return left;
    const lists = left.map(({ schema }) => {
      const property = member(schema['properties'], name);
      const isListing = isObject(property) && ['const', 'enum', '$ref', 'allOf'].some((keyword) => keyword in property);
      return isListing ? listedValues(property, context) : undefined;
    });
    if (!lists.some((list) => list?.includes(value))) return left;
    return left.filter((_, index) => lists[index]?.includes(value) ?? true);
  }, all);
}

/**
 * The violations of the alternative that takes the value's type. If no alternative takes it, or the text is not in the
 * enum, another type may have been meant: the result lists what every alternative expects.
 */
function demandOf(all: readonly Refused[], holder: Violation, known = new Map<Refused, number>()): Refused {
  const isHere = ({ instanceLocation }: Violation) => instanceLocation === holder.instanceLocation;
  const own = all.filter((each) => !each.some((violation) => isHere(violation) && rulesOut(violation)));
  const isListed = (each: Violation) => isHere(each) && each.expectation.kind === 'values';
  const isOtherText = typeof holder.received.value === 'string' && own.some((each) => each.some(isListed));
  if (own.length === 0 || (isOtherText && own.length < all.length)) {
    const demandsHere = all.map((each) => each.filter(isHere));
    return demanding(holder, demandsHere) ?? [holder];
  }
  const tag = own.length > 1 && tagOf(own);
  if (tag) return [tag];
  const fault = (each: Violation) => (each.expectation.kind === 'unwanted' ? 4 : isHere(each) ? 2 : 1);
  const faults = (each: Refused) => each.reduce((sum, violation) => sum + fault(violation), 0);
  const closest = leastBy(own, (each) => faults(each) - 2 * (known.get(each) ?? 0));
  const [first = [holder]] = closest;
  const [elsewhere, ...others] = closest.flat();
  const isOnePlace = others.every(({ instanceLocation }) => instanceLocation === elsewhere?.instanceLocation);
  if (closest.length === 1 || !elsewhere || !isOnePlace)
    return leastBy(closest, (each) => each.filter(rulesOut).length)[0] ?? first;
  return isHere(elsewhere) ? (together(closest, holder) ?? first) : demandOf(closest, elsewhere);
}

/** If each alternative lists other values of one member, the violation lists the values of all. */
function tagOf([first = [], ...others]: readonly Refused[]): Violation | undefined {
  for (const one of first) {
    const listed = valuesAsked(one);
    const lists = others.map((each) => valuesAsked(each.find(isLike(one))));
    if (!listed || lists.includes(undefined)) continue;
    const values = [...new Set([listed, ...lists].flat())];
    if (values.length === listed.length) continue;
    const { expectation } = one;
    const isMissing = expectation.kind === 'missing';
    return withExpectation(one, isMissing ? { ...expectation, schema: { enum: values } } : { kind: 'values', values });
  }
  return undefined;
}

function isLike(one: Violation): (other: Violation) => boolean {
  return ({ expectation, instanceLocation, property }) =>
    expectation.kind === one.expectation.kind && instanceLocation === one.instanceLocation && property === one.property;
}

function valuesAsked(violation: Violation | undefined): readonly unknown[] | undefined {
  if (violation?.expectation.kind === 'values') return violation.expectation.values;
  if (violation?.expectation.kind !== 'missing') return undefined;
  return listedValues(violation.expectation.schema, contextOf(violation));
}

function rulesOut(violation: Violation): boolean {
  const { kind } = violation.expectation;
  if (kind === 'alternatives' || kind === 'nothing') return kind === 'nothing';
  const types = violation.expectedTypes?.map((type) => type.replace('integer', 'number'));
  return types?.includes(violation.received.type.replace('integer', 'number')) === false;
}

/** The demands of one alternative: its listed values and types, or else its first demand. */
function demandsIn(violations: Refused): readonly Expectation[] {
  const all = violations.flatMap(({ expectation }) => (expectation.kind === 'any' ? expectation.of : [expectation]));
  const plain = all.filter(({ kind }) => kind === 'values' || kind === 'types');
  return plain.length > 0 ? plain : all.filter(isPhrase).slice(0, 1);
}

/** One violation with everything that any alternative expects. Undefined if no alternative expects anything. */
function demanding(holder: Violation, alternatives: readonly Refused[]): Refused | undefined {
  const all = alternatives.flatMap(demandsIn);
  const types = new Set(all.flatMap((each) => (each.kind === 'types' ? each.types : [])));
  const values = new Set(all.flatMap((each) => (each.kind === 'values' ? each.values : [])));
  const of: readonly Expectation[] = [
    ...(types.size > 0 ? [{ kind: 'types', types: [...types] } as const] : []),
    ...all.filter(({ kind }) => kind !== 'types' && kind !== 'values'),
    ...(values.size > 0 ? [{ kind: 'values', values: [...values] } as const] : []),
  ];
  const [first, ...others] = of;
  return first && [withExpectation(holder, others.length === 0 ? first : { kind: 'any', of })];
}

function leastBy<T>(all: readonly T[], measure: (each: T) => number): readonly T[] {
  const measured = all.map(measure);
  const least = measured.reduce((one, other) => Math.min(one, other), Infinity);
  return all.filter((_, index) => measured[index] === least);
}

function together(alternatives: readonly Refused[], holder: Violation): Refused | undefined {
  const sets = alternatives.map((each) => each.flatMap(missingOf));
  const isPlain = (each: Violation) => each.expectation.kind === 'unwanted' || missingOf(each).length > 0;
  if (alternatives.flat().every(isPlain) && sets.every((names) => names.length > 0)) {
    const inAll = inAllOf(alternatives);
    if (new Set(sets.map((set) => set.map(({ property }) => property).join('\n'))).size === 1) return inAll;
    const unwanted = inAll.filter(({ expectation }) => expectation.kind === 'unwanted');
    return [withExpectation(holder, { kind: 'missing-one', sets }), ...unwanted];
  }
  const isSimple = ([only, ...more]: Refused) => only !== undefined && more.length === 0 && isPhrase(only.expectation);
  return alternatives.every(isSimple) ? demanding(holder, alternatives) : undefined;
}

function missingOf({ expectation }: Violation): Property[] {
  return expectation.kind === 'missing' && expectation.beside === undefined ? [expectation] : [];
}

/** Properties missing from, or rejected by, every alternative. Schemas are joined with `anyOf`. */
function inAllOf([first = [], ...others]: readonly Refused[]): Refused {
  return first.flatMap((one) => {
    const { expectation } = one;
    const all = [one, ...others.flatMap((each) => each.find(isLike(one)) ?? [])];
    if (all.length <= others.length || (expectation.kind !== 'missing' && expectation.kind !== 'unwanted')) return [];
    const schemas = new Set(all.map((each) => 'schema' in each.expectation && each.expectation.schema));
    const schema = schemas.size === 1 ? expectation.schema : { anyOf: [...schemas] };
    return [withExpectation(one, { ...expectation, schema })];
  });
}
