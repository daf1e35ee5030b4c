import {
  briefJson,
  isObject,
  typeOf as jsonTypeOf,
  shortened,
  type JsonObject,
  type WorkBudget,
  isList,
} from '../../json/index.js';
import { viewOf, type Reading } from '../../schema/index.js';
import { geminiKeywords, requiresUndeclared } from './provider.js';

/**
 * An input schema in Gemini's subset of OpenAPI: references and `allOf` merged, one type each, `nullable` for null,
 * `anyOf` for every kind of alternative, and in words what it has no keyword for.
 *
 * The law: it accepts what the original accepts, where every part of the original names its types (by `type`, `const`,
 * `enum` or alternatives that do), every list says what is in it, and nothing is recursive. Where no type is named it
 * asks for a text, and for any object where the original recurs or has too many parts.
 */
export function geminiSchema(schema: JsonObject, budget: WorkBudget): JsonObject {
  if (isGemini(schema, 0, budget)) return schema;
  const reading = { root: schema, budget };
  return { ...convert(schema, { reading, path: [], depth: 0, budget: { parts: 3000 } }), type: 'object' };
}

interface Converting {
  readonly reading: Reading;
  /** The schemas followed on the way: Gemini knows no recursion. */
  readonly path: readonly unknown[];
  readonly depth: number;
  /** Parts that may still be converted; shared by all, because references multiply when they are inlined. */
  readonly budget: { parts: number };
}

const maxDepth = 50;

/** These stand beside the alternatives, and not in each of them again. */
const annotations: ReadonlySet<string> = new Set([
  ...['$schema', '$defs', 'definitions', 'title', 'description', 'default', 'examples'],
]);

function isGemini(schema: unknown, depth: number, budget: WorkBudget): boolean {
  if (!budget.consume() || !isObject(schema) || depth > maxDepth || typeof schema['type'] !== 'string') return false;
  if (!Object.keys(schema).every((keyword) => geminiKeywords.has(keyword)) || 'anyOf' in schema) return false;
  if ('enum' in schema && !isStringList(schema['enum'])) return false;
  if ((schema['type'] === 'array' && !('items' in schema)) || requiresUndeclared(schema)) return false;
  if ('format' in schema && !formats.has(String(schema['format']))) return false;
  const members = isObject(schema['properties']) ? Object.values(schema['properties']) : [];
  return [...members, ...('items' in schema ? [schema['items']] : [])].every((part) =>
    isGemini(part, depth + 1, budget),
  );
}

const formats: ReadonlySet<string> = new Set(['date-time', 'enum', 'float', 'double', 'int32', 'int64']);

function convert(schema: unknown, at: Converting): JsonObject {
  const view = viewOf(schema, at.reading);
  const { schema: merged, types = [], alternatives = [] } = view;
  const about = description(merged);
  at.reading.budget.consume(about.length >> 3);
  if (at.budget.parts-- <= 0 || at.depth > maxDepth || view.followed.some((target) => at.path.includes(target))) {
    const [type = 'object'] = types;
    return {
      type,
      ...(about !== '' && { description: about }),
      ...(type === 'array' && { items: { type: 'object' } }),
    };
  }
  const inner: Converting = { ...at, path: [...at.path, ...view.followed], depth: at.depth + 1 };
  const nullable = view.nullable ? { nullable: true } : {};
  if (alternatives.length > 1) {
    const common = Object.fromEntries(Object.entries(merged).filter(([keyword]) => !annotations.has(keyword)));
    const branches = alternatives.map((branch) =>
      convert(Object.keys(common).length > 0 ? { ...common, allOf: [branch] } : branch, inner),
    );
    return { ...(about !== '' && { description: about }), anyOf: branches, ...nullable };
  }
  if (types.length > 1) {
    const branches = types.map((type) => oneType({ ...merged, description: undefined }, type, inner));
    return { ...(about !== '' && { description: about }), anyOf: branches, ...nullable };
  }
  return {
    ...oneType({ ...merged, description: about === '' ? undefined : about }, types[0] ?? implied(merged), inner),
    ...nullable,
  };
}

function oneType(merged: JsonObject, type: string, at: Converting): JsonObject {
  const kept = Object.entries(merged).filter(([keyword, value]) => value !== undefined && scalarKeywords.has(keyword));
  const { format } = merged;
  const listed = listedIn(merged);
  return {
    type,
    ...Object.fromEntries(kept),
    ...(type === 'string' && isStringList(listed) && { enum: listed }),
    ...(typeof format === 'string' && formats.has(format) && { format }),
    ...(type === 'array' && { items: convert(Array.isArray(merged['items']) ? true : (merged['items'] ?? true), at) }),
    ...(type === 'object' && members(merged, at)),
    ...bounds(merged, type),
  };
}

const scalarKeywords: ReadonlySet<string> = new Set([
  ...['title', 'description', 'minItems', 'maxItems', 'minLength', 'maxLength', 'pattern', 'default'],
]);

function members({ properties, required }: JsonObject, at: Converting): JsonObject {
  if (!isObject(properties)) return {};
  const shown = Object.entries(properties).filter(([, part]) => part !== false);
  const known = new Set<unknown>(shown.map(([name]) => name));
  const names = Array.isArray(required) ? required.filter((name) => known.has(name)) : [];
  return {
    properties: Object.fromEntries(shown.map(([name, part]) => [name, convert(part, at)])),
    ...(names.length > 0 && { required: names }),
  };
}

function bounds({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonObject, type: string): JsonObject {
  if (type !== 'integer' && type !== 'number') return {};
  // Gemini knows no exclusive bound: that of a number counts as included.
  const above = (bound: number) => (type === 'integer' ? Math.floor(bound) + 1 : bound);
  const low = typeof exclusiveMinimum === 'number' ? above(exclusiveMinimum) : minimum;
  const high = typeof exclusiveMaximum === 'number' ? -above(-exclusiveMaximum) : maximum;
  return { ...(typeof low === 'number' && { minimum: low }), ...(typeof high === 'number' && { maximum: high }) };
}

function implied(schema: JsonObject): string {
  if ('properties' in schema) return 'object';
  if ('items' in schema) return 'array';
  const [type, other] = new Set(listedIn(schema)?.map(jsonTypeOf));
  return other === undefined && type !== undefined && type !== 'null' ? type : 'string';
}

/** The values that are allowed and no others. */
function listedIn(schema: JsonObject): readonly unknown[] | undefined {
  if (isList(schema['enum'])) return schema['enum'];
  return 'const' in schema ? [schema['const']] : undefined;
}

/** The description, with the listed values that only an enum of strings could carry. */
function description(schema: JsonObject): string {
  const { description: text, type } = schema;
  const listed = listedIn(schema) ?? [];
  const isCarried =
    listed.length === 0 ||
    (isStringList(listed) && [type].flat().every((name) => name === 'string' || name === undefined));
  const shown = listed.slice(0, maxListed).map((value) => briefJson(value, 500));
  const words = isCarried ? '' : `One of ${shortened(shown.join(', '), 500)}.`;
  return [typeof text === 'string' ? text : '', words].filter((part) => part !== '').join(' ');
}

const maxListed = 200;

/** Google's client throws where an enum holds an empty text. */
function isStringList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string' && one !== '');
}
