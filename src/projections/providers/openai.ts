import { isObject, isSchema, type JsonObject } from '../../json/index.js';
import { plainRoot } from './plain-root.js';
import { combinators, inWords, present, type GivenRule, type Rule, ruleOf } from './provider.js';
import { hasKeyword } from './rewrite.js';

/** A rule for keywords that are rejected at the root. The description names those that combine nothing. */
export function rootKeywords(refused: readonly string[]): GivenRule {
  const alone = refused.filter((name) => !(combinators as readonly string[]).includes(name));
  return {
    isOfRoot: true,
    faults: (schema) => present(schema, refused),
    wider: (schema, { budget }) => plainRoot(inWords(schema, alone), refused, budget),
  };
}

const ofOpenai = ruleOf('openai');

export const openai: readonly Rule[] = [
  ruleOf('openai', 'anthropic', 'deepseek', 'moonshot')(
    'root-type',
    'takes only "type": "object" at the root',
    'reported: langchainjs#9804, dots-hyprland#3640 (DeepSeek), pi#8279 (Bedrock); Anthropic: its SDK',
    {
      isOfRoot: true,
      faults: ({ type }) => (type === 'object' ? [] : ['type']),
      // Arguments are an object in any case.
      wider: (schema, { budget }) => plainRoot(schema, [], budget),
    },
  ),
  ofOpenai(
    'root-combinator',
    'refuses anyOf, oneOf, allOf, enum, not and const at the root',
    'reported: langchainjs#9804, navop#247 (const)',
    rootKeywords([...combinators, 'enum', 'not', 'const']),
  ),
  ofOpenai('root-without-properties', 'refuses a root without "properties"', 'reported: github-mcp-server#1548', {
    ...{ effect: 'changed', isOfRoot: true },
    faults: ({ properties }) => !isObject(properties),
    equal: (schema) => ({ ...schema, properties: {} }),
  }),
  ofOpenai(
    'array-without-items',
    'refuses an array whose items are not described',
    'reported: spacectl#402, apify#36',
    {
      faults: ({ type, items }) => [type].flat().includes('array') && !isSchema(items),
      // Items that are described count as evaluated.
      equal: (schema, { root }) => (hasKeyword(root, ['unevaluatedItems']) ? schema : withItems(schema)),
      wider: withItems,
    },
  ),
  ofOpenai(
    'long-description',
    'took at most 1,024 characters in the description of a tool',
    'reported: sentry-mcp#106, OpenHands#7167, Azure open_deep_research#80; no report after 2025-04',
    {
      ...{ effect: 'documented', isOfRoot: true },
      faults: (_, { description }) => typeof description === 'string' && description.length > 1024,
    },
  ),
];

function withItems(schema: JsonObject): JsonObject {
  return { ...schema, items: {} };
}
