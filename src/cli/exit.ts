import { exitCodes, SyntaxUsageError, UsageError } from './command.js';
import { messageOf } from '../json/text.js';
import type { Terminal } from './terminal/terminal.js';

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
