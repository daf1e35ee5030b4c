import { containerIn, integerOf, isList, isObject, isText, numberOf, quotedIn, typeOf } from '../../json/index.js';
import type { JsonObject, JsonType } from '../../json/index.js';
import { type Expectation, findFormat, type Refusal, type SchemaHints, typesOfValues } from '../../schema/index.js';
import { type Place, type Repair, type RepairKind, repairKindOf, repairKinds, type RepairOption } from '../options.js';
import { waysToLeaveOut } from './absence.js';
import { asksForJson, asksForListText, asksForOtherText } from './descriptions.js';
import { renamesIn, spelledLike } from './spelling.js';

/** The expectations for a value: listed values, and types. No types if the value already has an allowed one. */
interface Wanted {
  readonly types: readonly JsonType[];
  readonly values: readonly unknown[];
}

/** Another notation of a value; undefined if there is none. */
type Notation = (value: unknown, wanted: Wanted, place: Place) => unknown;

const notations: Partial<Record<RepairOption, Notation>> = {
  integers: (value, { types }) => (isText(value) && types.some(isNumeric) ? integerOf(value) : undefined),
  numbers: (value, { types }) => (isText(value) && types.includes('number') ? numberOf(value) : undefined),
  booleans: (value, { types }) =>
    isText(value) && types.includes('boolean') && booleanText.test(value) ? value.toLowerCase() === 'true' : undefined,
  bits: (value, { types }) => (isBit(value) && types.includes('boolean') ? value === 1 : undefined),
  nulls: (value, { types }) => (types.includes('null') && (value === 'null' || value === 'None') ? null : undefined),
  enums: (value, { values }) => (isText(value) ? spelledLike(value, values) : undefined),
  strings: (value, { types, values }, place) => {
    if (typeof value === 'boolean') return values.includes(String(value)) ? String(value) : undefined;
    if (!types.includes('string')) return undefined;
    return Number.isSafeInteger(value) ? numberText(value, place) : jsonText(value, place);
  },
  decimals: (value, { types }, place) =>
    types.includes('string') && !Number.isSafeInteger(value) ? numberText(value, place) : undefined,
  json: (value, { types }, place) => {
    if (!isText(value)) return undefined;
    const mayHold = types.includes('array') || types.includes('object');
    const held = mayHold ? heldIn(value, place) : undefined;
    // An object in a list's place may be its only element.
    return held && (!isList(held) || types.includes('array')) ? held : quotedIn(value);
  },
  split: (value, { types }, place) => (isText(value) && types.includes('array') ? splitText(value, place) : undefined),
  lists: (value, { types, values }, { path, hints }) => {
    if (isObject(value)) return types.includes('array') && isIndexed(value) ? Object.values(value) : undefined;
    if (!isList(value) || value.length !== 1 || typeof value[0] === 'object' || types.length === 0) return undefined;
    const isOpenText = types.includes('string') && values.length === 0 && typeof path.at(-1) !== 'number';
    return isOpenText && asksForListText(hints) ? undefined : value[0];
  },
  singletons: (value, { types }, { path, hints }) => {
    const isMember = typeof path.at(-1) === 'string';
    return isMember && types.includes('array') && !isIndexed(value) && isSingle(value, hints) ? [value] : undefined;
  },
};

/** Other notations of the value that is refused at a place, by the kinds that are chosen. */
export function candidatesAt(
  place: Place,
  refusals: readonly [Refusal, ...Refusal[]],
  chosen: ReadonlySet<RepairOption>,
): readonly Repair[] {
  const [{ value: from, violation }] = refusals;
  const { instanceLocation } = violation;
  const found: Repair[] = [];
  const add = (option: RepairOption, to: unknown) =>
    found.push({ instanceLocation, kind: repairKindOf[option], from, to });
  for (const { expectation } of refusals) {
    if (!place.consume(1 + sizeOf(from))) break;
    const values = expectation.kind === 'values' ? expectation.values : [];
    // Short texts are compared with all values: the case of their letters may count.
    if (isText(from) && from.length < 4) place.consume(values.length >> 4);
    const asked = typesAsked(expectation) ?? [];
    const wanted = { types: wantsTypeOf(from, asked) ? [] : asked, values };
    if (wanted.types.length + values.length === 0) continue;
    for (const option of chosen) {
      const to = notations[option]?.(from, wanted, place);
      if (to !== undefined && !found.some((each) => each.to === to)) add(option, to);
    }
  }
  // A text that says null becomes null if null is accepted.
  const isNull = isText(from) && from !== '' && place.hints.acceptsNull();
  for (const option of waysToLeaveOut(from, place)) if (chosen.has(option)) add(option, isNull ? null : undefined);
  const inner = place.path.length === 0 && chosen.has('wrappers') ? unwrapped(from, place) : undefined;
  if (inner) add('wrappers', inner);
  return found;
}

