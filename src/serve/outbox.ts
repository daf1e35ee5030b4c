import { Readable, type Writable } from 'node:stream';

/** The most bytes that wait for a client, and the longest time that it reads nothing, in milliseconds. */
const defaultLimits = { bytes: 64 * 1024 * 1024, unreadMs: 30_000 };

/** A client that has read nothing for so many milliseconds makes room for others. */
const stalledMs = 5000;

/** The stream gets so many bytes at once: the client has to read them within the time limit. */
const chunkBytes = 64 * 1024;

/** Texts on their way to a client, in order. */
export interface Outbox {
  readonly waiting: Readable;
  isStalled(): boolean;
  write(text: string): void;
  end(): void;
}

/**
 * A client that does not read has its stream destroyed.
 *
 * @param ofClient all outboxes of one client, whose texts are counted together
 */
export function outboxFor(
  stream: Writable,
  onGivenUp: (reason: string) => void,
  ofClient: Set<Outbox> = new Set(),
  { bytes: maxBytes, unreadMs } = defaultLimits,
): Outbox {
  let isEnding = false;
  let readAt = performance.now();
  const hasRead = () => {
    readAt = performance.now();
    timer.refresh();
  };
  const waiting = new Readable({ read: () => undefined });
  const giveUp = (reason: string) => {
    stream.destroy();
    onGivenUp(reason);
  };
  const timer = setTimeout(() => {
    if (stream.writableNeedDrain) giveUp(`it has read nothing for ${unreadMs / 1000} s`);
  }, unreadMs).unref();
  const outbox: Outbox = {
    waiting,
    isStalled: () => stream.writableNeedDrain && performance.now() - readAt >= stalledMs,
    write(text) {
      if (stream.destroyed || isEnding) return;
      if (!stream.writableNeedDrain) hasRead();
      const bytes = Buffer.from(text);
      // A single message may be longer: the client asked for it.
      const before = [...ofClient].reduce((sum, each) => sum + each.waiting.readableLength, 0);
      if (before > 0 && before + bytes.length > maxBytes) giveUp(`more than ${maxBytes} bytes wait for it`);
      else for (let at = 0; at < bytes.length; at += chunkBytes) waiting.push(bytes.subarray(at, at + chunkBytes));
    },
    end() {
      isEnding = true;
      waiting.push(null);
    },
  };
  ofClient.add(outbox);
  stream.on('drain', hasRead);
  stream.once('close', () => {
    clearTimeout(timer);
    waiting.destroy();
    ofClient.delete(outbox);
  });
  waiting.pipe(stream);
  return outbox;
}
