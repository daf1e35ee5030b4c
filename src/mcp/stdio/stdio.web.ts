import { unreachable } from '../errors/wire-problem.js';

export function stdioTransport(): never {
  const title = 'A server over stdio cannot be started here: this runtime has no processes.';
  throw unreachable(title, 'Use a server over HTTP.');
}
