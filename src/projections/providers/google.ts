import type { JsonObject, WorkBudget } from '../../json/index.js';
import { briefJson, filtered, isList, isObject, jsonTypes, listOf, propertiesOf, shortened } from '../../json/index.js';
import { typesOfValues, valuesOf } from '../../schema/index.js';
import { enter, impliedType, numberBounds, startWalk, type Walk } from '../reading/walk.js';
import { plainRoot } from './plain-root.js';
import type { ProviderRule } from './provider.js';
import { combinators, concerns, inWords, present, ruleOf, without, withWords } from './provider.js';
import { itemsIn } from './rewrite.js';

/** Gemini's `Schema` (a subset of OpenAPI 3.0) knows these keywords; others are refused as unknown names. */
const geminiKeywords: ReadonlySet<string> = new Set([
  ...['type', 'format', 'title', 'description', 'nullable', 'enum', 'default', 'example', 'anyOf', 'properties'],
  ...['required', 'items', 'minItems', 'maxItems', 'minProperties', 'maxProperties', 'minLength', 'maxLength'],
  ...['pattern', 'minimum', 'maximum', 'propertyOrdering'],
]);

/** Beside the last ones, which are unknown to it, a type may be missing. */
const typing = ['type', 'anyOf', '$ref', 'oneOf', 'allOf', 'const'];
const removed = ['additionalProperties', '$schema'];
const formats: readonly unknown[] = ['date-time', 'enum', 'float', 'double', 'int32', 'int64'];

const gemini = ruleOf('google');

/**
 * Rules for Gemini's `parameters`, which client libraries fill; its newer `parametersJsonSchema` accepts more.
 * `geminiSchema` rewrites the whole schema if a rule has no rewrite of its own.
 */
