import { briefJson, cut, isObject, jsonText, shortened, visibleLine, type JsonObject } from '../../json/index.js';
import { startReading, viewOf, type Reading, type SchemaView } from '../../schema/index.js';

/**
 * A tool's parameters on one line, for lists and pickers: `limit?: integer ≥ 0, query: string`.
 *
 * @param options.maxLength characters, default 240; parameters beyond it are counted: `…, 3 more`
 * @param options.flat whether objects are just called objects, and formats stand for their type; default false
 * @param options.root what local references lead into; default the schema itself
 */
export function signature(
  { inputSchema }: { readonly inputSchema: unknown },
  options: { maxLength?: number; flat?: boolean; root?: unknown } = {},
): string {
  const { maxLength = 240, flat = false, root = inputSchema } = options;
  const place = startAt(startReading(root), flat);
  const depth = flat ? maxDepth : 0;
  const view = viewOf(inputSchema, place.reading);
  const all = [...parametersOf(view, place, depth), ...choiceOf(view, place, depth)].map(visibleLine);
  const line = joined(all, maxLength);
  // What was not read may hold more.
  return place.reading.budget.exhausted && !line.endsWith('…') ? `${cut(line, maxLength - 1)}…` : line;
}

function joined(parameters: readonly string[], maxLength: number): string {
  let line = '';
  for (const [index, parameter] of parameters.entries()) {
    const next = line === '' ? parameter : `${line}, ${parameter}`;
    const left = parameters.length - index - 1;
    if (next.length + (left > 0 ? `, ${left} more`.length : 0) > maxLength) {
      return line === '' ? shortened(next, maxLength) : `${line}, ${parameters.length - index} more`;
    }
    line = next;
  }
  return line;
}

/** What one parameter takes, as a flat {@link signature} would say it: `integer 0..150 | null`. */
export function typeSignature(schema: unknown, reading: Reading): string {
  return shortened(visibleLine(typeText(schema, startAt(reading, true), maxDepth + 1)), 120);
}

/** Where in the schema: the schemas followed so far show a recursive one. */
interface Place {
  readonly reading: Reading;
  readonly path: readonly unknown[];
  readonly level: number;
  readonly flat: boolean;
  /** Parts that may still be shown; shared by all, because references multiply. */
  readonly budget: { parts: number };
}

function startAt(reading: Reading, flat: boolean): Place {
  return { reading, path: [], level: 0, flat, budget: { parts: mostParts } };
}

const mostParts = 2000;
const maxLevel = 16;

/** Objects within objects are spelt out so deep; beyond it they are just objects. */
const maxDepth = 2;
const maxListed = 6;
/** Longer names are written once and referred to everywhere. */
const maxName = 100;

function parametersOf(view: SchemaView, at: Place, depth: number): string[] {
  const { properties, patternProperties, additionalProperties, required } = view.schema;
  const named = members(properties);
  const matched = members(patternProperties);
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  if (!at.reading.budget.consume(named.length + matched.length + needed.size)) return ['…'];
  const parameters = named.map(
    ([name, schema]) => `${nameText(name)}${needed.has(name) ? '' : '?'}: ${typeText(schema, at, depth + 1)}`,
  );
  for (const [pattern, schema] of matched) {
    parameters.push(`/${shortened(pattern, 40)}/?: ${typeText(schema, at, depth + 1)}`);
  }
  if (isObject(additionalProperties) && Object.keys(additionalProperties).length > 0) {
    parameters.push(`[any]?: ${typeText(additionalProperties, at, depth + 1)}`);
  }
  return parameters;
}

/** `{id: integer} | {name: string}`: what the alternatives of the whole add to the parameters. */
function choiceOf({ alternatives = [] }: SchemaView, at: Place, depth: number): string[] {
  const branches = alternatives
    .slice(0, maxListed)
    .map((branch) => parametersOf(viewOf(branch, at.reading), at, depth));
  if (branches.every((parameters) => parameters.length === 0)) return [];
  const more = alternatives.length > maxListed ? ' | …' : '';
  return [branches.map((parameters) => `{${parameters.join(', ')}}`).join(' | ') + more];
}

function members(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}

function nameText(name: string): string {
  const short = shortened(name, maxName);
  return /^[\p{L}\p{N}_$.…-]+$/u.test(short) ? short : jsonText(short);
}

