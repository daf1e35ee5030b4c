import { background, timerMs } from '../runtime/timers.js';
import type { Session } from './session.js';

/** How a session of a pool is opened, and how long it is kept. */
export interface SessionUse {
  /** Opens the session if there is none, or if the current one has ended: then it is opened again. */
  open: (isAgain: boolean) => Promise<Session>;
  closed?: (session: Session) => void;
  /** How long the session stays open once nobody uses it, in milliseconds. The use that began last decides. */
  idleMs: number;
}

/** Sessions that outlive a single use, told apart by keys that the host makes up. */
export interface SessionPool {
  /**
   * Runs `work` with the session of this key. Concurrent first uses open once. While any work runs on it, a session is
   * not idle.
   *
   * ```ts
   * const pool = createSessionPool(100);
   * const server = { open: () => connect({ url }), idleMs: 60_000 };
   * const { tools } = await pool.use(url, server, (session) => session.listTools());
   * ```
   *
   * @throws the error of `open` or `work`
   */
  use<T>(key: string, how: SessionUse, work: (session: Session) => Promise<T>): Promise<T>;
  /** Closes the session of a key, even if it is in use. */
  close(key: string): Promise<void>;
  /** Closes the session of a key once nobody has used it for `idleMs` (milliseconds; default: at once). */
  release(key: string, idleMs?: number): void;
  /** The keys of the sessions that are open or being opened. */
  keys(): string[];
}

interface Entry {
  opening: Promise<Session>;
  session?: Session;
  closed?: SessionUse['closed'] | undefined;
  uses: number;
  idleMs: number;
  idleSince: number;
  timer?: NodeJS.Timeout;
}

/**
 * Makes a pool. Its timers do not keep the process alive.
 *
 * @param max how many sessions may be open. Beyond it, the one idle for longest is closed; sessions in use never are.
 */
export function createSessionPool(max: number): SessionPool {
  const entries = new Map<string, Entry>();

  function acquire(key: string, { open, closed }: Pick<SessionUse, 'open' | 'closed'>): Entry {
    const present = entries.get(key);
    if (present && !present.session?.ended) return present;
    if (present) void discard(key, present);
    makeRoom(max - 1);
    const entry: Entry = { opening: open(present !== undefined), closed, uses: 0, idleMs: 0, idleSince: 0 };
    entries.set(key, entry);
    entry.opening.then(
      (session) => void (entry.session = session),
      () => {
        if (entries.get(key) === entry) entries.delete(key);
      },
    );
    return entry;
  }

  function endUse(key: string, entry: Entry): void {
    entry.uses--;
    if (entry.uses > 0 || entries.get(key) !== entry) return;
    entry.idleSince = performance.now();
    closeLater(key, entry);
    makeRoom(max);
  }

  function closeLater(key: string, entry: Entry): void {
    clearTimeout(entry.timer);
    entry.timer = background(() => void discard(key, entry), timerMs(entry.idleMs));
  }

  function makeRoom(most: number): void {
    const idle = [...entries]
      .filter(([, entry]) => entry.uses === 0 && entry.session)
      .sort(([, a], [, b]) => a.idleSince - b.idleSince);
    for (const [key, entry] of idle.slice(0, Math.max(0, entries.size - most))) void discard(key, entry);
  }

  async function discard(key: string, entry: Entry): Promise<void> {
    clearTimeout(entry.timer);
    entries.delete(key);
    const session = await entry.opening.catch(() => undefined);
    await session?.close().catch(() => undefined);
    if (session) entry.closed?.(session);
  }

  return {
    async use(key, { idleMs, ...session }, work) {
      const entry = acquire(key, session);
      clearTimeout(entry.timer);
      entry.uses++;
      entry.idleMs = idleMs;
      try {
        return await work(await entry.opening);
      } finally {
        endUse(key, entry);
      }
    },
    async close(key) {
      const entry = entries.get(key);
      if (entry) await discard(key, entry);
    },
    release(key, idleMs = 0) {
      const entry = entries.get(key);
      if (!entry) return;
      entry.idleMs = idleMs;
      if (entry.uses > 0) return;
      if (idleMs > 0) closeLater(key, entry);
      else void discard(key, entry);
    },
    keys: () => [...entries.keys()],
  };
}
