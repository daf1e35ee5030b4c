import { counted, isObject, type JsonObject, quote, type Work } from '../../json/index.js';
import { shownText } from '../../secrets/index.js';
import type { Expectation } from './expectation.js';
import { nearestFirst, nearestNames } from './nearest.js';
import { type Received, receivedText } from './received.js';
import { declaredNames, listedValues, namedTypes } from './schema-view.js';

/** What is needed to say what is wrong, besides the expectation. */
export interface Context {
  readonly received: Received;
  /** The schema's document, into which its references lead. */
  readonly root: unknown;
  /** What may be spent on hints: begun when it is first asked for. */
  readonly texts: { readonly work: Work };
  /** More may be wrong than is known. */
  readonly isPart: boolean;
}

/** 'at least 3' where there may be more */
export function atLeast(count: number, { isPart }: Pick<Context, 'isPart'>): string {
  return isPart ? `at least ${count}` : String(count);
}

/** Characters that a list of values or names may take. */
const listLength = 240;

/** Values or names that such a list holds at most. */
const listCount = 20;

/** Characters of a pattern that are shown; half a pattern says nothing. */
const patternLength = 200;

/** 'a, b or c' */
function listed(words: readonly string[], conjunction = 'or'): string {
  if (words.length < 2) return words[0] ?? '';
  return `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1) ?? ''}`;
}

/** The texts of the first few, and how many more there are. */
function firstOf<T>(
  items: readonly T[],
  limit: number,
  textOf: (item: T) => string,
  context: Pick<Context, 'isPart'> = { isPart: false },
): string[] {
  const texts = items.slice(0, limit).map(textOf);
  return items.length > limit ? [...texts, `${atLeast(items.length - limit, context)} more`] : texts;
}

/** Short phrase that completes "must be": 'integer or null', '>= 0', 'one of "a", "b"'. */
export function expectedText(expectation: Expectation, context: Context): string {
  switch (expectation.kind) {
    case 'types':
      return listed(expectation.types);
    case 'values':
      return oneOfValues(expectation.values);
    case 'bound':
      return `${expectation.sign} ${expectation.limit}`;
    case 'finite':
      return 'a number that JSON can hold';
    case 'multiple':
      return `a multiple of ${expectation.of}`;
    case 'length':
      return `${expectation.bound} ${counted(expectation.count, 'character')} long`;
    case 'count':
      return `${expectation.bound} ${counted(expectation.count, expectation.noun)}`;
    case 'pattern':
      return `a string matching ${patternText(expectation.source)}`;
    case 'format':
      return `a valid ${expectation.name}`;
    case 'missing':
      return missingText(expectation, context);
    case 'missing-one':
      return `property ${listed(firstOf(expectation.sets, 5, quotedNames))}`;
    case 'unwanted':
      return `no property ${shownText(expectation.property)}`;
    case 'name':
      return `property names: ${nameText(expectation, context)}`;
    case 'unique':
      return 'unique items';
    case 'contains':
      return `an array with ${itemsText(expectation)}`;
    case 'not':
      return forbidden(expectation.schema).expected;
    case 'alternatives':
      return `valid against one of ${expectation.schemas.length} alternatives`;
    case 'exactly-one':
      return `valid against exactly one of ${expectation.schemas.length} alternatives`;
    case 'any':
      return listed(firstOf([...new Set(expectation.of.map((each) => expectedText(each, context)))], 4, String));
    case 'condition':
      return 'valid against "if", or else against "else"';
    case 'nothing':
      return 'absent';
    case 'unexplained':
      return 'valid against the schema';
  }
}

