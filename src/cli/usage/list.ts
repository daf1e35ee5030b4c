import { flag, type Given, text, type Usage } from './option.js';
import { serverOptions } from './server.js';

export const list = {
  summary: "the server's tools: name, arguments, what is odd",
  about: `The server's tools, with a compact signature and what is odd about them, then those that cannot be called, with
the reason. Piped, it is one line per tool: name, signature, notes, separated by tabs; with several servers their names
come first.`,
  options: {
    ...serverOptions,
    json: flag('the tool objects exactly as the server wrote them'),
    schema: text('TOOL', 'only the input schema of TOOL, exactly as the server wrote it'),
    watch: flag(
      'list again whenever the server says that its tools changed, until Ctrl-C; what changed goes to stderr',
    ),
    tokens: flag('about how many tokens it takes to send each tool to a model, and all of them (characters / 4)'),
  },
  examples: [
    'list -- npx -y @modelcontextprotocol/server-everything',
    'list --url https://example.com/mcp --json > tools.json',
    'list --schema search -- node server.js | jq .properties',
  ],
} satisfies Usage;

export type ListGiven = Given<typeof list>;
