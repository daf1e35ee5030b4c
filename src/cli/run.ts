import { checkOperands, parseGiven, splitArguments, type Words } from './arguments.js';
import type { Entry } from './command.js';
import type { Io } from './context.js';
import { exitCodes, explain, UsageError } from './exit.js';
import { helpOf, overview, version } from './help.js';
import { terminalFor } from './terminal/terminal.js';

const commands: Readonly<Record<string, Entry>> = {
  list: { summary: 'list the tools of a server', load: async () => (await import('./commands/list.js')).list },
  show: { summary: 'show one tool with its schema', load: async () => (await import('./commands/show.js')).show },
  check: { summary: 'check the tools of a server', load: async () => (await import('./commands/check.js')).check },
  approve: {
    summary: 'write the tools of a server to a file, as approved',
    load: async () => (await import('./commands/approve.js')).approve,
  },
  diff: {
    summary: 'show what differs from the approved tools',
    load: async () => (await import('./commands/approve.js')).diff,
  },
  call: { summary: 'call a tool', load: async () => (await import('./commands/call.js')).call },
  resources: {
    summary: 'list the resources of a server',
    load: async () => (await import('./commands/resources.js')).resources,
  },
  read: { summary: 'show a resource', load: async () => (await import('./commands/resources.js')).read },
  prompts: {
    summary: 'list the prompts of a server',
    load: async () => (await import('./commands/prompts.js')).prompts,
  },
  prompt: {
    summary: 'show the messages of a prompt',
    load: async () => (await import('./commands/prompts.js')).prompt,
  },
  login: { summary: 'sign in to a server', load: async () => (await import('./commands/login.js')).login },
  logout: { summary: 'forget the sign-in to a server', load: async () => (await import('./commands/login.js')).logout },
  serve: {
    summary: 'run an MCP server in front of other servers',
    load: async () => (await import('./commands/serve.js')).serve,
  },
  observe: {
    summary: 'show what a framework sends to the model',
    load: async () => (await import('./commands/observe.js')).observe,
  },
  completion: {
    summary: 'print the completion script for a shell',
    load: async () => (await import('./commands/completion.js')).completion,
  },
};

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
      const { candidates } = await import('./completion.js');
      return print(await candidates(argv.slice(1), commands, io.env));
    }
    if (words.own.some((word) => word === '--version' || word === '-v')) return print([version]);
    const wanted = name === 'help' ? words.own[0] : name;
    const entry = wanted !== undefined && Object.hasOwn(commands, wanted) ? commands[wanted] : undefined;
    if (wanted === undefined || !entry) {
      if (name !== 'help') refuse(name, words);
      return print(overview(commands, terminal));
    }
    const command = await entry.load();
    const given = name === 'help' ? { help: true as const } : parseGiven(wanted, command.options, words);
    if (given.help) return print(helpOf(wanted, command, terminal));
    checkOperands(wanted, command, given);
    const { stdin, stdout: wire, env, cwd, signal, ask, open } = io;
    return await command.run(given, {
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

/** @throws UsageError if anything but help is wanted, and no command is named */
function refuse(name: string | undefined, words: Words): void {
  if (name === undefined && !words.command) parseGiven('mcp-verbatim', {}, words);
  else
    throw new UsageError(`There is no command "${name ?? ''}". The commands are ${Object.keys(commands).join(', ')}.`);
}
