import type { Context } from './context.js';

/** The parser and the help read the same declaration. */
export interface Command<Own extends Options = Options> {
  readonly operands?: readonly Operand[];
  readonly about: string;
  readonly options: Own;
  /** Command lines without `mcp-verbatim` in front. */
  readonly examples: readonly string[];
  run(given: Given<Own>, context: Context): Promise<number>;
}

export interface Option<Value = unknown> {
  /** Stands for its value in the help; a switch has none. */
  readonly value?: string;
  readonly about: string;
  readonly letter?: string;
  /** Its value if none follows. */
  readonly usual?: string;
  /** @param given every text that was given for it; for a switch, one each time */
  readonly read: (given: readonly string[], name: string) => Value;
}

export type Options = Readonly<Record<string, Option>>;

export interface Operand {
  readonly form: string;
  /** A description of the operand, if the command needs one: "the name of a tool". */
  readonly needed?: string;
  readonly several?: true;
}

export type Given<Own extends Options> = {
  readonly [Name in keyof Own]: ReturnType<Own[Name]['read']>;
} & {
  readonly words: readonly string[];
  /** The program after `--` that is the server, with its arguments. */
  readonly command: readonly string[] | undefined;
};

/** Checks a declaration and gives its `run` the types of its options. */
export function command<Own extends Options>(declared: Command<Own>): Command<Own> {
  return declared;
}

export function flag(about: string): Option<boolean> {
  return { about, read: (given) => given.length > 0 };
}

export function text(value: string, about: string): Option<string | undefined> {
  return { value, about, read: (given) => given.at(-1) };
}

export function texts(value: string, about: string): Option<readonly string[]> {
  return { value, about, read: (given) => given };
}

export function names(value: string, about: string): Option<readonly string[]> {
  const read = (given: readonly string[], option: string) => {
    const named = (given.at(-1) ?? '').split(',').map((word) => word.trim());
    const some = named.filter((word) => word !== '');
    if (given.length > 0 && some.length === 0) throw new UsageError(`--${option} names nothing.`);
    return some;
  };
  return { value, about, read };
}

export function oneOf<const Choice extends string>(
  choices: readonly Choice[],
  value: string,
  about: string,
): Option<Choice | undefined> {
  const read = (text: string) => choices.find((choice) => choice === text);
  return parsed(value, about, `one of ${choices.join(', ')}`, read);
}

function parsed<Value>(
  value: string,
  about: string,
  expected: string,
  valueOf: (text: string) => Value | undefined,
): Option<Value | undefined> {
  const read = (given: readonly string[], option: string) => {
    const wanted = given.at(-1);
    const found = wanted === undefined ? undefined : valueOf(wanted);
    if (found !== undefined || wanted === undefined) return found;
    throw new UsageError(`--${option} takes ${expected}; it was "${wanted}".`);
  };
  return { value, about, read };
}

/** An option that takes a whole number. */
export function whole(value: string, about: string, least: number, most = Infinity): Option<number | undefined> {
  const limits = most === Infinity ? '' : ` and at most ${most}`;
  const isRight = (text: string) => /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most;
  const read = (text: string) => (isRight(text) ? Number(text) : undefined);
  return parsed(value, about, `a number of at least ${least}${limits}`, read);
}

/** `name=value` pairs, one a word. @throws UsageError if a word has no name, or two have the same */
export function pairsOf(words: readonly string[], instead: string): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>();
  for (const word of words) {
    const at = word.indexOf('=');
    if (at < 1) throw new UsageError(`"${word}" is not of the form NAME=VALUE. ${instead}`);
    const name = word.slice(0, at);
    if (pairs.has(name)) throw new UsageError(`"${name}" is given twice. ${instead}`);
    pairs.set(name, word.slice(at + 1));
  }
  return pairs;
}

/**
 * The exit codes for the shell. They are part of the interface: scripts and CI rely on them.
 *
 * - `problem`: `check`, `diff` or `observe` found something, or the called tool reported an error.
 * - `usage`: the command line or the configuration file is wrong, or a file cannot be read or written.
 * - `output`: the output was closed (by `| head`) or cannot be written (because the disk is full).
 */
export const exitCodes = {
  success: 0,
  problem: 1,
  usage: 2,
  invalidArguments: 3,
  server: 4,
  output: 5,
  interrupted: 130,
} as const;

export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code = 'USAGE';
}

/** A command line that the help explains. */
export class SyntaxUsageError extends UsageError {}

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
  const isRight = (text: string) => Number(text) > 0 && Number(text) <= longestTimer;
  const read = (text: string) => (isRight(text) ? Math.max(1, Math.round(Number(text) * 1000)) : undefined);
  return parsed('SECONDS', about, `seconds, a number above 0 and up to ${longestTimer}`, read);
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
