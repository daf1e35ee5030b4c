import type { Writable } from 'node:stream';

/** How much may wait for a client, in bytes, and for how long it may read nothing, in milliseconds. */
const defaultLimits = { bytes: 64 * 1024 * 1024, unreadMs: 30_000 };

/** From here on a client that reads nothing is the first whose session is closed where there are too many. */
const stalledMs = 5000;

/** What is handed to the stream at once: so much has to be read within the time limit. */
const chunkBytes = 64 * 1024;

/** Texts on their way to a client, in order. A client that does not read has its stream destroyed. */
export class Outbox {
  readonly #stream: Writable;
  readonly #limits: typeof defaultLimits;
  readonly #onGivenUp: (reason: string) => void;
  #waiting: Buffer[] = [];
  #bytes = 0;
  #isEnding = false;
  /** Runs while the stream takes nothing. */
  #timer: NodeJS.Timeout | undefined;
  #blockedAt = 0;

  /** @param onGivenUp called at most once, after the stream is destroyed */
  constructor(stream: Writable, onGivenUp: (reason: string) => void, limits = defaultLimits) {
    this.#stream = stream;
    this.#limits = limits;
    this.#onGivenUp = onGivenUp;
    stream.on('drain', () => {
      this.#unblock();
      this.#flush();
    });
    stream.once('close', () => {
      this.#clear();
    });
  }

  get isStalled(): boolean {
    return this.#timer !== undefined && performance.now() - this.#blockedAt >= stalledMs;
  }

  write(text: string): void {
    if (this.#stream.destroyed || this.#isEnding) return;
    const bytes = Buffer.from(text);
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
    this.#flush();
    // A single message may be longer: the client asked for it.
    if (this.#waiting.length > 1 && this.#bytes > this.#limits.bytes)
      this.#giveUp(`more than ${this.#limits.bytes} bytes wait for it`);
  }

  /** Ends the stream after all that waits. */
  end(): void {
    this.#isEnding = true;
    this.#flush();
  }

  #flush(): void {
    while (!this.#timer && this.#waiting.length > 0) {
      const [first = Buffer.alloc(0)] = this.#waiting;
      const chunk = first.subarray(0, chunkBytes);
      if (chunk.length === first.length) this.#waiting.shift();
      else this.#waiting[0] = first.subarray(chunkBytes);
      this.#bytes -= chunk.length;
      if (!this.#stream.write(chunk)) this.#block();
    }
    if (this.#isEnding && !this.#timer && !this.#stream.writableEnded) this.#stream.end();
  }

  #block(): void {
    this.#blockedAt = performance.now();
    this.#timer = setTimeout(() => {
      this.#giveUp(`it has read nothing for ${this.#limits.unreadMs / 1000} s`);
    }, this.#limits.unreadMs);
  }

  #unblock(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #giveUp(reason: string): void {
    if (this.#stream.destroyed) return;
    this.#stream.destroy();
    this.#clear();
    this.#onGivenUp(reason);
  }

  #clear(): void {
    this.#unblock();
    this.#waiting = [];
    this.#bytes = 0;
  }
}
