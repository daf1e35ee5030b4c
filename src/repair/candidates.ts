import { isList, isObject, type JsonObject, type JsonType, typeOf } from '../json/index.js';
import type { CoercionSite, Meaning } from '../schema/index.js';
import { containerIn, looksLikeSeveral, quotedIn } from './json-text.js';
import { integerOf, numberOf } from './numerals.js';
import { type RepairKind, repairKinds } from './options.js';
import { isSpelled, misspelledNames, spelledLike, spelledWithin, spellingsOf } from './spelling.js';

/** Another value that the model may have meant. */
export interface Candidate {
  readonly kind: RepairKind;
  /** Undefined where the property is to be left out. */
  readonly to: unknown;
  /** Names as they were given, with those they become (kind `name`). */
  readonly renamed?: ReadonlyMap<string, string>;
  /** How much is presumed by taking it, in comparison with others. */
  readonly presumption: number;
}

/**
 * What a value that a schema refuses may have meant, the candidate that presumes least first. Only what the schema's own
 * `type`, `enum`, `const`, `required` and names ask for is looked at; whether the schema accepts a candidate is for the
 * evaluation to say.
 */
export function candidatesFor(
  value: unknown,
  site: Omit<CoercionSite, 'instanceLocation'>,
  kinds: ReadonlySet<RepairKind>,
): Candidate[] {
  return [...candidates(value, site)]
    .filter(({ kind }) => kinds.has(kind))
    .map((candidate) => ({ ...candidate, presumption: presumptionOf(candidate) }))
    .sort((left, right) => left.presumption - right.presumption);
}

/** Whether a number is a text, or a list one of its values, is equally a guess. */
const guesses: ReadonlySet<RepairKind> = new Set(['string', 'decimal', 'list', 'singleton']);

/** In the order of the kinds. To leave a value out presumes more than to read it as the null that is accepted. */
function presumptionOf({ kind, to }: Reading): number {
  return repairKinds.indexOf(guesses.has(kind) ? 'singleton' : kind) + (to === undefined ? 0.5 : 0);
}

type Reading = Omit<Candidate, 'presumption'>;

/** What is looked at of the place where a value stands. */
type Site = Omit<CoercionSite, 'instanceLocation'>;

function* candidates(value: unknown, site: Site): Generator<Reading> {
  const { schema, place } = site;
  if (isObject(schema)) {
    const values = valuesOf(schema);
    if (values) yield* spelled(value, values);
    if (isList(schema['enum'])) yield* mentioned(value, schema['enum']);
    const types = values ? typesOfValues(values) : typesOf(schema);
    if (types && (values || !isOneOf(types, value))) yield* retyped(value, types, schema, site);
    if (isObject(value)) yield* renamed(value, schema, site);
  }
  if (place === 'optional' && isAbsent(value)) yield* leftOut(value, site);
  if (place === 'root' && isObject(value)) yield* unwrapped(value, site);
}

/** The values that `enum` or `const` ask for. */
function valuesOf(schema: JsonObject): readonly unknown[] | undefined {
  if (isList(schema['enum'])) return schema['enum'];
  return Object.hasOwn(schema, 'const') ? constantOf(schema) : undefined;
}

function typesOf({ type, nullable }: JsonObject): readonly JsonType[] | undefined {
  if (typeof type !== 'string' && !Array.isArray(type)) return undefined;
  // What is no type's name is nobody's type.
  const types = (Array.isArray(type) ? type : [type]) as JsonType[];
  return nullable === true ? [...types, 'null'] : types;
}

const knownTypes = new WeakMap<readonly unknown[], readonly JsonType[]>();

/** Computed once: lists of values may be long, and asked for with every element of a list. */
function typesOfValues(values: readonly unknown[]): readonly JsonType[] {
  const types = knownTypes.get(values) ?? [...new Set(values.map(typeOf))];
  knownTypes.set(values, types);
  return types;
}

const constants = new WeakMap<JsonObject, readonly unknown[]>();

