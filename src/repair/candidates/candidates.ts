import { containerIn, integerOf, isList, isObject, numberOf, quotedIn, typeOf } from '../../json/index.js';
import type { JsonObject, JsonType } from '../../json/index.js';
import { type Expectation, findFormat, typesOfValues } from '../../schema/index.js';
import { type SchemaHints, typesOf } from '../hints.js';
import { type RepairedTool, type RepairOption, type RepairKind, repairKindOf, repairKinds } from '../options.js';
import { isAbsent, waysToLeaveOut } from './absence.js';
import { asksForJson, asksForListText, asksForOtherText } from './descriptions.js';
import { isSpelled, spelledLike } from './spelling.js';

export interface Candidate {
  readonly kind: RepairKind;
  readonly to: unknown;
  readonly isUnsure: boolean;
}

export interface Context {
  readonly path: readonly (string | number)[];
  readonly hints: SchemaHints;
  readonly tool: RepairedTool | undefined;
  readonly consume: (steps: number) => unknown;
  /** The JSON of lists and objects: a hundred alternatives may ask for it. */
  readonly jsonTexts: Map<object, string | undefined>;
}

type Add = (option: RepairOption, to: unknown, isUnsure?: boolean) => void;

export function candidatesFor(
  value: unknown,
  expectation: Expectation,
  context: Context,
  chosen: ReadonlySet<RepairOption>,
  mayUnwrap: boolean,
): readonly Candidate[] {
  const found: Candidate[] = [];
  const add: Add = (option, to, isUnsure = false) => {
    if (!chosen.has(option) || found.some((each) => each.to === to)) return;
    found.push({ kind: repairKindOf[option], to, isUnsure });
  };
  if (expectation.kind === 'values') {
    const { values } = expectation;
    // Whether their letters are in one case is looked for in all values.
    if (typeof value === 'string' && value.length < 4) context.consume(values.length >> 4);
    const meant = typeof value === 'string' ? spelledLike(value, values) : undefined;
    if (meant !== undefined) add('enums', meant);
    if (typeof value === 'boolean' && values.includes(String(value))) add('strings', String(value));
    retyped(value, typesOfValues(values), context, true, add);
  } else if (expectation.kind === 'types') retyped(value, expectation.types, context, false, add);
  // A text that says null is null where that is accepted, and left out otherwise.
  const isWord = typeof value === 'string' && value !== '';
  const absent = isWord && context.hints.acceptsNull ? null : undefined;
  if (isAbsent(value)) for (const option of waysToLeaveOut(value, context.hints, context.tool)) add(option, absent);
  if (mayUnwrap && context.path.length === 0 && isObject(value)) unwrapped(value, context, add);
  return found;
}

/** Whether a number is a text, or a list one of its values, is equally a guess. */
const guesses: ReadonlySet<RepairKind> = new Set(['string', 'decimal', 'list', 'singleton']);

/** The fewest repairs come first, and of as many those whose kinds cost less; to leave out costs more than null. */
export function costOf(kind: RepairKind, to: unknown): number {
  return 1_000 + repairKinds.indexOf(guesses.has(kind) ? 'singleton' : kind) + (to === undefined ? 0.5 : 0);
}

