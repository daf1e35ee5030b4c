// npm run docs:rules: writes docs/rules.md from the rules and one example each. A test fails if the page is out of date.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { catalogueOf } from '../src/mcp/catalogue/catalogue.js';
import { providers } from '../src/projections/index.js';
import { type Finding, findingsIn, rules } from '../src/rules/index.js';
import { ruleExamples, toolOf } from './rule-examples.js';

export const rulesPage = new URL('../docs/rules.md', import.meta.url);

/** The rules about what a server's author wrote; docs/providers.md has the providers' rules. */
export const authorRules: readonly string[] = Object.keys(rules).filter(
  (id) => !Object.keys(providers).some((provider) => id.startsWith(`${provider}-`)),
);

/** The findings for a list with this tool, given as JSON. */
export function findingsFor(...tools: readonly string[]): Finding[] {
  const text = `{"jsonrpc":"2.0","id":1,"result":{"tools":[${tools.join(',')}]}}`;
  const { result } = JSON.parse(text) as { result: { tools: unknown[] } }; // as written above
  const catalogue = catalogueOf([{ entries: result.tools, wire: { text } }]);
  return findingsIn(catalogue, ['openai', 'anthropic', 'google', 'cohere']);
}

export function renderRulesPage(): string {
  const rows = authorRules.map((id) => `| [${id}](#${id}) | ${rules[id]!.level} | ${rules[id]!.about} |`);
  return `${intro}
| rule | level | finding |
| --- | --- | --- |
${rows.join('\n')}

${authorRules.map(section).join('\n')}`;
}

function section(id: string): string {
  const example = ruleExamples[id];
  if (example === undefined) return notAsApproved;
  const { why, of, found, better } = example;
  const { level, message } = findingsFor(toolOf(of, found)).find(({ rule }) => rule === id)!;
  const change = better === undefined ? '' : `\n\`\`\`diff\n- ${found}\n+ ${better}\n\`\`\`\n`;
  return `## ${id}

${why}
${change}
> ${level} \`${id}\` ${message}
`;
}

const notAsApproved = `## not-as-approved

Only with \`check --approved\`. The server changed a tool, or its instructions, after somebody approved it. That may be harmless, but
an agent reads the new text with the trust that the old one earned. Look at the change, then run \`mcp-verbatim approve\` again.

> error \`not-as-approved\` "search" has changed since it was approved. /inputSchema/properties/limit/maximum was 100 and is 500
`;

const intro = `<!-- Written by npm run docs:rules from src/rules and test-support/rule-examples.ts. -->

# Rules of \`mcp-verbatim check\`

Each rule with an example: the line with \`-\` has the finding, the line with \`+\` has not, and the quoted line is what \`check\` says.
[How to run the check](cli.md#check). What providers reject or drop is in [providers.md](providers.md), by \`PROVIDER-RULE\`, such as
\`openai-lookaround\`.

- An *error* does not work, and \`check\` exits with 1.
- A *warning* costs something: models, or other clients, do worse.
- A *note* is worth knowing. \`check --strict\` shows notes, and exits with 1 for warnings as well.
`;

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(rulesPage, renderRulesPage());
