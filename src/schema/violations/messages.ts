import type { JsonType } from '../../json/index.js';
import { counted, cut, isList, isObject, listed, quote, visibleLine } from '../../json/index.js';
import { hidden, hideSecretsIn, shownText } from '../../secrets/index.js';
import { declaredNames, itemsOf, listedValues, namedTypes, viewOf } from '../reading.js';
import type { Context, Received, SharedTexts } from './context.js';
import type { Expectation, Property } from './expectation.js';
import { overlapText } from './overlap.js';
import { nearestFirst } from './nearest.js';
import { placeElsewhere } from './remedies.js';

type Kind = Expectation['kind'];
type Of<K extends Kind> = Extract<Expectation, { kind: K }>;
type Text<K extends Kind> = (expectation: Of<K>, context: Context) => string;

/** The phrase after "must be" or "must have", and the end of the sentence if it does not name the received value. */
type Sentence<K extends Kind> = readonly [verb: 'be' | 'have' | '', expected: Text<K>, rest?: Text<K>];

const sentences: { readonly [K in Kind]: Sentence<K> } = {
  types: ['be', ({ types }, context) => listed(typeNames(types, context.schema, context))],
  values: ['be', ({ values }, context) => oneOfValues(values, context)],
  bound: ['be', ({ sign, limit }) => `${sign} ${limit}`],
  finite: ['be', () => 'a number that JSON can hold'],
  multiple: ['be', ({ of }) => `a multiple of ${of}`],
  length: ['be', ({ bound, count }) => `${bound} ${counted(count, 'character')} long`, actualLength],
  count: [
    'have',
    (each, context) => `${each.bound} ${counted(each.count, each.noun)}${itemTypes(each, context)}`,
    actualCount,
  ],
  pattern: ['be', patternText],
  format: ['be', ({ name }) => `a valid ${name}`],
  missing: [
    'have',
    (each, context) => {
      const beside = each.beside === undefined ? '' : ` beside ${quote(each.beside)}`;
      return `property ${propertyText(each, context)}${beside}`;
    },
    ({ beside }) => (beside === undefined ? ', which is missing' : ''),
  ],
  'missing-one': [
    'have',
    ({ sets }, context) => `property ${listed(firstOf(sets, 5, (set) => setText(set, context)))}`,
    ({ sets }) => `; ${sets.length === 2 ? 'both' : 'all'} are missing`,
  ],
  unwanted: [
    '',
    ({ property }) => `no property ${shownText(property)}`,
    (each, context) => problemsText([each], context),
  ],
  name: [
    '',
    (each, context) => `property names: ${nameText(each, context)}`,
    (each, context) =>
      `must not have the property ${shownText(each.property)}: its name must be ${nameText(each, context)}`,
  ],
  unique: [
    'have',
    () => 'unique items',
    ({ equal: [first, second] }) => `, but numbers ${first + 1} and ${second + 1} are equal`,
  ],
  contains: [
    'have',
    ({ bound, count, schema }) => `${bound} ${counted(count, 'item')} matching ${shownText(schema, 120)}`,
    () => '',
  ],
  not: ['', ({ schema }) => `anything but ${shownText(schema, 120)}`, forbiddenText],
  alternatives: ['be', ({ schemas }) => `valid against one of ${schemas.length} alternatives`],
  'exactly-one': [
    'be',
    ({ schemas }) => `valid against exactly one of ${schemas.length} alternatives`,
    (each, context) => `, but matches ${overlapText(each, context)}`,
  ],
  any: ['be', anyText],
  condition: ['be', () => 'valid against "if", or else against "else"'],
  nothing: ['', () => 'absent', () => 'is not allowed'],
  unexplained: ['be', () => 'valid against the schema'],
};

function sentenceOf({ kind }: Expectation): Sentence<Kind> {
  return sentences[kind] as Sentence<Kind>; // which takes what is of that kind
}

/** Short phrase that completes "must be": 'integer or null', '>= 0', 'one of "a", "b"'. */
export function expectedText(expectation: Expectation, context: Context): string {
  return sentenceOf(expectation)[1](expectation, context);
}

