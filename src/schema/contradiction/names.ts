import { isList, isObject, type JsonObject } from '../../json/index.js';
import { Pattern } from '../patterns/pattern.js';
import { numbersIn, typesAskedFor } from './exclusions.js';
import { appliedParts, evaluatedNames, type Surroundings } from './parts.js';

/** What schemas that apply to one object together say of its members' names. */
export interface Names {
  /** Those that must be there. */
  readonly required: ReadonlySet<string>;
  /** Those that may be there, as far as they are counted. */
  readonly allowed: ReadonlySet<string> | undefined;
  readonly allows: (name: string) => boolean;
}

export function namesIn(parts: readonly JsonObject[], surroundings: Surroundings): Names {
  const naming = parts.map(({ propertyNames: schema }) =>
    schema === undefined ? [] : [...appliedParts([schema], surroundings)],
  );
  const lists = [
    ...parts.flatMap((part) => closedTo(part, surroundings)),
    ...naming
      .flat()
      .flatMap(({ enum: values, const: value }) => [
        ...(isList(values) ? [new Set(values.filter((each) => typeof each === 'string'))] : []),
        ...(value === undefined ? [] : [new Set(typeof value === 'string' ? [value] : [])]),
      ]),
  ];
  const [first, ...others] = lists;
  const allowed = first && new Set([...first].filter((name) => others.every((list) => list.has(name))));
  const rest = naming.flat();
  const patterns = patternsIn(rest, surroundings);
  return {
    required: requiredIn(parts, surroundings),
    allowed,
    allows: (name) => (allowed?.has(name) ?? true) && !isRefused(name, rest, patterns),
  };
}

/** The names that a part is closed to. */
function closedTo(part: JsonObject, surroundings: Surroundings): ReadonlySet<string>[] {
  const { properties, patternProperties, additionalProperties, unevaluatedProperties } = part;
  const closed: ReadonlySet<string>[] = [];
  // What a pattern matches is not looked into.
  const isOpen = isObject(patternProperties) && Object.keys(patternProperties).length > 0;
  if (additionalProperties === false && !isOpen) {
    const names = isObject(properties) ? Object.keys(properties) : [];
    if (surroundings.work.spend(names.length)) closed.push(new Set(names));
  }
  const evaluated = unevaluatedProperties === false ? evaluatedNames(part, surroundings) : undefined;
  if (evaluated) closed.push(evaluated);
  return closed;
}

/** The names that are required, and those that these require. */
function requiredIn(parts: readonly JsonObject[], { work }: Surroundings): ReadonlySet<string> {
  const names = new Set<string>();
  const waiting: unknown[] = parts.flatMap(({ required }) => (isList(required) ? required : []));
  const dependents = parts
    .flatMap(({ dependentRequired, dependencies }) => [dependentRequired, dependencies])
    .filter(isObject);
  for (let name = waiting.pop(); name !== undefined && work.spend(1 + dependents.length); name = waiting.pop()) {
    if (typeof name !== 'string' || names.has(name)) continue;
    names.add(name);
    for (const dependent of dependents) {
      const more = Object.hasOwn(dependent, name) ? dependent[name] : undefined;
      if (isList(more)) waiting.push(...more.slice(0, mostNames));
    }
  }
  return names;
}

/** Names that one other requires. */
const mostNames = 1_000;

/** Compiling a pattern takes about as long as so many steps. */
const patternSteps = 200;

function patternsIn(parts: readonly JsonObject[], { work }: Surroundings): readonly Pattern[] {
  return parts.flatMap(({ pattern }) =>
    typeof pattern === 'string' && work.spend(patternSteps) ? [new Pattern(pattern, false)] : [],
  );
}

/** Whether what is said of all names refuses one. */
function isRefused(name: string, parts: readonly JsonObject[], patterns: readonly Pattern[]): boolean {
  const { length } = Array.from(name);
  return (
    typesAskedFor(parts).some((types) => !types.includes('string')) ||
    numbersIn(parts, 'minLength').some((least) => length < least) ||
    numbersIn(parts, 'maxLength').some((most) => length > most) ||
    patterns.some((pattern) => !mayMatch(pattern, name))
  );
}

function mayMatch(pattern: Pattern, name: string): boolean {
  return !pattern.isTried || pattern.isRisky(name.length) || (pattern.matches(name) ?? true);
}
