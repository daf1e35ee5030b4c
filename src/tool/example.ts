import { compileSchema, evaluate } from '../schema/index.js';
import { isJsonObject, type JsonObject } from './json.js';
import { viewOf, type SchemaView } from './view.js';

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
  const candidates = [...given(viewOf(schema, root).schema), () => build(schema, root, 0, false), () => build(schema, root, 0, true)];
  for (const candidate of candidates) {
    const value = typeof candidate === 'function' ? candidate() : candidate;
    if (accepts(value)) return value;
  }
  return undefined;
}

const rootUri = 'urn:mcp-verbatim:root';

function compilePart(root: unknown, location: string) {
  const reference = `${rootUri}#${location.split('/').map(encodeURIComponent).join('/')}`;
  return compileSchema({ $ref: reference }, { documents: { [rootUri]: root } });
}

function given(schema: JsonObject): unknown[] {
  const { examples, example, default: standard } = schema;
  const values = [...(Array.isArray(examples) ? examples.slice(0, 5) : []), example, standard];
  return values.filter((value) => value !== undefined && typeof value !== 'function');
}

const maxDepth = 6;
const maxElements = 10;

/** @param all whether optional properties are filled in as well */
function build(schema: unknown, root: unknown, depth: number, all: boolean): unknown {
  if (schema === false || depth > maxDepth) return undefined;
  const view = viewOf(schema, root);
  const { schema: merged, types, alternatives } = view;
  if ('const' in merged) return merged['const'];
  if (Array.isArray(merged['enum'])) return merged['enum'][0];
  if (depth > 0) {
    const [first] = given(merged);
    if (first !== undefined) return first;
  }
  if (alternatives !== undefined && alternatives.length > 0) {
    const [first] = alternatives;
    const inner = isJsonObject(first) ? build(withoutAlternatives(merged, first), root, depth + 1, all) : undefined;
    if (inner !== undefined) return inner;
  }
  return buildType(types?.[0] ?? impliedType(merged), view, root, depth, all);
}

function withoutAlternatives(merged: JsonObject, branch: JsonObject): JsonObject {
  return { allOf: [branch, merged] };
}

function impliedType(schema: JsonObject): string {
  if ('properties' in schema || 'required' in schema || 'additionalProperties' in schema) return 'object';
  if ('items' in schema || 'prefixItems' in schema) return 'array';
  return 'minimum' in schema || 'maximum' in schema ? 'number' : 'string';
}

function buildType(type: string, view: SchemaView, root: unknown, depth: number, all: boolean): unknown {
  switch (type) {
    case 'object':
      return buildObject(view.schema, root, depth, all);
    case 'array':
      return buildArray(view.schema, root, depth, all);
    case 'integer':
    case 'number':
      return buildNumber(view.schema, type === 'integer');
    case 'boolean':
      return true;
    case 'string':
      return buildString(view.schema);
    default:
      return null;
  }
}

function buildObject(schema: JsonObject, root: unknown, depth: number, all: boolean): JsonObject {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'].filter((name) => typeof name === 'string') : [];
  const names = all ? [...new Set([...Object.keys(properties), ...required])] : required;
  const members = names.slice(0, 50).map((name): [string, unknown] => {
    const isDescribed = Object.hasOwn(properties, name);
    return [name, build(isDescribed ? properties[name] : (schema['additionalProperties'] ?? true), root, depth + 1, all)];
  });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

function buildArray(schema: JsonObject, root: unknown, depth: number, all: boolean): unknown[] {
  const { minItems, prefixItems, items } = schema;
  const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
  const wanted = Math.min(typeof minItems === 'number' ? minItems : 1, maxElements);
  const elements = first.slice(0, maxElements).map((element) => build(element, root, depth + 1, all));
  while (elements.length < wanted) {
    const element = build(Array.isArray(items) ? schema['additionalItems'] : (items ?? true), root, depth + 1, all);
    if (element === undefined) break;
    elements.push(element);
  }
  return elements.some((element) => element === undefined) ? [] : elements;
}

function buildNumber(schema: JsonObject, isInteger: boolean): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : isInteger ? 1 : 0.5;
  const low = [minimum, exclusiveMinimum].filter((bound) => typeof bound === 'number');
  const high = [maximum, exclusiveMaximum].filter((bound) => typeof bound === 'number');
  if (low.length === 0 && high.length === 0) return step < 1 && !isInteger ? 1 : step;
  if (low.length === 0) return Math.floor((Math.min(...high) - step / 2) / step) * step;
  const start = Math.max(...low);
  const isOpen = typeof exclusiveMinimum === 'number' ? exclusiveMinimum >= start : exclusiveMinimum === true;
  const lowest = Math.ceil(start / step) * step;
  return isOpen && lowest <= start ? lowest + step : lowest;
}

const formats: Record<string, string> = {
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
