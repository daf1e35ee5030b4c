import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError } from './exit.js';

const names = ['list', 'show', 'check', 'pin', 'diff', 'call', 'serve', 'wrap'] as const;
export type CommandName = (typeof names)[number];

/** The file of pins where no other is named. */
export const usualPins = 'mcp-verbatim.lock.json';

/** Where the server is, as it was said on the command line. */
export interface ServerChoice {
  url: string | undefined;
  headers: readonly string[];
  sse: boolean;
  /** The program and its arguments, from behind `--`. */
  command: readonly string[] | undefined;
  env: readonly string[];
  config: string | undefined;
  server: string | undefined;
}

export interface Command {
  kind: 'command';
  name: CommandName;
  server: ServerChoice;
  /** The tool that `show` and `call` are about. */
  tool: string | undefined;
  /** The arguments of `call`, as text. */
  input: string | undefined;
  json: boolean;
  schema: string | undefined;
  /** Whether `list` says what it takes to tell a model of the tools. */
  tokens: boolean;
  strict: boolean;
  repair: readonly string[];
  save: string | undefined;
  only: readonly string[];
  decline: boolean;
  answer: readonly string[];
  answers: string | undefined;
  timeoutMs: number | undefined;
  /** The file that `wrap` is about, or the file of pins. */
  file: string | undefined;
  /** The file of pins that servers are held to. */
  pins: string | undefined;
  sarif: boolean;
  failOn: string | undefined;
  write: boolean;
  serve: ServeChoice;
}

/** How `serve` is reached. */
interface ServeChoice {
  /** Over HTTP; stdio without it. */
  port: number | undefined;
  host: string | undefined;
  tokens: readonly string[];
  origins: readonly string[];
  maxSessions: number | undefined;
  idleMs: number | undefined;
  shared: boolean;
  provider: string | undefined;
  /** Arguments that are not the model's: `TOOL.ARGUMENT=VALUE`. */
  fixed: readonly string[];
  discovery: string | undefined;
  pinned: readonly string[];
  longestAnswer: number | undefined;
}

type Parsed = Command | { kind: 'help'; topic?: CommandName } | { kind: 'version' };

/** An option as Node reads it, and the commands to which it means something: all of them where none is named. */
type Option = NonNullable<ParseArgsConfig['options']>[string] & { of?: readonly CommandName[] };

const options = {
  url: { type: 'string' },
  header: { type: 'string', multiple: true },
  sse: { type: 'boolean' },
  env: { type: 'string', multiple: true },
  config: { type: 'string' },
  server: { type: 'string' },
  json: { type: 'boolean', of: ['list', 'show', 'check', 'diff', 'call'] },
  schema: { type: 'string', of: ['list'] },
  tokens: { type: 'boolean', of: ['list'] },
  strict: { type: 'boolean', of: ['call', 'serve'] },
  repair: { type: 'string', of: ['call', 'serve'] },
  save: { type: 'string', of: ['call'] },
  only: { type: 'string', of: ['check'] },
  file: { type: 'string', of: ['pin', 'diff'] },
  pins: { type: 'string', of: ['check', 'serve'] },
  sarif: { type: 'boolean', of: ['check'] },
  'fail-on': { type: 'string', of: ['check'] },
  decline: { type: 'boolean', of: ['call'] },
  answer: { type: 'string', multiple: true, of: ['call'] },
  answers: { type: 'string', of: ['call'] },
  timeout: { type: 'string' },
  port: { type: 'string', of: ['serve'] },
  host: { type: 'string', of: ['serve'] },
  token: { type: 'string', multiple: true, of: ['serve'] },
  'allow-origin': { type: 'string', multiple: true, of: ['serve'] },
  'max-sessions': { type: 'string', of: ['serve'] },
  idle: { type: 'string', of: ['serve'] },
  shared: { type: 'boolean', of: ['serve'] },
  provider: { type: 'string', of: ['serve'] },
  fixed: { type: 'string', multiple: true, of: ['serve'] },
  discovery: { type: 'string', of: ['serve'] },
  pinned: { type: 'string', of: ['serve'] },
  'longest-answer': { type: 'string', of: ['serve'] },
  write: { type: 'boolean', of: ['wrap'] },
  'no-color': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const satisfies Record<string, Option>;

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
      url: values.url,
      command,
      config: values.config,
      server: values.server,
    },
    json: values.json ?? false,
    tokens: values.tokens ?? false,
    strict: values.strict ?? false,
    repair: listOf('repair', values.repair),
    only: listOf('only', values.only),
    sarif: values.sarif ?? false,
    failOn: values['fail-on'],
    pins: values.pins,
    file: name === 'wrap' ? tool : values.file,
    decline: values.decline ?? false,
    answer: values.answer ?? [],
    answers: values.answers,
    write: values.write ?? false,
    serve: {
      port: values.port === undefined ? undefined : portNumber(values.port),
      host: values.host,
      tokens: values.token ?? [],
      origins: values['allow-origin'] ?? [],
      maxSessions:
        values['max-sessions'] === undefined ? undefined : wholeNumber('max-sessions', values['max-sessions']),
      idleMs: values.idle === undefined ? undefined : milliseconds(values.idle, 'idle'),
      shared: values.shared ?? false,
      provider: values.provider,
      fixed: values.fixed ?? [],
      discovery: values.discovery,
      pinned: listOf('pinned', values.pinned),
      longestAnswer:
        values['longest-answer'] === undefined
          ? undefined
          : wholeNumber('longest-answer', values['longest-answer'], ' of characters'),
    },
    tool: name === 'wrap' ? undefined : tool,
    input,
    schema: values.schema,
    save: values.save,
    timeoutMs: values.timeout === undefined ? undefined : milliseconds(values.timeout),
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
  const known: Readonly<Record<string, Option>> = options;
  const stray = Object.keys(values).find((option) => known[option]?.of?.includes(name) === false);
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
  if (values['port'] === undefined)
    misplaced(['host', 'token', 'allow-origin', 'max-sessions', 'idle', 'shared'], '--port');
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

function milliseconds(text: string, option = 'timeout'): number {
  const seconds = Number(text);
  const isUsable = seconds > 0 && seconds <= longestTimer;
  if (!isUsable)
    throw new UsageError(`--${option} takes seconds, a number above 0 and up to ${longestTimer}; it was "${text}".`);
  return Math.max(1, Math.round(seconds * 1000));
}

function wholeNumber(option: string, text: string, of = ''): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new UsageError(`--${option} takes a number${of} above 0; it was "${text}".`);
}

function portNumber(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`--port takes a number up to 65535; it was "${text}".`);
}

/** Seconds. Node's timers take 32 bits of milliseconds and fire at once beyond that. */
const longestTimer = Math.floor((2 ** 31 - 1) / 1000);
