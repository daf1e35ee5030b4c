/** The examples of `docs/rules.md`: the text of an argument or of a whole tool with the finding, and one without. */
export interface RuleExample {
  /** Why it matters. */
  readonly why: string;
  readonly of: 'argument' | 'tool';
  readonly found: string;
  readonly better?: string;
}

const description = '"description": "Words to search for."';
const good = `"query": { "type": "string", ${description} }`;
const goodWith = (keywords: string) => `"query": { "type": "string", ${description}, ${keywords} }`;

/** By rule; `not-as-approved` needs an approval beside the tool. */
export const ruleExamples: Readonly<Record<string, RuleExample>> = {
  'skipped-tool': {
    why: `The tool has no name, the name of an earlier tool, no input schema, an input schema that allows no object or is a serialised
Zod object, an invalid \`x-mcp-header\`, or more than 500 levels. Clients built on the official SDK may lose the whole list of tools.`,
    of: 'tool',
    found: '"inputSchema": null',
    better: '"inputSchema": { "type": "object" }',
  },
  'malformed-field': {
    why: 'Clients ignore the field or reject the tool. Leave an absent field out, rather than sending `null`.',
    of: 'tool',
    found: '"inputSchema": { "type": "object" }, "title": null',
    better: '"inputSchema": { "type": "object" }',
  },
  'malformed-schema': {
    why: 'Validators ignore the keyword or reject the schema.',
    of: 'argument',
    found: goodWith('"minLength": "1"'),
    better: goodWith('"minLength": 1'),
  },
  'unresolved-reference': {
    why: 'Nobody knows which values are allowed there. Often the definitions of an OpenAPI document were left behind: send them along.',
    of: 'argument',
    found: `"query": { "$ref": "#/components/schemas/Query", ${description} }`,
    better: good,
  },
  'unparsable-pattern': {
    why: 'JSON Schema takes the regular expressions of ECMAScript, which has no `(?i)`, no `\\A` and no possessive quantifiers.',
    of: 'argument',
    found: goodWith('"pattern": "(?i)^bug"'),
    better: goodWith('"pattern": "^[Bb][Uu][Gg]"'),
  },
  unsatisfiable: {
    why: 'An empty list of allowed values allows none.',
    of: 'argument',
    found: goodWith('"enum": []'),
    better: goodWith('"enum": ["open", "closed"]'),
  },
  'invisible-characters': {
    why: `Such characters come along with text copied from a web page, and they can hide instructions from the person who approves a tool.
The rule looks for control and format characters, for those that Unicode calls ignorable, and for blanks such as U+2800. It skips
joiners and variation selectors in scripts and emoji, the tags of a flag such as England's, and the space of Braille.`,
    of: 'tool',
    found: String.raw`"description": "Finds\u200b issues.", "inputSchema": { "type": "object" }`,
    better: '"description": "Finds issues.", "inputSchema": { "type": "object" }',
  },
  'inexact-text': {
    why: `Most clients round numbers beyond 2^53, keep only the last value of a key that occurs twice, and reorder keys that look like
integers.`,
    of: 'argument',
    found: '"query": { "type": "integer", "description": "An issue\'s number.", "maximum": 9223372036854775807 }',
    better: '"query": { "type": "integer", "description": "An issue\'s number." }',
  },
  'root-type': {
    why: 'The protocol requires `"type": "object"`, and clients reject a schema without it.',
    of: 'tool',
    found: `"inputSchema": { "properties": { ${good} } }`,
    better: `"inputSchema": { "type": "object", "properties": { ${good} } }`,
  },
  'missing-type': {
    why: 'The model has to guess the type, and the value cannot be checked.',
    of: 'argument',
    found: `"query": { ${description} }`,
    better: good,
  },
  'missing-description': {
    why: 'A model chooses tools by their descriptions.',
    of: 'tool',
    found: '"inputSchema": { "type": "object" }',
    better: '"description": "Finds issues by words in their titles.", "inputSchema": { "type": "object" }',
  },
  'missing-argument-description': {
    why: "An argument's name rarely says how to write its value.",
    of: 'argument',
    found: '"since": { "type": "string" }',
    better: '"since": { "type": "string", "description": "A day such as 2026-11-22." }',
  },
  'tool-name': {
    why: 'Providers accept letters, digits, `_` and `-`, at most 64 characters. Every client renames other tools in its own way.',
    of: 'tool',
    found: '"name": "issues.search all", "inputSchema": { "type": "object" }',
    better: '"name": "search_issues", "inputSchema": { "type": "object" }',
  },
  'risky-pattern': {
    why: `With nested repetitions, a regular expression tries exponentially many ways. One value can block a server that checks its
arguments with this pattern.`,
    of: 'argument',
    found: goodWith('"pattern": "^(a+)+$"'),
    better: goodWith('"pattern": "^a+$"'),
  },
  'unknown-keyword': {
    why: 'Validators ignore the keyword. Often it is misspelt or belongs to another dialect.',
    of: 'argument',
    found: goodWith('"minlength": 1'),
    better: goodWith('"minLength": 1'),
  },
  'unknown-format': {
    why: 'Models may still read the format, but validators do not check it. A pattern or a description says more.',
    of: 'argument',
    found: goodWith('"format": "jql"'),
    better: '"query": { "type": "string", "description": "A query in JQL." }',
  },
  'other-dialect': {
    why: `Without \`$schema\`, a schema is read as JSON Schema 2020-12 (since MCP 2025-11-25). Some clients support older keywords, others
ignore them.`,
    of: 'argument',
    found: goodWith('"nullable": true'),
    better: `"query": { "type": ["string", "null"], ${description} }`,
  },
  'schema-too-large': {
    why: 'The check stops after 20,000 subschemas, or after 100 findings in one schema. Other findings may be missing.',
    of: 'argument',
    found: goodWith(Array.from({ length: 120 }, (_, at) => `"x${at}": 1`).join(', ')),
  },
  'token-cost': {
    why: `Every request of a conversation pays for these tokens, counted as characters divided by four, and models choose worse among many
tools. Shorten descriptions that repeat the schema, enums of hundreds of values, and definitions that nothing refers to.
\`mcp-verbatim list --tokens\` shows the most expensive tools.`,
    of: 'tool',
    found: `"description": "${'Finds issues. '.repeat(300)}", "inputSchema": { "type": "object" }`,
  },
};

/** The whole tool that contains an example's text. */
export function toolOf(of: RuleExample['of'], text: string): string {
  if (of === 'argument')
    return `{ "name": "search", "description": "Finds issues.", "inputSchema": { "type": "object", "properties": { ${text} } } }`;
  return text.includes('"name"') ? `{ ${text} }` : `{ "name": "search", ${text} }`;
}
