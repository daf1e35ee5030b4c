import type { Writable } from 'node:stream';

/** How much may wait for a client, in bytes, and for how long it may read nothing, in milliseconds. */
export interface OutboxLimits {
  readonly bytes: number;
  readonly stalledMs: number;
}

export const outboxLimits: OutboxLimits = { bytes: 64 * 1024 * 1024, stalledMs: 30_000 };

/** What is handed to the stream at once: so much has to be read within the time limit. */
const chunkBytes = 64 * 1024;

/** Texts on their way to a client, in their order. One who does not read is given up. */
export class Outbox {
  readonly #stream: Writable;
  readonly #limits: OutboxLimits;
  readonly #onStalled: (reason: string) => void;
  #waiting: Buffer[] = [];
  #bytes = 0;
  #isBlocked = false;
  #isEnding = false;
  #timer: NodeJS.Timeout | undefined;

  /** @param onStalled called at most once, after the stream is destroyed */
  constructor(stream: Writable, onStalled: (reason: string) => void, limits = outboxLimits) {
    this.#stream = stream;
    this.#limits = limits;
    this.#onStalled = onStalled;
    stream.on('drain', () => {
      this.#drained();
    });
    stream.once('close', () => {
      this.#clear();
    });
  }

  write(text: string): void {
    if (this.#stream.destroyed || this.#isEnding) return;
    const bytes = Buffer.from(text);
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
    this.#flush();
    // One long message may be longer: it was asked for.
    if (this.#waiting.length > 1 && this.#bytes > this.#limits.bytes)
      this.#giveUp(`more than ${this.#limits.bytes} bytes wait for it`);
  }

  /** Ends the stream behind all that waits. */
  end(): void {
    this.#isEnding = true;
    this.#flush();
  }

  #flush(): void {
    while (!this.#isBlocked && this.#waiting.length > 0) {
      const [first = Buffer.alloc(0)] = this.#waiting;
      const chunk = first.subarray(0, chunkBytes);
      if (chunk.length === first.length) this.#waiting.shift();
      else this.#waiting[0] = first.subarray(chunkBytes);
      this.#bytes -= chunk.length;
      this.#isBlocked = !this.#stream.write(chunk);
    }
    if (this.#isBlocked)
      this.#timer ??= setTimeout(() => {
        this.#giveUp(`it has read nothing for ${this.#limits.stalledMs / 1000} s`);
      }, this.#limits.stalledMs);
    else if (this.#isEnding && !this.#stream.writableEnded) this.#stream.end();
  }

  #drained(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isBlocked = false;
    this.#flush();
  }

  #giveUp(reason: string): void {
    if (this.#stream.destroyed) return;
    this.#stream.destroy();
    this.#clear();
    this.#onStalled(reason);
  }

  #clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
    this.#bytes = 0;
  }
}
