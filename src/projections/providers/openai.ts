import { isObject, isSchema, type JsonObject } from '../../json/index.js';
import { plainRoot } from './plain-root.js';
import { combinators, type GivenRule, inWords, present, type ProviderRule, ruleOf } from './provider.js';
import { itemsIn } from './rewrite.js';

/** A rule for keywords that are rejected at the root. The description names those that combine nothing. */
export function rootKeywords(refused: readonly string[]): Omit<GivenRule, 'evidence'> {
  const alone = refused.filter((name) => !(combinators as readonly string[]).includes(name));
  return {
    isOfRoot: true,
    faults: (schema) => present(schema, refused),
    wider: (schema, { budget }) => plainRoot(inWords(schema, alone), refused, budget),
  };
}

const ofOpenai = ruleOf('openai');

export const openai: readonly ProviderRule[] = [
  ruleOf(
    'openai',
    'anthropic',
    'deepseek',
    'moonshot',
  )('root-type', 'takes only "type": "object" at the root', {
    evidence: 'reported: langchainjs#9804, dots-hyprland#3640 (DeepSeek), pi#8279 (Bedrock); Anthropic: its SDK',
    isOfRoot: true,
    faults: ({ type }) => (type === 'object' ? [] : ['type']),
    // Arguments are an object in any case.
    wider: (schema, { budget }) => plainRoot(schema, [], budget),
  }),
  ofOpenai('root-combinator', 'rejects anyOf, oneOf, allOf, enum, not and const at the root', {
    ...rootKeywords([...combinators, 'enum', 'not', 'const']),
    evidence: 'reported: langchainjs#9804, navop#247 (const)',
  }),
  ofOpenai('root-without-properties', 'rejects a root without "properties"', {
    evidence: 'reported: github-mcp-server#1548',
    ...{ effect: 'changed', isOfRoot: true },
    faults: ({ properties }) => !isObject(properties),
    equal: (schema) => ({ ...schema, properties: {} }),
  }),
  ofOpenai('array-without-items', 'rejects an array whose items are not described', {
    evidence: 'reported: spacectl#402, apify#36',
    faults: ({ type, items }) => [type].flat().includes('array') && !isSchema(items),
    // Items that are described count as evaluated.
    equal: (schema, at) => (itemsIn(at).areEvaluated ? schema : withItems(schema)),
    wider: withItems,
  }),
  ofOpenai('long-description', 'took at most 1,024 characters in the description of a tool', {
    evidence: 'reported: sentry-mcp#106, OpenHands#7167, Azure open_deep_research#80; no report after 2025-04',
    ...{ effect: 'documented', isOfRoot: true },
    faults: (_, { description }) => typeof description === 'string' && description.length > 1024,
  }),
];

function withItems(schema: JsonObject): JsonObject {
  return { ...schema, items: {} };
}

/**
 * A schema for which n8n's OpenAI node (2.x) does not ask for OpenAI's strict mode. It asks as soon as all parameters
 * are required, and the API then rejects the whole request if anything is open, optional or unusual within them. So one
 * of them is said to be required in words, unless they are plain enough for the strict mode.
 */
export function withoutStrictMode(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { properties, required, additionalProperties, description } = schema;
  if (!isObject(properties) || !Array.isArray(required)) return schema;
  const names = Object.keys(properties);
  const last = names.at(-1);
  const demanded = new Set<unknown>(required);
  if (last === undefined || !names.every((name) => demanded.has(name))) return schema;
  if (!additionalProperties && Object.values(properties).every(isPlain)) return schema;
  const words = `${JSON.stringify(last)} is required, too.`;
  return {
    ...schema,
    required: required.filter((name) => name !== last),
    description: typeof description === 'string' ? `${description}\n${words}` : words,
  };
}

function isPlain(schema: unknown): boolean {
  if (!isObject(schema) || !Object.keys(schema).every((keyword) => plainKeywords.includes(keyword))) return false;
  return schema['type'] === 'array' ? isPlain(schema['items']) : plainTypes.includes(schema['type']);
}

const plainKeywords = ['type', 'description', 'enum', 'items'];
const plainTypes: readonly unknown[] = ['string', 'number', 'integer', 'boolean'];
