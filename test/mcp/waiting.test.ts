import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { atMost, pause, TimeLimit, timerMs, unlessAborted, whileBusy } from '../../src/mcp/runtime/waiting.js';
import { HttpFailure } from '../../src/mcp/errors/failures.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Whether it has come, once that much more time has passed. */
async function after(ms: number, happened: () => boolean): Promise<boolean> {
  await vi.advanceTimersByTimeAsync(ms);
  return happened();
}

function limited(ms: number) {
  const exceeded = vi.fn();
  const limit = new TimeLimit(ms, exceeded);
  return { limit, isExceeded: () => exceeded.mock.calls.length > 0 };
}

describe('a time limit', () => {
  test('is what a timer can keep', () => {
    expect([timerMs(1), timerMs(2 ** 31), timerMs(Infinity)]).toEqual([1, 2 ** 31 - 1, 2 ** 31 - 1]);
  });

  test('calls back when it is up', async () => {
    const { isExceeded } = limited(100);
    expect(await after(99, isExceeded)).toBe(false);
    expect(await after(1, isExceeded)).toBe(true);
  });

  test('stands still from the first pause to the last resume, and then has the rest of its time', async () => {
    const { limit, isExceeded } = limited(100);
    await vi.advanceTimersByTimeAsync(40);
    limit.pause();
    expect(await after(1000, isExceeded)).toBe(false);
    limit.pause();
    limit.resume();
    expect(await after(1000, isExceeded)).toBe(false);
    limit.resume();
    expect(await after(59, isExceeded)).toBe(false);
    expect(await after(1, isExceeded)).toBe(true);
  });

  test('begins anew when it is restarted, also while it stands still', async () => {
    const { limit, isExceeded } = limited(100);
    await vi.advanceTimersByTimeAsync(90);
    limit.restart();
    expect(await after(99, isExceeded)).toBe(false);
    limit.pause();
    limit.restart();
    expect(await after(1000, isExceeded)).toBe(false);
    limit.resume();
    expect(await after(99, isExceeded)).toBe(false);
    expect(await after(1, isExceeded)).toBe(true);
  });

  test.each(['pause', 'restart', 'resume'] as const)('that was taken away does not come back by %s', async (act) => {
    const { limit, isExceeded } = limited(100);
    if (act === 'resume') limit.pause();
    limit.clear();
    limit[act]();
    expect(await after(10_000, isExceeded)).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a pause', () => {
  test('takes its time', async () => {
    const done = vi.fn();
    void pause(50).then(done);
    expect(await after(49, () => done.mock.calls.length > 0)).toBe(false);
    expect(await after(1, () => done.mock.calls.length > 0)).toBe(true);
  });

  test('ends with its signal, before it or while it lasts, and leaves no timer', async () => {
    const stop = new AbortController();
    const waiting = pause(50_000, stop.signal);
    stop.abort();
    await waiting;
    await pause(50_000, stop.signal);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('What is waited for at most so long is waited for no longer, and may fail', async () => {
  const done = vi.fn();
  void atMost(50, new Promise(() => {})).then(done);
  expect(await after(49, () => done.mock.calls.length > 0)).toBe(false);
  expect(await after(1, () => done.mock.calls.length > 0)).toBe(true);
  await atMost(50_000, Promise.reject(new Error('no')));
  expect(vi.getTimerCount()).toBe(0);
});

describe('what others wait for as well', () => {
  test('comes, or ends for the one whose signal is aborted', async () => {
    const stop = new AbortController();
    expect(await unlessAborted(Promise.resolve(1), stop.signal, 'It')).toBe(1);
    expect(await unlessAborted(Promise.resolve(1), undefined, 'It')).toBe(1);
    const waiting = unlessAborted(new Promise(() => {}), stop.signal, 'It');
    stop.abort();
    await expect(waiting).rejects.toThrow('It was cancelled by the caller.');
    await expect(unlessAborted(new Promise(() => {}), stop.signal, 'It')).rejects.toThrow('It was cancelled');
  });

  test('leaves nothing at a signal that many calls share', async () => {
    const { signal } = new AbortController();
    const [add, remove] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')];
    await unlessAborted(Promise.resolve(1), signal, 'It');
    expect(remove.mock.calls.map(([, listener]) => listener)).toEqual(add.mock.calls.map(([, listener]) => listener));
  });
});

describe('a server that is too busy', () => {
  const busy = (status: number, retryAfterMs?: number) => new HttpFailure(status, '', retryAfterMs);
  const attempts = (failures: readonly unknown[]) => {
    const work = vi.fn<() => Promise<string>>();
    for (const failure of failures) work.mockRejectedValueOnce(failure);
    return work.mockResolvedValue('done');
  };

  test.each([429, 503])('(HTTP %i) is asked again when it says, or after a second', async (status) => {
    const work = attempts([busy(status, 200), busy(status)]);
    const done = vi.fn();
    void whileBusy(work, { idleTimeoutMs: 60_000 }).then(done);
    for (const [ms, times] of [
      [199, 1],
      [1, 2],
      [999, 2],
      [1, 3],
    ] as const) {
      await vi.advanceTimersByTimeAsync(ms);
      expect(work).toHaveBeenCalledTimes(times);
    }
    expect(done).toHaveBeenCalledWith('done');
  });

  test.each<[string, unknown[], number, number]>([
    ['three times', [busy(503, 1), busy(503, 1), busy(503, 1), busy(503, 1)], 60_000, 4],
    ['not where there is less time than it asks for', [busy(503, 100)], 100, 1],
    ['where there is just time enough', [busy(503, 99), busy(503, 1)], 100, 2],
    ['not for another status', [busy(500, 1)], 60_000, 1],
    ['not for another failure', [new Error('no')], 60_000, 1],
  ])('is asked again %s', async (_, failures, idleTimeoutMs, times) => {
    const work = attempts(failures);
    const failed = whileBusy(work, { idleTimeoutMs }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await failed).toBe(failures.at(-1));
    expect(work).toHaveBeenCalledTimes(times);
  });

  test('is not asked again for a caller who has given up', async () => {
    const stop = new AbortController();
    const work = attempts([busy(503, 1000)]);
    const failed = whileBusy(work, { idleTimeoutMs: 60_000, signal: stop.signal }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10);
    stop.abort();
    expect(await failed).toMatchObject({ status: 503 });
    expect(work).toHaveBeenCalledTimes(1);
  });
});
