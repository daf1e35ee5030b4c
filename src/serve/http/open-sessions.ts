import type { EventEmitter } from 'node:events';

export interface OpenSession {
  /** If false, the session is idle although responses are open. */
  readonly isBusy?: boolean;
  /** @param reason for the log */
  close(reason: string): Promise<void>;
}

/**
 * A limited number of sessions. A session that nobody has used for a while is closed. If there is no room, the idle one
 * that was used least recently is closed; a busy one never is.
 */
export class OpenSessions<S extends OpenSession> {
  /** The least recently used first. */
  readonly #kept = new Map<string, { readonly session: S; uses: number; timer?: NodeJS.Timeout }>();
  /** Sessions that are being closed: their processes last until then. */
  #closing = 0;
  #isOver = false;

  constructor(readonly limits: { readonly max: number; readonly idleMs: number }) {}

  get all(): S[] {
    return [...this.#kept.values()].map(({ session }) => session);
  }

  /** @returns the session of this key, or a new one; undefined if all are busy, or as many are being closed */
  open<T extends S>(key: string, open: () => T): T | undefined {
    const known = this.#kept.get(key);
    if (known) return known.session as T; // a key stands for sessions of one type
    if (this.#isOver || this.#closing >= this.limits.max) return undefined;
    if (this.#kept.size >= this.limits.max) {
      const leaving = [...this.#kept].find(([, { session, uses }]) => session.isBusy === false || uses === 0);
      if (!leaving) return undefined;
      void this.close(leaving[0], 'another one needed its place');
    }
    const session = open();
    this.#kept.set(key, { session, uses: 0 });
    return session;
  }

  use(key: string, response: Pick<EventEmitter, 'once'>): S | undefined {
    const kept = this.#kept.get(key);
    if (!kept) return undefined;
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
    return kept.session;
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