/** The problem in words that follow the place: 'must be integer, received string "abc"'. */
export function problemText(expectation: Expectation, context: Context): string {
  const [verb, expected, rest] = sentenceOf(expectation);
  const { received, instanceLocation, texts } = context;
  const reading = received.text === hidden ? undefined : texts.readings?.get(instanceLocation);
  const note = reading === undefined ? '' : ` (read as ${reading})`;
  const end = rest ? rest(expectation, context) : `, received ${receivedText(received)}${note}`;
  return verb === '' ? end : `must ${verb} ${expected(expectation, { ...context, nearFirst: true })}${end}`;
}

/** True if "must be <expected>" is the whole message. */
export function isPhrase(expectation: Expectation): boolean {
  return sentenceOf(expectation)[0] === 'be';
}

/** problemText() for several missing or unexpected properties of one object. `named` are already reported elsewhere. */
export function problemsText(all: readonly Expectation[], context: Context, named: readonly string[] = []): string {
  const missing = all.filter((each) => each.kind === 'missing');
  const unwanted = all.filter((each) => each.kind === 'unwanted');
  const [first] = all;
  if (unwanted.length > 0) return unwantedProperties(unwanted, context, named);
  if (missing.length < 2) return first ? problemText(first, context) : '';
  const texts = firstOf(missing, 12, (each) => propertyText(each, context), context.texts);
  return `the properties ${listed(texts, 'and')} are missing`;
}

/** Names that are suggested as equally near; of more, none was probably meant. */
const alike = 3;

function unwantedProperties(unwanted: readonly Of<'unwanted'>[], context: Context, named: readonly string[]): string {
  const { schema, texts, received, budget } = context;
  const isUsed = (name: string) => isObject(received.value) && Object.hasOwn(received.value, name);
  const free = declaredNames(unwanted[0]?.schema, context).filter((name) => !isUsed(name));
  const required = new Set([viewOf(schema, context).schema['required']].flat());
  let unknown = 0;
  const textOf = ({ property }: Of<'unwanted'>) => {
    const elsewhere = placeElsewhere(property, context);
    if (elsewhere !== undefined) return `${shownText(property)} (it belongs in ${place(elsewhere)})`;
    const { values, nearest } = nearestFirst(property, free, budget, required);
    const meant = nearest > alike ? [] : values.slice(0, nearest).map((name) => quote(name));
    if (meant.length === 0) unknown++;
    return `${shownText(property)}${meant.length === 0 ? '' : ` (did you mean ${listed(meant)}?)`}`;
  };
  const properties = listed(firstOf(unwanted, 12, textOf, texts), 'and');
  const others = unknown === 0 ? [] : free.filter((name) => !named.includes(name)).map((name) => quote(name, 40));
  const also = named.length > 0 ? 'also ' : '';
  const allowed = others.length > 0 && others.length <= 12 ? ` (${also}allowed: ${joined(others, others.length)})` : '';
  return `must not have the ${unwanted.length === 1 ? 'property' : 'properties'} ${properties}${allowed}`;
}

export function atLeast(count: number, { isPart }: Pick<SharedTexts, 'isPart'>): string {
  return isPart ? `at least ${count}` : String(count);
}

function receivedText({ type, text }: Received): string {
  return type === 'null' ? 'null' : `${type} ${text}`;
}

/** ' (integers)', if items are missing and their type is known. */
function itemTypes({ bound, noun, count }: Of<'count'>, context: Context): string {
  if (bound !== 'at least' || noun !== 'item') return '';
  const of = itemNames(context.schema, context, count);
  return of === '' ? '' : ` (${of})`;
}

/** 'integer', 'array of strings', 'array of one of "a", "b"' */
function typeNames(types: readonly JsonType[], schema: unknown, context: Context): readonly string[] {
  if (!types.includes('array')) return types;
  const of = itemNames(schema, context);
  return types.map((type) => (type === 'array' && of !== '' ? `array of ${of}` : type));
}

/** 'integers and strings', of one item 'integer or string' */
function itemNames(schema: unknown, context: Context, count = 2): string {
  const items = itemsOf(schema, context);
  const values = listedValues(items, context) ?? [];
  if (values.length > 0) return oneOfValues(values, context);
  const types = namedTypes(items, context).filter((each) => each !== 'null');
  const plural = types.map((each) => `${each}s`);
  return count === 1 ? listed(types) : listed(plural, 'and');
}