/** The cost of looking at a value: a step for each member, or for 16 characters or items. */
function sizeOf(value: unknown): number {
  return isText(value) || isList(value) ? value.length >> 4 : isObject(value) ? Object.keys(value).length : 0;
}

/** These four kinds are equally speculative, so they share one cost. */
const speculative: ReadonlySet<RepairKind> = new Set(['string', 'decimal', 'list', 'singleton']);

/** The fewest repairs come first, and of as many those whose kinds cost less; to leave out costs more than null. */
export function costOf({ kind, to }: Repair): number {
  return 1_000 + repairKinds.indexOf(speculative.has(kind) ? 'singleton' : kind) + (to === undefined ? 0.5 : 0);
}

/** The types that are asked for, by their names or by the values that are listed. */
export function typesAsked(expectation: Expectation): readonly JsonType[] | undefined {
  if (expectation.kind === 'types') return expectation.types;
  return expectation.kind === 'values' ? typesOfValues(expectation.values) : undefined;
}

/** True if every refusal allows another type that the repaired value may be meant for. */
export function isRivalled(repair: Repair, refusals: readonly Refusal[]): boolean {
  const allow = (type: JsonType) => refusals.every((each) => typesAsked(each.expectation)?.includes(type) ?? true);
  return rivalTypes(repair).some(allow);
}

/** The types that a repaired value may be meant for as well: 0 and 1 may be a boolean, and any text a list. */
export function rivalTypes({ kind, from }: Repair): readonly JsonType[] {
  const bit: readonly JsonType[] = isBit(from) ? ['boolean'] : [];
  if (kind === 'boolean') return isBit(from) ? ['string', 'array', 'object'] : [];
  if (kind === 'string' || kind === 'decimal') return ['array', 'object', ...bit];
  return kind === 'singleton' && !isText(from) ? ['string', ...bit] : [];
}

export function wantsTypeOf(value: unknown, types: readonly JsonType[]): boolean {
  const type = typeOf(value);
  return types.includes(type) || (isNumeric(type) && types.some(isNumeric));
}

const booleanText = /^(?:true|false|True|False|TRUE|FALSE)$/;

function isBit(value: unknown): boolean {
  return value === 0 || value === 1;
}

function isNumeric(type: JsonType): boolean {
  return type === 'integer' || type === 'number';
}

/** The text of a number, if only that text can have been written: 175928847299117063 arrives as another number. */
function numberText(value: unknown, { hints }: Place): string | undefined {
  if (typeof value !== 'number' || Object.is(value, -0)) return undefined;
  const text = String(value);
  const isPlain = Number.isSafeInteger(value) ? !asksForOtherText(hints, value) : shortFraction.test(text);
  const mayConform = ({ format }: JsonObject) => !isText(format) || findFormat(format)?.accepts(text) !== false;
  return isPlain && hints.own.every(mayConform) ? text : undefined;
}

/** At most fifteen digits: JavaScript gives them back. */
const shortFraction = /^(?=.{3,16}$)-?\d+\.\d+$/;

/**
 * The JSON of a list or an object, if the schema asks for JSON. Not if a number was rounded or a lone string may be the
 * JSON.
 */
function jsonText(value: unknown, { hints, consume, jsonTexts }: Place): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if ((isList(value) && value.length === 1 && typeof value[0] !== 'object') || !asksForJson(hints)) return undefined;
  if (!jsonTexts.has(value)) {
    const text = JSON.stringify(value);
    consume(text.length >> 3);
    jsonTexts.set(value, containerIn(text) && text);
  }
  return jsonTexts.get(value);
}

