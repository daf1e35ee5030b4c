import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A port of loopback that was free a moment ago: the preferred one if it is free. */
export async function freePort(preferred = 0): Promise<number> {
  const probe = createServer();
  return await new Promise<number>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(preferred, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo; // a TCP server's address is never a string
      probe.close(() => resolve(port));
    });
  }).catch((error: unknown) => {
    if (preferred === 0) throw error;
    return freePort();
  });
}
