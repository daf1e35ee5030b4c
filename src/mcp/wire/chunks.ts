import { joined, textOfBytes } from '../../json/index.js';

/** Chunks that are kept as they came. */
const mostChunks = 1024;

/**
 * Collects what comes in pieces until it is whole. However small these are (a server may send single bytes), they take
 * little more memory than their length; and large ones are copied once.
 */
export class Chunks {
  /** In bytes. */
  length = 0;
  #joined: Uint8Array[] = [];
  #pieces: Uint8Array[] = [];

  push(piece: Uint8Array): void {
    this.length += piece.length;
    this.#pieces.push(piece);
    if (this.#pieces.length < mostChunks) return;
    this.#joined.push(joined(this.#pieces));
    this.#pieces = [];
  }

  /** All of them as one text. */
  text(): string {
    const all = [...this.#joined, ...this.#pieces];
    return textOfBytes(all.length === 1 && all[0] ? all[0] : joined(all));
  }

  /** The same, and none is left. */
  takeText(): string {
    const text = this.text();
    this.clear();
    return text;
  }

  clear(): void {
    this.#joined = [];
    this.#pieces = [];
    this.length = 0;
  }
}
