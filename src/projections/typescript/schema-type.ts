import type { JsonObject, JsonType } from '../../json/index.js';
import { briefJson, filtered, isJsonType, isList, isObject, isOwn, listOf, propertiesOf } from '../../json/index.js';
import { requiredOf, typeOf } from '../../json/index.js';
import { declaredNames, type dialects, type Reading, valuesOf } from '../../schema/index.js';
import { docblock, literalType, propertyName } from './source-text.js';

type Dialect = Pick<(typeof dialects)[keyof typeof dialects], 'keywords' | 'refHidesSiblings'>;

/** Everything that the types of one tool share. */
export interface TypeContext {
  /** Undefined if the reference leads to nothing that is known here; nothing is ever fetched. */
  readonly resolve: (reference: string) => unknown;
  /** The name of the type for a reference's target; undefined inside that type, where it would be circular. */
  readonly nameOf: (target: JsonObject, reference: string, inside: string | undefined) => string | undefined;
  readonly dialect: Dialect;
  readonly reading: Reading;
}

export interface TypePlace {
  readonly indent: string;
  /** The named type whose very alternative this is, so that naming it again would be circular. */
  readonly inside: string | undefined;
  /** The targets of references that are being merged into this type. */
  readonly merged: ReadonlySet<unknown>;
  /** The targets that this place is inside of: they are not merged into it again. */
  readonly around: ReadonlySet<unknown>;
  /** Properties of the other alternatives, which a closed object must not have. */
  readonly foreign: readonly string[];
  readonly level: number;
}

/** Deeper schemas are `unknown`: the stack holds some thousand levels. */
const mostLevels = 100;

/**
 * The type of the values that satisfy all of these schemas. It never excludes one of them: what TypeScript cannot say
 * (bounds, patterns, `not`) is left to the check at run time.
 */
export function schemaType(parts: readonly unknown[], context: TypeContext, place: TypePlace): string {
  const asserts = (part: unknown) => isObject(part) && Object.keys(part).some((keyword) => asserting.has(keyword));
  const stated = parts.filter((part) => part === false || asserts(part));
  if (place.level > mostLevels || !context.reading.budget.consume(1 + stated.length)) return 'unknown';
  const named = stated.length === 1 ? reference(stated[0], context, place) : undefined;
  if (named !== undefined) return named;
  const all = flattened(stated, context, place);
  if (all === undefined) return 'never';
  const here = { ...place, merged: all.merged, level: place.level + 1 };
  return all.choices.length === 0 ? ownType(all.own, context, here) : choiceType(all, context, here);
}

