import { checkOperands, parseGiven, splitArguments, type Words } from './arguments.js';
import type { Context, Io } from './context.js';
import { exitCodes, explain, UsageError } from './exit.js';
import { helpOf, overview, version } from './help.js';
import { terminalFor } from './terminal/terminal.js';
import { call } from './usage/call.js';
import { check } from './usage/check.js';
import { completion } from './usage/completion.js';
import { list } from './usage/list.js';
import { login, logout } from './usage/login.js';
import { observe } from './usage/observe.js';
import type { Given, Options, Usage } from './usage/option.js';
import { approve, diff } from './usage/approve.js';
import { prompt, prompts } from './usage/prompts.js';
import { read, resources } from './usage/resources.js';
import { serve } from './usage/serve.js';
import { show } from './usage/show.js';
import { wrap } from './usage/wrap.js';

type Work<Own extends Options> = (given: Given<Usage<Own>>, context: Context) => Promise<number>;

/** What a command does is loaded when it is run: `--help` needs none of it, nor the library behind it. */
const commands: Readonly<Record<string, Command>> = {
  list: command(list, async () => (await import('./commands/list.js')).list),
  show: command(show, async () => (await import('./commands/show.js')).show),
  check: command(check, async () => (await import('./commands/check.js')).check),
  approve: command(approve, async () => (await import('./commands/approve.js')).approve),
  diff: command(diff, async () => (await import('./commands/approve.js')).diff),
  call: command(call, async () => (await import('./commands/call.js')).call),
  resources: command(resources, async () => (await import('./commands/resources.js')).resources),
  read: command(read, async () => (await import('./commands/resources.js')).read),
  prompts: command(prompts, async () => (await import('./commands/prompts.js')).prompts),
  prompt: command(prompt, async () => (await import('./commands/prompts.js')).prompt),
  login: command(login, async () => (await import('./commands/login.js')).login),
  logout: command(logout, async () => (await import('./commands/login.js')).logout),
  serve: command(serve, async () => (await import('./commands/serve.js')).serve),
  wrap: command(wrap, async () => (await import('./commands/wrap.js')).wrap),
  observe: command(observe, async () => (await import('./commands/observe.js')).observe),
  completion: command(completion, async () => (await import('./commands/completion.js')).completion),
};

interface Command {
  readonly usage: Usage;
  /** What its words ask for; undefined where that is its help. */
  readonly parse: (name: string, words: Words) => ((context: Context) => Promise<number>) | undefined;
}

function command<Own extends Options>(usage: Usage<Own>, load: () => Promise<Work<Own>>): Command {
  return {
    usage,
    parse: (name, words) => {
      const given = parseGiven(name, usage, words);
      if (given.help) return undefined;
      checkOperands(name, usage, given);
      return async (context) => (await load())(given, context);
    },
  };
}

/**
 * Runs one command line.
 *
 * @returns the exit code (`exitCodes`); every failure becomes a message on stderr, none is thrown
 */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const { name, ...words } = splitArguments(argv, Object.keys(commands));
  const terminal = terminalFor(io, { colour: !words.own.includes('--no-color') });
  const print = (lines: readonly string[]) => {
    for (const line of lines) terminal.line(line);
    return exitCodes.success;
  };
  try {
    if (name === '__complete') {
      const { candidates } = await import('./candidates.js');
      return print(candidates(argv.slice(1), usages(), io.env));
    }
    if (words.own.some((word) => word === '--version' || word === '-v')) return print([version]);
    const wanted = name === 'help' ? words.own[0] : name;
    const command = wanted !== undefined && Object.hasOwn(commands, wanted) ? commands[wanted] : undefined;
    if (wanted === undefined || !command) {
      if (name !== 'help') refuse(name, words);
      return print(overview(usages(), terminal));
    }
    const work = name === 'help' ? undefined : command.parse(wanted, words);
    if (!work) return print(helpOf(wanted, command.usage, terminal));
    const { stdin, stdout: wire, env, cwd, signal, ask, open } = io;
    return await work({
      ...{ stdin, wire, env, cwd, signal, terminal },
      ...(ask && { ask: (question, until) => ask(terminal.question(question), until) }),
      ...(open && { open }),
    });
  } catch (error) {
    if (io.signal.aborted) return exitCodes.interrupted;
    const { code, text } = await explain(error, terminal);
    terminal.error(text);
    return code;
  }
}

function usages(): Record<string, Usage> {
  return Object.fromEntries(Object.entries(commands).map(([name, { usage }]) => [name, usage]));
}

/** @throws UsageError where anything but help is wanted, and no command is named */
function refuse(name: string | undefined, words: Words): void {
  if (name === undefined && !words.command) parseGiven('mcp-verbatim', { options: {} }, words);
  else
    throw new UsageError(`There is no command "${name ?? ''}". The commands are ${Object.keys(commands).join(', ')}.`);
}
