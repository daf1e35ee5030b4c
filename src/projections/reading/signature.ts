import { isObject, jsonText, shortened, type JsonObject } from '../../json/index.js';
import { viewOf, type SchemaView } from './view.js';

/**
 * A tool's parameters on one line, for lists and pickers: `limit?: integer ≥ 0, query: string`.
 *
 * @param options.maxLength characters, default 240; parameters beyond it are counted: `…, 3 more`
 * @param options.flat whether objects are just called objects, and formats stand for their type; default false
 */
export function signature(inputSchema: unknown, options: { maxLength?: number; flat?: boolean } = {}): string {
  const { maxLength = 240, flat = false } = options;
  const root = startAt(inputSchema, flat);
  const depth = flat ? maxDepth : 0;
  const view = viewOf(inputSchema, inputSchema);
  const all = [...parametersOf(view, root, depth), ...choiceOf(view, root, depth)];
  let line = '';
  for (const [index, parameter] of all.entries()) {
    const next = line === '' ? parameter : `${line}, ${parameter}`;
    const left = all.length - index - 1;
    if (next.length + (left > 0 ? `, ${left} more`.length : 0) > maxLength) {
      const more = `${all.length - index} more`;
      return line === '' ? shortened(next, maxLength) : `${line}, ${more}`;
    }
    line = next;
  }
  return line;
}

/** What one parameter takes, as a flat {@link signature} would say it: `integer 0..150 | null`. */
export function typeSignature(schema: unknown, root: unknown): string {
  return shortened(typeText(schema, startAt(root, true), maxDepth + 1), 120);
}

/** Where in the schema: the references followed so far tell a recursive one. */
interface Root {
  readonly schema: unknown;
  readonly path: readonly string[];
  readonly level: number;
  readonly flat: boolean;
  /** Parts that may still be looked at; shared by all, because references multiply. */
  readonly budget: { parts: number };
}

function startAt(schema: unknown, flat: boolean): Root {
  return { schema, path: [], level: 0, flat, budget: { parts: 2000 } };
}

const maxLevel = 16;

/** Objects within objects are spelt out so deep; beyond it they are just objects. */
const maxDepth = 2;
const maxListed = 6;

function parametersOf(view: SchemaView, root: Root, depth: number): string[] {
  const { properties, patternProperties, additionalProperties, required } = view.schema;
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  const parameters = members(properties).map(
    ([name, schema]) => `${nameText(name)}${needed.has(name) ? '' : '?'}: ${typeText(schema, root, depth + 1)}`,
  );
  for (const [pattern, schema] of members(patternProperties)) {
    parameters.push(`/${shortened(pattern, 40)}/?: ${typeText(schema, root, depth + 1)}`);
  }
  if (isObject(additionalProperties) && Object.keys(additionalProperties).length > 0) {
    parameters.push(`[any]?: ${typeText(additionalProperties, root, depth + 1)}`);
  }
  return parameters;
}

/** `{id: integer} | {name: string}`: what the alternatives of the whole add to the parameters. */
function choiceOf({ alternatives = [] }: SchemaView, root: Root, depth: number): string[] {
  const branches = alternatives
    .slice(0, maxListed)
    .map((branch) => parametersOf(viewOf(branch, root.schema), root, depth));
  if (branches.every((parameters) => parameters.length === 0)) return [];
  const more = alternatives.length > maxListed ? ' | …' : '';
  return [branches.map((parameters) => `{${parameters.join(', ')}}`).join(' | ') + more];
}

function members(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}

function nameText(name: string): string {
  return /^[\p{L}\p{N}_$.-]+$/u.test(name) ? name : jsonText(name);
}

function typeText(schema: unknown, root: Root, depth: number): string {
  if (schema === false) return 'never';
  if (root.level > maxLevel || root.budget.parts-- <= 0) return '…';
  const view = viewOf(schema, root.schema);
  const nullable = view.nullable ? ' | null' : '';
  if (view.references.some((reference) => root.path.includes(reference))) return `${lastToken(view)}${nullable}`;
  const inner: Root = { ...root, path: [...root.path, ...view.references], level: root.level + 1 };
  return `${withoutNull(view, inner, depth)}${nullable}`;
}

/** A recursive schema is called by its name, the second time it turns up. */
function lastToken(view: SchemaView): string {
  const name = view.references.at(-1)?.split('/').at(-1);
  return name === undefined || name === '' || name === '#' ? 'object' : shortened(name, 40);
}

function withoutNull(view: SchemaView, root: Root, depth: number): string {
  const { schema, types, alternatives } = view;
  if ('const' in schema) return jsonText(schema['const']);
  if (Array.isArray(schema['enum'])) return enumText(schema['enum']);
  if (alternatives !== undefined && alternatives.length > 0 && depth <= maxDepth + 1) {
    const texts = [...new Set(alternatives.slice(0, maxListed).map((branch) => typeText(branch, root, depth + 1)))];
    return texts.join(' | ') + (alternatives.length > maxListed ? ' | …' : '');
  }
  if (types === undefined) return impliedText(view, root, depth);
  return types.map((type) => oneType(type, schema, root, depth)).join(' | ');
}

function enumText(values: readonly unknown[]): string {
  const shown = values
    .filter((value) => value !== null)
    .slice(0, maxListed)
    .map((value) => shortened(jsonText(value), 40));
  return shown.join(' | ') + (values.length > maxListed ? ' | …' : '');
}

/** Many schemas name the members and not the type. */
function impliedText(view: SchemaView, root: Root, depth: number): string {
  if ('properties' in view.schema || 'patternProperties' in view.schema)
    return oneType('object', view.schema, root, depth);
  return 'items' in view.schema ? oneType('array', view.schema, root, depth) : 'any';
}

function oneType(type: string, schema: JsonObject, root: Root, depth: number): string {
  switch (type) {
    case 'integer':
    case 'number':
      return `${type}${boundsText(schema)}`;
    case 'string':
      return stringText(schema['format'], root);
    case 'array':
      return arrayText(schema, root, depth);
    case 'object': {
      const inside = depth > maxDepth ? [] : parametersOf(viewOf(schema, root.schema), root, depth);
      return inside.length === 0 ? 'object' : `{${inside.join(', ')}}`;
    }
    default:
      return shortened(type, 30);
  }
}

function stringText(format: unknown, { flat }: Root): string {
  if (typeof format !== 'string') return 'string';
  return flat ? shortened(format, 30) : `string (${shortened(format, 30)})`;
}

function arrayText(schema: JsonObject, root: Root, depth: number): string {
  const { items } = schema;
  if (!isObject(items) || Object.keys(items).length === 0) return 'array';
  const element = typeText(items, root, depth);
  return /[ |?]/.test(element) && !/^\{.*\}$/.test(element) ? `(${element})[]` : `${element}[]`;
}

/** ` ≥ 0`, ` 0..150`, ` > 0`: bounds in any dialect. Those of a whole number type tell nothing. */
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