function typeText(schema: unknown, at: Place, depth: number): string {
  if (schema === false) return 'never';
  if (at.level > maxLevel || at.budget.parts-- <= 0 || at.reading.budget.exhausted) return '…';
  const view = viewOf(schema, at.reading);
  const nullable = view.nullable ? ' | null' : '';
  if (view.followed.some((target) => at.path.includes(target))) return `${nameOf(view)}${nullable}`;
  const inner: Place = { ...at, path: [...at.path, ...view.followed], level: at.level + 1 };
  return `${withoutNull(view, inner, depth)}${nullable}`;
}

/** A recursive schema is called by its name, the second time it turns up. */
function nameOf({ name = '' }: SchemaView): string {
  return name === '' ? 'object' : shortened(name, 40);
}

function withoutNull(view: SchemaView, at: Place, depth: number): string {
  const { schema, types, alternatives } = view;
  if ('const' in schema) return briefJson(schema['const'], 120);
  if (Array.isArray(schema['enum'])) return enumText(schema['enum']);
  if (alternatives !== undefined && alternatives.length > 0 && depth <= maxDepth + 1) {
    const texts = [...new Set(alternatives.slice(0, maxListed).map((branch) => typeText(branch, at, depth + 1)))];
    return texts.join(' | ') + (alternatives.length > maxListed ? ' | …' : '');
  }
  if (types === undefined) return impliedText(view, at, depth);
  return [...new Set(types)].map((type) => oneType(type, schema, at, depth)).join(' | ');
}

function enumText(values: readonly unknown[]): string {
  const shown: string[] = [];
  for (const value of values) {
    if (shown.length === maxListed) break;
    if (value !== null) shown.push(briefJson(value, 40));
  }
  return shown.join(' | ') + (values.length > maxListed ? ' | …' : '');
}

/** Many schemas name the members and not the type. */
function impliedText(view: SchemaView, at: Place, depth: number): string {
  if ('properties' in view.schema || 'patternProperties' in view.schema)
    return oneType('object', view.schema, at, depth);
  return 'items' in view.schema ? oneType('array', view.schema, at, depth) : 'any';
}

function oneType(type: string, schema: JsonObject, at: Place, depth: number): string {
  switch (type) {
    case 'integer':
    case 'number':
      return `${type}${boundsText(schema)}`;
    case 'string':
      return stringText(schema['format'], at);
    case 'array':
      return arrayText(schema, at, depth);
    case 'object': {
      const inside = depth > maxDepth ? [] : parametersOf(viewOf(schema, at.reading), at, depth);
      return inside.length === 0 ? 'object' : `{${inside.join(', ')}}`;
    }
    default:
      return shortened(type, 30);
  }
}

function stringText(format: unknown, { flat }: Place): string {
  if (typeof format !== 'string') return 'string';
  return flat ? shortened(format, 30) : `string (${shortened(format, 30)})`;
}

function arrayText(schema: JsonObject, at: Place, depth: number): string {
  const { items } = schema;
  if (!isObject(items) || Object.keys(items).length === 0) return 'array';
  const element = typeText(items, at, depth);
  return /[ |?]/.test(element) && !/^\{.*\}$/.test(element) ? `(${element})[]` : `${element}[]`;
}

/** ` ≥ 0`, ` 0..150`, ` > 0`: bounds in any dialect. Those of a whole number type are left out. */
function boundsText(schema: JsonObject): string {
  const low = bound(schema, 'minimum', 'exclusiveMinimum');
  const high = bound(schema, 'maximum', 'exclusiveMaximum');
  if (low && high && !low.exclusive && !high.exclusive) return ` ${low.value}..${high.value}`;
  const parts = [
    ...(low ? [`${low.exclusive ? '>' : '≥'} ${low.value}`] : []),
    ...(high ? [`${high.exclusive ? '<' : '≤'} ${high.value}`] : []),
  ];
  return parts.length === 0 ? '' : ` ${parts.join(', ')}`;
}

function bound(
  schema: JsonObject,
  name: string,
  exclusiveName: string,
): { value: number; exclusive: boolean } | undefined {
  const { [name]: inclusive, [exclusiveName]: exclusive } = schema;
  if (typeof exclusive === 'number') return { value: exclusive, exclusive: true };
  // Draft-04's exclusive bound is a boolean beside the other one.
  if (typeof inclusive !== 'number' || Math.abs(inclusive) >= Number.MAX_SAFE_INTEGER) return undefined;
  return { value: inclusive, exclusive: exclusive === true };
}
