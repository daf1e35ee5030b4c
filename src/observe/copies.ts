import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';

/** The largest body of which a copy is kept, once unpacked, too; and all copies at one time. */
const [longest, mostKept] = [32 * 1024 * 1024, 256 * 1024 * 1024];

let kept = 0;

const unpackers: Readonly<Record<string, (bytes: Buffer, options: object) => Promise<Buffer>>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

export async function copyOf(message: IncomingMessage): Promise<{ text: string } | { unread: string }> {
  const copy = { chunks: new Array<Buffer>(), size: 0, isTooLarge: false };
  const forget = () => {
    kept -= copy.size;
    copy.size = copy.chunks.length = 0;
  };
  message.on('data', (chunk: Buffer) => {
    if (copy.isTooLarge) return;
    copy.chunks.push(chunk);
    copy.size += chunk.length;
    kept += chunk.length;
    copy.isTooLarge = copy.size > longest || kept > mostKept;
    if (copy.isTooLarge) forget();
  });
  const { socket } = message;
  await new Promise((resolve) => {
    message.once('end', resolve).once('close', resolve);
    // Node says nothing more of a request that was answered before its end.
    socket.once('close', resolve);
    message.once('end', () => socket.off('close', resolve));
  });
  try {
    if (!message.complete) return { unread: 'broke off' };
    if (copy.isTooLarge) return { unread: `is larger than is read (${longest / 1024 / 1024} MB)` };
    const encoding = message.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
    const bytes = Buffer.concat(copy.chunks);
    if (encoding === 'identity') return { text: bytes.toString() };
    const unpacked = await unpackers[encoding]?.(bytes, { maxOutputLength: longest });
    return unpacked ? { text: unpacked.toString() } : { unread: 'is compressed in a way that is not read here' };
  } catch {
    return { unread: `cannot be unpacked, or only to more than is read (${longest / 1024 / 1024} MB)` };
  } finally {
    forget();
  }
}
