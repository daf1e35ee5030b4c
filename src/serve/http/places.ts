/** What is kept for clients as long as they come back. */
export interface Place {
  close(): Promise<void>;
}

interface Kept<P> {
  readonly place: P;
  /** How many requests are at it. */
  uses: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * A number of places. One that nobody has used for a while is closed, and where there is no room the one that was used
 * longest ago; one that is in use never is.
 */
export class Places<P extends Place> {
  readonly #limits: { most: number; idleMs: number };
  /** By when they were used, the latest last. */
  readonly #kept = new Map<string, Kept<P>>();

  constructor(limits: { most: number; idleMs: number }) {
    this.#limits = limits;
  }

  get(key: string): P | undefined {
    return this.#kept.get(key)?.place;
  }

  /** @returns false where all are in use */
  add(key: string, make: () => P): boolean {
    if (this.#kept.size >= this.#limits.most) {
      const idle = [...this.#kept].find(([, { uses }]) => uses === 0);
      if (!idle) return false;
      this.close(idle[0]);
    }
    this.#kept.set(key, { place: make(), uses: 0, timer: undefined });
    return true;
  }

  /** Begins a use. @returns what ends it */
  use(key: string): () => void {
    const kept = this.#kept.get(key);
    if (!kept) return () => {};
    kept.uses++;
    clearTimeout(kept.timer);
    const touch = () => {
      if (this.#kept.get(key) !== kept) return;
      this.#kept.delete(key);
      this.#kept.set(key, kept);
    };
    touch();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      touch();
      if (--kept.uses > 0 || this.#kept.get(key) !== kept) return;
      kept.timer = setTimeout(() => {
        this.close(key);
      }, this.#limits.idleMs);
      kept.timer.unref();
    };
  }

  close(key: string): void {
    const kept = this.#kept.get(key);
    clearTimeout(kept?.timer);
    this.#kept.delete(key);
    void kept?.place.close();
  }

  async closeAll(): Promise<void> {
    const all = [...this.#kept.values()];
    this.#kept.clear();
    await Promise.all(
      all.map(({ place, timer }) => {
        clearTimeout(timer);
        return place.close();
      }),
    );
  }
}
