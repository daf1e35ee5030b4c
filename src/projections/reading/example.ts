import type { JsonObject } from '../../json/index.js';
import { fits, isObject, isText, jsonText, isList, propertiesOf, requiredOf } from '../../json/index.js';
import type { CompiledSchema, Reading } from '../../schema/index.js';
import { compileSchema, evaluate, hintsOfSchema, rootOf, startReading, valuesOf, viewOf } from '../../schema/index.js';
import { enter, impliedType, startWalk, type Walk } from './walk.js';

/**
 * Small arguments that a schema accepts, as a start for writing: its own example or default if it has one, otherwise
 * the least that its keywords require.
 *
 * @returns undefined if none was found: no example is better than a wrong one
 */
export function exampleValue({ inputSchema }: { readonly inputSchema: unknown }): unknown {
  const schema = isObject(inputSchema) ? inputSchema : {};
  const { type = 'object' } = schema;
  // Arguments are an object, whether or not the schema says so.
  const ofObjects = { ...schema, type: isList(type) ? 'object' : type };
  const reading = startReading(ofObjects);
  return firstAccepted(candidates(ofObjects, reading), reading, compileSchema(ofObjects));
}

export function partExample(schema: unknown, reading: Reading): unknown {
  if (reading.budget.exhausted) return undefined;
  return firstAccepted(candidates(schema, reading), reading, compiledPart(schema, reading));
}

/** A text that a schema accepts: its author's example, one that its description quotes, or one of its format. */
export function exampleText(schema: unknown, reading: Reading): string | undefined {
  const compiled = compiledPart(schema, reading);
  const parts = hintsOfSchema(rootOf(compiled)).own.slice(0, maxElements);
  const quoted = parts.flatMap(({ description }) => (isText(description) ? quotedIn(description) : []));
  const given = parts.flatMap(givenIn);
  const texts = [...given, ...quoted.slice(0, maxElements), buildString(viewOf(schema, reading).schema)];
  return firstAccepted(texts.filter(isText), reading, compiled);
}

function quotedIn(description: string): (string | undefined)[] {
  const quotes = description.slice(0, 1_000).matchAll(quotation);
  return [...quotes].map(([, ...groups]) => groups.find((each: string | undefined) => each !== undefined));
}

const quotation =
  /"([^"\n]{1,80})"|`([^`\n]{1,80})`|'([^'\n]{1,80})'|(?:e\.g\.,?|such as|[Ee]xamples?:) ([^\s,;()"'`]{1,80})/g;

function compiledPart(schema: unknown, { root }: Reading): CompiledSchema {
  const { $defs = {}, definitions = {} } = isObject(root) ? root : {};
  return compileSchema(isObject(schema) ? { $defs, definitions, ...schema } : true);
}

function firstAccepted<T>(all: Iterable<T>, reading: Reading, compiled: CompiledSchema): T | undefined {
  for (const candidate of all) {
    // Enough steps for a look at the clock: an evaluation may take a few milliseconds.
    if (!reading.budget.consume(300)) return undefined;
    const budget = { steps: 10_000, patternMs: 10 };
    if (candidate !== undefined && evaluate(compiled, candidate, { budget }).outcome === 'valid') return candidate;
  }
  return undefined;
}

function* candidates(schema: unknown, reading: Reading): Generator {
  yield* givenIn(viewOf(schema, reading).schema);
  const seen = { choices: 1 };
  for (let choice = 0; choice < Math.min(seen.choices, mostChoices); choice++) {
    const full = build(schema, { ...startWalk(reading, mostParts), all: true, choice, seen });
    if (fits(full, 2 * readableLength) && jsonText(full).length <= readableLength) yield full;
    yield build(schema, { ...startWalk(reading, mostParts), all: false, choice, seen });
  }
}

/** Alternatives and types are tried one after the other, everywhere at once. */
const mostChoices = 4;

/** Characters up to which an example with everything in it is easier to start from than the least one. */
const readableLength = 600;

/** The examples of the schema's author; an empty default is not an example. */
function givenIn(schema: JsonObject): unknown[] {
  const { examples, example, default: standard } = schema;
  const values: unknown[] = [...(isList(examples) ? examples.slice(0, 5) : []), example, standard];
  const isEmpty = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return values.filter((value) => value !== undefined && value !== null && value !== '' && !isEmpty(value));
}

