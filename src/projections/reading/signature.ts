import type { JsonObject } from '../../json/index.js';
import { briefJson, isObject, listOf, propertiesOf, requiredOf, shortened, visibleLine } from '../../json/index.js';
import { startReading, valuesOf, viewOf, type Reading, type SchemaView } from '../../schema/index.js';
import { amountText, boundsText, multipleText, textRules } from './constraints.js';
import { enter, impliedType, type Walk } from './walk.js';

/**
 * A tool's parameters on one line, for lists and pickers: `limit?: integer ≥ 0, query: string`.
 *
 * @param options.maxLength characters, default 240; parameters beyond it are counted: `…, 3 more`
 * @param options.flat if true, objects are just called objects, and formats replace their types; default false
 * @param options.root the target of local references; default the schema itself
 */
export function signature(
  { inputSchema }: { readonly inputSchema: unknown },
  options: { maxLength?: number; flat?: boolean; root?: unknown } = {},
): string {
  const { maxLength = 240, flat = false, root = inputSchema } = options;
  const reading = startReading(root);
  const at = startAt(reading, flat, flat ? maxObjects : 0);
  const view = viewOf(inputSchema, reading);
  const line = joined([...parametersOf(view.schema, at), ...choiceOf(view, at)].map(visibleLine), maxLength);
  // The unread part may contain more.
  return reading.budget.exhausted && !line.endsWith('…') ? shortened(`${line}…`, maxLength) : line;
}

function joined(parameters: readonly string[], maxLength: number): string {
  let line = '';
  for (const [index, parameter] of parameters.entries()) {
    const next = line === '' ? parameter : `${line}, ${parameter}`;
    const left = parameters.length - index - 1;
    if (next.length + (left > 0 ? `, ${left} more`.length : 0) > maxLength)
      return line === '' ? shortened(next, maxLength) : `${line}, ${parameters.length - index} more`;
    line = next;
  }
  return line;
}

/** The values that one parameter takes, as in a flat {@link signature}: `integer 0..150 | null`. */
export function typeSignature(schema: unknown, reading: Reading): string {
  return shortened(visibleLine(typeText(schema, startAt(reading, true, maxObjects + 1))), 120);
}

/**
 * The shape of a schema's values on one line, with all constraints, for somebody who got it wrong: `{id: integer ≥ 1,
 * tags: string[] (≥ 2 items)}`. If that is too long, optional members are left out, then the members of inner objects.
 */
export function shapeOf(schema: unknown, reading: Reading, maxLength: number): string {
  let text = '';
  for (const [members, objects] of shapes) {
    const at = startAt(reading, false, objects, members);
    text = visibleLine(typeText(schema, at));
    if (text.length <= maxLength) break;
  }
  return shortened(text, maxLength);
}

/** Ever shorter ones: with fewer members, and with objects spelt out to fewer levels. */
const shapes = [
  ['all', -1],
  ['required', -3],
  ['required', 0],
  ['required', 2],
] as const;

interface Place extends Walk {
  readonly flat: boolean;
  readonly objects: number;
  /** For a shape: the members to show. Their constraints are complete. */
  readonly members: 'all' | 'required' | undefined;
}

/** Not by a spread, which is slow: a form has one for each of its fields. */
function startAt(reading: Reading, flat: boolean, objects: number, members?: Place['members']): Place {
  return { reading, path: [], depth: 0, left: { parts: mostParts }, flat, objects, members };
}

const mostParts = 2000;
const maxDepth = 16;
/** Objects within objects are spelt out so deep; beyond it they are just objects. */
const maxObjects = 2;
const maxListed = 6;

function parametersOf(object: JsonObject, at: Place): string[] {
  const { patternProperties, additionalProperties } = object;
  const inner = within(at);
  const named = Object.entries(propertiesOf(object));
  const matched = isObject(patternProperties) ? Object.entries(patternProperties) : [];
  const needed = new Set(requiredOf(object));
  if (!at.reading.budget.consume(named.length + matched.length + needed.size)) return ['…'];
  const others = isObject(additionalProperties) && Object.keys(additionalProperties).length > 0;
  if (at.members === 'required') {
    const shown = named.filter(([name]) => needed.has(name));
    const isPart = shown.length < named.length || matched.length > 0 || others;
    return [
      ...shown.map(([name, schema]) => `${nameText(name)}: ${typeText(schema, inner)}`),
      ...(isPart ? ['…'] : []),
    ];
  }
  return [
    ...named.map(([name, schema]) => `${nameText(name)}${needed.has(name) ? '' : '?'}: ${typeText(schema, inner)}`),
    ...matched.map(([pattern, schema]) => `/${shortened(pattern, 40)}/?: ${typeText(schema, inner)}`),
    ...(others ? [`[other names]?: ${typeText(additionalProperties, inner)}`] : []),
  ];
}

