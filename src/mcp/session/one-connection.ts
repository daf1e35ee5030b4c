import { HandlerFailure } from '../elicitation/elicitor.js';
import { forgottenAgain } from '../errors/wire-problem.js';

/** How often a connection may be replaced between two steps of one request. */
export const mostReplacements = 5;

/**
 * Has the host look at the connection that a request will be sent on, and again if that was replaced meanwhile.
 *
 * @throws HandlerFailure with what the host throws
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
