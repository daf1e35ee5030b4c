import { InvalidArgumentsError, McpError } from '../index.js';
import { UsageError } from './usage-error.js';
import { printable } from './terminal/printable.js';
import type { Terminal } from './terminal/terminal.js';

/** What the shell is told. Part of the interface: scripts and CI rely on it. */
export const exitCodes = {
  success: 0,
  /** `check` found a loss, or the called tool reported an error. */
  problem: 1,
  /** The command line or the configuration file is wrong. */
  usage: 2,
  /** The arguments of `call` do not satisfy the tool's schema; nothing was sent. */
  invalidArguments: 3,
  /** The server could not be reached, or answered with an error. */
  server: 4,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

/** An error as its user wants to read it: what happened, what to do, and no stack trace. */
export function explain(error: unknown, { paint }: Terminal): { code: number; text: string } {
  if (error instanceof UsageError) {
    return {
      code: exitCodes.usage,
      text: `${paint.red('error:')} ${printable(error.message)}\nTry ${paint.bold('mcp-verbatim --help')}.`,
    };
  }
  if (error instanceof InvalidArgumentsError) {
    return { code: exitCodes.invalidArguments, text: `${paint.red('not sent:')} ${printable(error.message)}` };
  }
  if (error instanceof McpError) {
    const hint = error.hint === undefined ? '' : `\n${printable(error.hint)}`;
    const code = error.code === 'INVALID_ADDRESS' ? exitCodes.usage : exitCodes.server;
    return { code, text: `${paint.red('error:')} ${printable(error.message)}${hint}` };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { code: exitCodes.server, text: `${paint.red('error:')} ${printable(message)}` };
}
