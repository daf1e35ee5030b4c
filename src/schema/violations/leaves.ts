import { isObject, jsonPointer, type Work } from '../../json/index.js';
import type { Expectation } from './expectation.js';
import { closestAlternatives } from './closest.js';
import { listedValues, partsOf, propertySchema } from './schema-view.js';
import {
  branchesOf,
  contextOf,
  distinct,
  pathOf,
  type Violation,
  withExpectation,
  withoutAlternatives,
  workOf,
} from './violation.js';

/**
 * The violations worth telling: combinators replaced by what is wrong with the alternative that was meant, duplicates
 * dropped. One level: none of the violations returned needs its branches to be understood.
 */
export function leafViolations(violations: readonly Violation[]): Violation[] {
  const [first] = violations;
  return first ? workOf(first).during(() => leavesOf(violations)) : [];
}

/** Whether a violation says itself what is wrong. */
export function isLeaf({ expectation }: Violation): boolean {
  return expectation.kind !== 'alternatives';
}

function leavesOf(violations: readonly Violation[]): Violation[] {
  const [only] = violations;
  const leaves =
    only && violations.length === 1
      ? expand(only)
      : violations.filter((each) => !isConsequence(each, violations)).flatMap(expand);
  if (leaves.length === 1) return leaves;
  // The failed condition is only interesting where nothing is left of what `else` refused.
  const relevant = leaves.filter(({ keyword }) => keyword !== 'if');
  return distinct(relevant.length > 0 ? relevant : leaves, ({ expectation }) => expectation.kind);
}

/**
 * Whether a part was only left unevaluated because the alternative that declares it was refused: to forbid it beside
 * what is wrong with that alternative would contradict it.
 */
function isConsequence(violation: Violation, all: readonly Violation[]): boolean {
  const unevaluated = /\/unevaluated(Properties|Items)(?:\/|$)/.exec(violation.schemaLocation);
  if (!unevaluated) return false;
  const { instanceLocation, property } = violation;
  // What must not be there is reported of its holder, or of itself where its schema says what it would have to be.
  const path = pathOf(violation);
  const [holder, name] =
    property === undefined ? [jsonPointer(path.slice(0, -1)), String(path.at(-1))] : [instanceLocation, property];
  const { root, texts } = contextOf(violation);
  return all.some(({ expectation, instanceLocation: place }) => {
    if (expectation.kind !== 'alternatives' || place !== holder) return false;
    if (unevaluated[1] === 'Items') return true;
    return expectation.schemas.some(({ schema }) => propertySchema(name, schema, root, texts.work) !== undefined);
  });
}

/** An alternative: what it found wrong, without combinators, and its schema. */
interface Refused {
  readonly violations: readonly Violation[];
  readonly schema: unknown;
}

function expand(violation: Violation): Violation[] {
  const { expectation } = violation;
  const branches = branchesOf(violation);
  if (!branches || expectation.kind !== 'alternatives') return [violation];
  const types = withoutAlternatives({ expectation, branches, path: pathOf(violation) });
  if (types !== expectation) return [withExpectation(violation, types)];
  const { schemas } = expectation;
  const { received, root, texts } = contextOf(violation);
  const { chosen, others } = closestAlternatives(received.value, schemas, root, texts.work);
  const refused = chosen.map((index): Refused => ({
    violations: leavesOf(branches.at(index)),
    schema: schemas[index]?.schema,
  }));
  if (refused.some(({ violations }) => violations.length === 0)) return [violation];
  const meant = refused.filter(({ violations }) => !violations.some((each) => ruledOut(each, violation)));
  const rest = others.map((index) => schemas[index]?.schema);
  if (meant.length === 0 && rest.length === 0) return otherTypes(violation, refused);
  if (meant.length > 1) {
    const tag = commonTag(violation, meant, rest) ?? missingTag(violation, meant, rest);
    if (tag) return [tag];
  }
  const closest = closestOf(violation, meant);
  const [first] = closest;
  return (closest.length > 1 && together(violation, closest)) || [...(first?.violations ?? [violation])];
}