const ofObjects = ['properties', 'required', 'additionalProperties', 'patternProperties', 'unevaluatedProperties'];
const ofLists = ['items', 'prefixItems'];
const asserting: ReadonlySet<string> = new Set([
  ...['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'not', 'type', 'enum', 'const', ...ofObjects, ...ofLists],
]);

function reference(part: unknown, context: TypeContext, place: TypePlace): string | undefined {
  if (!isObject(part) || typeof part['$ref'] !== 'string') return undefined;
  const isAlone = Object.keys(part).every((keyword) => keyword === '$ref' || !asserting.has(keyword));
  const target = context.resolve(part['$ref']);
  if (!isObject(target) || !(isAlone || context.dialect.refHidesSiblings)) return undefined;
  const name = context.nameOf(target, part['$ref'], place.inside);
  const own = place.foreign.length > 0 ? flattened([target], context, place)?.own : undefined;
  if (name === undefined || !own?.some(isClosed)) return name;
  const foreign = foreignMembers(place.foreign, own);
  return foreign.length === 0 ? name : `(${name} & { ${foreign.join(' ')} })`;
}

interface Flat {
  readonly own: JsonObject[];
  /** Each has nothing but `anyOf` or `oneOf`. */
  readonly choices: JsonObject[];
  readonly merged: Set<unknown>;
}

/** References followed and `allOf` merged; undefined if nothing satisfies them. */
function flattened(parts: readonly unknown[], context: TypeContext, { merged, around }: TypePlace): Flat | undefined {
  const { keywords, refHidesSiblings } = context.dialect;
  const flat: Flat = { own: [], choices: [], merged: new Set(merged) };
  const waiting = [...parts];
  for (const part of waiting) {
    if (part === false) return undefined;
    if (!isObject(part) || !context.reading.budget.consume(1 + Object.keys(part).length)) continue;
    const known = filtered(part, (keyword) => keywords.has(keyword) || keyword === 'nullable');
    const { $ref, allOf, anyOf, oneOf, not, if: condition, ...others } = known;
    const { then = true, else: otherwise = true, ...own } = others;
    if (typeof $ref === 'string') {
      const target = context.resolve($ref);
      if (!flat.merged.has(target) && !around.has(target)) waiting.push(target);
      if (isObject(target)) flat.merged.add(target);
      if (refHidesSiblings) continue;
    }
    waiting.push(...listOf(allOf));
    if (listOf(anyOf).length > 0) flat.choices.push({ anyOf });
    if (listOf(oneOf).length > 0) flat.choices.push({ oneOf });
    if (condition !== undefined) flat.choices.push({ anyOf: [{ allOf: [condition, then] }, otherwise] });
    const absent = requiredAlone(not);
    if (absent !== undefined) waiting.push(without(absent));
    flat.own.push(own);
  }
  return flat;
}

/** The name if the schema does nothing but require one property. */
function requiredAlone(schema: unknown): string | undefined {
  if (!isObject(schema) || !isList(schema['required']) || schema['required'].length !== 1) return undefined;
  const [name] = schema['required'];
  const isAlone = Object.keys(schema).every((keyword) => keyword === 'required' || !asserting.has(keyword));
  return isAlone && typeof name === 'string' ? name : undefined;
}

function without(name: string): JsonObject {
  return { properties: Object.fromEntries([[name, false]]) };
}

/** The siblings of the first choice belong to each of its alternatives. */
function choiceType({ own, choices: [choice = {}, ...choices] }: Flat, context: TypeContext, place: TypePlace): string {
  const list = listOf(choice['oneOf'] ?? choice['anyOf']);
  const names = list.map((each) => declaredNames(each, context.reading));
  // Each alternative is told the names of all others.
  if (!context.reading.budget.consume(list.length * (list.length + names.flat().length))) return 'unknown';
  const types = list.map((alternative, index) => {
    const isOther = (_: unknown, other: number) => other !== index;
    const excluded = 'oneOf' in choice ? list.filter(isOther).flatMap((other) => requiredAlone(other) ?? []) : [];
    const foreign = [...place.foreign, ...names.filter(isOther).flat()];
    return schemaType([...own, ...choices, alternative, ...excluded.map(without)], context, { ...place, foreign });
  });
  return union(types);
}

function union(types: readonly string[]): string {
  if (types.includes('unknown')) return 'unknown';
  const possible = new Set(types.filter((type) => type !== 'never'));
  return possible.size === 0 ? 'never' : [...possible].join(' | ');
}

/** Without references and alternatives. */
function ownType(own: readonly JsonObject[], context: TypeContext, place: TypePlace): string {
  const typesAllowed = own.flatMap(({ type, nullable }) => {
    const named = [type].flat();
    if (named.length === 0 || !named.every(isJsonType)) return [];
    return [nullable === true ? [...named, 'null'] : named];
  });
  const isAllowed = (type: JsonType) =>
    typesAllowed.every((names) => names.includes(type) || (type === 'integer' && names.includes('number')));
  const values = own.map(valuesOf).find((each) => each !== undefined);
  if (values && !context.reading.budget.consume(values.length)) return 'unknown';
  if (values) return union(values.filter((value) => isAllowed(typeOf(value))).map(literalType));
  const states = (keywords: readonly string[]) => own.some((schema) => keywords.some((keyword) => keyword in schema));
  const hasMembers = states(ofObjects);
  if (typesAllowed.length === 0 && !hasMembers && !states(ofLists)) return 'unknown';
  const around = new Set([...place.around, ...place.merged]);
  const inner: TypePlace = { ...place, around, inside: undefined, merged: new Set(), foreign: [] };
  const named = types.filter(isAllowed).map((type) => {
    if (type === 'integer') return 'number';
    if (type === 'array') return listType(own, context, inner);
    return type === 'object' ? objectType(own, context, { ...inner, foreign: place.foreign }) : type;
  });
  return union(named);
}

const types: readonly JsonType[] = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];

function listType(own: readonly JsonObject[], context: TypeContext, place: TypePlace): string {
  const inOrder = own.map(({ prefixItems, items }) => prefixItems ?? items).find(isList);
  const isRest = ({ items, prefixItems }: JsonObject) => !isList(items) && !isList(prefixItems);
  const rest = own.filter(isRest).flatMap(({ items = true }) => [items]);
  const element = schemaType(rest, context, place);
  if (!inOrder) return `Array<${element}>`;
  // Each list of schemas has a rest of its own; a list may be shorter than its schemas.
  return `[${inOrder.map((item) => `(${schemaType([item], context, place)})?`).join(', ')}, ...unknown[]]`;
}