/** A value whose own type is wanted keeps it: of which types those are, enums say by their values. */
function retyped(value: unknown, types: readonly JsonType[], context: Context, isListed: boolean, add: Add): void {
  if (wantsTypeOf(value, types)) {
    if (typeof value === 'string' && isListed) unquoted(value, add);
    return;
  }
  if (typeof value === 'string') readAs(value, types, context, add);
  const isMaybeBit = types.includes('boolean') && isBit(value);
  if (isMaybeBit)
    add(
      'bits',
      value === 1,
      types.some((type) => type !== 'boolean' && type !== 'null'),
    );
  const mayBeText = types.includes('string');
  if (mayBeText) {
    const isUnsure = isMaybeBit || types.includes('array') || types.includes('object');
    asText(value, context, (option, to) => {
      add(option, to, isUnsure);
    });
    asJson(value, context, add);
  }
  if (isList(value) && value.length === 1 && !types.includes('array')) {
    const [only] = value;
    const isItem = typeof context.path.at(-1) === 'number';
    const mayBeWritten = mayBeText && !isListed && !isItem && asksForListText(context.hints);
    if (typeof only !== 'object' && !mayBeWritten) add('lists', only);
  }
  if (!types.includes('array')) return;
  if (isObject(value) && isIndexed(value)) add('lists', Object.values(value));
  else if (typeof context.path.at(-1) === 'string' && isSingle(value, context)) {
    add('singletons', [value], isMaybeBit || (mayBeText && typeof value !== 'string'));
  }
}

export function wantsTypeOf(value: unknown, types: readonly JsonType[]): boolean {
  const type = typeOf(value);
  return types.includes(type) || (isNumeric(type) && types.some(isNumeric));
}

/** 0 and 1 may mean a boolean: beside one, they are no text. */
export function isBit(value: unknown): boolean {
  return value === 0 || value === 1;
}

function isNumeric(type: JsonType): boolean {
  return type === 'integer' || type === 'number';
}

function isIndexed(object: JsonObject): boolean {
  const names = Object.keys(object);
  return names.length > 0 && names.every((name, index) => name === String(index));
}

/** The text of a number, where it can only have been written so: 175928847299117063 has come as another number. */
function asText(value: unknown, { hints }: Context, add: Add): void {
  if (typeof value !== 'number' || Object.is(value, -0)) return;
  const text = String(value);
  const isExact = Number.isSafeInteger(value);
  if (!isExact && !shortFraction.test(text)) return;
  if (isExact && asksForOtherText(hints, value)) return;
  if (hints.own.every((schema) => mayConform(text, schema))) add(isExact ? 'strings' : 'decimals', text);
}

/** A list or an object where its JSON is asked for, unless a number was rounded or a single text may be that JSON. */
function asJson(value: unknown, { hints, consume, jsonTexts }: Context, add: Add): void {
  if (typeof value !== 'object' || value === null) return;
  if (isList(value) && value.length === 1 && typeof value[0] !== 'object') return;
  if (!asksForJson(hints)) return;
  if (!jsonTexts.has(value)) {
    const text = JSON.stringify(value);
    consume(text.length >> 3);
    jsonTexts.set(value, containerIn(text) && text);
  }
  const text = jsonTexts.get(value);
  if (text !== undefined) add('strings', text);
}

function mayConform(text: string, { format }: JsonObject): boolean {
  return typeof format !== 'string' || findFormat(format)?.accepts(text) !== false;
}

/** At most fifteen digits: JavaScript gives them back. */
const shortFraction = /^(?=.{3,16}$)-?\d+\.\d+$/;

function readAs(text: string, types: readonly JsonType[], context: Context, add: Add): void {
  const integer = types.some(isNumeric) ? integerOf(text) : undefined;
  if (integer !== undefined) {
    add('integers', integer);
    if (types.includes('number')) add('numbers', integer);
    return;
  }
  const number = types.includes('number') ? numberOf(text) : undefined;
  if (number !== undefined) add('numbers', number);
  if (types.includes('boolean') && /^(?:true|false|True|False|TRUE|FALSE)$/.test(text)) {
    add('booleans', text.toLowerCase() === 'true');
  }
  if (types.includes('null') && (text === 'null' || text === 'None')) add('nulls', null);
  unquoted(text, add);
  if (types.includes('array')) split(text, context, add);
  if (types.includes('array') || types.includes('object')) {
    const container = writtenIn(text, context);
    // An object in a list's place may be its only element.
    if (container && (!isList(container) || types.includes('array'))) add('json', container);
  }
}

function unquoted(text: string, add: Add): void {
  const quoted = quotedIn(text);
  if (quoted !== undefined) add('json', quoted);
}

