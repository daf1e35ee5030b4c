import { ConfigurationError } from '../json/index.js';
import { isLost, type Provider, ruleTable } from '../projections/index.js';

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
} as const satisfies Record<string, Rule>;

export type RuleId = keyof typeof all | `${Provider}-${string}`;

/** Each rule of a provider has a name for each provider that it belongs to: `openai-root-combinator`. */
const ofProviders = ruleTable.flatMap(({ id, of, about, ...rule }) => {
  const level: Level = isLost(rule) ? 'error' : rule.effect === 'changed' ? 'warning' : 'note';
  return of.map((whose) => [`${whose.replace(/\/.*/, '')}-${id}`, { level, about: `The provider ${about}.` }] as const);
});

export const rules: Readonly<Record<string, Rule>> = { ...all, ...Object.fromEntries(ofProviders) };

/** @param code of a note on a tool, or of a provider's note with its name in front (`openai-root-type`) */
export function ruleOfNote(code: string): RuleId {
  const rule = Object.hasOwn(rules, code) ? (code as RuleId) : otherNames[code]; // it is one of its keys
  if (rule === undefined) throw new ConfigurationError(`There is no rule for the note "${code}".`);
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
};
