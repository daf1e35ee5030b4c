import { parseCommand } from './arguments.js';
import type { Command } from './arguments.js';
import type { Context, Io } from './context.js';
import { exitCodes, explain } from './exit.js';
import { helpFor, version } from './help.js';
import { terminalFor } from './terminal/terminal.js';

type Run = (command: Command, context: Context) => Promise<number>;

/** Loaded when they are run: `--help` needs none of them, nor the library behind them. */
const commands: Record<Command['name'], () => Promise<Run>> = {
  list: async () => (await import('./commands/list.js')).list,
  show: async () => (await import('./commands/show.js')).show,
  check: async () => (await import('./commands/check.js')).check,
  pin: async () => (await import('./commands/pin.js')).pin,
  diff: async () => (await import('./commands/pin.js')).diff,
  call: async () => (await import('./commands/call.js')).call,
  serve: async () => (await import('./commands/serve.js')).serve,
  wrap: async () => (await import('./commands/wrap.js')).wrap,
  observe: async () => (await import('./commands/observe.js')).observe,
};

/**
 * Runs one command line.
 *
 * @returns the exit code (`exitCodes`); every failure becomes a message on stderr, none is thrown
 */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const terminal = terminalFor(io, { colour: !argv.includes('--no-color') });
  try {
    const command = parseCommand(argv);
    if (command.kind === 'help') {
      for (const line of helpFor(command.topic, terminal).split('\n')) terminal.line(line);
      return exitCodes.success;
    }
    if (command.kind === 'version') {
      terminal.line(version);
      return exitCodes.success;
    }
    const runCommand = await commands[command.name]();
    const { stdin, stdout: wire, env, cwd, signal, ask, open } = io;
    return await runCommand(command, {
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