/** The value itself has the wrong type: this alternative was not meant. */
function ruledOut({ instanceLocation, keyword, expectation }: Violation, combinator: Violation): boolean {
  if (instanceLocation !== combinator.instanceLocation) return false;
  return keyword === 'type' || keyword === 'false' || expectation.kind === 'types';
}

/** What alternatives ask for that are all for values of other types: the values where they are listed, else the types. */
function otherTypes(combinator: Violation, alternatives: readonly Refused[]): Violation[] {
  const of = alternatives.flatMap(({ violations }): Expectation[] => {
    const values = valuesAskedAt(combinator.instanceLocation, violations);
    return values
      ? [{ kind: 'values', values }]
      : violations.map(({ expectation }) => expectation).filter(({ kind }) => kind === 'types');
  });
  return of.length > 0 ? [withExpectation(combinator, { kind: 'any', of })] : [combinator];
}

/** Where every alternative asks for another value of the same member, all these values together are the answer. */
function commonTag(
  combinator: Violation,
  alternatives: readonly Refused[],
  rest: readonly unknown[],
): Violation | undefined {
  for (const candidate of alternatives[0]?.violations ?? []) {
    const { instanceLocation } = candidate;
    const name = memberName(combinator, instanceLocation);
    const lists = [
      ...alternatives.map(({ violations }) => valuesAskedAt(instanceLocation, violations)),
      ...rest.map((schema) => (name === undefined ? undefined : valuesOf(name, schema, combinator))),
    ];
    if (!lists.includes(undefined))
      return withExpectation(candidate, { kind: 'values', values: distinctValues(lists.flat()) });
  }
  return undefined;
}

function valuesAskedAt(location: string, violations: readonly Violation[]): readonly unknown[] | undefined {
  for (const { instanceLocation, expectation } of violations) {
    if (instanceLocation === location && expectation.kind === 'values') return expectation.values;
  }
  return undefined;
}

/** Where every alternative misses the member by whose value they are told apart, that is the answer. */
function missingTag(
  combinator: Violation,
  alternatives: readonly Refused[],
  rest: readonly unknown[],
): Violation | undefined {
  for (const candidate of alternatives[0]?.violations ?? []) {
    const { expectation, instanceLocation } = candidate;
    if (expectation.kind !== 'missing' || instanceLocation !== combinator.instanceLocation) continue;
    const { property } = expectation;
    const misses = ({ violations }: Refused) =>
      violations.some((each) => each.property === property && each.instanceLocation === instanceLocation);
    if (!alternatives.every(misses)) continue;
    const schemas = [...alternatives.map(({ schema }) => schema), ...rest];
    const lists = schemas.map((schema) => valuesOf(property, schema, combinator));
    const values = distinctValues(lists.flat());
    if (values.length > 1 && !lists.includes(undefined))
      return withExpectation(candidate, { kind: 'missing', property, schema: { enum: values } });
  }
  return undefined;
}

/** The values that an alternative lists for a member. */
function valuesOf(name: string, schema: unknown, combinator: Violation): readonly unknown[] | undefined {
  const { root, texts } = contextOf(combinator);
  const { work } = texts;
  return listedValues(propertySchema(name, schema, root, work), root, work);
}

function distinctValues(values: readonly unknown[]): readonly unknown[] {
  return [...new Set(values)];
}

