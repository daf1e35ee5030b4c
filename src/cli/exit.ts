import { messageOf } from '../json/text.js';
import type { Terminal } from './terminal/terminal.js';

/** The exit codes for the shell. They are part of the interface: scripts and CI rely on them. */
export const exitCodes = {
  success: 0,
  /** `check`, `diff` or `observe` found something, or the called tool reported an error. */
  problem: 1,
  /** The command line or the configuration file is wrong, or a file cannot be read or written. */
  usage: 2,
  invalidArguments: 3,
  server: 4,
  /** The output was closed (by `| head`) or cannot be written (because the disk is full). */
  output: 5,
  interrupted: 130,
} as const;

export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code = 'USAGE';
}

/** A command line that the help explains. */
export class SyntaxUsageError extends UsageError {}

/** @param command whose help explains a wrong command line, if it has a command */
export async function explain(
  error: unknown,
  { paint }: Terminal,
  command?: string,
): Promise<{ code: number; text: string }> {
  const failure = (code: number, text: string) => ({ code, text: `${paint.red('error:')} ${text}` });
  if (error instanceof SyntaxUsageError)
    return failure(
      exitCodes.usage,
      `${error.message}\nTry ${paint.bold(['mcp-verbatim', ...(command === undefined ? [] : [command]), '--help'].join(' '))}.`,
    );
  if (error instanceof UsageError) return failure(exitCodes.usage, error.message);
  // Loaded here, so that a command line that is wrong is answered without the library.
  const { ConfigurationError, InvalidArgumentsError, isRequestFailure, unknownOutcome } =
    await import('../internal.js');
  if (error instanceof InvalidArgumentsError)
    return { code: exitCodes.invalidArguments, text: `${paint.red('not sent:')} ${error.message}` };
  if (error instanceof ConfigurationError) return failure(exitCodes.usage, error.message);
  if (!isRequestFailure(error)) return failure(exitCodes.server, messageOf(error));
  const { code, message, hint, outcomeUnknown } = error;
  const lines = [message];
  if (outcomeUnknown) lines.push(unknownOutcome);
  // The hint of an incomplete list names a property of the error and an option, which a command does not have.
  if (hint !== undefined && code !== 'INCOMPLETE_LIST') lines.push(hint);
  if (code === 'AUTHORIZATION_REQUIRED' && command !== 'login')
    lines.push('If it wants a sign-in in the browser: mcp-verbatim login.');
  return failure(exitCodes.server, lines.join('\n'));
}
