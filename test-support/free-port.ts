import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Systems give outgoing connections ports from 32768 or 49152 on, which would take a port before it is used. */
const drawnPort = () => randomInt(20_000, 32_768);

/** A port of loopback that was free a moment ago: the preferred one if it is free. */
export async function freePort(preferred = drawnPort(), attempts = 20): Promise<number> {
  const probe = createServer();
  return await new Promise<number>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(preferred, '127.0.0.1', () => probe.close(() => resolve(preferred)));
  }).catch((error: unknown) => {
    if (attempts === 1) throw error;
    return freePort(undefined, attempts - 1);
  });
}
