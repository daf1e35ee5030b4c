import { fits, isObject, isSchema, jsonText, type JsonObject, isList } from '../../json/index.js';
import {
  compileSchema,
  evaluate,
  startReading,
  viewOf,
  type CompiledSchema,
  type Reading,
} from '../../schema/index.js';

/**
 * A small value that a schema accepts, to start writing from: its own example or default where it has one, otherwise
 * the least that its keywords ask for.
 *
 * @returns undefined where none was found: better no example than a wrong one
 */
export function exampleValue({ inputSchema: schema }: { readonly inputSchema: unknown }): unknown {
  // What a server wrote in a schema's place refuses nothing.
  const compiled = compileSchema(isSchema(schema) ? schema : true);
  return firstAccepted(schema, startReading(schema), (value) => accepts(compiled, value));
}

/** An example for a part of a schema; its references lead into the whole's definitions. */
export function partExample(schema: unknown, reading: Reading): unknown {
  if (reading.budget.exhausted) return undefined;
  const { $defs = {}, definitions = {} } = isObject(reading.root) ? reading.root : {};
  const compiled = compileSchema(isObject(schema) ? { $defs, definitions, ...schema } : true);
  return firstAccepted(schema, reading, (value) => accepts(compiled, value));
}

/** What one look at an example may cost: a few milliseconds. */
const budget = { steps: 10_000, patternMs: 10 };

function accepts(compiled: CompiledSchema, value: unknown): boolean {
  return evaluate(compiled, value, { budget }).outcome === 'valid';
}

/** Steps that an evaluation is charged with: enough for a look at the clock. */
const evaluationSteps = 300;

function firstAccepted(schema: unknown, reading: Reading, accepts: (value: unknown) => boolean): unknown {
  for (const candidate of candidates(schema, reading)) {
    if (!reading.budget.consume(evaluationSteps)) return undefined;
    if (candidate !== undefined && accepts(candidate)) return candidate;
  }
  return undefined;
}

function* candidates(schema: unknown, reading: Reading): Generator {
  yield* given(viewOf(schema, reading).schema);
  const full = build(schema, startBuilding(reading, true));
  if (fits(full, 2 * readableLength) && jsonText(full).length <= readableLength) yield full;
  yield build(schema, startBuilding(reading, false));
}

/** Characters up to which an example with everything in it is easier to start from than the least one. */
const readableLength = 600;

/** What the schema's author gives as examples; a default of nothing shows nothing. */
function given(schema: JsonObject): unknown[] {
  const { examples, example, default: standard } = schema;
  const values: unknown[] = [...(isList(examples) ? examples.slice(0, 5) : []), example, standard];
  return values.filter((value) => value !== undefined && value !== null && value !== '' && !isEmpty(value));
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

const maxDepth = 6;
const maxElements = 10;

interface Building {
  readonly reading: Reading;
  /** Whether optional properties are filled in as well. */
  readonly all: boolean;
  /** The schemas followed on the way: a recursive part is left out where it can be. */
  readonly path: readonly unknown[];
  readonly depth: number;
  /** Parts that may still be built; shared by all, because references multiply. */
  readonly budget: { parts: number };
}

function startBuilding(reading: Reading, all: boolean): Building {
  return { reading, all, path: [], depth: 0, budget: { parts: 500 } };
}

function build(schema: unknown, building: Building): unknown {
  const depth = building.depth + 1;
  if (schema === false || depth > maxDepth || building.budget.parts-- <= 0) return undefined;
  const view = viewOf(schema, building.reading);
  const { schema: merged, types, alternatives } = view;
  if ('const' in merged) return merged['const'];
  if (Array.isArray(merged['enum'])) return merged['enum'][0];
  if (depth > 1) {
    const [first] = given(merged);
    if (first !== undefined) return first;
  }
  const isRecursive = view.followed.some((target) => building.path.includes(target));
  const inner: Building = {
    ...building,
    all: building.all && !isRecursive,
    path: [...building.path, ...view.followed],
    depth,
  };
  const [branch] = alternatives ?? [];
  const value = isObject(branch) ? build({ allOf: [branch, merged] }, inner) : undefined;
  return value ?? buildType(types?.[0] ?? impliedType(merged), merged, inner);
}

function impliedType(schema: JsonObject): string {
  if ('properties' in schema || 'required' in schema || 'additionalProperties' in schema) return 'object';
  if ('items' in schema || 'prefixItems' in schema) return 'array';
  return 'minimum' in schema || 'maximum' in schema ? 'number' : 'string';
}

function buildType(type: string, schema: JsonObject, building: Building): unknown {
  switch (type) {
    case 'object':
      return buildObject(schema, building);
    case 'array':
      return buildArray(schema, building);
    case 'integer':
    case 'number':
      return buildNumber(schema, type === 'integer');
    case 'boolean':
      return true;
    case 'string':
      return buildString(schema);
    default:
      return null;
  }
}

function buildObject(schema: JsonObject, building: Building): JsonObject {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required'])
    ? schema['required'].filter((name) => typeof name === 'string')
    : [];
  if (!building.reading.budget.consume(Object.keys(properties).length + required.length)) return {};
  const names = building.all ? [...new Set([...Object.keys(properties), ...required])] : required;
  const members = names.slice(0, 50).map((name): [string, unknown] => {
    const isDescribed = Object.hasOwn(properties, name);
    return [name, build(isDescribed ? properties[name] : (schema['additionalProperties'] ?? true), building)];
  });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

function buildArray(schema: JsonObject, building: Building): unknown[] {
  const { minItems, prefixItems, items } = schema;
  const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
  const wanted = Math.min(typeof minItems === 'number' ? minItems : 1, maxElements);
  const elements = first.slice(0, maxElements).map((element) => build(element, building));
  while (elements.length < wanted) {
    elements.push(build(Array.isArray(items) ? schema['additionalItems'] : (items ?? true), building));
  }
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
