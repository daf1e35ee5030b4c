import type { Transport } from '../transport/transport.js';
import { ConnectionError } from '../errors/errors.js';

/** Stands in where no process can be started. */
export class StdioTransport implements Transport {
  readonly kind = 'stdio';

  /** @throws ConnectionError */
  start(): Promise<void> {
    throw new ConnectionError('A server over stdio cannot be started here: this runtime has no processes.', {
      code: 'CONNECTION_FAILED',
      hint: 'Use a server over HTTP.',
    });
  }

  send(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