export const google: readonly ProviderRule[] = [
  gemini('removed-keyword', 'does not know "additionalProperties" and "$schema", and LangChain removes them', {
    evidence: 'observed: @langchain/google-genai',
    effect: 'changed',
    faults: (schema) => present(schema, removed),
    wider: 'omit',
  }),
  gemini('unknown-keyword', 'does not know a keyword, such as const, oneOf, allOf or exclusiveMinimum', {
    evidence: 'reported: nakama#292, 9router#3018, OmniRoute#13464',
    faults: (schema) => Object.keys(without(schema, [...geminiKeywords, ...removed])),
  }),
  gemini('format', `takes no other "format" than ${formats.join(', ')}`, {
    evidence: 'reported once: the SDK of Google (@google/genai 2.32) names more of them than older reports',
    faults: ({ format }) => (format === undefined || formats.includes(format) ? [] : ['format']),
    wider: 'describe',
  }),
  gemini('enum-of-others', 'takes only strings in an "enum"', {
    evidence: 'reported: OmniRoute#760, 9router#380, azure-devops-mcp#139',
    faults: ({ enum: values }) => (listOf(values).every((value) => typeof value === 'string') ? [] : ['enum']),
  }),
  gemini('empty-enum-value', 'throws, in its client, if an "enum" contains an empty string', {
    evidence: 'observed: @langchain/google-genai',
    faults: ({ enum: values }) => (listOf(values).includes('') ? ['enum'] : []),
  }),
  gemini('enum-without-type', 'takes an "enum" only beside "type": "string"', {
    evidence: 'reported: OmniRoute#760',
    faults: ({ enum: values, type }) => (values !== undefined && type !== 'string' ? ['enum'] : []),
    equal: (schema) =>
      schema['type'] === undefined && isStringList(schema['enum']) ? { type: 'string', ...schema } : schema,
  }),
  gemini('type-list', 'takes one type, not a list of them', {
    evidence: 'documented: the SDK of Google',
    faults: ({ type }) => (isList(type) ? ['type'] : []),
  }),
  gemini('untyped', 'rejects a schema that names neither a type nor alternatives', {
    evidence: 'reported: LibreChat#6971, hermes#89673',
    // The items of an array need no type.
    faults: (schema, { keyword }) => !(keyword === 'items' && isEmpty(schema)) && present(schema, typing).length === 0,
  }),
  gemini('beside-alternatives', 'takes nothing beside "anyOf"', {
    evidence: 'reported: python-genai#625, opencode#14700, vercel/ai#19000, pi-commandcode#103',
    faults: (schema) => ('anyOf' in schema ? Object.keys(without(schema, ['anyOf'])) : []),
  }),
  gemini('array-without-items', 'rejects an array without "items", and takes "items": {} for items of any kind', {
    evidence:
      'reported: mcp-server-excel#672, opensquilla#1263; {} is accepted: langchain-google#1587, hermes#71804; rejected as well: opencode#11952',
    faults: ({ type, items }) => [type].flat().includes('array') && !isObject(items),
    // Items that are described count as evaluated.
    equal: (schema, at) => (schema['items'] === false || itemsIn(at).areEvaluated ? schema : { ...schema, items: {} }),
  }),
  gemini(
    'keyword-of-another-type',
    'takes "items" only beside "type": "array", "properties" and "required" beside "object"',
    {
      evidence: 'reported: mcp-server-excel#672, opencode#43495, home-gen-agent#525',
      faults: (schema) => [
        ...(schema['type'] === 'array' ? [] : present(schema, ['items'])),
        ...(schema['type'] === 'object' ? [] : present(schema, ['properties', 'required'])),
      ],
    },
  ),
  gemini('many-items', 'rejects "maxItems" of more than 960 in sum', {
    evidence: 'reported: gemini-cli#19083, python-genai#2170, ghidra-mcp#440; the number is a guess of theirs',
    faults: (schema, at) => ('maxItems' in schema && itemsIn(at).sum > 960 ? ['maxItems'] : []),
    wider: 'describe',
  }),
  gemini('many-levels', 'took schemas of few levels only; this one has more than eight', {
    evidence:
      'reported: gemini-cli#5923, gitlab-mcp#223, Portkey#1616; nobody names the number, and no report is after 2026-04',
    effect: 'documented',
    faults: (_schema, { depth }) => depth === 9,
  }),
  gemini('parameter-name', 'names parameters "[A-Za-z_][A-Za-z0-9_]*", at most 64 characters', {
    evidence: 'documented: the SDK of Google (@google/genai 2.32)',
    effect: 'documented',
    faults: (schema) => (namesIn(schema).every((name) => /^[A-Za-z_]\w{0,63}$/.test(name)) ? [] : ['properties']),
  }),
  gemini('required-undeclared', 'rejects "required" names that are no properties', {
    evidence: 'reported once: home-gen-agent#525',
    // Gemini: "property is not defined".
    faults(schema) {
      const declared = new Set<unknown>(namesIn(schema));
      return listOf(schema['required']).every((name) => declared.has(name)) ? [] : ['required'];
    },
  }),
];

function isEmpty(schema: JsonObject): boolean {
  return Object.keys(schema).length === 0;
}

function namesIn(schema: JsonObject): string[] {
  return Object.keys(propertiesOf(schema));
}

/**
 * An input schema in Gemini's subset of OpenAPI: references and `allOf` merged, one type each, `nullable` for null,
 * `anyOf` for every kind of alternative. Constraints without a keyword are put in words. Accepts everything that the
 * original accepts.
 */
export function geminiSchema(schema: JsonObject, budget: WorkBudget): JsonObject {
  const root = plainRoot(inWords(schema, ['enum', 'not', 'const']), [...combinators, 'enum', 'not', 'const'], budget);
  return filtered(convert(root, startWalk({ root, budget }, mostParts)), (keyword) => keyword !== 'nullable');
}

const maxDepth = 50;
const mostParts = 3000;

