import { filtered, isList, isObject, jsonTypes, listOf, subschemaShape, type JsonObject } from '../../json/index.js';
import { type Reading, typesOfValues, viewOf } from '../../schema/index.js';
import type { ProviderRule } from './provider.js';
import { combinators, concerns, inWords, present, ruleOf, typeOfKeyword, without } from './provider.js';

const naming = ['type', 'anyOf', 'oneOf', 'allOf', '$ref', '$dynamicRef', 'enum', 'const'];
const annotations = '$comment $defs $schema default definitions deprecated description examples title'.split(' ');

function isUntyped(schema: JsonObject): boolean {
  return present(schema, naming).length === 0;
}

/** Keywords beside alternatives, except annotations. */
function besideAlternatives(schema: JsonObject): string[] {
  return isList(schema['anyOf']) ? Object.keys(without(schema, ['anyOf', ...annotations])) : [];
}

const bounds = ['minLength', 'maxLength', 'minItems', 'maxItems'];

const [groq, xai, llamaCpp, moonshot] = [ruleOf('groq'), ruleOf('xai'), ruleOf('llama.cpp'), ruleOf('moonshot')];
const walle = 'documented: test data and specification of MoonshotAI/walle';

export const openModels: readonly ProviderRule[] = [
  groq('required-without-properties', 'rejects "required" without "properties" beside it', {
    evidence: 'reported: livekit#4610, moltis#485, strix#1088',
    faults: (schema) => ('properties' in schema ? [] : present(schema, ['required'])),
    equal: (schema) => ({ ...schema, properties: {} }),
  }),
  groq('checked-before-repair', "checks a model's arguments itself, so that a number in quotes is never repaired", {
    evidence: 'reported: picoclaw#400, ha-groq#20, laravel/ai#239, OpenHands#10048',
    effect: 'changed',
    faults: ({ type, enum: values, const: one }) =>
      scalars.includes(type) && values === undefined && one === undefined ? ['type'] : [],
    wider: (schema) => ({ ...schema, type: [schema['type'], 'string'] }),
  }),
  xai('limits', 'rejects lengths and numbers of items', {
    evidence: 'reported once: openclaw#32080, which quotes the documentation of xAI',
    faults: (schema) => present(schema, [...bounds, 'minContains', 'maxContains']),
    wider: 'describe',
  }),
  ruleOf('xai/responses')('pattern-or-format', 'rejects "pattern" and "format"', {
    evidence: 'reported once: hermes#27575',
    faults: (schema) => present(schema, ['pattern', 'format']),
    wider: 'describe',
  }),
  xai('boolean-schema', 'rejects "true" and "false" as the schema of a property', {
    evidence: 'reported once: vercel/ai#14678, #14687; closed without a change',
    faults: ({ properties }) =>
      isObject(properties) && Object.values(properties).some((part) => typeof part === 'boolean') ? ['properties'] : [],
    equal: (schema) => withProperties(schema, (part) => (part === true ? {} : part === false ? { not: {} } : part)),
  }),
  llamaCpp('large-limits', 'rejects limits of more than 2,000', {
    evidence: 'reported: llama.cpp#25923, #25895',
    faults: (schema) => bounds.filter((keyword) => Number(schema[keyword]) > 2000),
    wider: 'describe',
  }),
  llamaCpp('open-object', 'closes an object that names no properties', {
    evidence: 'documented: grammars/README.md of llama.cpp',
    effect: 'changed',
    faults: (schema) =>
      schema['type'] === 'object' && !Object.keys(schema).some((keyword) => typeOfKeyword.get(keyword) === 'object'),
    equal: (schema) => ({ ...schema, additionalProperties: true }),
  }),
  ruleOf('fireworks')('untyped', 'rejects a schema that names no type', {
    evidence: 'reported: docker mcp-gateway#234, LibreChat#9242, pi#5352',
    faults: isUntyped,
    equal: (schema) => ({ type: jsonTypes, ...schema }),
  }),
  moonshot('untyped-alternatives', 'rejects a schema that names no type', {
    evidence: 'reported once: kimi-cli#1595',
    // Each alternative gets the type that the schema has beside them.
    faults: (schema, { keyword = '' }) => isUntyped(schema) && !combining.includes(keyword),
    equal(schema) {
      const stays = (keyword: string) =>
        annotations.includes(keyword) || (!typeOfKeyword.has(keyword) && keyword !== 'nullable');
      const anyOf = jsonTypes.map((type) => ({
        type,
        ...filtered(schema, (keyword) => typeOfKeyword.has(keyword) && concerns(keyword, [type])),
      }));
      return { ...filtered(schema, stays), anyOf };
    },
  }),
  moonshot('beside-alternatives', 'rejects "type", and whatever else restricts, beside "anyOf"', {
    evidence: 'documented: test data of MoonshotAI/walle, kimi-code#2661, opencode#37496',
    faults: besideAlternatives,
    wider(schema, { budget }) {
      const beside = besideAlternatives(schema);
      const common = filtered(schema, (keyword) => beside.includes(keyword));
      const branches = listOf(schema['anyOf']).filter((branch) => branch !== false);
      if (!budget.consume(branches.length * beside.length)) return {};
      const anyOf = branches.map((branch) => (isObject(branch) ? withCommon(branch, common) : common));
      return { ...without(schema, beside), anyOf };
    },
  }),
  moonshot('beside-reference', 'rejects "type" beside "$ref"', {
    evidence: 'documented: CLIProxyAPI#5316, the specification in MoonshotAI/walle',
    faults: (schema) => ('$ref' in schema ? present(schema, ['type']) : []),
    wider: 'omit',
  }),
  moonshot('reference', 'takes only references to "#" and to "#/$defs/…"', {
    evidence: 'documented: CLIProxyAPI#5316, the specification in MoonshotAI/walle',
    // An adapted schema has no others.
    faults: ({ $ref }) => (typeof $ref === 'string' && !/^#(?:\/\$defs\/[^/]*)?$/.test($ref) ? ['$ref'] : []),
  }),
  moonshot('definitions', 'knows definitions in "$defs" alone', {
    evidence: 'documented: the specification in MoonshotAI/walle',
    isOfRoot: true,
    faults: ({ definitions }) => (isObject(definitions) ? ['definitions'] : []),
  }),
  moonshot('keyword-of-another-type', 'rejects a keyword that says nothing of the type beside it', {
    evidence: walle,
    faults: strangers,
    equal: 'omit',
  }),
  moonshot('depth', 'rejects schemas of more than ten levels', {
    evidence: 'reported once: opencode#25495, which quotes the error',
    faults: (schema, { depth }) =>
      depth >= 9 ? Object.keys(schema).filter((keyword) => subschemaShape(keyword, schema[keyword])) : [],
    wider(schema) {
      const bare = filtered(schema, (keyword, value) => subschemaShape(keyword, value) === undefined);
      return isUntyped(bare) ? { ...bare, type: jsonTypes } : bare;
    },
  }),
  moonshot('enum-of-others', 'rejects an "enum" of several types, or of others than strings and numbers', {
    evidence: walle,
    faults: ({ enum: values }) => (isList(values) && !isOfOneKind(values) ? ['enum'] : []),
    wider: (schema) => inWords({ type: typesOfValues(listOf(schema['enum'])), ...schema }, ['enum']),
  }),
  ruleOf('ollama')('go-structs', 'reads a few keywords of a schema and drops the others', {
    evidence: 'reported: ollama#11444, #10091, #13508',
    effect: 'changed',
    faults: (schema, { keyword }) => Object.keys(without(schema, keyword === undefined ? ollamaRoot : ollamaProperty)),
  }),
  ruleOf('cohere')(
    'parameter-type',
    'takes one type for each parameter, and "required" as a list: LangChain throws otherwise',
    {
      evidence: 'observed: @langchain/cohere',
      ...{ client: 'langchain', effect: 'changed', isOfRoot: true },
      faults: ({ properties, required }) => [
        ...(Object.values(isObject(properties) ? properties : {}).every(hasOneType) ? [] : ['properties']),
        ...(required === undefined || isList(required) ? [] : ['required']),
      ],
      // Version 1 of the API takes the name of a type as a text, which no validator reads as a type of JSON Schema.
      wider(schema, at) {
        const named = withProperties(schema, (part) =>
          hasOneType(part) ? part : { ...(isObject(part) && part), type: typeNames(part, at) },
        );
        return isList(schema['required']) ? named : without(named, ['required']);
      },
    },
  ),
  ruleOf('cohere')(
    'rebuilt',
    "gets a schema that LangChain rebuilds: only each parameter's name, type and description survive",
    {
      evidence: 'observed: @langchain/cohere, langchain-cohere#157',
      ...{ client: 'langchain', effect: 'changed' },
      faults: (schema, { keyword }) =>
        Object.keys(without(schema, keyword === undefined ? cohereRoot : ['type', 'description'])).length > 0 ||
        (keyword !== undefined && !hasOneType(schema)),
    },
  ),
];

const combining: readonly string[] = combinators;
const scalars: readonly unknown[] = ['integer', 'number', 'boolean'];
const ollamaRoot = ['type', '$defs', 'items', 'required', 'properties'];
const ollamaProperty = ['type', 'items', 'description', 'enum', 'anyOf', 'properties', 'required'];
const cohereRoot = ['type', 'properties', 'required'];

function withProperties(schema: JsonObject, change: (part: unknown) => unknown): JsonObject {
  const { properties } = schema;
  if (!isObject(properties)) return schema;
  const changed = Object.entries(properties).map(([name, part]) => [name, change(part)]);
  return { ...schema, properties: Object.fromEntries(changed) };
}

function hasOneType(schema: unknown): boolean {
  return isObject(schema) && typeof schema['type'] === 'string';
}

/** `integer | string | null`, or `any`; what alternatives within alternatives take is not read. */
function typeNames(schema: unknown, reading: Reading, isAlternative = false): string {
  const { types, nullable, alternatives = [] } = viewOf(schema, reading);
  const branches = isAlternative ? [] : alternatives.map((branch) => typeNames(branch, reading, true));
  const named = types ?? (branches.length > 0 ? branches : ['any']);
  return [...new Set([...named, ...(nullable ? ['null'] : [])])].join(' | ');
}

/** Keywords that say nothing of the types beside them. */
function strangers(schema: JsonObject): string[] {
  const { type } = schema;
  if (type === undefined) return [];
  return Object.keys(schema).filter((keyword) => !concerns(keyword, [type].flat()));
}

function isOfOneKind(values: readonly unknown[]): boolean {
  const [kind, ...others] = new Set(values.map((value) => typeof value));
  return others.length === 0 && (kind === 'string' || kind === 'number');
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
