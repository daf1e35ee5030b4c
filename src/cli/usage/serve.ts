import { repairOptions } from './call.js';
import { approvedOption } from './check.js';
import { flag, type Given, names, number, oneOf, type Option, text, texts, type Usage } from './option.js';
import { portOption, seconds, serverOptions } from './server.js';

function count(value: string, about: string, expected: string): Option<number | undefined> {
  const read = (text: string) => (Number.isSafeInteger(Number(text)) && Number(text) > 0 ? Number(text) : undefined);
  return number(value, about, expected, read);
}

export const serve = {
  summary: 'an MCP server in front of it, for clients that you cannot change',
  about: `An MCP server in front of the real one, for clients that you cannot change. Tools are sent as their server wrote
them, one that no client could read is rejected, and slips in the arguments of a call are repaired. What else the
protocol defines passes. Over stdio, or with --port over streamable HTTP at /mcp. Several servers of a --config become
one, with their names in front of those of their tools. No client meets what belongs to another.`,
  options: {
    ...serverOptions,
    port: portOption('HTTP instead of stdio; 0 takes a free one'),
    host: text('HOST', 'where HTTP listens, 127.0.0.1 if not given; anything but this machine itself needs --token'),
    token: texts(
      "[WHO=]'${NAME}'",
      'what clients send as Authorization: Bearer, from a variable, or with @FILE from a file; may be repeated, with the name of whom each is for',
    ),
    'allow-origin': texts('ORIGIN', 'pages elsewhere whose scripts may come; may be repeated'),
    'max-sessions': count('N', 'how many may be open, 100 if not given', 'a number above 0'),
    idle: seconds('close a session that nobody has used for this long; default 1800'),
    shared: flag('one session for all with servers over HTTP that have no state (2026-07-28)'),
    provider: oneOf(
      ['openai', 'anthropic', 'google'],
      'NAME',
      'send schemas that openai, anthropic or google takes; calls are checked with the original',
    ),
    approved: approvedOption('expose only tools that were approved with approve and have not changed since'),
    fixed: texts(
      'TOOL.ARGUMENT=VALUE',
      "an argument that is not the model's; may be repeated, ${NAME} is read from the environment",
    ),
    'tool-search': oneOf(
      ['off', 'on', 'auto'],
      'MODE',
      'on: expose three tools, to search, describe and call the others; auto: do so if there are many tools; default off',
    ),
    always: names('A,B', 'with --tool-search: tools that are always exposed'),
    'max-result-length': count(
      'N',
      'shorten the text of a result to N characters, with a notice',
      'a number of characters above 0',
    ),
    ...repairOptions,
  },
  examples: ['serve -- npx -y @modelcontextprotocol/server-sequential-thinking', 'serve --port 3100 --config mcp.json'],
} satisfies Usage;

export type ServeGiven = Given<typeof serve>;
