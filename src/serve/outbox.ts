import { Readable, type Writable } from 'node:stream';

/** The most bytes that wait for a client, and the longest time that it reads nothing, in milliseconds. */
const defaultLimits = { bytes: 64 * 1024 * 1024, unreadMs: 30_000 };

/** The stream gets so many bytes at once: the client has to read them within the time limit. */
const chunkBytes = 64 * 1024;

/** Texts on their way to a client, in order. A client that does not read has its stream destroyed. */
export class Outbox {
  readonly #waiting = new Readable({ read: () => {} });
  readonly #timer: NodeJS.Timeout;
  #isEnding = false;

  /** @param ofClient all outboxes of one client, whose texts are counted together */
  constructor(
    readonly stream: Writable,
    readonly onGivenUp: (reason: string) => void,
    readonly limits = defaultLimits,
    readonly ofClient = new Set<Outbox>(),
  ) {
    ofClient.add(this);
    const { unreadMs } = limits;
    this.#timer = setTimeout(() => {
      if (stream.writableNeedDrain) this.#giveUp(`it has read nothing for ${unreadMs / 1000} s`);
    }, unreadMs).unref();
    stream.on('drain', () => this.#timer.refresh());
    stream.once('close', () => {
      clearTimeout(this.#timer);
      this.#waiting.destroy();
      ofClient.delete(this);
    });
    this.#waiting.pipe(stream);
  }

  write(text: string): void {
    if (this.stream.destroyed || this.#isEnding) return;
    if (!this.stream.writableNeedDrain) this.#timer.refresh();
    const bytes = Buffer.from(text);
    // A single message may be longer: the client asked for it.
    const before = [...this.ofClient].reduce((sum, each) => sum + each.#waiting.readableLength, 0);
    if (before > 0 && before + bytes.length > this.limits.bytes)
      this.#giveUp(`more than ${this.limits.bytes} bytes wait for it`);
    else for (let at = 0; at < bytes.length; at += chunkBytes) this.#waiting.push(bytes.subarray(at, at + chunkBytes));
  }

  end(): void {
    this.#isEnding = true;
    this.#waiting.push(null);
  }

  #giveUp(reason: string): void {
    this.stream.destroy();
    this.onGivenUp(reason);
  }
}
