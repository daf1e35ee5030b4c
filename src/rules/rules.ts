import { ConfigurationError } from '../json/index.js';
/** An `error` does not work, a `warning` costs something, a `note` is worth knowing. */
export type Level = 'error' | 'warning' | 'note';

/** A rule for the authors of servers. Its section is `docs/rules.md#<id>`. */
export interface Rule {
  readonly level: Level;
  readonly about: string;
}

const all = {
  'skipped-tool': { level: 'error', about: 'The tool cannot be called.' },
  'malformed-field': { level: 'error', about: 'A field of the tool is not of the type that the protocol gives it.' },
  'malformed-schema': { level: 'error', about: 'A keyword has a value that JSON Schema does not allow.' },
  'unresolved-reference': { level: 'error', about: 'A $ref leads nowhere.' },
  'unparsable-pattern': { level: 'error', about: 'A pattern is not a regular expression that JavaScript can read.' },
  unsatisfiable: { level: 'error', about: 'No value at all satisfies a part of the schema.' },
  'not-as-approved': { level: 'error', about: 'The tool differs from what was approved.' },
  'invisible-characters': { level: 'warning', about: 'A text has characters that people do not see, but models read.' },
  'inexact-text': { level: 'warning', about: 'The JSON has a value that JavaScript cannot represent.' },
  'root-type': { level: 'warning', about: 'The root of the input schema is not "type": "object" and nothing else.' },
  'missing-type': { level: 'warning', about: 'An argument has no type.' },
  'missing-description': { level: 'warning', about: 'The tool has no description.' },
  'missing-argument-description': { level: 'note', about: 'An argument has no description.' },
  'tool-name': { level: 'warning', about: 'Models see another name, because providers do not accept this one.' },
  'risky-pattern': { level: 'warning', about: 'A pattern may take very long to match.' },
  'unknown-keyword': { level: 'note', about: 'A keyword means nothing in the dialect of the schema.' },
  'unknown-format': { level: 'note', about: 'The format is unknown, so it is not checked.' },
  'other-dialect': { level: 'note', about: 'The schema is written in several dialects, or in none that is known.' },
  'schema-too-large': { level: 'note', about: 'The schema is too large to check as a whole.' },
  'token-cost': { level: 'note', about: 'The definition of the tool, or of all tools, takes many tokens.' },
  'openai-root': { level: 'error', about: "OpenAI refuses the schema's root, and with it the whole request." },
  'openai-array-items': { level: 'error', about: 'OpenAI refuses an array whose items are not described.' },
  'anthropic-root': { level: 'error', about: "Anthropic refuses the schema's root; LangChain leaves the tool out." },
  'anthropic-property-name': { level: 'error', about: "Anthropic refuses an argument's name." },
  'google-unknown-keyword': { level: 'error', about: "Gemini's schemas do not know a keyword." },
  'google-type-list': { level: 'error', about: 'Gemini takes one type, not a list of them.' },
  'google-enum': { level: 'error', about: 'Gemini takes only strings that are not empty in an enum.' },
  'google-array-items': { level: 'error', about: 'Gemini refuses an array whose items are not described.' },
  'google-required': { level: 'error', about: 'Gemini refuses a required name that is no property.' },
  'google-removed-keyword': { level: 'warning', about: 'A keyword is removed on the way to Gemini.' },
  'cohere-rebuilt': { level: 'warning', about: 'Little of the schema is left on the way to Cohere.' },
} as const satisfies Record<string, Rule>;

export type RuleId = keyof typeof all;

export const rules: Readonly<Record<RuleId, Rule>> = all;

/** @param code of a note on a tool, or of a provider's note with its name in front (`openai-root-type`) */
export function ruleOfNote(code: string): RuleId {
  const rule = Object.hasOwn(all, code) ? (code as RuleId) : otherNames[code]; // it is one of its keys
  if (rule === undefined) throw new ConfigurationError(`No rule stands for the note "${code}".`);
  return rule;
}

/** The rules of notes that are not called like their rule. */
const otherNames: Readonly<Record<string, RuleId>> = {
  'malformed-title': 'malformed-field',
  'malformed-description': 'malformed-field',
  'malformed-annotations': 'malformed-field',
  'malformed-output-schema': 'malformed-field',
  'malformed-keyword': 'malformed-schema',
  'empty-enum': 'unsatisfiable',
  'root-without-type': 'root-type',
  'root-type-list': 'root-type',
  'unusual-name': 'tool-name',
  'ignored-keyword': 'unknown-keyword',
  'unknown-dialect': 'other-dialect',
  'legacy-keyword': 'other-dialect',
  nullable: 'other-dialect',
  more: 'schema-too-large',
  'openai-root-type': 'openai-root',
  'openai-root-combinator': 'openai-root',
  'openai-root-without-properties': 'openai-root',
  'openai-array-without-items': 'openai-array-items',
  'anthropic-root-combinator': 'anthropic-root',
  'google-enum-of-others': 'google-enum',
  'google-empty-enum-value': 'google-enum',
  'google-array-without-items': 'google-array-items',
  'google-required-undeclared': 'google-required',
};
