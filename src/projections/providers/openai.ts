import { isObject, isSchema, type JsonObject } from '../../json/index.js';
import { plainRoot } from './plain-root.js';
import { combinators, inWords, type Rule } from './provider.js';
import { hasKeyword } from './rewrite.js';

const reported = { evidence: 'reported' } as const;

/** A rule for keywords that are rejected at the root. Those that exist at the root alone are put in words. */
export function rootRule(refused: readonly string[], rule: Omit<Rule, 'id' | 'faults' | 'wider'>): Rule {
  return {
    ...rule,
    id: 'root-combinator',
    faults: (schema, { keyword }) => (keyword === undefined ? refused.filter((name) => name in schema) : []),
    wider: (schema, { budget }) => {
      const alone = refused.filter((name) => !(combinators as readonly string[]).includes(name));
      return plainRoot(inWords(schema, alone), refused, budget);
    },
  };
}

export const openai: readonly Rule[] = [
  {
    ...reported,
    id: 'root-type',
    of: ['openai', 'anthropic', 'deepseek', 'moonshot'],
    about: 'takes only "type": "object" at the root',
    source: 'langchainjs#9804, dots-hyprland#3640 (DeepSeek), pi#8279 (Bedrock); Anthropic: its SDK',
    faults: ({ type }, { keyword }) => (keyword === undefined && type !== 'object' ? ['type'] : []),
    // Arguments are an object in any case.
    wider: (schema, { budget }) => plainRoot(schema, [], budget),
  },
  rootRule([...combinators, 'enum', 'not', 'const'], {
    of: ['openai'],
    about: 'refuses anyOf, oneOf, allOf, enum, not and const at the root',
    source: 'langchainjs#9804, navop#247 (const)',
    ...reported,
  }),
  {
    ...reported,
    id: 'root-without-properties',
    of: ['openai'],
    effect: 'changed',
    about: 'refuses a root without "properties"',
    source: 'github-mcp-server#1548',
    faults: ({ properties }, { keyword }) => (keyword === undefined && !isObject(properties) ? [''] : []),
    equal: (schema) => ({ ...schema, properties: {} }),
  },
  {
    ...reported,
    id: 'array-without-items',
    of: ['openai'],
    about: 'refuses an array whose items are not described',
    source: 'spacectl#402, apify#36',
    faults: ({ type, items }) => ([type].flat().includes('array') && !isSchema(items) ? [''] : []),
    // Items that are described count as evaluated.
    equal: (schema, { root }) => (hasKeyword(root, ['unevaluatedItems']) ? schema : withItems(schema)),
    wider: withItems,
  },
  {
    id: 'long-description',
    of: ['openai'],
    effect: 'documented',
    about: 'took at most 1,024 characters in the description of a tool',
    source: 'sentry-mcp#106, OpenHands#7167, Azure open_deep_research#80; no report after 2025-04',
    evidence: 'reported',
    faults: (_, { keyword, description }) =>
      keyword === undefined && typeof description === 'string' && description.length > 1024 ? [''] : [],
  },
];

function withItems(schema: JsonObject): JsonObject {
  return { ...schema, items: {} };
}
