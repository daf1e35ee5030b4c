import { flag, type Given, type Option, parsed, text, texts, whole } from './command.js';
import { UsageError } from './exit.js';

/** Seconds. Node's timers take 32 bits of milliseconds and fire at once beyond that. */
const longestTimer = Math.floor((2 ** 31 - 1) / 1000);

export const serverOptions = {
  url: text('URL', 'connect over streamable HTTP, or else SSE; also the name of an environment variable with the URL'),
  config: text(
    'FILE',
    'read the servers from an mcp.json ("mcpServers"); without it, mcp.json, .mcp.json, .vscode/mcp.json or .cursor/mcp.json of this folder is used after you agree to it',
  ),
  server: text('NAME', 'use this server of it'),
  input: texts('ID=VALUE', 'the value of ${input:ID} in the file; repeatable; otherwise you are asked'),
  header: texts(
    '"N: v"',
    'send this header to --url; repeatable; ${NAME} is read from the environment. --header Authorization takes the value of AUTHORIZATION, --header X-Key=VARIABLE that of VARIABLE',
  ),
  env: texts(
    'N=v',
    'set this variable for -- COMMAND; repeatable; ${NAME} is read from the environment; N alone passes N on',
  ),
  sse: flag('use the older SSE transport for --url'),
  'idle-timeout': seconds('give up a request after this long without an answer or progress; default 60'),
};

export type ServerChoice = Given<typeof serverOptions>;

/** An option that takes seconds; its value is in milliseconds. */
export function seconds(about: string): Option<number | undefined> {
  return parsed('SECONDS', about, `seconds, a number above 0 and up to ${longestTimer}`, (text) =>
    Number(text) > 0 && Number(text) <= longestTimer ? Math.max(1, Math.round(Number(text) * 1000)) : undefined,
  );
}

export function portOption(about: string): Option<number | undefined> {
  return whole('PORT', about, 0, 65_535);
}

/** Waits for what listens on a port until it ends. @throws UsageError if it cannot listen there */
export async function listening(work: Promise<void>, place: string, options: string): Promise<void> {
  await work.catch((error: unknown) => {
    const { syscall, code = '' } = error as NodeJS.ErrnoException; // both are undefined for any other error
    if (syscall !== 'listen' && syscall !== 'getaddrinfo') throw error;
    throw new UsageError(`Cannot listen on ${place} (${code}). Choose another ${options}.`);
  });
}

export const usualFile = 'mcp-verbatim.lock.json';

export function approvedOption(about: string): Option<string | undefined> {
  return { ...text('[FILE]', `${about}; the file is ${usualFile} unless you name one`), usual: usualFile };
}

export const saveOption = {
  save: text('FOLDER', 'write images, sounds and other files of the result to this folder; not with --json'),
};