function within(at: Place): Place {
  return { ...at, objects: at.objects + 1 };
}

/** `{id: integer} | {name: string}`: the parameters that the alternatives of the root add. */
function choiceOf({ alternatives = [] }: SchemaView, at: Place): string[] {
  const branches = alternatives
    .slice(0, maxListed)
    .map((branch) => parametersOf(viewOf(branch, at.reading).schema, at));
  if (branches.every((parameters) => parameters.length === 0)) return [];
  const texts = branches.map((parameters) => `{${parameters.join(', ')}}`);
  return [listed(texts, alternatives.length)];
}

function listed(texts: readonly string[], of: number): string {
  return texts.join(' | ') + (of > maxListed ? ' | …' : '');
}

function nameText(name: string): string {
  const short = shortened(name, 100);
  return /^[\p{L}\p{N}_$.…-]+$/u.test(short) ? short : JSON.stringify(short);
}

function typeText(schema: unknown, at: Place): string {
  if (schema === false) return 'never';
  if (at.depth > maxDepth || at.left.parts-- <= 0 || at.reading.budget.exhausted) return '…';
  const { view, recurs, inner } = enter(schema, at);
  // A recursive schema is called by its name, the second time it turns up.
  const text = recurs ? shortened(view.name || 'object', 40) : withoutNull(view, inner, schema);
  return view.nullable ? `${text} | null` : text;
}

function withoutNull({ schema, types, alternatives = [] }: SchemaView, at: Place, whole: unknown): string {
  if ('const' in schema) return briefJson(schema['const'], 120);
  const values = valuesOf(schema);
  if (values) {
    // One more may be null.
    const shown = values.slice(0, maxListed + 1).filter((value) => value !== null);
    const texts = shown.slice(0, maxListed).map((value) => briefJson(value, 40));
    return listed(texts, values.length);
  }
  if (alternatives.length > 0 && at.objects <= maxObjects + 1) {
    // Members beside the alternatives belong to each of them.
    const whole = (branch: unknown) => (at.members && 'properties' in schema ? { allOf: [branch, schema] } : branch);
    const texts = alternatives.slice(0, maxListed).map((branch) => typeText(whole(branch), within(at)));
    return listed([...new Set(texts)], alternatives.length);
  }
  const all = types ?? [impliedType(schema) ?? 'any'];
  return [...new Set(all)].map((type) => oneType(type, schema, at, whole)).join(' | ');
}

function oneType(type: string, schema: JsonObject, at: Place, whole: unknown): string {
  const { format, items } = schema;
  switch (type) {
    case 'integer':
    case 'number':
      return `${type}${boundsText(schema)}${at.members ? multipleText(schema) : ''}`;
    case 'string': {
      const named = typeof format === 'string' ? [shortened(format, 30)] : [];
      if (at.flat && named.length > 0) return named.join('');
      const all = at.members ? [...named, ...textRules(schema, at.reading, whole)] : named;
      return all.length === 0 ? 'string' : `string (${all.join(', ')})`;
    }
    case 'array': {
      const inOrder = at.members ? listOf(schema['prefixItems'] ?? items) : [];
      const size = at.members ? amountText(schema['minItems'], schema['maxItems'], 'item') : [];
      return `${listText(inOrder, items, at)}${size.map((text) => ` (${text})`).join('')}`;
    }
    case 'object': {
      const inside = at.objects > maxObjects ? [] : parametersOf(schema, at);
      return inside.length === 0 ? 'object' : `{${inside.join(', ')}}`;
    }
    default:
      return shortened(type, 30);
  }
}

function listText(inOrder: readonly unknown[], items: unknown, at: Place): string {
  if (inOrder.length > 0)
    return `[${inOrder
      .slice(0, maxListed)
      .map((item) => typeText(item, at))
      .join(', ')}]`;
  if (!isObject(items) || Object.keys(items).length === 0) return 'array';
  const element = typeText(items, at);
  const isOne = /^\{.*\}$/.test(element) && !element.includes('} | ');
  return /[ |?]/.test(element) && !isOne ? `(${element})[]` : `${element}[]`;
}
