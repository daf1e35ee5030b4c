import { isObject, jsonText, type JsonObject } from '../../json/index.js';
import { compileSchema, evaluate } from '../../schema/index.js';
import { viewOf } from './view.js';

/**
 * A small value that a schema accepts, to start writing from: its own example or default where it has one, otherwise
 * the least that its keywords ask for.
 *
 * @param options.root the whole schema, where `schema` is a part of it
 * @param options.location where that part stands in it, as a JSON Pointer; then the part is checked in its context
 * @returns undefined where none was found: better no example than a wrong one
 */
export function exampleValue(schema: unknown, options: { root?: unknown; location?: string } = {}): unknown {
  const { root = schema, location } = options;
  const compiled = location === undefined ? compileSchema(schema) : compilePart(root, location);
  const accepts = (value: unknown) => value !== undefined && evaluate(compiled, value).outcome === 'valid';
  for (const value of given(viewOf(schema, root).schema)) if (accepts(value)) return value;
  const full = build(schema, startBuilding(root, true));
  if (jsonText(full).length <= readableLength && accepts(full)) return full;
  const least = build(schema, startBuilding(root, false));
  return accepts(least) ? least : undefined;
}

/** Characters up to which an example with everything in it is easier to start from than the least one. */
const readableLength = 600;

const rootUri = 'urn:mcp-verbatim:root';

function compilePart(root: unknown, location: string) {
  const reference = `${rootUri}#${location.split('/').map(encodeURIComponent).join('/')}`;
  return compileSchema({ $ref: reference }, { documents: { [rootUri]: root } });
}

/** What the schema's author gives as examples; a default of nothing shows nothing. */
function given(schema: JsonObject): unknown[] {
  const { examples, example, default: standard } = schema;
  const values = [...(Array.isArray(examples) ? examples.slice(0, 5) : []), example, standard];
  return values.filter(
    (value) => value !== undefined && value !== null && !['{}', '[]', '""'].includes(jsonText(value)),
  );
}

const maxDepth = 6;
const maxElements = 10;

interface Building {
  readonly root: unknown;
  /** Whether optional properties are filled in as well. */
  readonly all: boolean;
  /** The references followed on the way: a recursive part is left out where it can be. */
  readonly path: readonly string[];
  readonly depth: number;
  /** Parts that may still be built; shared by all, because references multiply. */
  readonly budget: { parts: number };
}

function startBuilding(root: unknown, all: boolean): Building {
  return { root, all, path: [], depth: 0, budget: { parts: 500 } };
}

function build(schema: unknown, building: Building): unknown {
  const depth = building.depth + 1;
  if (schema === false || depth > maxDepth || building.budget.parts-- <= 0) return undefined;
  const view = viewOf(schema, building.root);
  const { schema: merged, types, alternatives } = view;
  if ('const' in merged) return merged['const'];
  if (Array.isArray(merged['enum'])) return merged['enum'][0];
  if (depth > 1) {
    const [first] = given(merged);
    if (first !== undefined) return first;
  }
  const isRecursive = view.references.some((reference) => building.path.includes(reference));
  const inner: Building = {
    ...building,
    all: building.all && !isRecursive,
    path: [...building.path, ...view.references],
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