/** What is wrong, in words that follow the place: 'must be integer, received string "abc"'. */
export function problemText(expectation: Expectation, context: Context): string {
  const { received } = context;
  switch (expectation.kind) {
    case 'values':
      return `must be ${oneOfValues(nearestFirst(received.value, expectation.values, context.texts.work).values)}, received ${receivedText(received)}`;
    case 'length':
      return `must be ${expectedText(expectation, context)}, received ${receivedText(received)}${lengthText(received)}`;
    case 'count': {
      const fits = received.type === (expectation.noun === 'item' ? 'array' : 'object');
      const actual = fits ? `has ${expectation.actual}` : `received ${receivedText(received)}`;
      return `must have ${expectedText(expectation, context)}, ${actual}`;
    }
    case 'missing':
      return `must have ${missingText(expectation, context)}${expectation.beside === undefined ? ', which is missing' : ''}`;
    case 'missing-one':
      return `must have ${expectedText(expectation, context)}; ${expectation.sets.length === 2 ? 'both' : 'all'} are missing`;
    case 'unwanted':
      return unwantedProperties([expectation], context);
    case 'name':
      return `must not have the property ${shownText(expectation.property)}: its name must be ${nameText(expectation, context)}`;
    case 'unique': {
      const [first, second] = expectation.equal;
      return `must not have equal items, but numbers ${first + 1} and ${second + 1} are equal`;
    }
    case 'contains':
      return `must have ${itemsText(expectation)}`;
    case 'not': {
      const { expected, problem } = forbidden(expectation.schema);
      return problem ?? `must be ${expected}, received ${receivedText(received)}`;
    }
    case 'exactly-one':
      return exactlyOneText(expectation);
    case 'nothing':
      return 'is not allowed';
    default:
      return `must be ${expectedText(expectation, context)}, received ${receivedText(received)}`;
  }
}

type Of<K extends Expectation['kind']> = Extract<Expectation, { kind: K }>;

/** Several properties that are missing in one object. */
export function missingProperties(missing: readonly Of<'missing'>[], context: Context): string {
  const names = firstOf(missing, 12, (each) => `${quote(each.property)}${wantedText(each, context)}`, context);
  return `the properties ${listed(names, 'and')} are missing`;
}

/**
 * Properties that one object must not have.
 *
 * @param told names that are said to be missing already
 */
export function unwantedProperties(
  unwanted: readonly Of<'unwanted'>[],
  context: Context,
  told: readonly string[] = [],
): string {
  return `must not have the ${unwanted.length === 1 ? 'property' : 'properties'} ${unwantedText(unwanted, context, told)}`;
}

function missingText(expectation: Of<'missing'>, context: Context): string {
  const { property, beside } = expectation;
  if (beside !== undefined) return `property ${quote(property)} beside ${quote(beside)}`;
  return `property ${quote(property)}${wantedText(expectation, context)}`;
}

/** What a missing property should be: its values where they are listed, else its types. */
function wantedText({ schema }: Of<'missing'>, { root, texts: { work } }: Context): string {
  const values = listedValues(schema, root, work);
  if (values !== undefined && values.length > 0)
    return ` (${values.length === 1 ? shownText(values[0], 60) : oneOfValues(values)})`;
  const types = namedTypes(schema, root, work);
  return types.length > 0 ? ` (${listed(types)})` : '';
}

function unwantedText(unwanted: readonly Of<'unwanted'>[], context: Context, told: readonly string[]): string {
  const {
    received,
    root,
    texts: { work },
  } = context;
  const names = declaredNames(unwanted[0]?.schema, root, work);
  const free = names.filter((name) => !isObject(received.value) || !Object.hasOwn(received.value, name));
  let unknown = 0;
  const textOf = ({ property }: Of<'unwanted'>) => {
    const meant = nearestNames(property, free, work).map((name) => quote(name));
    if (meant.length === 0) unknown++;
    return `${shownText(property)}${meant.length === 0 ? '' : ` (did you mean ${listed(meant)}?)`}`;
  };
  const texts = firstOf(unwanted, 12, textOf, context);
  const others = free.filter((name) => !told.includes(name));
  const hint = unknown > 0 && others.length > 0 && others.length <= 12;
  const allowed = hint
    ? ` (${told.length > 0 ? 'also ' : ''}allowed: ${joined(others.map((name) => quote(name, 40)))})`
    : '';
  return `${listed(texts, 'and')}${allowed}`;
}

function quotedNames(names: readonly string[]): string {
  return listed(
    firstOf(names, 5, (name) => quote(name)),
    'and',
  );
}

