import { flag, type Given, names, oneOf, type Option, text, type Usage } from './option.js';
import { serverOptions, usualFile } from './server.js';

/** `--approved` of several commands. */
export function approvedOption(about: string): Option<string | undefined> {
  return { ...text('[FILE]', `${about}; ${usualFile} if no file is named`), usual: usualFile };
}

export const check = {
  summary: "what a server's author could do better, and what providers would lose or refuse",
  about: `What a server's author could do better, by rules that each have a page in docs/rules: schemas that do not say
what they mean, missing types and descriptions, characters that nobody sees, what it costs to send the tools; and what
model providers would lose or refuse. Exit code 1 when anything is found that is a warning or worse.`,
  options: {
    ...serverOptions,
    only: names('A,B', 'only these of: schema, openai, anthropic, google, cohere, and the names of rules'),
    'fail-on': oneOf(['note', 'warning', 'error'], 'LEVEL', 'exit code 1 from this level on: note, warning or error'),
    approved: approvedOption('also report what differs from what was approved with approve'),
    json: flag('for programs'),
    sarif: flag('for code hosts and editors (SARIF 2.1.0)'),
  },
  examples: [
    'check --url http://localhost:3000/mcp',
    'check --only openai,anthropic -- node server.js',
    'check --sarif --fail-on error --config mcp.json > mcp.sarif',
  ],
} satisfies Usage;

export type CheckGiven = Given<typeof check>;
