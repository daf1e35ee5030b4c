import type { JsonObject, WorkBudget } from '../../json/index.js';
import { briefJson, filtered, isList, isObject, pointerToken, shortened, typeOf } from '../../json/index.js';
import { walkSchemas } from '../../json/index.js';
import { valuesOf } from '../../schema/index.js';
import { enter, impliedType, numberBounds, startWalk, type Walk } from '../reading/walk.js';
import { note, type ProviderNote, type ProviderRules } from './provider.js';

/** Of Gemini's `parameters`, which client libraries fill; its newer `parametersJsonSchema` knows more. */
export const google: ProviderRules = { notes, accepted };

/** Gemini's `Schema` (a subset of OpenAPI 3.0) knows these keywords; others are refused as unknown names. */
export const geminiKeywords: ReadonlySet<string> = new Set([
  ...['type', 'format', 'title', 'description', 'nullable', 'enum', 'default', 'example', 'anyOf', 'properties'],
  ...['required', 'items', 'minItems', 'maxItems', 'minProperties', 'maxProperties', 'minLength', 'maxLength'],
  ...['pattern', 'minimum', 'maximum'],
]);

function* notes(schema: JsonObject): Generator<ProviderNote> {
  const found = new Set<string>();
  for (const { schema: part, location } of walkSchemas(schema))
    for (const each of faultsOf(part, location)) {
      if (found.has(each.message)) continue;
      yield each;
      if (found.add(each.message).size === mostNotes) return;
    }
}

const mostNotes = 100;

function* faultsOf(part: JsonObject, location: string): Generator<ProviderNote> {
  for (const keyword of Object.keys(part)) {
    const at = `${location}/${pointerToken(keyword)}`;
    if (keyword === 'additionalProperties' || keyword === '$schema')
      yield note('changed', 'removed-keyword', at, `LangChain removes "${keyword}" for Google.`);
    else if (!geminiKeywords.has(keyword))
      yield note('refused', 'unknown-keyword', at, `Gemini's schemas do not know "${shortened(keyword, 60)}".`);
  }
  const { enum: values, type, items } = part;
  const refused = (code: string, at: string, message: string) => note('refused', code, `${location}${at}`, message);
  if (isList(values) && values.some((value) => typeof value !== 'string'))
    yield refused('enum-of-others', '/enum', 'Gemini takes only strings in an "enum".');
  if (isList(values) && values.includes(''))
    yield refused('empty-enum-value', '/enum', 'Google\'s client throws if an "enum" contains an empty string.');
  if (isList(type)) yield refused('type-list', '/type', 'Gemini takes one type, not a list of them.');
  if ([type].flat().includes('array') && !isObject(items))
    yield refused('array-without-items', '', 'Gemini refuses an array whose items are not described.');
  if (requiresUndeclared(part))
    yield refused('required-undeclared', '/required', 'Gemini refuses "required" names that are no properties.');
}

/** Gemini: "property is not defined". */
function requiresUndeclared({ properties, required }: JsonObject): boolean {
  const declared = new Set<unknown>(isObject(properties) ? Object.keys(properties) : []);
  return isList(required) && required.some((name) => !declared.has(name));
}

/**
 * An input schema in Gemini's subset of OpenAPI: references and `allOf` merged, one type each, `nullable` for null,
 * `anyOf` for every kind of alternative, and in words what it has no keyword for.
 *
 * The law: it accepts what the original accepts, where every part of the original names its types (by `type`, `const`,
 * `enum` or alternatives that do), every list says what is in it, and nothing is recursive. Where no type is named it
 * asks for a text, and for any object where the original recurs or has too many parts.
 */
function accepted(schema: JsonObject, budget: WorkBudget): JsonObject {
  if (isGemini(schema, 0, budget)) return schema;
  return { ...convert(schema, startWalk({ root: schema, budget }, mostParts)), type: 'object' };
}

const maxDepth = 50;
const mostParts = 3000;

function isGemini(schema: unknown, depth: number, budget: WorkBudget): boolean {
  if (!budget.consume() || !isObject(schema) || depth > maxDepth || typeof schema['type'] !== 'string') return false;
  if (!Object.keys(schema).every((keyword) => geminiKeywords.has(keyword)) || 'anyOf' in schema) return false;
  const { type, enum: values, format, properties, items } = schema;
  if (values !== undefined && !isStringList(values)) return false;
  if ((type === 'array' && items === undefined) || requiresUndeclared(schema)) return false;
  if (format !== undefined && !(typeof format === 'string' && formats.has(format))) return false;
  const parts = [...Object.values(isObject(properties) ? properties : {}), ...(items === undefined ? [] : [items])];
  return parts.every((part) => isGemini(part, depth + 1, budget));
}