const maxDepth = 5;
const maxElements = 10;
const mostParts = 500;

interface Building extends Walk {
  /** True if optional properties are filled in as well, except in a recursive part. */
  readonly all: boolean;
  /** Which of several alternatives or types is taken. */
  readonly choice: number;
  /** The most alternatives or types anywhere. */
  readonly seen: { choices: number };
}

function build(schema: unknown, at: Building): unknown {
  if (schema === false || at.depth > maxDepth || at.left.parts-- <= 0) return undefined;
  const { view, recurs, inner } = enter(schema, at);
  const { schema: merged, types, alternatives } = view;
  const values = valuesOf(merged);
  if (values) return values[0];
  const [example] = at.depth > 0 ? givenIn(merged) : [];
  if (example !== undefined) return example;
  const building = { ...inner, all: at.all && !recurs };
  const branch = chosen(alternatives, at);
  const value = isObject(branch) ? build({ allOf: [branch, merged] }, building) : undefined;
  return (
    value ?? builders.get(chosen(types, at) ?? impliedType(merged) ?? likelyType(merged))?.(merged, building) ?? null
  );
}

function chosen<T>(list: readonly T[] = [], { choice, seen }: Building): T | undefined {
  seen.choices = Math.max(seen.choices, list.length);
  return list[choice % list.length];
}

function likelyType(schema: JsonObject): string {
  if ('required' in schema || 'additionalProperties' in schema) return 'object';
  if ('prefixItems' in schema) return 'array';
  return 'minimum' in schema || 'maximum' in schema ? 'number' : 'string';
}

const builders = new Map<string, (schema: JsonObject, building: Building) => unknown>([
  ['object', buildObject],
  ['array', buildArray],
  ['integer', (schema) => buildNumber(schema, true)],
  ['number', (schema) => buildNumber(schema, false)],
  ['boolean', () => true],
  ['string', buildString],
]);

function buildObject(schema: JsonObject, at: Building): JsonObject {
  const { additionalProperties = true } = schema;
  const [described, needed] = [propertiesOf(schema), requiredOf(schema)];
  if (!at.reading.budget.consume(Object.keys(described).length + needed.length)) return {};
  const names = at.all ? [...new Set([...Object.keys(described), ...needed])] : needed;
  const members = names
    .slice(0, 50)
    .map((name) => [name, build(Object.hasOwn(described, name) ? described[name] : additionalProperties, at)] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

function buildArray({ minItems, prefixItems, items, additionalItems }: JsonObject, at: Building): unknown[] {
  const first = isList(prefixItems) ? prefixItems : isList(items) ? items : [];
  const wanted = Math.min(typeof minItems === 'number' ? minItems : 1, maxElements);
  const elements = first.slice(0, maxElements).map((element) => build(element, at));
  while (elements.length < wanted) elements.push(build(isList(items) ? additionalItems : (items ?? true), at));
  return elements.includes(undefined) ? [] : elements;
}

function buildNumber(schema: JsonObject, isInteger: boolean): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : isInteger ? 1 : 0.5;
  const numbers = (bounds: unknown[]) => bounds.filter((bound) => typeof bound === 'number');
  const low = Math.max(...numbers([minimum, exclusiveMinimum]));
  const high = Math.min(...numbers([maximum, exclusiveMaximum]));
  if (Number.isFinite(low)) {
    const lowest = Math.ceil(low / step) * step;
    const isOpen = exclusiveMinimum === true || exclusiveMinimum === low;
    return isOpen && lowest <= low ? lowest + step : lowest;
  }
  const wanted = Math.max(1, step);
  return wanted < high ? wanted : Math.floor(high / step - 0.5) * step;
}

const formats: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00Z',
  duration: 'P1D',
  email: 'name@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
};

function buildString(schema: JsonObject): string {
  const { format, minLength, maxLength } = schema;
  const text = (typeof format === 'string' && Object.hasOwn(formats, format) && formats[format]) || 'text';
  const longer = typeof minLength === 'number' ? text.padEnd(Math.min(minLength, 1000), 'x') : text;
  return typeof maxLength === 'number' ? longer.slice(0, Math.max(0, maxLength)) : longer;
}
