import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createSessionPool, type Session, type SessionPool } from '../../../src/mcp/index.js';

/** A session with only the members that a pool reads. */
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

  let pool: SessionPool;
  const opened: Fake[] = [];
  const open = vi.fn(async (_isAgain: boolean): Promise<Session> => {
    const session = fakeSession();
    opened.push(session);
    return session;
  });
  beforeEach(() => {
    pool = createSessionPool(10);
    opened.length = 0;
    open.mockClear();
  });
  const forASecond = { open, idleMs: 1000 };
  const forAMinute = { open, idleMs: 60_000 };
  const id = (session: Session) => opened.indexOf(session as Fake);

  test('A pool opens one session for uses that begin at the same time', async () => {
    const used = await Promise.all([1, 2, 3].map(() => pool.use('a', forASecond, async (session) => id(session))));
    expect(used).toEqual([0, 0, 0]);
    expect(open).toHaveBeenCalledTimes(1);
  });

  test('A pool reuses a session, but never for another key', async () => {
    const use = (key: string) => pool.use(key, forASecond, async (session) => id(session));
    expect([await use('a'), await use('b'), await use('a')]).toEqual([0, 1, 0]);
  });

  test('A pool keeps a released session for the given idle time', async () => {
    await pool.use('a', forAMinute, async () => {});
    pool.release('a', 500);
    pool.release('a', 1000);
    await vi.advanceTimersByTimeAsync(999);
    expect(pool.keys()).toEqual(['a']);
    await vi.advanceTimersByTimeAsync(1);
    expect(pool.keys()).toEqual([]);
  });

  test('A pool closes a session that was idle for too long, but none in use', async () => {
    await pool.use('a', forASecond, async () => {});
    await pool.use('a', forASecond, async () => {
      await vi.advanceTimersByTimeAsync(5000);
      expect(opened[0]!.close).not.toHaveBeenCalled();
    });
    await vi.advanceTimersByTimeAsync(999);
    expect(opened[0]!.close).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(opened[0]!.close).toHaveBeenCalledTimes(1);
    expect(pool.keys()).toHaveLength(0);
  });

  test('A pool counts idle time from the last of several uses', async () => {
    const first = pool.use('a', forASecond, () => new Promise((resolve) => setTimeout(resolve, 100)));
    const second = pool.use('a', forASecond, () => new Promise((resolve) => setTimeout(resolve, 5000)));
    await vi.advanceTimersByTimeAsync(4000);
    await first;
    expect(opened[0]!.close).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1000);
    await second;
  });

  test.each([
    ['shorter', [60_000, 1000]],
    ['longer', [1000, 60_000]],
  ])('A pool takes the idle time from the use that began last: %s', async (_what, [before, after]) => {
    await pool.use('a', { open, idleMs: before! }, async () => {
      await pool.use('a', { open, idleMs: after! }, async () => {});
    });
    await vi.advanceTimersByTimeAsync(after! - 1);
    expect(pool.keys()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(pool.keys()).toHaveLength(0);
    expect([open.mock.calls.length, vi.getTimerCount()]).toEqual([1, 0]);
  });

  test('A pool with too many sessions closes the one that was idle for longest', async () => {
    const pool = createSessionPool(3);
    for (const key of ['a', 'b', 'c', 'a', 'b', 'd', 'a', 'e']) {
      await pool.use(key, forAMinute, async () => {});
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(opened.map(({ ended }) => ended)).toEqual([false, true, true, false, false]);
  });

  test('A pool exceeds its limit rather than close a session in use, and returns to it', async () => {
    const pool = createSessionPool(1);
    await pool.use('a', forAMinute, async () => {
      await pool.use('b', forAMinute, async () => expect(pool.keys()).toHaveLength(2));
      await vi.advanceTimersByTimeAsync(0);
      expect(opened.map(({ ended }) => ended)).toEqual([false, true]);
    });
    expect(pool.keys()).toHaveLength(1);
  });

  test('A pool opens a session again after it has ended, and tells the opener so', async () => {
    const closed = vi.fn();
    await pool.use('a', { ...forASecond, closed }, async () => {
      opened[0]!.ended = true;
    });
    expect(await pool.use('a', forASecond, async (session) => id(session))).toBe(1);
    expect(open.mock.calls).toEqual([[false], [true]]);
    await vi.advanceTimersByTimeAsync(0);
    expect([opened[0]!.close.mock.calls.length, closed.mock.calls, pool.keys()]).toEqual([1, [[opened[0]]], ['a']]);
  });

  test('A pool opens a session again after opening has failed', async () => {
    const refused = { ...forASecond, open: () => Promise.reject(new Error('refused')) };
    const failures = await Promise.allSettled([1, 2].map(() => pool.use('a', refused, async () => {})));
    expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(pool.keys()).toHaveLength(0);
    expect(await pool.use('a', forASecond, async () => 'fine')).toBe('fine');
  });

  test('A pool closes the sessions of a key', async () => {
    for (const key of ['a', 'b', 'c']) await pool.use(key, forASecond, async () => {});
    await pool.close('b');
    expect(opened.map(({ ended }) => ended)).toEqual([false, true, false]);
    await pool.close('unknown');
    expect(vi.getTimerCount()).toBe(2);
    await Promise.all(pool.keys().map((key) => pool.close(key)));
    expect(opened.map(({ ended }) => ended)).toEqual([true, true, true]);
    expect(pool.keys()).toHaveLength(0);
  });

  test('A pool tells the use that opened a session once that the session is over', async () => {
    const closed = vi.fn();
    const others = vi.fn();
    await pool.use('a', { ...forASecond, closed }, async () => {});
    await pool.use('a', { ...forASecond, closed: others }, async () => {});
    expect(closed).not.toHaveBeenCalled();
    await Promise.all([pool.close('a'), pool.close('a')]);
    expect(closed).toHaveBeenCalledExactlyOnceWith(opened[0]);
    expect(others).not.toHaveBeenCalled();
  });

  test('A pool releases the sessions of a key at once, or after their current use', async () => {
    for (const key of ['a', 'b']) await pool.use(key, forAMinute, async () => {});
    await pool.use('a', forAMinute, async (session) => {
      for (const key of [...pool.keys(), 'unknown']) pool.release(key);
      expect([pool.keys(), session.ended]).toEqual([['a'], false]);
    });
    await vi.advanceTimersByTimeAsync(1);
    expect([pool.keys(), opened.map(({ ended }) => ended)]).toEqual([[], [true, true]]);
  });

  test('A pool keeps a released session that is used again in time', async () => {
    await pool.use('a', forAMinute, async () => {
      pool.release('a');
      await pool.use('a', forAMinute, async () => {});
    });
    await vi.advanceTimersByTimeAsync(1000);
    expect(opened.map(({ ended }) => ended)).toEqual([false]);
  });

  test('A pool closes a session that is still being opened', async () => {
    const use = pool.use('a', forASecond, async (session) => session.ended);
    await Promise.all(pool.keys().map((key) => pool.close(key)));
    await use;
    expect(opened.map(({ ended }) => ended)).toEqual([true]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('A pool that closes a session whose opening then fails keeps the one that was opened since', async () => {
    let fail = (_error: Error) => {};
    const closed = vi.fn();
    const failing = { ...forASecond, closed, open: () => new Promise<Session>((_, reject) => (fail = reject)) };
    const first = pool.use('a', failing, async () => {}).catch((error: unknown) => error);
    const closing = pool.close('a');
    await pool.use('a', forASecond, async () => {});
    fail(new Error('refused'));
    await closing;
    expect(await first).toEqual(new Error('refused'));
    expect([pool.keys(), closed.mock.calls, opened.map(({ ended }) => ended)]).toEqual([['a'], [], [false]]);
  });

  test('A pool does not keep the process alive', async () => {
    vi.useRealTimers();
    const before = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    await pool.use('a', forAMinute, async () => {});
    expect(process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length).toBeLessThanOrEqual(before);
  });
});
