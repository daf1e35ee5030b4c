import { isList, isObject, type JsonObject, type JsonType, typeOf } from '../../json/index.js';
import { type CoercionSite, findFormat, type Meaning } from '../../schema/index.js';
import { containerIn, looksLikeSeveral, quotedIn } from './json-text.js';
import { integerOf, numberOf } from './numerals.js';
import { type RepairKind, repairKinds } from '../options.js';
import { unflattened } from './paths.js';
import { asksForJson, asksForListText, asksForOtherText, isTrueOf, speaksOfAbsence } from './said.js';
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
  const found: Candidate[] = [];
  find(value, site, (kind, to, renamed) => {
    if (!kinds.has(kind)) return;
    const candidate = { kind, to, presumption: presumptionOf(kind, to) };
    found.push(renamed ? { ...candidate, renamed } : candidate);
  });
  return found.length < 2 ? found : found.sort((left, right) => left.presumption - right.presumption);
}

/** Whether a number is a text, or a list one of its values, is equally a guess. */
const guesses: ReadonlySet<RepairKind> = new Set(['string', 'decimal', 'list', 'singleton']);

/** In the order of the kinds. To leave a value out presumes more than to read it as the null that is accepted. */
function presumptionOf(kind: RepairKind, to: unknown): number {
  return repairKinds.indexOf(guesses.has(kind) ? 'singleton' : kind) + (to === undefined ? 0.5 : 0);
}

type Add = (kind: RepairKind, to: unknown, renamed?: Candidate['renamed']) => void;

/** What is looked at of the place where a value stands. */
type Site = Omit<CoercionSite, 'instanceLocation'>;

