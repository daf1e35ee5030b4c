import { connect } from '../index.js';
import type { Session } from '../index.js';
import type { Command } from './arguments.js';
import type { NamedServer } from './config.js';
import { version } from './help.js';
import type { Context } from './run.js';

/** Connects, does the work, and always closes. */
export async function withSession<Result>(
  { address }: NamedServer,
  command: Pick<Command, 'timeoutMs'>,
  { signal, terminal }: Context,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  terminal.status(terminal.paint.dim('connecting …'));
  const session = await connect(address, {
    signal,
    clientInfo: { name: 'mcp-verbatim', version },
    ...(command.timeoutMs !== undefined && { timeoutMs: command.timeoutMs }),
  }).finally(() => terminal.status(''));
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}