function convert(schema: unknown, at: Walk): JsonObject {
  const { view, recurs, inner } = enter(schema, at);
  const { schema: merged, types = [], alternatives = [] } = view;
  const words = descriptionOf(merged);
  const about = words === '' ? {} : { description: words };
  at.reading.budget.consume(words.length >> 3);
  // Gemini knows no recursion.
  if (at.left.parts-- <= 0 || at.depth > maxDepth || recurs) {
    const [type = 'object'] = types;
    return { type, ...about, ...(type === 'array' && { items: { type: 'object' } }) };
  }
  const nullable = view.nullable ? { nullable: true } : {};
  if (alternatives.length > 1) {
    // Annotations stand beside the alternatives, and not in each of them again.
    const common = filtered(merged, (keyword) => !annotations.has(keyword));
    const isShared = Object.keys(common).length > 0;
    const branches = alternatives.map((branch) => convert(isShared ? { ...common, allOf: [branch] } : branch, inner));
    return { ...about, anyOf: branches, ...nullable };
  }
  const others = filtered(merged, (keyword) => keyword !== 'description');
  if (types.length > 1) return { ...about, anyOf: types.map((type) => oneType(others, type, inner)), ...nullable };
  const described = words === '' ? others : { ...merged, ...about };
  return { ...oneType(described, types[0] ?? typeMeant(merged), inner), ...nullable };
}

const annotations: ReadonlySet<string> = new Set([
  ...['$schema', '$defs', 'definitions', 'title', 'description', 'default', 'examples'],
]);

function oneType(merged: JsonObject, type: string, at: Walk): JsonObject {
  const { format, items = true } = merged;
  const listed = valuesOf(merged);
  return {
    type,
    ...filtered(merged, (keyword) => keptKeywords.has(keyword)),
    ...(type === 'string' && isStringList(listed) && { enum: listed }),
    ...(typeof format === 'string' && formats.has(format) && { format }),
    ...(type === 'array' && { items: convert(isList(items) ? true : items, at) }),
    ...(type === 'object' && members(merged, at)),
    ...((type === 'integer' || type === 'number') && numberBounds(merged, type === 'integer')),
  };
}

const keptKeywords: ReadonlySet<string> = new Set([
  ...['title', 'description', 'minItems', 'maxItems', 'minLength', 'maxLength', 'pattern', 'default'],
]);

const formats: ReadonlySet<string> = new Set(['date-time', 'enum', 'float', 'double', 'int32', 'int64']);

function members({ properties, required }: JsonObject, at: Walk): JsonObject {
  if (!isObject(properties)) return {};
  const shown = Object.entries(properties).filter(([, part]) => part !== false);
  const known = new Set<unknown>(shown.map(([name]) => name));
  const names = isList(required) ? required.filter((name) => known.has(name)) : [];
  return {
    properties: Object.fromEntries(shown.map(([name, part]) => [name, convert(part, at)])),
    ...(names.length > 0 && { required: names }),
  };
}

function typeMeant(schema: JsonObject): string {
  const [type, other] = new Set(valuesOf(schema)?.map(typeOf));
  return impliedType(schema) ?? (other === undefined && type !== undefined && type !== 'null' ? type : 'string');
}

/** The description, with the listed values that only an enum of strings could carry. */
function descriptionOf(schema: JsonObject): string {
  const { description, type } = schema;
  const listed = valuesOf(schema) ?? [];
  const isCarried =
    listed.length === 0 ||
    (isStringList(listed) && [type].flat().every((name) => name === 'string' || name === undefined));
  const shown = listed.slice(0, maxListed).map((value) => briefJson(value, 500));
  const words = isCarried ? '' : `One of ${shortened(shown.join(', '), 500)}.`;
  return [typeof description === 'string' ? description : '', words].filter((part) => part !== '').join(' ');
}

const maxListed = 200;

/** Google's client throws where an enum holds an empty text. */
function isStringList(value: unknown): boolean {
  return isList(value) && value.length > 0 && value.every((one) => typeof one === 'string' && one !== '');
}
