import { flag, type Given, names, text, texts, type Usage } from './option.js';
import { seconds, serverOptions } from './server.js';

/** What is repaired, for every command that calls tools. */
export const repairOptions = {
  strict: flag('repair nothing'),
  repair: names(
    'WORD',
    'safe (the default), integers, all or off; or kinds in addition to integers: numbers, booleans, strings, bits, decimals, enums, names, json, split, lists, singletons, consts, nulls, allNulls, blanks, wrappers',
  ),
};

/** For every command whose results may be files. */
export const saveOption = {
  save: text('FOLDER', 'write images, sounds and files of the result there, not with --json'),
};

export const call = {
  summary: 'call a tool; slips in the arguments are repaired, the rest is refused with reasons',
  operands: [
    { form: 'TOOL', needed: 'the name of a tool' },
    { form: '[NAME=VALUE… | JSON | @FILE | -]', several: true },
  ],
  about: `Calls the tool. The arguments are NAME=VALUE for each, where VALUE is a text if the schema takes that text, and else the
JSON that it is; or one JSON object: as text, from a file, or from stdin (-). None means {}. Slips
that have one meaning are repaired if the schema requires it, and the repair is shown; arguments that do not satisfy the
schema are refused with every violation named, and nothing is sent. Numbers are sent as you write them.`,
  options: {
    ...serverOptions,
    ...repairOptions,
    ...saveOption,
    'max-duration': seconds('give up the call after this long, even if it reports progress; no limit by default'),
    answer: texts('N=VALUE', 'answers the field N where the server asks in the middle of the call; may be repeated'),
    answers: text('FILE', 'the same from a JSON object'),
    decline: flag('declines whatever it asks; without any of these you are asked, if there is a terminal'),
    json: flag("the server's result exactly as it came"),
  },
  examples: [
    'call get-sum a=1 b=2 -- npx -y @modelcontextprotocol/server-everything',
    'call echo \'{"message": "hello"}\' -- npx -y @modelcontextprotocol/server-everything',
    'call list_directory - --config mcp.json --server files < arguments.json',
  ],
} satisfies Usage;

export type CallGiven = Given<typeof call>;
