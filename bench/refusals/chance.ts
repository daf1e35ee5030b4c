/** Numbers that look random and are the same in every run (mulberry32). */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  is(share: number): boolean {
    return this.next() < share;
  }

  /** @throws RangeError of no values at all */
  of<T>(values: readonly T[]): T {
    if (values.length === 0) throw new RangeError('There is nothing to choose from.');
    return values[this.below(values.length)] as T; // within the list
  }

  some<T>(values: readonly T[], share: number): T[] {
    return values.filter(() => this.is(share));
  }
}
