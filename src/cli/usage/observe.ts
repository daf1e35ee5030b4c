import { flag, type Given, oneOf, text, type Usage } from './option.js';
import { portOption, serverOptions } from './server.js';

export const observe = {
  summary: "what a framework really sends the model, seen by a proxy in front of the model's provider",
  operands: [{ form: '[JSON]' }],
  about: `Stands in front of a model's provider, on this machine alone: give your framework the base URL that is printed.
Requests and answers pass as they are. Each tool in a request is compared with the server's own, each call of the model
is checked with the original schema. Ctrl-C ends it, with a summary. Formats: OpenAI chat completions and responses,
Anthropic messages, Gemini, Ollama.`,
  options: {
    ...serverOptions,
    upstream: text('URL', "the provider's base URL, as your framework has it now"),
    play: flag('answer here, without provider or key: a fixed text'),
    call: text('TOOL', 'with --play: first a call of TOOL; its arguments are JSON'),
    diff: text('TOOL', 'both schemas of TOOL, line by line'),
    port: portOption('where it listens on 127.0.0.1; a free one if not given'),
    'fail-on': oneOf(
      ['changed', 'lost'],
      'WORD',
      'exit code 1 where a tool was not offered (lost), or that or sent with another meaning (changed)',
    ),
    json: flag('one report at the end, for programs'),
  },
  examples: [
    'observe --upstream https://api.openai.com/v1 -- npx -y @modelcontextprotocol/server-everything',
    'observe --play --call get-sum \'{"a": "1", "b": 2}\' --fail-on changed --config mcp.json',
  ],
} satisfies Usage;

export type ObserveGiven = Given<typeof observe>;
