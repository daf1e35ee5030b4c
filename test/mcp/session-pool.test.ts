import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSessionPool, type Session } from '../../src/mcp/index.js';

/** A session of which only what a pool looks at is there. */
function fakeSession() {
  const session = {
    ended: false,
    close: vi.fn(async () => {
      session.ended = true;
    }),
  };
  return session as unknown as Session & typeof session;
}

type Fake = ReturnType<typeof fakeSession>;

describe('a pool of sessions', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const opened: Fake[] = [];
  const open = vi.fn(async (): Promise<Session> => {
    const session = fakeSession();
    opened.push(session);
    return session;
  });
  beforeEach(() => {
    opened.length = 0;
    open.mockClear();
  });
  const id = (session: Session) => opened.indexOf(session as Fake);

  it('opens once for uses that begin at the same time', async () => {
    const pool = createSessionPool({ idleMs: 1000, max: 10 });
    const used = await Promise.all([1, 2, 3].map(() => pool.use('a', open, async (session) => id(session))));
    expect(used).toEqual([0, 0, 0]);
    expect(open).toHaveBeenCalledTimes(1);
  });

  it('uses the session again, but never for another key', async () => {
    const pool = createSessionPool({ idleMs: 1000, max: 10 });
    const use = (key: string) => pool.use(key, open, async (session) => id(session));
    expect([await use('a'), await use('b'), await use('a')]).toEqual([0, 1, 0]);
  });

  it('gives back what the work gives, and passes on its error', async () => {
    const pool = createSessionPool({ idleMs: 1000, max: 10 });
    expect(await pool.use('a', open, async () => 'value')).toBe('value');
    await expect(pool.use('a', open, async () => Promise.reject(new Error('work')))).rejects.toThrow('work');
    expect(open).toHaveBeenCalledTimes(1);
  });

  it('closes a session that was idle for too long, but none in use', async () => {
    const pool = createSessionPool({ idleMs: 1000, max: 10 });
    await pool.use('a', open, async () => {
      await vi.advanceTimersByTimeAsync(5000);
      expect(opened[0]!.close).not.toHaveBeenCalled();
    });
    await vi.advanceTimersByTimeAsync(999);
    expect(opened[0]!.close).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(opened[0]!.close).toHaveBeenCalledTimes(1);
    expect(pool.size).toBe(0);
  });

  it('counts idle time from the last of several uses', async () => {
    const pool = createSessionPool({ idleMs: 1000, max: 10 });
    const first = pool.use('a', open, () => new Promise((resolve) => setTimeout(resolve, 100)));
    const second = pool.use('a', open, () => new Promise((resolve) => setTimeout(resolve, 5000)));
    await vi.advanceTimersByTimeAsync(4000);
    await first;
    expect(opened[0]!.close).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1000);
    await second;
  });

  it('closes the one idle for longest when there are too many', async () => {
    const pool = createSessionPool({ idleMs: 60_000, max: 2 });
    for (const key of ['a', 'b', 'a', 'c']) {
      await pool.use(key, open, async () => {});
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(opened.map(({ ended }) => ended)).toEqual([false, true, false]);
  });

  it('goes beyond its cap rather than close a session in use, and comes back to it', async () => {
    const pool = createSessionPool({ idleMs: 60_000, max: 1 });
    await pool.use('a', open, async () => {
      await pool.use('b', open, async () => expect(pool.size).toBe(2));
      await vi.advanceTimersByTimeAsync(0);
      expect(opened.map(({ ended }) => ended)).toEqual([false, true]);
    });
    expect(pool.size).toBe(1);
  });

  it('opens anew after the session has ended', async () => {
    const pool = createSessionPool({ idleMs: 1000, max: 10 });
    await pool.use('a', open, async () => {
      opened[0]!.ended = true;
    });
    expect(await pool.use('a', open, async (session) => id(session))).toBe(1);
  });

  it('opens anew after opening has failed', async () => {
    const pool = createSessionPool({ idleMs: 1000, max: 10 });
    const fail = async () => Promise.reject(new Error('refused'));
    const failures = await Promise.allSettled([pool.use('a', fail, async () => {}), pool.use('a', fail, async () => {})]);
    expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(pool.size).toBe(0);
    expect(await pool.use('a', open, async () => 'fine')).toBe('fine');
  });

  it('closes by key, and all', async () => {
    const pool = createSessionPool({ idleMs: 1000, max: 10 });
    for (const key of ['a', 'b', 'c']) await pool.use(key, open, async () => {});
    await pool.close('b');
    expect(opened.map(({ ended }) => ended)).toEqual([false, true, false]);
    await pool.close('unknown');
    await pool.closeAll();
    expect(opened.map(({ ended }) => ended)).toEqual([true, true, true]);
    expect(pool.size).toBe(0);
  });

  it('closes a session that was still being opened', async () => {
    const pool = createSessionPool({ idleMs: 1000, max: 10 });
    const use = pool.use('a', open, async (session) => session.ended);
    await pool.closeAll();
    await use;
    expect(opened.map(({ ended }) => ended)).toEqual([true]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not keep the process alive', async () => {
    vi.useRealTimers();
    const pool = createSessionPool({ idleMs: 60_000, max: 10 });
    const before = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    await pool.use('a', open, async () => {});
    expect(process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length).toBeLessThanOrEqual(before);
  });
});
