import { parseCommand } from './arguments.js';
import type { Command } from './arguments.js';
import { call } from './commands/call.js';
import { check } from './commands/check.js';
import { list } from './commands/list.js';
import { show } from './commands/show.js';
import { exitCodes, explain } from './exit.js';
import { helpFor, version } from './help.js';
import { terminalFor } from './terminal/terminal.js';
import type { Terminal } from './terminal/terminal.js';

/** What the process gives a command; tests give their own. */
export interface Io {
  stdin: AsyncIterable<Uint8Array | string>;
  stdout: Output;
  stderr: Output;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  signal: AbortSignal;
}

export interface Output {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

export interface Context extends Io {
  terminal: Terminal;
}

type Run = (command: Command, context: Context) => Promise<number>;

const commands: Record<Command['name'], Run> = { list, show, check, call };

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
      terminal.line(helpFor(command.topic, terminal));
      return exitCodes.success;
    }
    if (command.kind === 'version') {
      terminal.line(version);
      return exitCodes.success;
    }
    return await commands[command.name](command, { ...io, terminal });
  } catch (error) {
    if (io.signal.aborted) return exitCodes.interrupted;
    const { code, text } = explain(error, terminal);
    terminal.note(text);
    return code;
  }
}