/** The same list each time, by which its spellings are found again. */
function constantOf(schema: JsonObject): readonly unknown[] {
  const known = constants.get(schema) ?? [schema['const']];
  constants.set(schema, known);
  return known;
}

function isOneOf(types: readonly JsonType[], value: unknown): boolean {
  const type = typeOf(value);
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

function* spelled(value: unknown, values: readonly unknown[]): Generator<Reading> {
  if (typeof value !== 'string') return;
  const meant = spelledLike(value, spellingsOf(values));
  if (meant !== undefined) yield { kind: 'enum', to: meant };
}

/** Where only one value is allowed, nothing says that the text is about it. */
function* mentioned(value: unknown, values: readonly unknown[]): Generator<Reading> {
  if (typeof value !== 'string' || values.length < 2) return;
  const meant = spelledWithin(value, spellingsOf(values));
  if (meant !== undefined) yield { kind: 'word', to: meant };
}

function* retyped(value: unknown, types: readonly JsonType[], schema: JsonObject, site: Site): Generator<Reading> {
  if (typeof value === 'string') yield* readAs(value, types);
  if (types.includes('string')) yield* asText(value, site);
  if (Array.isArray(value) && value.length === 1 && !isObject(value[0]) && !Array.isArray(value[0])) {
    if (!types.includes('array') && value[0] !== null) yield { kind: 'list', to: value[0] as unknown };
  }
  const isMember = site.place === 'optional' || site.place === 'member';
  if (isMember && types.includes('array') && isSingle(value, schema['items'])) yield { kind: 'singleton', to: [value] };
}

/** What a number cannot hold of its text: the zero at the end of 12.0 and at the beginning of 02134, and a plus. */
const lostInNumbers = /\d\.\d|\b0\d|\+\d/;

/** The text of a number, where it can only have been written so: 175928847299117063 has come as another number. */
function* asText(value: unknown, { meaning }: Site): Generator<Reading> {
  if (typeof value === 'boolean') yield { kind: 'string', to: String(value) };
  if (typeof value !== 'number' || Object.is(value, -0)) return;
  const text = String(value);
  const kind = Number.isSafeInteger(value) ? 'string' : shortFraction.test(text) ? 'decimal' : undefined;
  if (kind === undefined || (kind === 'string' && showsLostCharacters(meaning()))) return;
  yield { kind, to: text };
}

function showsLostCharacters({ schemas, examples }: Meaning): boolean {
  const shown = [...schemas.flatMap(textsIn), ...examples];
  return shown.some((each) => typeof each === 'string' && lostInNumbers.test(each));
}

function textsIn({ title, description }: JsonObject): readonly string[] {
  return [title, description].filter((text) => typeof text === 'string');
}

/** At most fifteen digits: JavaScript gives them back. */
const shortFraction = /^(?=.{3,16}$)-?\d+\.\d+$/;

function* readAs(text: string, types: readonly JsonType[]): Generator<Reading> {
  const integer = types.includes('integer') || types.includes('number') ? integerOf(text) : undefined;
  if (integer !== undefined) yield { kind: 'integer', to: integer };
  // "5.000" may be five thousand.
  const mayBeNumber = types.includes('number') || (types.includes('integer') && /\.00?$/.test(text));
  const number = mayBeNumber ? numberOf(text) : undefined;
  if (number !== undefined) yield { kind: 'number', to: number };
  if (types.includes('boolean') && /^(?:true|false|True|False|TRUE|FALSE)$/.test(text)) {
    yield { kind: 'boolean', to: text.toLowerCase() === 'true' };
  }
  if (types.includes('null') && (text === 'null' || text === 'None')) yield { kind: 'null', to: null };
  const quoted = quotedIn(text);
  if (quoted !== undefined) yield { kind: 'json', to: quoted };
  if (types.includes('array') || types.includes('object')) {
    const container = containerIn(text);
    if (container && isOneOf(types, container)) yield { kind: 'json', to: container };
  }
}

/**
 * An absent value in a place where it can mean nothing else: where a text speaks of it, null is accepted in the place of an
 * empty text, or an allowed value says the same, it may be meant to say something.
 */
function* leftOut(value: unknown, site: Site): Generator<Reading> {
  const meaning = site.meaning();
  const { schemas } = meaning;
  if (schemas.some(hasValueForNone)) return;
  const isSameAsNull = schemas.some((schema) => schema['default'] === null);
  const texts = schemas.flatMap(textsIn).map((text) => text.replace(nullByDefault, ''));
  const speaks = (words: RegExp) => !isSameAsNull && texts.some((each) => words.test(each));
  if (value !== '') {
    if (!speaks(/\b(?:nulls?|none|nil|unset|clears?)\b/i)) yield { kind: 'null', to: undefined };
  } else if (!speaks(/\b(?:empty|blank|unset|clears?)\b|""|''/i)) {
    if (isSameAsNull || !meaning.acceptsNullFor(value)) yield { kind: 'blank', to: undefined };
  }
}

/** Whoever sends what is the default means the same as whoever leaves it out. */
const nullByDefault = /\bdefaults?\b(?: value)?(?: is| to|:|=)? ?["'`]?(?:null|none)\b/gi;

function hasValueForNone(schema: JsonObject): boolean {
  return valuesOf(schema)?.some((value) => typeof value === 'string' && /^(?:none|null)$/i.test(value)) ?? false;
}

/** What looks like a list, like several values or like none is hardly a list's only element. */
function isSingle(value: unknown, items: unknown): boolean {
  if (typeof value === 'string') return !looksLikeSeveral(value);
  if (isObject(value)) return hasDeclaredMember(value, items);
  return typeof value === 'number' || typeof value === 'boolean';
}

/** An object that has none of the members that the items declare is another thing than an item. */
function hasDeclaredMember(value: JsonObject, items: unknown): boolean {
  const declared = isObject(items) ? items['properties'] : undefined;
  return !isObject(declared) || Object.keys(value).some((name) => Object.hasOwn(declared, name));
}

/** How models write that they give no value. */
function isAbsent(value: unknown): boolean {
  return value === null || value === '' || value === 'null' || value === 'None';
}

/** The object with all its misspelled names corrected: those that the schema refuses or a required one is missing for. */
function* renamed(object: JsonObject, schema: JsonObject, site: Site): Generator<Reading> {
  const { required } = schema;
  const isClosed = schema['additionalProperties'] === false || schema['unevaluatedProperties'] === false;
  // Under a pattern, any name may be right.
  if (isObject(schema['patternProperties']) || !(isClosed || isList(required))) return;
  const meaning = site.meaning();
  const isMissing = (name: string) => isList(required) && required.includes(name);
  const mayRename = (given: string, meant: string) => (isClosed || isMissing(meant)) && !meaning.declares(given);
  const names = misspelledNames(object, meaning.properties, meaning.names, mayRename);
  if (names.size === 0) return;
  yield { kind: 'name', to: withNames(object, names), renamed: names };
}

/** A copy of the object, in its order, with other names for some members. */
export function withNames(object: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  // Object.fromEntries defines a property called __proto__, where an assignment would set the prototype.
  return Object.fromEntries(Object.entries(object).map(([name, member]) => [names.get(name) ?? name, member]));
}

const wrappers: readonly string[] = ['arguments', 'input', 'parameters', 'properties', 'args'];

/** What lies within the arguments' only member, where that is called as envelopes are and the schema knows no such name. */
function* unwrapped(value: JsonObject, { meaning }: Site): Generator<Reading> {
  const [name = '', ...others] = Object.keys(value);
  if (others.length > 0 || !wrappers.includes(name)) return;
  const held = value[name];
  const inner = typeof held === 'string' ? containerIn(held) : held;
  if (!isObject(inner)) return;
  const known = meaning();
  if (!known.declares(name) && !isSpelled(name, spellingsOf(known.names))) yield { kind: 'wrapper', to: inner };
}
