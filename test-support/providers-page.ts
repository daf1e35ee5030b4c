// npm run docs:providers: writes docs/providers.md of the table of rules. A test holds them together.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { providers, ruleTable, traitsOf, type Provider } from '../src/projections/index.js';

export const providersPage = new URL('../docs/providers.md', import.meta.url);

type Rule = (typeof ruleTable)[number];

export function renderProvidersPage(): string {
  const all = Object.keys(providers) as Provider[]; // its own keys
  const limits = all.map((provider) => {
    const { label, mostTools, seesMedia = true } = traitsOf(provider);
    const media =
      typeof seesMedia === 'boolean'
        ? seesMedia
          ? 'blocks'
          : 'text'
        : 'blocks in Responses, text in Chat Completions';
    return `| \`${provider}\` | ${label} | ${mostTools ?? ''} | ${media} |`;
  });
  return `${intro}
| name | provider | tools at most | media |
| --- | --- | --- | --- |
${limits.join('\n')}
${all.map(section).join('')}`;
}

function section(provider: Provider): string {
  const own = ruleTable.filter(({ of }) => of.some((whose) => whose === provider || whose.startsWith(`${provider}/`)));
  if (own.length === 0) return '';
  return `
## ${traitsOf(provider).label}

| rule | what it does | adapted to | evidence |
| --- | --- | --- | --- |
${own.map((rule) => row(rule, provider)).join('\n')}
`;
}

function row({ id, of, about, effect = 'refused', evidence, source, ...rule }: Rule, provider: Provider): string {
  const api = of.includes(`${provider}/responses`) ? ' (Responses)' : '';
  const what = `${about}${api}`.replaceAll('|', '\\|');
  const cells = [
    `\`${provider}-${id}\``,
    `${what} (${effect})`,
    adaptation(id, provider, { ...rule, effect }),
    `${evidence}: ${source}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

function adaptation(
  id: string,
  provider: Provider,
  { equal, wider, effect }: Pick<Rule, 'equal' | 'wider' | 'effect'>,
): string {
  if (id === 'property-name') return 'other names; arguments get their own again';
  if (equal && wider) return 'the same in other words, or wider';
  if (equal) return 'the same in other words';
  if (wider) return 'wider';
  if (effect === 'documented' || effect === 'changed') return 'nothing';
  return provider !== 'google'
    ? 'definitions in `$defs`, which any adapted schema has'
    : "the whole schema in Gemini's subset: wider";
}

const intro = `<!-- Written by npm run docs:providers of the table in src/projections/providers. -->

# What providers take

One tool whose schema a provider refuses costs the whole request. So a schema that is known to be refused is sent in another form, which accepts
whatever the original accepts; the original still decides about the arguments. All other schemas are sent as their server wrote them.

- Name the model: [LangChain](langchain.md#providers) reads it in each request, [n8n](n8n.md) on the canvas, \`serve\` has \`--provider\` and \`--api\`.
- Where nobody names it, what OpenAI and Anthropic refuse is adapted, and what Gemini refuses only where that changes no meaning. For Gemini, name it.
- *Wider*: the schema that is sent says less, and its descriptions say the rest where that is short.
- A schema that is too large to be adapted is sent as an object with its description, never as it is known to be refused; a note says so.
- No provider was asked for this table. *Documented*: by the provider. *Reported*: by several users of it (what has only the effect *documented* is refused by none that we know of today). *Observed*: run with LangChain's package.
- \`mcp-verbatim check --only PROVIDER\` shows what a provider does to a server's tools.
`;

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(providersPage, renderProvidersPage());
