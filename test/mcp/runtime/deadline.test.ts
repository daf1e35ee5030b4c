import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Aborted, TimedOut } from '../../../src/mcp/errors/failures.js';
import { Deadline, unlessAborted } from '../../../src/mcp/runtime/deadline.js';
import { pause, settlesWithin, timerMs } from '../../../src/mcp/runtime/timers.js';

beforeEach(() => void vi.useFakeTimers());

/** True if it has happened once this much time has passed. */
async function after(ms: number, happened: () => boolean): Promise<boolean> {
  await vi.advanceTimersByTimeAsync(ms);
  return happened();
}

function limited(ms: number) {
  const limit = new Deadline(ms);
  return { limit, isExceeded: () => limit.isOver && limit.signal.aborted };
}

describe('a deadline', () => {
  test('ends when its time is up', async () => {
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

  test("ends with the caller's signal, with its reason, before its time or at once", async () => {
    const stop = new AbortController();
    const deadline = new Deadline(100, stop.signal);
    const waiting = deadline.wait(new Promise(() => {}));
    stop.abort('enough');
    await expect(waiting).rejects.toBeInstanceOf(Aborted);
    expect(deadline).toMatchObject({ isOver: false, signal: { aborted: true, reason: 'enough' } });
    expect(new Deadline(100, stop.signal).signal.aborted).toBe(true);
    const withoutReason = new EventTarget() as AbortSignal; // as older libraries throw it
    const another = new Deadline(100, withoutReason);
    withoutReason.dispatchEvent(new Event('abort'));
    expect(another.signal.aborted).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('ends what waits for something, once its time is up', async () => {
    const failed = new Deadline(50).wait(new Promise(() => {})).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(50);
    expect(await failed).toBeInstanceOf(TimedOut);
  });
});

describe('a promise with several waiters', () => {
  test('comes, or ends for the one whose signal is aborted', async () => {
    const stop = new AbortController();
    expect(await unlessAborted(Promise.resolve(1), stop.signal)).toBe(1);
    expect(await unlessAborted(Promise.resolve(1), undefined)).toBe(1);
    const waiting = unlessAborted(new Promise(() => {}), stop.signal);
    stop.abort();
    await expect(waiting).rejects.toBeInstanceOf(Aborted);
    await expect(unlessAborted(new Promise(() => {}), stop.signal)).rejects.toBeInstanceOf(Aborted);
  });

  test('leaves nothing at a signal that many calls share', async () => {
    const { signal } = new AbortController();
    const [add, remove] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')];
    await unlessAborted(Promise.resolve(1), signal);
    expect(remove.mock.calls.map(([, listener]) => listener)).toEqual(add.mock.calls.map(([, listener]) => listener));
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

test('A promise with a limit is not awaited for longer, and may be rejected', async () => {
  const done = vi.fn();
  void settlesWithin(50, new Promise(() => {})).then(done);
  expect(await after(49, () => done.mock.calls.length > 0)).toBe(false);
  expect(await after(2, () => done.mock.calls.length > 0)).toBe(true);
  expect(done).toHaveBeenCalledWith(false);
  expect(await settlesWithin(50_000, Promise.reject(new Error('no')))).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

test('A time limit is what a timer can keep', () => {
  expect([timerMs(1), timerMs(2 ** 31), timerMs(Infinity)]).toEqual([1, 2 ** 31 - 1, 2 ** 31 - 1]);
});
