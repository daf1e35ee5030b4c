/** From so many characters on, reading a message takes long enough to be noticed. */
const longMessage = 64 * 1024;

/** Has long messages read one in each turn of the event loop, so that short ones of other clients come in between. */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Resolves at once for a short message, and for a long one in a turn of its own. */
  async take(length: number): Promise<void> {
    if (length < longMessage) return;
    this.#last = this.#last.then(() => new Promise((resolve) => setImmediate(resolve)));
    await this.#last;
  }
}
