import { ConnectionError } from '../errors/errors.js';

export function StdioTransport(): never {
  throw new ConnectionError('A server over stdio cannot be started here: this runtime has no processes.', {
    code: 'CONNECTION_FAILED',
    hint: 'Use a server over HTTP.',
  });
}