function isClosed({ additionalProperties, patternProperties }: JsonObject): boolean {
  return additionalProperties === false && patternProperties === undefined;
}

/** The compiler reads `toString` and the like of every object, even if a call leaves them out. */
function isInherited(name: string): boolean {
  return name in {};
}

/** Properties of other alternatives, which a closed object must not have: the compiler would allow them. */
function foreignMembers(foreign: readonly string[], own: readonly JsonObject[]): string[] {
  const isOwnName = (name: string) => own.some((schema) => isOwn(propertiesOf(schema), name));
  const names = [...new Set(foreign)].filter((name) => !isOwnName(name) && !isInherited(name));
  return names.map((name) => `${propertyName(name)}?: never;`);
}

/** Properties that any of them evaluates are allowed. */
function isClosedAsAWhole(own: readonly JsonObject[]): boolean {
  const evaluating = ['patternProperties', 'dependentSchemas'];
  const isOpen = (schema: JsonObject) =>
    (schema['additionalProperties'] ?? false) !== false || evaluating.some((keyword) => keyword in schema);
  return own.some((schema) => schema['unevaluatedProperties'] === false) && !own.some(isOpen);
}

function objectType(own: readonly JsonObject[], context: TypeContext, place: TypePlace): string {
  const declared = own.flatMap((schema) => Object.keys(propertiesOf(schema)));
  const required = new Set(own.flatMap(requiredOf));
  const names = new Set([...declared, ...required]);
  const inner = { ...place, indent: `${place.indent}  `, foreign: [] };
  const members = [...names].map((name) => {
    const stating = context.reading.budget.consume(own.length) ? own : [];
    const schemas = stating.flatMap(({ properties, patternProperties, additionalProperties }) => {
      if (isObject(properties) && isOwn(properties, name)) return [properties[name]];
      // A name that a pattern matches is not additional.
      return patternProperties === undefined ? [additionalProperties ?? true] : [];
    });
    const mark = required.has(name) ? '' : '?';
    const type = mark === '?' && isInherited(name) ? 'unknown' : schemaType(schemas, context, inner);
    return {
      type,
      text: `${docblock(schemaComment(schemas.find(isObject) ?? {}), inner.indent)}${inner.indent}${propertyName(name)}${mark}: ${type};`,
    };
  });
  const isOpen = !own.some(isClosed) && !isClosedAsAWhole(own);
  const foreign = own.some(isClosed) ? foreignMembers(place.foreign, own) : [];
  const others = isOpen ? [...indexType(own, members, context, inner)] : [];
  const lines = [
    ...members.map(({ text }) => text),
    ...foreign.map((member) => `${inner.indent}${member}`),
    ...others.map((type) => `${inner.indent}[key: string]: ${type};`),
  ];
  if (lines.length === 0) return '{ [key: string]: never }';
  return `{\n${lines.join('\n')}\n${place.indent}}`;
}

/** The type of the other properties; TypeScript requires the declared ones to have it, too. */
function indexType(
  own: readonly JsonObject[],
  members: readonly { readonly type: string }[],
  context: TypeContext,
  place: TypePlace,
): [string] {
  const rest = own.map(({ patternProperties, additionalProperties = true }) => {
    if (!isObject(patternProperties)) return schemaType([additionalProperties], context, place);
    const all = [...Object.values(patternProperties), additionalProperties];
    return union(all.map((each) => schemaType([each], context, place)));
  });
  const [type = 'unknown'] = rest.filter((each) => each !== 'unknown');
  const declared = members.length === 0 ? [] : [...members.map((member) => member.type), 'undefined'];
  return [union([type, ...declared])];
}

/** Constraints of a schema that its type does not express. */
export function schemaComment(schema: JsonObject): string[] {
  const { description, title, type } = schema;
  const said = [description, title].find((text) => typeof text === 'string' && text.trim() !== '');
  const whole = type === 'integer' ? ['integer'] : [];
  const facts = [
    ...whole,
    ...shown.filter((keyword) => keyword in schema).map((name) => `${name}: ${briefJson(schema[name], 120)}`),
  ];
  return [...(typeof said === 'string' ? [said] : []), ...(facts.length > 0 ? [facts.join(', ')] : [])];
}

const shown = [
  ...['format', 'minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength'],
  ...['pattern', 'minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties', 'default', 'deprecated'],
];
