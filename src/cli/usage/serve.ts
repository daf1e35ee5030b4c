import { repairOptions } from './call.js';
import { pinsOption } from './check.js';
import { type Given, names, number, oneOf, text, texts, type Usage } from './option.js';
import { serverOptions } from './server.js';

export const serve = {
  summary: 'an MCP server in front of it, for clients that you cannot change',
  about: `An MCP server in front of the real one, for clients that you cannot change. Tools are sent as their server wrote
them, one that no client could read is rejected, and slips in the arguments of a call are repaired. Everything else
passes as it is. Over stdio, or with --port over streamable HTTP at /mcp. Several servers of a --config become one, with
their names in front of those of their tools.`,
  options: {
    ...serverOptions,
    port: number('PORT', 'HTTP instead of stdio; 0 takes a free one', 'a number up to 65535', (port) =>
      /^\d+$/.test(port) && Number(port) <= 65_535 ? Number(port) : undefined,
    ),
    host: text('HOST', 'where HTTP listens, 127.0.0.1 if not given; anything but this machine itself needs --token'),
    token: text("'${NAME}'", 'what clients send as Authorization: Bearer, read from the environment'),
    provider: oneOf(
      ['openai', 'anthropic', 'google'],
      'NAME',
      'send schemas that openai, anthropic or google takes; calls are checked with the original',
    ),
    pins: pinsOption('only tools that were approved with pin and have not changed since'),
    fixed: texts(
      'TOOL.ARGUMENT=VALUE',
      "an argument that is not the model's; may be repeated, ${NAME} is read from the environment",
    ),
    discovery: oneOf(
      ['all', 'on-demand', 'auto'],
      'MODE',
      'on-demand sends three tools, to search, describe and call the others; auto does so where there are many; all is the default',
    ),
    pinned: names('A,B', 'with --discovery: tools that are always sent'),
    'longest-answer': number(
      'N',
      "characters of an answer's text; more is left out, and said to be missing",
      'a number of characters above 0',
      (count) => (Number.isSafeInteger(Number(count)) && Number(count) > 0 ? Number(count) : undefined),
    ),
    ...repairOptions,
  },
  examples: ['serve -- npx -y @modelcontextprotocol/server-sequential-thinking', 'serve --port 3100 --config mcp.json'],
} satisfies Usage;

export type ServeGiven = Given<typeof serve>;
