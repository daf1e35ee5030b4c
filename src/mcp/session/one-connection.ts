import { HandlerFailure } from '../elicitation/elicitor.js';
import { forgottenAgain } from '../errors/wire-problem.js';

/** How often a connection may be replaced between two steps of one request. */
export const mostReplacements = 5;

/**
 * Lets the host check the connection for a request, and again if it was replaced meanwhile.
 *
 * @throws HandlerFailure with the host's error
 */
export async function lookedAt<Connection>(
  method: string,
  current: () => Connection,
  look: (connection: Connection) => Promise<void>,
): Promise<Connection> {
  for (let replaced = 0; replaced <= mostReplacements; replaced++) {
    const connection = current();
    await look(connection).catch((error: unknown) => {
      throw new HandlerFailure(error);
    });
    if (current() === connection) return connection;
  }
  throw forgottenAgain(method);
}
