import {
  filtered,
  isObject,
  isList,
  jsonTypes,
  listOf,
  subschemaShape,
  typeOf,
  type JsonObject,
} from '../../json/index.js';
import { concerns, typeOfKeyword } from './keywords.js';
import { combinators, inWords, type Rule } from './provider.js';

const naming = ['type', 'anyOf', 'oneOf', 'allOf', '$ref', '$dynamicRef', 'enum', 'const'];
const annotations = [
  'title',
  'description',
  'default',
  'examples',
  '$comment',
  '$defs',
  'definitions',
  '$schema',
  'deprecated',
];

function isUntyped(schema: JsonObject): boolean {
  return !naming.some((keyword) => keyword in schema);
}

/** Keywords beside alternatives, except annotations. */
function besideAlternatives(schema: JsonObject): string[] {
  return isList(schema['anyOf'])
    ? Object.keys(schema).filter((keyword) => keyword !== 'anyOf' && !annotations.includes(keyword))
    : [];
}

function widely(schema: JsonObject, keyword: string, limit: number): boolean {
  const value = schema[keyword];
  return typeof value === 'number' && value > limit;
}

const bounds = ['minLength', 'maxLength', 'minItems', 'maxItems'];

export const openModels: readonly Rule[] = [
  {
    id: 'required-without-properties',
    of: ['groq'],
    about: 'refuses "required" without "properties" beside it',
    source: 'livekit#4610, moltis#485, strix#1088',
    evidence: 'reported',
    faults: (schema) => ('required' in schema && !('properties' in schema) ? ['required'] : []),
    equal: (schema) => ({ ...schema, properties: {} }),
  },
  {
    id: 'checked-before-repair',
    of: ['groq'],
    effect: 'changed',
    about: "checks a model's arguments itself, so that a number in quotes is never repaired",
    source: 'picoclaw#400, ha-groq#20, laravel/ai#239, OpenHands#10048',
    evidence: 'reported',
    faults: ({ type, enum: values, const: one }) =>
      typeof type === 'string' && scalars.includes(type) && values === undefined && one === undefined ? ['type'] : [],
    wider: (schema) => ({ ...schema, type: [schema['type'], 'string'] }),
  },
  {
    id: 'limits',
    of: ['xai'],
    about: 'refuses lengths and numbers of items',
    source: 'openclaw#32080, which quotes the documentation of xAI',
    evidence: 'reported once',
    ...unsupported([...bounds, 'minContains', 'maxContains']),
  },
  {
    id: 'pattern-or-format',
    of: ['xai/responses'],
    about: 'refuses "pattern" and "format"',
    source: 'hermes#27575',
    evidence: 'reported once',
    ...unsupported(['pattern', 'format']),
  },
  {
    id: 'boolean-schema',
    of: ['xai'],
    about: 'refuses "true" and "false" as the schema of a property',
    source: 'vercel/ai#14678, #14687; closed without a change',
    evidence: 'reported once',
    faults: ({ properties }) =>
      isObject(properties) && Object.values(properties).some((part) => typeof part === 'boolean') ? ['properties'] : [],
    equal: ({ properties, ...schema }) => ({
      ...schema,
      properties: Object.fromEntries(
        Object.entries(properties as JsonObject).map(([name, part]) => [name, asObject(part)]),
      ),
    }), // it is at fault only as an object
  },
  {
    id: 'large-limits',
    of: ['llama.cpp'],
    about: 'refuses limits of more than 2,000',
    source: 'llama.cpp#25923, #25895',
    evidence: 'reported',
    faults: (schema) => bounds.filter((keyword) => widely(schema, keyword, 2000)),
    wider: (schema) =>
      inWords(
        schema,
        bounds.filter((keyword) => widely(schema, keyword, 2000)),
      ),
  },
  {
    id: 'open-object',
    of: ['llama.cpp'],
    effect: 'changed',
    about: 'closes an object that names no properties',
    source: 'grammars/README.md of llama.cpp',
    evidence: 'documented',
    faults: (schema) =>
      schema['type'] === 'object' && !Object.keys(schema).some((keyword) => typeOfKeyword.get(keyword) === 'object')
        ? ['']
        : [],
    equal: (schema) => ({ ...schema, additionalProperties: true }),
  },
  {
    id: 'untyped',
    of: ['fireworks'],
    about: 'refuses a schema that names no type',
    source: 'docker mcp-gateway#234, LibreChat#9242, pi#5352',
    evidence: 'reported',
    faults: (schema) => (isUntyped(schema) ? [''] : []),
    equal: (schema) => ({ type: jsonTypes, ...schema }),
  },
  {
    id: 'untyped-alternatives',
    of: ['moonshot'],
    about: 'refuses a schema that names no type',
    source: 'kimi-cli#1595',
    evidence: 'reported once',
    // Each alternative gets the type that the schema has beside them.
    faults: (schema, { keyword = '' }) => (isUntyped(schema) && !combining.includes(keyword) ? [''] : []),
    equal(schema) {
      const stays = (keyword: string) =>
        annotations.includes(keyword) || (!typeOfKeyword.has(keyword) && keyword !== 'nullable');
      const anyOf = jsonTypes.map((type) => ({
        type,
        ...filtered(schema, (keyword) => typeOfKeyword.has(keyword) && concerns(keyword, [type])),
      }));
      return { ...filtered(schema, stays), anyOf };
    },
  },
  {
    id: 'beside-alternatives',
    of: ['moonshot'],
    about: 'refuses "type", and whatever else restricts, beside "anyOf"',
    source: 'test data of MoonshotAI/walle, kimi-code#2661, opencode#37496',
    evidence: 'documented',
    faults: besideAlternatives,
    wider(schema, { budget }) {
      const beside = besideAlternatives(schema);
      const common = filtered(schema, (keyword) => beside.includes(keyword));
      const branches = listOf(schema['anyOf']).filter((branch) => branch !== false);
      if (!budget.consume(branches.length * beside.length)) return {};
      return {
        ...filtered(schema, (keyword) => !beside.includes(keyword)),
        anyOf: branches.map((branch) => (isObject(branch) ? withCommon(branch, common) : common)),
      };
    },
  },
  {
    id: 'beside-reference',
    of: ['moonshot'],
    about: 'refuses "type" beside "$ref"',
    source: 'CLIProxyAPI#5316, the specification in MoonshotAI/walle',
    evidence: 'documented',
    faults: (schema) => ('$ref' in schema && 'type' in schema ? ['type'] : []),
    wider: (schema) => filtered(schema, (keyword) => keyword !== 'type'),
  },
  {
    id: 'reference',
    of: ['moonshot'],
    about: 'takes only references to "#" and to "#/$defs/…"',
    source: 'CLIProxyAPI#5316, the specification in MoonshotAI/walle',
    evidence: 'documented',
    // An adapted schema has no others.
    faults: ({ $ref }) => (typeof $ref === 'string' && !/^#(?:\/\$defs\/[^/]*)?$/.test($ref) ? ['$ref'] : []),
  },
  {
    id: 'definitions',
    of: ['moonshot'],
    about: 'knows definitions in "$defs" alone',
    source: 'the specification in MoonshotAI/walle',
    evidence: 'documented',
    faults: ({ definitions }, { keyword }) => (keyword === undefined && isObject(definitions) ? ['definitions'] : []),
  },
  {
    id: 'keyword-of-another-type',
    of: ['moonshot'],
    about: 'refuses a keyword that says nothing of the type beside it',
    source: 'test data and specification of MoonshotAI/walle',
    evidence: 'documented',
    faults: strangers,
    equal: (schema) => filtered(schema, (keyword) => !strangers(schema).includes(keyword)),
  },
  {
    id: 'depth',
    of: ['moonshot'],
    about: 'refuses schemas of more than ten levels',
    source: 'opencode#25495, which quotes the error',
    evidence: 'reported once',
    faults: (schema, { depth }) =>
      depth >= 9 ? Object.keys(schema).filter((keyword) => subschemaShape(keyword, schema[keyword])) : [],
    wider(schema) {
      const bare = filtered(schema, (keyword, value) => subschemaShape(keyword, value) === undefined);
      return isUntyped(bare) ? { ...bare, type: jsonTypes } : bare;
    },
  },
  {
    id: 'enum-of-others',
    of: ['moonshot'],
    about: 'refuses an "enum" of several types, or of others than texts and numbers',
    source: 'test data and specification of MoonshotAI/walle',
    evidence: 'documented',
    faults: ({ enum: values }) => (isList(values) && kindsOf(values).length !== 1 ? ['enum'] : []),
    wider: (schema) =>
      inWords(schema['type'] === undefined ? { type: typesOf(schema['enum']), ...schema } : schema, ['enum']),
  },
  {
    id: 'go-structs',
    of: ['ollama'],
    effect: 'changed',
    about: 'reads a few keywords of a schema and drops the others',
    source: 'ollama#11444, #10091, #13508',
    evidence: 'reported',
    faults: (schema, { keyword }) =>
      Object.keys(schema).filter((name) => !(keyword === undefined ? ollamaRoot : ollamaProperty).includes(name)),
  },
  {
    id: 'rebuilt',
    of: ['cohere'],
    effect: 'changed',
    about: "gets a schema that LangChain rebuilds: only each parameter's name, type and description survive",
    source: '@langchain/cohere, langchain-cohere#157',
    evidence: 'observed',
    faults: (schema, { keyword }) => {
      const known = keyword === undefined ? ['type', 'properties', 'required'] : ['type', 'description'];
      const isKnown = Object.keys(schema).every((name) => known.includes(name));
      return isKnown && (keyword === undefined || typeof schema['type'] === 'string') ? [] : [''];
    },
  },
];

const combining: readonly string[] = combinators;
const scalars = ['integer', 'number', 'boolean'];
const ollamaRoot = ['type', '$defs', 'items', 'required', 'properties'];
const ollamaProperty = ['type', 'items', 'description', 'enum', 'anyOf', 'properties', 'required'];

function asObject(schema: unknown): unknown {
  return schema === true ? {} : schema === false ? { not: {} } : schema;
}

function unsupported(keywords: readonly string[]): Pick<Rule, 'faults' | 'wider'> {
  return {
    faults: (schema) => keywords.filter((keyword) => keyword in schema),
    wider: (schema) => inWords(schema, keywords),
  };
}

function strangers(schema: JsonObject): string[] {
  const { type } = schema;
  if (type === undefined) return [];
  return Object.keys(schema).filter((keyword) => typeOfKeyword.has(keyword) && !concerns(keyword, [type].flat()));
}

function kindsOf(values: readonly unknown[]): unknown[] {
  const kinds = values.map((value) =>
    typeof value === 'string' || typeof value === 'number' ? typeof value : undefined,
  );
  return kinds.includes(undefined) ? [] : [...new Set(kinds)];
}

function typesOf(values: unknown): string[] {
  return [...new Set(listOf(values).map(typeOf))];
}

/** Keywords that mean nothing, or something else, without one another. */
const dependent = [
  ['if', 'then', 'else'],
  ['contains', 'minContains', 'maxContains'],
];

/** An alternative merged with the keywords beside all of them; the alternative's own win. */
function withCommon(branch: JsonObject, common: JsonObject): JsonObject {
  const { anyOf } = branch;
  if ('$ref' in branch) return branch;
  if (isList(anyOf))
    return { ...branch, anyOf: anyOf.map((each) => (isObject(each) ? withCommon(each, common) : each)) };
  const apart = dependent.filter((group) => group.some((keyword) => keyword in branch)).flat();
  const all = { ...filtered(common, (keyword) => !apart.includes(keyword)), ...branch };
  const { properties: shared } = common;
  const { properties: own } = branch;
  const required = [...new Set([...listOf(common['required']), ...listOf(branch['required'])])];
  const whole = isObject(shared) && isObject(own) ? { ...all, properties: { ...shared, ...own }, required } : all;
  return filtered(whole, (keyword) => !strangers(whole).includes(keyword));
}
