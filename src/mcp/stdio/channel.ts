import type { StdioAddress } from '../address.js';
import type { Channel } from '../connection.js';
import { StdioTransport } from './transport.js';

/** How long a server may take to end on its own once its stdin is closed, and again after SIGTERM. */
const graceMs = 1000;

export function openStdioChannel(address: StdioAddress, { maxMessageBytes }: { maxMessageBytes: number }): Channel {
  const transport = new StdioTransport(address, { maxMessageBytes, graceMs });
  return { kind: 'stdio', transport, failure: () => transport.failure };
}