/** The name of a direct member of the value that the combinator refused. */
function memberName(combinator: Violation, instanceLocation: string): string | undefined {
  const token = instanceLocation.slice(combinator.instanceLocation.length + 1);
  return token === '' || token.includes('/') ? undefined : token.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The alternatives that come closest to the value: one, but for those that are equally close. */
function closestOf(combinator: Violation, alternatives: readonly Refused[]): readonly Refused[] {
  const tags = tagsOf(combinator, alternatives);
  const { value } = combinator.received;
  const names = isObject(value) ? Object.keys(value) : [];
  const distances = alternatives.map((alternative) => distanceOf(combinator, alternative, tags, names));
  const least = Math.min(...distances);
  return alternatives.filter((_, index) => distances[index] === least);
}

/** Another value is asked of a tag: that tells which alternative was meant. */
const otherTag = 1000;

function distanceOf(
  combinator: Violation,
  { violations, schema }: Refused,
  tags: ReadonlySet<string>,
  names: readonly string[],
): number {
  const { root, texts } = contextOf(combinator);
  let distance = 0;
  for (const { instanceLocation, expectation } of violations) {
    if (tags.has(instanceLocation)) distance += otherTag;
    else if (expectation.kind === 'unwanted') distance += 4;
    // What is wrong within a member weighs less than what is wrong with the value: more of the alternative fits.
    else distance += instanceLocation === combinator.instanceLocation ? 2 : 1;
  }
  // Names that an alternative knows speak for it.
  return distance - 2 * knownNames(names, schema, root, texts.work);
}

function knownNames(names: readonly string[], schema: unknown, root: unknown, work: Work): number {
  const known = new Set<string>();
  for (const { properties } of partsOf(schema, root, work)) {
    if (!isObject(properties) || !work.spend(names.length)) continue;
    for (const name of names) if (Object.hasOwn(properties, name)) known.add(name);
  }
  return known.size;
}

/** The members by whose value the alternatives are told apart: of several of them with a list of values each. */
function tagsOf(combinator: Violation, alternatives: readonly Refused[]): ReadonlySet<string> {
  const tags = new Set<string>();
  for (const { violations } of alternatives) {
    for (const { instanceLocation, expectation } of violations) {
      if (expectation.kind !== 'values' || tags.has(instanceLocation)) continue;
      const name = memberName(combinator, instanceLocation);
      const lists = ({ schema }: Refused) => name !== undefined && valuesOf(name, schema, combinator) !== undefined;
      if (alternatives.filter(lists).length > 1) tags.add(instanceLocation);
    }
  }
  return tags;
}

/** What alternatives that are equally close ask for, where that is one thing each. */
function together(combinator: Violation, alternatives: readonly Refused[]): Violation[] | undefined {
  const here = alternatives.every(({ violations }) =>
    violations.every(({ instanceLocation }) => instanceLocation === combinator.instanceLocation),
  );
  if (!here) return undefined;
  const sets = alternatives.map(({ violations }) => violations.flatMap(missingName));
  const others = alternatives.map(({ violations }) => violations.filter((each) => missingName(each).length === 0));
  if (
    sets.every((names) => names.length > 0) &&
    others.flat().every(({ expectation }) => expectation.kind === 'unwanted')
  ) {
    return [withExpectation(combinator, { kind: 'missing-one', sets }), ...unwantedByAll(others, alternatives)];
  }
  const of = alternatives.map(({ violations }) => (violations.length === 1 ? violations[0]?.expectation : undefined));
  const simple = of.filter((each): each is Expectation => each !== undefined && isPhrase(each));
  return simple.length === alternatives.length ? [withExpectation(combinator, { kind: 'any', of: simple })] : undefined;
}

function missingName({ expectation }: Violation): string[] {
  return expectation.kind === 'missing' && expectation.beside === undefined ? [expectation.property] : [];
}

/** The properties that no alternative allows. */
function unwantedByAll(violations: readonly (readonly Violation[])[], alternatives: readonly Refused[]): Violation[] {
  const [first = [], ...others] = violations;
  const schema = { anyOf: alternatives.map((each) => each.schema) };
  return first
    .filter(({ property }) => others.every((list) => list.some((each) => each.property === property)))
    .map((each) => withExpectation(each, { kind: 'unwanted', property: each.property ?? '', schema }));
}

/** Whether "must be <expected>" says it all. */
function isPhrase({ kind }: Expectation): boolean {
  return (
    kind === 'values' ||
    kind === 'bound' ||
    kind === 'multiple' ||
    kind === 'length' ||
    kind === 'pattern' ||
    kind === 'format'
  );
}
