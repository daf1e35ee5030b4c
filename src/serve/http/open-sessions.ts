import type { EventEmitter } from 'node:events';

export interface OpenSession {
  /** While responses are open: `busy` if one is of a call, `stalled` if the client reads nothing. Default: busy. */
  readonly state?: 'busy' | 'idle' | 'stalled';
  /** @param reason for the log */
  close(reason: string): Promise<void>;
}

/**
 * A limited number of sessions. One that nobody has used for a while is closed. If there is no room, a stalled one is
 * closed, or else the idle one that was used least recently; a busy one never is.
 */
export class OpenSessions<S extends OpenSession> {
  /** The least recently used first. */
  readonly #kept = new Map<string, { readonly session: S; uses: number; timer?: NodeJS.Timeout }>();
  /** How many are being closed: until then their processes last. */
  #closing = 0;
  #isOver = false;

  constructor(readonly limits: { readonly max: number; readonly idleMs: number }) {}

  get all(): S[] {
    return [...this.#kept.values()].map(({ session }) => session);
  }

  get(key: string): S | undefined {
    return this.#kept.get(key)?.session;
  }

  /** @returns the new session; undefined if all are busy, or as many are being closed */
  add<T extends S>(key: string, open: () => T): T | undefined {
    if (this.#isOver || this.#closing >= this.limits.max) return undefined;
    if (this.#kept.size >= this.limits.max) {
      const all = [...this.#kept];
      const stalled = all.find(([, { session }]) => session.state === 'stalled');
      const leaving = stalled ?? all.find(([, { session, uses }]) => session.state === 'idle' || uses === 0);
      if (!leaving) return undefined;
      void this.close(leaving[0], 'another one needed its place');
    }
    const session = open();
    this.#kept.set(key, { session, uses: 0 });
    return session;
  }

  use(key: string, response: Pick<EventEmitter, 'once'>): void {
    const kept = this.#kept.get(key);
    if (!kept) return;
    const touch = () => {
      if (this.#kept.delete(key)) this.#kept.set(key, kept);
    };
    touch();
    clearTimeout(kept.timer);
    kept.uses++;
    response.once('finish', touch);
    response.once('close', () => {
      if (--kept.uses > 0 || this.#kept.get(key) !== kept) return;
      kept.timer = setTimeout(() => void this.close(key, 'nobody has used it'), this.limits.idleMs).unref();
    });
  }

  async closeAll(reason: string): Promise<void> {
    this.#isOver = true;
    await Promise.all([...this.#kept.keys()].map((key) => this.close(key, reason)));
  }

  async close(key: string, reason: string): Promise<void> {
    const kept = this.#kept.get(key);
    clearTimeout(kept?.timer);
    this.#kept.delete(key);
    this.#closing++;
    await kept?.session.close(reason);
    this.#closing--;
  }
}
