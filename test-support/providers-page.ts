// npm run docs:providers: writes docs/providers.md from the table of rules. A test fails if the page is out of date.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { providers, ruleTable, traitsOf, type Provider } from '../src/projections/index.js';

export const providersPage = new URL('../docs/providers.md', import.meta.url);

type Rule = (typeof ruleTable)[number];

export function renderProvidersPage(): string {
  const all = Object.keys(providers) as Provider[]; // its own keys
  const limits = all.map((provider) => {
    const { label, mostTools, seesMedia } = traitsOf(provider);
    const byApi = seesMedia === undefined ? 'text' : 'blocks in Responses, text in Chat Completions';
    const media = seesMedia === true ? 'blocks' : byApi;
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

function row({ id, of, client, about, effect, evidence, ...rule }: Rule, provider: Provider): string {
  const api = of.includes(`${provider}/responses`) ? ' (Responses)' : '';
  const only = client ? ' (with LangChain alone)' : '';
  const what = `${about}${api}${only}`.replaceAll('|', '\\|');
  const cells = [
    `\`${provider}-${id}\``,
    `${what} (${effect})`,
    adaptation(id, provider, { ...rule, effect }),
    evidence,
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

If a provider rejects one tool's schema, the whole request fails. So a schema that is known to be rejected is adapted: the new one accepts
everything that the original accepts, and the original still validates the arguments. All other schemas are sent as their server wrote them.

- Name the model: [LangChain](langchain.md#providers) reads it in each request, [n8n](n8n.md) on the canvas, \`serve\` has \`--provider\` and \`--api\`.
- If you name no model, schemas that OpenAI or Anthropic rejects are adapted, and those that Gemini rejects only if the meaning stays the same. For Gemini, name the model.
- *Wider*: the adapted schema accepts more; its descriptions name the lost constraints if that is short.
- A schema that is too large to adapt is sent as an object with its description, never in its rejected form; a note says so.
- No provider was asked for this table. *Documented*: by the provider. *Reported*: by several users (no rejection is known today of rules with the effect *documented*). *Observed*: run with LangChain's package. A rule of a client holds in that client alone: other hosts hand the original on.
- *Media*: \`blocks\` where the provider documents images in a tool's answer and its clients send them; otherwise a line of text names an image. Groq's SDK has a type for images there, and Moonshot's own agent has a tool that returns them (kimi-cli#661), but the AI SDK's clients for both send an image's bytes as text. Nothing is known of Fireworks.
- \`mcp-verbatim check --only PROVIDER\` shows what a provider does to a server's tools.
`;

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(providersPage, renderProvidersPage());