function convert(schema: unknown, at: Walk): JsonObject {
  const { view, recurs, inner } = enter(schema, at);
  const { schema: merged, alternatives = [] } = view;
  const words = descriptionOf(merged);
  at.reading.budget.consume(words.length >> 3);
  // Gemini knows no recursion.
  const isCut = at.left.parts-- <= 0 || at.depth > maxDepth || recurs || at.reading.budget.exhausted;
  const types = view.types ?? typesMeant(merged);
  const nullable = (view.nullable || types.includes('null')) && { nullable: true };
  if (isCut || alternatives.length < 2) {
    const shown = types.filter((type) => type !== 'null');
    const all = shown.length > 0 ? shown : ['string'];
    const ways = all.map((type, index) => {
      const own = { ...merged, description: words === '' || index > 0 ? undefined : words };
      return isCut
        ? { ...bare(type), ...filtered(own, (keyword, value) => keyword === 'description' && value !== undefined) }
        : oneType(own, type, inner);
    });
    return joined(ways, nullable);
  }
  // Annotations are in the first alternative, and not in each of them again.
  const common = filtered(merged, (keyword) => !annotations.has(keyword));
  const isShared = Object.keys(common).length > 0;
  const branches = alternatives.map((branch) => convert(isShared ? { ...common, allOf: [branch] } : branch, inner));
  const [first = bare('string'), ...others] = branches.flatMap((branch) =>
    isList(branch['anyOf']) ? branch['anyOf'].filter(isObject) : [branch],
  );
  return joined([words === '' ? first : withWordsBefore(first, words), ...others], nullable);
}

/** Beside `anyOf` Gemini takes nothing. */
function joined(branches: readonly JsonObject[], nullable: JsonObject | false): JsonObject {
  const [only = {}, other] = branches;
  if (other === undefined) return { ...only, ...nullable };
  return { anyOf: branches.map((branch) => ({ ...branch, ...nullable })) };
}

function withWordsBefore(schema: JsonObject, words: string): JsonObject {
  const { description, ...others } = schema;
  const whole = { ...others, description: words };
  return typeof description === 'string' ? withWords(whole, description) : whole;
}

const annotations: ReadonlySet<string> = new Set([
  ...['$schema', '$defs', 'definitions', 'title', 'description', 'default', 'examples'],
]);

/** Any value of a type. */
function bare(type: string): JsonObject {
  return type === 'array' ? { type, items: {} } : { type };
}

function oneType(merged: JsonObject, type: string, at: Walk): JsonObject {
  const { items, prefixItems, title, description } = merged;
  const isOpen = items === undefined || items === true || (isObject(items) && isEmpty(items));
  const held =
    isList(prefixItems) && !isOpen ? { anyOf: [...prefixItems, items].filter((part) => part !== false) } : items;
  const listed = valuesOf(merged);
  return {
    type,
    ...(typeof title === 'string' && { title }),
    ...(description !== undefined && { description }),
    ...filtered(merged, (keyword) => keptKeywords.has(keyword) && concerns(keyword, [type])),
    ...(type === 'string' && isStringList(listed) && { enum: listed }),
    ...(type === 'array' && { items: isObject(held) && !isOpen ? convert(held, at) : {} }),
    ...(type === 'object' && members(merged, at)),
    ...((type === 'integer' || type === 'number') && numberBounds(merged, type === 'integer')),
  };
}

const keptKeywords: ReadonlySet<string> = new Set([
  ...['minItems', 'maxItems', 'minLength', 'maxLength', 'pattern', 'default', 'format'],
]);

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

/** If no type is named, the types of the listed values, or else every type. */
function typesMeant(schema: JsonObject): readonly string[] {
  const listed = valuesOf(schema) ?? [];
  if ('type' in schema) return ['null'];
  const types: readonly string[] = listed.length > 0 ? typesOfValues(listed) : jsonTypes;
  const distinct = types.filter((type) => type !== 'integer' || !types.includes('number'));
  return distinct.toSorted((one, other) => Number(other === impliedType(schema)) - Number(one === impliedType(schema)));
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

/** Google's client throws if an enum contains an empty string. */
function isStringList(value: unknown): boolean {
  return isList(value) && value.length > 0 && value.every((one) => typeof one === 'string' && one !== '');
}