function anyText({ of }: Of<'any'>, context: Context): string {
  const types = of.flatMap((each) => (each.kind === 'types' ? typeNames(each.types, context.schema, context) : []));
  const others = of.filter(({ kind }) => kind !== 'types').map((each) => expectedText(each, context));
  return listed([...types, ...firstOf([...new Set(others)], 4, String)]);
}

function actualCount({ noun, actual }: Of<'count'>, { received }: Context): string {
  const fits = received.type === (noun === 'item' ? 'array' : 'object');
  return fits ? `, has ${actual}` : `, received ${receivedText(received)}`;
}

function actualLength(_: Of<'length'>, { received }: Context): string {
  // Characters are code points (validation, 6.3.1).
  const { length } = Array.from(String(received.value));
  return `, received ${receivedText(received)}${received.type === 'string' && length > 80 ? ` (${length} characters)` : ''}`;
}

/** The whole pattern if it is short; beside a format, which says more, it must be shorter still. */
function patternText({ source, format }: Of<'pattern'>): string {
  const limit = format === undefined ? 200 : 60;
  const text = source.length <= limit ? quote(source, limit) : `a pattern of ${source.length} characters`;
  return `${format === undefined ? 'a string' : `a valid ${cut(format, 40)}`} matching ${text}`;
}

function propertyText({ property, schema }: Property, context: Context): string {
  const values = listedValues(schema, context) ?? [];
  const types = values.length > 0 ? [] : typeNames(namedTypes(schema, context), schema, context);
  const wanted = values.length > 0 ? oneOfValues(values, context) : listed(types);
  return `${quote(property)}${wanted === '' ? '' : ` (${wanted})`}`;
}

function setText(set: readonly Property[], context: Context): string {
  const texts = firstOf(set, 5, (each) => propertyText(each, context));
  return listed(texts, 'and');
}

function nameText({ wanted }: Of<'name'>, context: Context): string {
  return wanted === undefined || wanted.kind === 'nothing' ? 'allowed by the schema' : expectedText(wanted, context);
}

function forbiddenText({ schema }: Of<'not'>, { received }: Context): string {
  const { required, ...others } = isObject(schema) ? schema : {};
  if (Object.keys(others).length > 0)
    return `must be anything but ${shownText(schema, 120)}, received ${receivedText(received)}`;
  if (!isList(required)) return 'is not allowed';
  // `required` says nothing of other values, so `not` refuses them.
  if (received.type !== 'object') return `must be object, received ${receivedText(received)}`;
  const names = namesText(required);
  return `must not have the ${required.length === 1 ? `property ${names}` : `properties ${names} together`}`;
}

function firstOf<T>(all: readonly T[], limit: number, textOf: (each: T) => string, count = { isPart: false }) {
  const texts = all.slice(0, limit).map(textOf);
  return all.length > limit ? [...texts, `${atLeast(all.length - limit, count)} more`] : texts;
}

function namesText(names: readonly unknown[]): string {
  const texts = firstOf(names, 5, (name) => shownText(name));
  return listed(texts, 'and');
}

/** Values that a list holds at most, and characters that it or a list of names may take. */
const lists = { values: 20, length: 240 };

/** 'one of "a", "b", null' */
function oneOfValues(all: readonly unknown[], { received, nearFirst, budget }: Context): string {
  if (all.length === 0) return 'one of no values at all (the list is empty)';
  if (all.length === 1) return shownText(all[0]);
  const values = nearFirst ? nearestFirst(received.value, all, budget).values : all;
  const texts = values.slice(0, lists.values).map((value) => shownText(value, 60));
  return `one of ${joined(texts, all.length)}`;
}

function joined(texts: readonly string[], count: number): string {
  let length = 0;
  const shown = texts.filter((each, index) => (length += each.length) + 2 * index <= lists.length);
  return `${shown.join(', ')}${shown.length < count ? ` and ${count - shown.length} more` : ''}`;
}

const placeLimit = 200;

/** The instance location as people read it. Control characters are escaped: a property name cannot add a line. */
export function place(instanceLocation: string): string {
  if (instanceLocation === '') return '(root)';
  // A secret that the first cut goes through is still recognised by its rest.
  return visibleLine(middleCut(hideSecretsIn(middleCut(instanceLocation, 10 * placeLimit)), placeLimit));
}

function middleCut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit / 2)}...${text.slice(-limit / 2)}`;
}
