import type { StdioAddress } from '../address.js';
import type { Channel } from '../connection.js';
import { StdioTransport } from './transport.js';

/** How long a server may take to end once its stdin is closed, and then once more after SIGTERM, before SIGKILL. */
const grace = { afterEndMs: 500, afterTermMs: 2000 };

export function openStdioChannel(address: StdioAddress, { maxMessageBytes }: { maxMessageBytes: number }): Channel {
  const transport = new StdioTransport(address, { maxMessageBytes, ...grace });
  return { kind: 'stdio', transport, failure: () => transport.failure, remark: () => transport.remark() };
}
