import { parseArgs } from 'node:util';
import { UsageError } from './exit.js';

const names = ['list', 'show', 'check', 'pin', 'diff', 'call', 'serve', 'wrap'] as const;
export type CommandName = (typeof names)[number];

/** The file of pins where no other is named. */
export const usualPins = 'mcp-verbatim.lock.json';

/** Where the server is, as it was said on the command line. */
export interface ServerChoice {
  url?: string;
  headers: readonly string[];
  sse: boolean;
  /** The program and its arguments, from behind `--`. */
  command?: readonly string[];
  env: readonly string[];
  config?: string;
  server?: string;
}

export interface Command {
  kind: 'command';
  name: CommandName;
  server: ServerChoice;
  /** The tool that `show` and `call` are about. */
  tool?: string;
  /** The arguments of `call`, as text. */
  input?: string;
  json: boolean;
  schema?: string;
  /** Whether `list` says what it takes to tell a model of the tools. */
  tokens: boolean;
  strict: boolean;
  repair: readonly string[];
  save?: string;
  only: readonly string[];
  decline: boolean;
  answer: readonly string[];
  answers?: string;
  timeoutMs?: number;
  /** The file that `wrap` is about, or the file of pins. */
  file?: string;
  /** The file of pins that servers are held to. */
  pins?: string;
  sarif: boolean;
  failOn?: string;
  write: boolean;
  serve: ServeChoice;
}

/** How `serve` is reached. */
export interface ServeChoice {
  /** Over HTTP; stdio without it. */
  port?: number;
  host?: string;
  token?: string;
  provider?: string;
  /** Arguments that are not the model's: `TOOL.ARGUMENT=VALUE`. */
  fixed: readonly string[];
  discovery?: string;
  pinned: readonly string[];
  longestAnswer?: number;
}

export type Parsed = Command | { kind: 'help'; topic?: CommandName } | { kind: 'version' };

const options = {
  url: { type: 'string' },
  header: { type: 'string', multiple: true },
  sse: { type: 'boolean' },
  env: { type: 'string', multiple: true },
  config: { type: 'string' },
  server: { type: 'string' },
  json: { type: 'boolean' },
  schema: { type: 'string' },
  tokens: { type: 'boolean' },
  strict: { type: 'boolean' },
  repair: { type: 'string' },
  save: { type: 'string' },
  only: { type: 'string' },
  file: { type: 'string' },
  pins: { type: 'string' },
  sarif: { type: 'boolean' },
  'fail-on': { type: 'string' },
  decline: { type: 'boolean' },
  answer: { type: 'string', multiple: true },
  answers: { type: 'string' },
  timeout: { type: 'string' },
  port: { type: 'string' },
  host: { type: 'string' },
  token: { type: 'string' },
  provider: { type: 'string' },
  fixed: { type: 'string', multiple: true },
  discovery: { type: 'string' },
  pinned: { type: 'string' },
  'longest-answer': { type: 'string' },
  write: { type: 'boolean' },
  'no-color': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

/** Which options mean something to which command, besides those that say where the server is. */
const own: Record<CommandName, readonly string[]> = {
  list: ['json', 'schema', 'tokens'],
  show: ['json'],
  check: ['json', 'only', 'pins', 'sarif', 'fail-on'],
  pin: ['file'],
  diff: ['file', 'json'],
  call: ['json', 'strict', 'repair', 'save', 'decline', 'answer', 'answers'],
  serve: [
    'strict',
    'repair',
    'port',
    'host',
    'token',
    'provider',
    'pins',
    'fixed',
    'discovery',
    'pinned',
    'longest-answer',
  ],
  wrap: ['write'],
};

/** @throws UsageError naming what was not understood */
export function parseCommand(argv: readonly string[]): Parsed {
  const dashes = argv.indexOf('--');
  const before = dashes < 0 ? argv : argv.slice(0, dashes);
  const command = dashes < 0 ? undefined : argv.slice(dashes + 1);
  const { values, positionals } = parse(before);

  const [name, tool, input, ...rest] = positionals;
  if (values.version) return { kind: 'version' };
  if (values.help || name === 'help' || (name === undefined && command === undefined)) {
    const topic = name === 'help' ? tool : name;
    return { kind: 'help', ...(isName(topic) && { topic }) };
  }
  if (!isName(name)) throw new UsageError(`There is no command "${name ?? ''}". The commands are ${names.join(', ')}.`);
  refuseStrays(
    name,
    values,
    [tool, input, ...rest].filter((word) => word !== undefined),
  );
  if ((name === 'show' || name === 'call') && tool === undefined) {
    throw new UsageError(`${name} needs the name of a tool: mcp-verbatim ${name} TOOL`);
  }
  if (name === 'wrap' && tool === undefined) throw new UsageError('wrap needs a file: mcp-verbatim wrap FILE');
  if (command?.length === 0) throw new UsageError('After --, the command that starts the server is missing.');
  refuseMisplaced(values, command !== undefined);
  if (name === 'wrap') refuseServer(values, command);

  return {
    kind: 'command',
    name,
    server: {
      headers: values.header ?? [],
      sse: values.sse ?? false,
      env: values.env ?? [],
      ...(values.url !== undefined && { url: values.url }),
      ...(command && { command }),
      ...(values.config !== undefined && { config: values.config }),
      ...(values.server !== undefined && { server: values.server }),
    },
    json: values.json ?? false,
    tokens: values.tokens ?? false,
    strict: values.strict ?? false,
    repair: listOf('repair', values.repair),
    only: listOf('only', values.only),
    sarif: values.sarif ?? false,
    ...(values['fail-on'] !== undefined && { failOn: values['fail-on'] }),
    ...(values.pins !== undefined && { pins: values.pins }),
    ...(values.file !== undefined && { file: values.file }),
    decline: values.decline ?? false,
    answer: values.answer ?? [],
    ...(values.answers !== undefined && { answers: values.answers }),
    write: values.write ?? false,
    serve: {
      ...(values.port !== undefined && { port: portNumber(values.port) }),
      ...(values.host !== undefined && { host: values.host }),
      ...(values.token !== undefined && { token: values.token }),
      ...(values.provider !== undefined && { provider: values.provider }),
      fixed: values.fixed ?? [],
      ...(values.discovery !== undefined && { discovery: values.discovery }),
      pinned: listOf('pinned', values.pinned),
      ...(values['longest-answer'] !== undefined && { longestAnswer: characters(values['longest-answer']) }),
    },
    ...(tool !== undefined && (name === 'wrap' ? { file: tool } : { tool })),
    ...(input !== undefined && { input }),
    ...(values.schema !== undefined && { schema: values.schema }),
    ...(values.save !== undefined && { save: values.save }),
    ...(values.timeout !== undefined && { timeoutMs: milliseconds(values.timeout) }),
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: argv.map(withFile), options, allowPositionals: true, strict: true });
  } catch (error) {
    // Node's own message names the option; its advice about `--` would lead astray here, where `--` means the server.
    const message = error instanceof Error ? error.message.split('. To specify')[0] : String(error);
    throw new UsageError(message ?? 'The options were not understood.');
  }
}

