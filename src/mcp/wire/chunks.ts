import { textOfBytes } from '../../json/index.js';

/**
 * Collects what comes in pieces until it is whole, in one buffer that doubles: however small the pieces are (a server may
 * send single bytes), they take little more memory than their length.
 */
export class Chunks {
  /** In bytes. */
  length = 0;
  #bytes = new Uint8Array();

  push(chunk: Uint8Array): void {
    const length = this.length + chunk.length;
    if (length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(length, 2 * this.#bytes.length));
      grown.set(this.#bytes.subarray(0, this.length));
      this.#bytes = grown;
    }
    this.#bytes.set(chunk, this.length);
    this.length = length;
  }

  /** All of them as one text. */
  text(): string {
    return textOfBytes(this.#bytes.subarray(0, this.length));
  }

  /** The same, and none is left. */
  takeText(): string {
    const text = this.text();
    this.clear();
    return text;
  }

  clear(): void {
    this.#bytes = new Uint8Array();
    this.length = 0;
  }
}
