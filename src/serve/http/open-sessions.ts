/** What is kept for a client as long as it comes back. */
export interface OpenSession {
  /** `busy` while a call is under way or its answer is being read, `stalled` where the client reads nothing. */
  readonly state: 'busy' | 'idle' | 'stalled';
  close(): Promise<void>;
}

interface Kept<S> {
  readonly session: S;
  /** How many responses are open. */
  uses: number;
  timer?: NodeJS.Timeout;
}

/**
 * A limited number of sessions. One that nobody has used for a while is closed. Where there is no room, a stalled one is
 * closed, or else the idle one that was used least recently; a busy one never is.
 */
export class OpenSessions<S extends OpenSession> {
  readonly #limits: { max: number; idleMs: number };
  /** The least recently used first. */
  readonly #kept = new Map<string, Kept<S>>();
  /** How many are being closed: until then their processes last. */
  #closing = 0;
  #isOver = false;

  constructor(limits: { max: number; idleMs: number }) {
    this.#limits = limits;
  }

  get(key: string): S | undefined {
    return this.#kept.get(key)?.session;
  }

  /** @returns the new session; undefined where all are busy, or as many are being closed */
  add<T extends S>(key: string, open: () => T): T | undefined {
    if (this.#isOver || this.#closing >= this.#limits.max) return undefined;
    if (this.#kept.size >= this.#limits.max) {
      const all = [...this.#kept];
      const [leaving] = (['stalled', 'idle'] as const).flatMap((state) =>
        all.filter(([, { session }]) => session.state === state),
      );
      if (!leaving) return undefined;
      this.close(leaving[0]);
    }
    const session = open();
    this.#kept.set(key, { session, uses: 0 });
    return session;
  }

  /** The client has sent a request. @returns functions for when it has read the answer, and for when the response ends */
  use(key: string): { touch: () => void; end: () => void } {
    const kept = this.#kept.get(key);
    const touch = () => {
      if (!kept || this.#kept.get(key) !== kept) return;
      this.#kept.delete(key);
      this.#kept.set(key, kept);
    };
    const end = () => {
      if (!kept || --kept.uses > 0 || this.#kept.get(key) !== kept) return;
      kept.timer = setTimeout(() => {
        this.close(key);
      }, this.#limits.idleMs);
      kept.timer.unref();
    };
    touch();
    clearTimeout(kept?.timer);
    if (kept) kept.uses++;
    return { touch, end };
  }

  close(key: string): void {
    void this.#end(key);
  }

  /** Closes all, and opens none from now on. */
  async closeAll(): Promise<void> {
    this.#isOver = true;
    await Promise.all([...this.#kept.keys()].map((key) => this.#end(key)));
  }

  async #end(key: string): Promise<void> {
    const kept = this.#kept.get(key);
    clearTimeout(kept?.timer);
    this.#kept.delete(key);
    this.#closing++;
    await kept?.session.close();
    this.#closing--;
  }
}