/** `--pins` without a file means the usual one. */
function withFile(word: string, index: number, argv: readonly string[]): string {
  return word === '--pins' && argv[index + 1]?.startsWith('-') !== false ? `--pins=${usualPins}` : word;
}

function isName(word: string | undefined): word is CommandName {
  return names.some((name) => name === word);
}

function refuseStrays(name: CommandName, values: Record<string, unknown>, words: readonly string[]): void {
  const expected = { list: 0, check: 0, pin: 0, diff: 0, show: 1, call: 2, serve: 0, wrap: 1 }[name];
  if (words.length > expected) {
    throw new UsageError(
      `${name} does not know what to do with "${words[expected]}". Put the server command after --.`,
    );
  }
  const all = new Set(Object.values(own).flat());
  const stray = Object.keys(values).find((option) => all.has(option) && !own[name].includes(option));
  if (stray !== undefined) throw new UsageError(`${name} has no option --${stray}.`);
}

/** An option that would be ignored is refused: a header that never arrives looks like a server that does not take it. */
function refuseMisplaced(values: Record<string, unknown>, hasCommand: boolean): void {
  const misplaced = (names: readonly string[], where: string) => {
    const found = names.find((option) => values[option] !== undefined);
    if (found !== undefined) throw new UsageError(`--${found} only works with ${where}.`);
  };
  if (values['url'] === undefined) misplaced(['header', 'sse'], '--url');
  if (!hasCommand) misplaced(['env'], 'a server command after --');
  if (values['port'] === undefined) misplaced(['host', 'token'], '--port');
  if (values['url'] !== undefined || hasCommand) misplaced(['config', 'server'], 'servers of a configuration file');
  if ((values['discovery'] ?? 'all') === 'all') misplaced(['pinned'], '--discovery on-demand or auto');
  if (values['json'] === true) misplaced(['save'], 'a result that is shown without --json');
  if (values['tokens'] === true) misplaced(['schema'], 'a list without --tokens');
}

/** `wrap` is about all servers of its file, and asks none of them. */
function refuseServer(values: Record<string, unknown>, command: readonly string[] | undefined): void {
  const found = ['url', 'config', 'server', 'timeout'].find((option) => values[option] !== undefined);
  if (found !== undefined) throw new UsageError(`wrap has no option --${found}.`);
  if (command) throw new UsageError('wrap takes a file, and no command after --.');
}

function listOf(option: string, text: string | undefined): string[] {
  if (text === undefined) return [];
  const words = text.split(',').map((word) => word.trim());
  const named = words.filter((word) => word !== '');
  if (named.length === 0) throw new UsageError(`--${option} names nothing.`);
  return named;
}

function milliseconds(text: string): number {
  const seconds = Number(text);
  const isUsable = seconds > 0 && seconds <= longestTimer;
  if (!isUsable)
    throw new UsageError(`--timeout takes seconds, a number above 0 and up to ${longestTimer}; it was "${text}".`);
  return Math.max(1, Math.round(seconds * 1000));
}

function characters(text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new UsageError(`--longest-answer takes a number of characters above 0; it was "${text}".`);
}

function portNumber(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`--port takes a number up to 65535; it was "${text}".`);
}

/** Seconds. Node's timers take 32 bits of milliseconds and fire at once beyond that. */
const longestTimer = Math.floor((2 ** 31 - 1) / 1000);
