import { version } from '../../package.json';
import { checkOperands, parseGiven, splitArguments } from './arguments.js';
import { commands, loadCommand } from './commands.js';
import type { Io } from './context.js';
import { exitCodes, SyntaxUsageError } from './command.js';
import { explain } from './exit.js';
import { printHelp, printOverview } from './help.js';
import { terminalFor } from './terminal/terminal.js';

/** @returns the exit code (`exitCodes`); every failure becomes a message on stderr, none is thrown */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const { name, ...words } = splitArguments(argv, Object.keys(commands));
  const terminal = terminalFor(io, !words.own.includes('--no-color'));
  try {
    if (words.own.some((word) => word === '--version' || word === '-v')) {
      terminal.line(version);
      return exitCodes.success;
    }
    const wanted = name === 'help' ? words.own[0] : name;
    const command = await loadCommand(wanted);
    if (wanted === undefined || !command) {
      const advice = `The commands are ${Object.keys(commands).join(', ')}.`;
      if (name === undefined && !words.command) parseGiven('mcp-verbatim', {}, words);
      else if (name !== 'help') throw new SyntaxUsageError(`There is no command "${name ?? ''}". ${advice}`);
      printOverview(terminal);
      return exitCodes.success;
    }
    const given = name === 'help' ? { help: true as const } : parseGiven(wanted, command.options, words);
    if (given.help) {
      printHelp(wanted, command, terminal);
      return exitCodes.success;
    }
    checkOperands(wanted, command, given);
    const { stdin, stdout: wire, env, cwd, signal, mayEndIn, ask: askPlainly, open } = io;
    const ask: Io['ask'] = askPlainly && ((question, ...more) => askPlainly(terminal.question(question), ...more));
    return await command.run(given, { stdin, wire, env, cwd, signal, terminal, mayEndIn, ask, open });
  } catch (error) {
    // The person who interrupts a command knows why it ended, but not what the server has done by then.
    const isUnknown = error instanceof Error && 'outcomeUnknown' in error && error.outcomeUnknown === true;
    if (io.signal.aborted && !isUnknown) return exitCodes.interrupted;
    const { code, text } = await explain(error, terminal, Object.hasOwn(commands, name ?? '') ? name : undefined);
    terminal.error(text);
    return io.signal.aborted ? exitCodes.interrupted : code;
  }
}