/** 'one of "a", "b", null' */
function oneOfValues(values: readonly unknown[]): string {
  if (values.length === 0) return 'one of no values at all (the list is empty)';
  if (values.length === 1) return shownText(values[0]);
  return `one of ${joined(
    values.slice(0, listCount).map((value) => shownText(value, 60)),
    values.length,
  )}`;
}

/** As many as there is room for; the others are counted. */
function joined(texts: readonly string[], count = texts.length): string {
  let text = '';
  let shown = 0;
  for (const each of texts) {
    if (text.length + each.length > listLength) break;
    text += shown === 0 ? each : `, ${each}`;
    shown++;
  }
  return shown < count ? `${text} and ${count - shown} more` : text;
}

function patternText(source: string): string {
  return source.length <= patternLength ? quote(source, patternLength) : `a pattern of ${source.length} characters`;
}

function nameText({ wanted }: Of<'name'>, context: Context): string {
  return wanted === undefined || wanted.kind === 'nothing' ? 'allowed by the schema' : expectedText(wanted, context);
}

function lengthText({ value }: Received): string {
  return typeof value === 'string' && value.length > 80 ? ` (${value.length} characters)` : '';
}

/** 'at least 1 item that is 5', 'at least 2 items that are integer', 'at most 1 item matching {"pattern":"^a"}' */
function itemsText({ bound, count, schema }: Of<'contains'>): string {
  const phrase = isObject(schema) ? simpleText(schema) : undefined;
  const which =
    phrase === undefined ? `matching ${shownText(schema, 120)}` : `that ${count === 1 ? 'is' : 'are'} ${phrase}`;
  return `${bound} ${counted(count, 'item')} ${which}`;
}

/** A schema of one keyword in words. */
function simpleText(schema: JsonObject): string | undefined {
  const [keyword = '', ...others] = Object.keys(schema);
  if (others.length > 0) return undefined;
  const value = schema[keyword];
  if (keyword === 'const') return shownText(value);
  if (keyword === 'enum' && Array.isArray(value)) return oneOfValues(value);
  if (keyword === 'type' && typeof value === 'string') return value;
  const sign = Object.hasOwn(signs, keyword) ? signs[keyword] : undefined;
  return sign !== undefined && typeof value === 'number' ? `${sign} ${value}` : undefined;
}

const signs: Readonly<Record<string, string>> = {
  minimum: '>=',
  exclusiveMinimum: '>',
  maximum: '<=',
  exclusiveMaximum: '<',
};

/** What a `not` expects. */
function forbidden(schema: unknown): { expected: string; problem?: string } {
  if (!isObject(schema) || Object.keys(schema).length === 0) return { expected: 'absent', problem: 'is not allowed' };
  const { required } = schema;
  if (Object.keys(schema).length === 1 && Array.isArray(required)) {
    const all = listed(
      firstOf(required, 5, (name) => shownText(name, 40)),
      'and',
    );
    const which = required.length === 1 ? `the property ${all}` : `the properties ${all} together`;
    return { expected: `an object without ${which}`, problem: `must not have ${which}` };
  }
  return { expected: `anything but ${simpleText(schema) ?? shownText(schema, 120)}` };
}

function exactlyOneText({ schemas, matching }: Of<'exactly-one'>): string {
  const which = firstOf(matching, 4, (index) => labelOf(schemas[index]?.schema, index));
  return `must match exactly one of the ${schemas.length} alternatives, but matches ${listed(which, 'and')}`;
}

/** How an alternative is called: by its title, the name of its definition, what it requires, or its number. */
function labelOf(schema: unknown, index: number): string {
  const number = `number ${index + 1}`;
  if (!isObject(schema)) return number;
  const { title, $ref, required } = schema;
  if (typeof title === 'string' && title !== '') return quote(title, 40);
  if (typeof $ref === 'string') return quote($ref.slice($ref.lastIndexOf('/') + 1), 40);
  if (Array.isArray(required) && required.length > 0) return `${number} (with ${quotedNames(required.map(String))})`;
  const rest = Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== 'description'));
  return `${number} (${simpleText(rest) ?? shownText(rest, 60)})`;
}