function find(value: unknown, site: Site, add: Add): void {
  const { schema } = site;
  if (isObject(schema)) {
    const values = valuesOf(schema);
    if (values) spelled(value, values, add);
    if (isList(schema['enum'])) mentioned(value, schema['enum'], add);
    const types = values ? typesOfValues(values) : typesOf(schema);
    if (types && (values || !isOneOf(types, value))) retyped(value, types, site, add);
    if (isObject(value)) renamed(value, schema, site, add);
  }
  if (isAbsent(value) && site.place === 'optional') leftOut(value, site, add);
  if (isObject(value) && site.place === 'root') {
    unwrapped(value, site, add);
    ledOn(value, site, add);
  }
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

function spelled(value: unknown, values: readonly unknown[], add: Add): void {
  if (typeof value !== 'string') return;
  const meant = spelledLike(value, spellingsOf(values));
  if (meant !== undefined) add('enum', meant);
}

/** Where only one value is allowed, nothing says that the text is about it. */
function mentioned(value: unknown, values: readonly unknown[], add: Add): void {
  if (typeof value !== 'string' || values.length < 2) return;
  const meant = spelledWithin(value, spellingsOf(values));
  if (meant !== undefined) add('word', meant);
}

function retyped(value: unknown, types: readonly JsonType[], site: Site, add: Add): void {
  if (typeof value === 'string') readAs(value, types, site, add);
  if (types.includes('string')) {
    asText(value, site, add);
    asJson(value, site, add);
  }
  if (Array.isArray(value) && value.length === 1 && !isObject(value[0]) && !Array.isArray(value[0])) {
    if (!types.includes('array') && value[0] !== null && !isWrittenList(types, site)) add('list', value[0]);
  }
  if (!types.includes('array')) return;
  const isMember = () => site.place === 'optional' || site.place === 'member';
  if (isObject(value) && isIndexed(value)) add('list', Object.values(value));
  else if (isMember() && isSingle(value, site)) add('singleton', [value]);
}

/** Whether the text of a list may be wanted: then a list of one may be meant to be written as such. */
function isWrittenList(types: readonly JsonType[], site: Site): boolean {
  const { place, schema } = site;
  if (!types.includes('string') || place === 'element' || (isObject(schema) && valuesOf(schema))) return false;
  return asksForListText(site.meaning());
}

/** Whether the names are the indexes of a list. */
function isIndexed(object: JsonObject): boolean {
  const names = Object.keys(object);
  return names.length > 0 && names.every((name, index) => name === String(index));
}

/** The text of a number, where it can only have been written so: 175928847299117063 has come as another number. */
function asText(value: unknown, site: Site, add: Add): void {
  if ((typeof value !== 'boolean' && typeof value !== 'number') || Object.is(value, -0)) return;
  const text = String(value);
  const isExact = typeof value === 'boolean' || Number.isSafeInteger(value);
  const kind = isExact ? 'string' : shortFraction.test(text) ? 'decimal' : undefined;
  if (kind === undefined) return;
  const meaning = site.meaning();
  if (kind === 'string' && asksForOtherText(meaning, value)) return;
  if (meaning.own.every((schema) => mayConform(text, schema))) add(kind, text);
}

/**
 * A list or an object where the schema asks for its JSON, unless a number in it has been rounded. Of a list of one, the
 * text may be meant that is in it.
 */
function asJson(value: unknown, site: Site, add: Add): void {
  if (typeof value !== 'object' || value === null) return;
  if (isList(value) && value.length === 1 && typeof value[0] !== 'object') return;
  if (!asksForJson(site.meaning())) return;
  const text = JSON.stringify(value);
  if (containerIn(text)) add('string', text);
}

/** No number is a date, be it that formats are not asserted. */
function mayConform(text: string, { format }: JsonObject): boolean {
  return typeof format !== 'string' || findFormat(format)?.accepts(text) !== false;
}

/** At most fifteen digits: JavaScript gives them back. */
const shortFraction = /^(?=.{3,16}$)-?\d+\.\d+$/;

function readAs(text: string, types: readonly JsonType[], site: Site, add: Add): void {
  const integer = types.includes('integer') || types.includes('number') ? integerOf(text) : undefined;
  if (integer !== undefined) {
    add('integer', integer);
    if (types.includes('number')) add('number', integer);
    // The digits of an integer are nothing else.
    return;
  }
  // "5.000" may be five thousand.
  const mayBeNumber = types.includes('number') || (types.includes('integer') && /\.00?$/.test(text));
  const number = mayBeNumber ? numberOf(text) : undefined;
  if (number !== undefined) add('number', number);
  if (types.includes('boolean') && /^(?:true|false|True|False|TRUE|FALSE)$/.test(text)) {
    add('boolean', text.toLowerCase() === 'true');
  }
  if (types.includes('null') && (text === 'null' || text === 'None')) add('null', null);
  const quoted = quotedIn(text);
  if (quoted !== undefined) add('json', quoted);
  if (types.includes('array') || types.includes('object')) {
    const container = writtenIn(text, site);
    // An object in a list's place may be its only element.
    if (container && (!isList(container) || types.includes('array'))) add('json', container);
  }
}

/** Names and numbers on the way to the numbers of a text. */
const maxLooked = 200_000;

/** What a text holds: of numbers in it that only a text can be, the digits. */
function writtenIn(text: string, site: Site): object | undefined {
  const known = new Map<Meaning, boolean>();
  let looked = 0;
  return containerIn(text, {
    wantsText(path) {
      if ((looked += path.length) > maxLooked) return undefined;
      const meaning = path.reduce((around, key) => around.at(key), site.meaning());
      const wants = known.get(meaning) ?? isText(meaning);
      known.set(meaning, wants);
      return wants;
    },
  });
}

function isText({ schemas }: Meaning): boolean {
  const types = schemas.flatMap((schema) => typesOf(schema) ?? typesOfValues(valuesOf(schema) ?? []));
  return types.includes('string') && !types.includes('number') && !types.includes('integer');
}

/**
 * An absent value in a place where it can mean nothing else: where a text speaks of it, null is accepted in the place
 * of an empty text, or an allowed value says the same, it may be meant to say something.
 */
function leftOut(value: unknown, site: Site, add: Add): void {
  const meaning = site.meaning();
  const { schemas } = meaning;
  if (isTrueOf(meaning, 'none', () => schemas.some(hasValueForNone))) return;
  const isSameAsNull = schemas.some((schema) => schema['default'] === null);
  const kind = value === '' ? 'blank' : 'null';
  if (!isSameAsNull && speaksOfAbsence(meaning, kind)) return;
  if (kind === 'null' || isSameAsNull || !meaning.acceptsNullFor(value)) add(kind, undefined);
}

function hasValueForNone(schema: JsonObject): boolean {
  return valuesOf(schema)?.some((value) => typeof value === 'string' && /^(?:none|null)$/i.test(value)) ?? false;
}

/** What looks like a list, like several values or like none is hardly a list's only element. */
function isSingle(value: unknown, site: Site): boolean {
  if (typeof value === 'string') return !looksLikeSeveral(value);
  if (isObject(value)) return hasDeclaredMember(value, site.meaning().at(0));
  return typeof value === 'number' || typeof value === 'boolean';
}

/** An object that has none of the members that the items declare is another thing than an item. */
function hasDeclaredMember(value: JsonObject, { properties }: Meaning): boolean {
  return properties.size === 0 || Object.keys(value).some((name) => properties.has(name));
}

/** How models write that they give no value. */
function isAbsent(value: unknown): boolean {
  return value === null || value === '' || value === 'null' || value === 'None';
}

/** The object with all its misspelled names corrected: those that the schema refuses or a required one is missing for. */
function renamed(object: JsonObject, schema: JsonObject, site: Site, add: Add): void {
  const isClosed = schema['additionalProperties'] === false || schema['unevaluatedProperties'] === false;
  const required = requiredBeside(object, schema);
  // Under a pattern, any name may be right.
  if (isObject(schema['patternProperties']) || !(isClosed || required.length > 0)) return;
  const meaning = site.meaning();
  const mayRename = (given: string, meant: string) =>
    (isClosed || required.includes(meant)) && !meaning.declares(given);
  const names = misspelledNames(object, meaning.properties, meaning.names, mayRename);
  if (names.size === 0) return;
  add('name', withNames(object, names), names);
}

/** The names that a schema requires, those included that it requires beside members that were given. */
function requiredBeside(object: JsonObject, { required, ...schema }: JsonObject): readonly unknown[] {
  const beside = [schema['dependentRequired'], schema['dependencies']].flatMap((named) =>
    isObject(named) ? Object.keys(named).flatMap((name) => (Object.hasOwn(object, name) ? [named[name]] : [])) : [],
  );
  return [required, ...beside].flatMap((names) => (isList(names) ? names : []));
}

/** A copy of the object, in its order, with other names for some members. */
export function withNames(object: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  // Object.fromEntries defines a property called __proto__, where an assignment would set the prototype.
  return Object.fromEntries(Object.entries(object).map(([name, member]) => [names.get(name) ?? name, member]));
}

const wrappers: readonly string[] = ['arguments', 'input', 'parameters', 'properties', 'args'];

/**
 * What lies within the arguments' only member, where that is called as envelopes are and the schema knows no such name.
 */
function unwrapped(value: JsonObject, site: Site, add: Add): void {
  const [name = '', ...others] = Object.keys(value);
  if (others.length > 0 || !wrappers.includes(name)) return;
  const held = value[name];
  const inner = typeof held === 'string' ? writtenIn(held, site) : held;
  if (!isObject(inner)) return;
  const known = site.meaning();
  if (!known.declares(name) && !isSpelled(name, spellingsOf(known.names))) add('wrapper', inner);
}

/** Arguments whose names are paths into what the schema declares, as some models write lists of objects. */
function ledOn(value: JsonObject, site: Site, add: Add): void {
  const nested = unflattened(value, (path, steps) => isPath(path, steps, site.meaning()));
  if (nested) add('wrapper', nested);
}

/** Whether a path begins with a declared name; undefined where a declared name has a point that the path has as well. */
function isPath(path: string, steps: readonly string[], around: Meaning): boolean | undefined {
  if (!around.properties.has(steps[0] ?? '') || around.declares(path)) return false;
  let meaning = around;
  for (const [index, step] of steps.entries()) {
    let name = step;
    for (const next of steps.slice(index + 1)) {
      name += next.startsWith('[') ? next : `.${next}`;
      if (meaning.properties.has(name)) return undefined;
    }
    meaning = meaning.at(step.startsWith('[') ? Number(step.slice(1, -1)) : step);
  }
  return true;
}