/** The list or object that a text holds: of numbers in it that only a text can be, the digits. */
function heldIn(text: string, { hints, consume }: Place): object | undefined {
  consume(text.length >> 4);
  const wantsText = (path: readonly (string | number)[]) => consume(path.length) && takesTextOnly(hints.within(path));
  return containerIn(text, { wantsText });
}

/** True if a place accepts strings and neither numbers nor booleans. */
function takesTextOnly(hints: SchemaHints): boolean {
  const types = hints.types();
  return types.has('string') && ![...types].some((type) => isNumeric(type) || type === 'boolean');
}

const maxSplit = 1_000;

/** Listed values or numbers with commas between. */
function splitText(text: string, { hints }: Place): readonly unknown[] | undefined {
  const given = text.split(',', maxSplit + 1).map((part) => part.trim());
  if (given.length < 2 || given.length > maxSplit || isThousands(text, given)) return undefined;
  const items = hints.at(0);
  const values = items.listed();
  const types = items.types();
  if (values.has(text) || (values.size === 0 && types.has('string'))) return undefined;
  const readNumber = types.has('number') ? numberOf : types.has('integer') ? integerOf : () => undefined;
  const parts = given.map((part) => (values.has(part) ? part : readNumber(part)));
  return parts.includes(undefined) ? undefined : parts;
}

/** True if the commas may separate thousands: `1,234`. */
function isThousands(text: string, [, ...rest]: readonly string[]): boolean {
  const areGroups = rest.every((part) => /^\d{3}(?:\.\d+)?$/.test(part));
  return areGroups && (rest.length === 1 || !/\s/.test(text.trim()));
}

/** True if an object's names are the indexes of a list. */
function isIndexed(value: unknown): boolean {
  const names = isObject(value) ? Object.keys(value) : [];
  return names.length > 0 && names.every((name, index) => name === String(index));
}

/** True if a value may be a list's only element. An object without any member that the items declare may not. */
function isSingle(value: unknown, hints: SchemaHints): boolean {
  if (isText(value)) return !looksLikeSeveral(value);
  if (!isObject(value)) return typeof value === 'number' || typeof value === 'boolean';
  const properties = hints.at(0).properties();
  return properties.size === 0 || Object.keys(value).some((name) => properties.has(name));
}

/** True if a string looks like several values, an encoded one or none: then it is not a list's only element. */
export function looksLikeSeveral(text: string): boolean {
  const start = text.trimStart();
  const isNone = start.length < 20 && /^(?:null|none|nil|undefined|n\/a|)\s*$/i.test(start);
  return isNone || encodedOrListed.test(start) || separators.test(text);
}

/** Brackets, quotes, and the bullets or numbers of a list. */
const encodedOrListed = /^(?:[[{("'`“‘«]|[-*•‣·]\s|\d{1,3}[.)]\s)/;

const separators = /[,;|\n\r\t\v\f\u2028\u2029，、；،؛•→]| (?:[·/+&]|and|or) | --?[a-z]|[-=]>|\[\s*["']|\s#|```|~~~/i;

const wrappers: readonly string[] = ['arguments', 'input', 'parameters', 'properties', 'args'];

/** The content of a wrapper that the schema does not know; the tool's own name may be beside it. */
function unwrapped(value: unknown, place: Place): JsonObject | undefined {
  const name = isObject(value) ? wrappers.find((each) => Object.hasOwn(value, each)) : undefined;
  if (!isObject(value) || name === undefined) return undefined;
  const { hints, tool } = place;
  const isWholeCall = Object.hasOwn(value, 'name') && value['name'] === tool?.name && !hints.declares('name');
  if (Object.keys(value).length > (isWholeCall ? 2 : 1)) return undefined;
  const inner = isText(value[name]) ? heldIn(value[name], place) : value[name];
  return isObject(inner) && !hints.declares(name) && renamesIn(value, hints, '').size === 0 ? inner : undefined;
}
