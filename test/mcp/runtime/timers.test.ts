import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { pause, settlesWithin, timerMs } from '../../../src/mcp/runtime/timers.js';

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
