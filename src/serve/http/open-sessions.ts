import type { EventEmitter } from 'node:events';

export interface OpenSession {
  /** If false, the session is idle although responses are open. */
  readonly isBusy?: boolean;
  /** @param reason for the log */
  close(reason: string): Promise<void>;
}

interface Kept<S> {
  readonly session: S;
  uses: number;
  timer?: NodeJS.Timeout;
}

/**
 * A limited number of sessions. A session that nobody has used for a while is closed. If there is no room, the idle one
 * that was used least recently is closed; a busy one never is. While a session is being closed, it takes its place.
 */
export class OpenSessions<S extends OpenSession> {
  readonly #kept = new Map<string, Kept<S>>();
  #closing = 0;

  constructor(
    readonly max = 100,
    readonly idleMs = 30 * 60_000,
  ) {}

  get all(): S[] {
    return [...this.#kept.values()].map(({ session }) => session);
  }

  /** Keeps a session, or the one that `open` makes, until its response has ended. @returns undefined if all are busy */
  use<T extends S>(key: string, response: Pick<EventEmitter, 'once'>, open?: () => T): T | undefined {
    const kept: Kept<S> | undefined =
      this.#kept.get(key) ?? (open && this.#hasRoom() ? { session: open(), uses: 0 } : undefined);
    if (!kept) return undefined;
    this.#kept.set(key, kept);
    // The least recently used one comes first.
    const touch = () => {
      if (this.#kept.delete(key)) this.#kept.set(key, kept);
    };
    touch();
    clearTimeout(kept.timer);
    kept.uses++;
    response.once('finish', touch);
    response.once('close', () => {
      if (--kept.uses > 0 || this.#kept.get(key) !== kept) return;
      kept.timer = setTimeout(() => void this.close(key, 'nobody has used it'), this.idleMs).unref();
    });
    return kept.session as T; // a key stands for sessions of one type
  }

  #hasRoom(): boolean {
    if (this.#closing >= this.max) return false;
    if (this.#kept.size < this.max) return true;
    const leaving = [...this.#kept].find(([, { session, uses }]) => session.isBusy === false || uses === 0);
    if (leaving) void this.close(leaving[0], 'another one needed its place');
    return leaving !== undefined;
  }

  async closeAll(reason: string): Promise<void> {
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