function split(text: string, { hints }: Context, add: Add): void {
  const given = text.split(',', maxSplit + 1).map((part) => part.trim());
  if (given.length < 2 || given.length > maxSplit || isThousands(text, given)) return;
  const items = hints.at(0);
  const values = items.listed;
  const types = items.once('types', () => new Set(items.own.flatMap((schema) => typesOf(schema) ?? [])));
  if (values.has(text)) return;
  const isListed = values.size > 0;
  if (!isListed && types.has('string')) return;
  const readNumber = types.has('number') ? numberOf : types.has('integer') ? integerOf : () => undefined;
  const parts = given.map((part) => (isListed && values.has(part) ? part : readNumber(part)));
  if (!parts.includes(undefined)) add('split', parts);
}

const maxSplit = 1_000;

/** Whether the commas may stand between thousands: `1,234`. */
function isThousands(text: string, [, ...rest]: readonly string[]): boolean {
  const areGroups = rest.every((part) => /^\d{3}(?:\.\d+)?$/.test(part));
  return areGroups && (rest.length === 1 || !/\s/.test(text.trim()));
}

const maxLooked = 200_000;

/** What a text holds: of numbers in it that only a text can be, the digits. */
function writtenIn(text: string, { hints, consume }: Context): object | undefined {
  let looked = 0;
  consume(text.length >> 4);
  return containerIn(text, {
    wantsText(path) {
      if ((looked += path.length) > maxLooked) return undefined;
      return isText(hints.within(path));
    },
  });
}

function isText(hints: SchemaHints): boolean {
  return hints.once('text', () => {
    const types = hints.schemas.flatMap((schema) => typesOf(schema) ?? []);
    return types.includes('string') && !types.some((type) => isNumeric(type) || type === 'boolean');
  });
}

function isSingle(value: unknown, { hints }: Context): boolean {
  if (typeof value === 'string') return !looksLikeSeveral(value);
  if (isObject(value)) return hasDeclaredMember(value, hints.at(0));
  return typeof value === 'number' || typeof value === 'boolean';
}

/** Whether a text looks like several values, an encoded one or none: then it is no list's only element. */
export function looksLikeSeveral(text: string): boolean {
  const start = text.trimStart();
  const isNone = start.length < 20 && /^(?:null|none|nil|undefined|n\/a|)\s*$/i.test(start);
  return isNone || encodedOrListed.test(start) || separators.test(text);
}

/** Brackets, quotes and what stands before the points of a list. */
const encodedOrListed = /^(?:[[{("'`“‘«]|[-*•‣·]\s|\d{1,3}[.)]\s)/;

const separators = /[,;|\n\r\t\v\f\u2028\u2029，、；،؛•→]| (?:[·/+&]|and|or) | --?[a-z]|[-=]>|\[\s*["']|\s#|```|~~~/i;

/** An object without any member that the items declare is no item. */
function hasDeclaredMember(value: JsonObject, { properties }: SchemaHints): boolean {
  return properties.size === 0 || Object.keys(value).some((name) => properties.has(name));
}

const wrappers: readonly string[] = ['arguments', 'input', 'parameters', 'properties', 'args'];

/** What lies within an envelope that the schema does not know; the tool's own name may stand beside it. */
function unwrapped(value: JsonObject, context: Context, add: Add): void {
  const name = wrappers.find((each) => Object.hasOwn(value, each));
  if (name === undefined) return;
  const called = Object.hasOwn(value, 'name') ? value['name'] : undefined;
  const isWholeCall = called !== undefined && called === context.tool?.name && !context.hints.declares('name');
  if (Object.keys(value).length > (isWholeCall ? 2 : 1)) return;
  const held = value[name];
  const inner = typeof held === 'string' ? writtenIn(held, context) : held;
  const isKnown = () => context.hints.declares(name) || isSpelled(name, context.hints.names);
  if (isObject(inner) && !isKnown()) add('wrappers', inner);
}
