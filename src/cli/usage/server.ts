import { flag, type Given, number, type Option, text, texts, type Usage } from './option.js';

/** Seconds. Node's timers take 32 bits of milliseconds and fire at once beyond that. */
const longestTimer = Math.floor((2 ** 31 - 1) / 1000);

/** Where the server is, for every command that is about one. */
export const serverOptions = {
  url: text(
    'URL',
    'streamable HTTP, with SSE as the fallback; in place of URL, the NAME of an environment variable that holds it',
  ),
  config: text(
    'FILE',
    'an mcp.json ("mcpServers"). In a terminal, mcp.json, .mcp.json, .vscode/mcp.json or .cursor/mcp.json of this folder is found without it, and you are asked before it is used',
  ),
  server: text('NAME', 'one server of that file'),
  header: texts(
    '"N: v"',
    'for --url, may be repeated; ${NAME} is read from the environment. With a name alone the variable of that name is: AUTHORIZATION for --header Authorization; or --header X-Key=VARIABLE',
  ),
  env: texts('N=v', 'for -- COMMAND, may be repeated; ${NAME} likewise, and a name alone'),
  sse: flag('for --url: the older SSE transport'),
  'idle-timeout': seconds('give up a request after this long without an answer or progress; default 60'),
};

/** An option that takes seconds; its value is in milliseconds. */
export function seconds(about: string): Option<number | undefined> {
  return number('SECONDS', about, `seconds, a number above 0 and up to ${longestTimer}`, (text) =>
    Number(text) > 0 && Number(text) <= longestTimer ? Math.max(1, Math.round(Number(text) * 1000)) : undefined,
  );
}

/** Where the server is, as the command line has it. */
export type ServerChoice = Given<Usage<typeof serverOptions>>;

/** `--port` of the commands that listen. */
export function portOption(about: string): Option<number | undefined> {
  return number('PORT', about, 'a number up to 65535', (port) =>
    /^\d+$/.test(port) && Number(port) <= 65_535 ? Number(port) : undefined,
  );
}

/** Where approved tools are kept, if no other file is named. */
export const usualFile = 'mcp-verbatim.lock.json';
