import { getEventListeners } from 'node:events';
import { beforeEach, expect, test, vi } from 'vitest';
import { Deadline, pause, settlesWithin, unlessAborted } from '../../../src/mcp/runtime/timers.js';

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

test('A deadline is paused from the first pause to the last resume, and then has the rest of its time', async () => {
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

test('A restarted deadline begins again, also while it is paused', async () => {
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

test('A deadline that is over, or cleared, leaves no timer and no listener, and is not begun again', async () => {
  const caller = new AbortController();
  const { signal } = caller;
  const ends: unknown[] = [];
  const limits = [1, 2, 3].map((ms) => new Deadline(ms, signal, (reason) => ends.push(reason)));
  const listener = vi.fn();
  for (const limit of limits) limit.addEventListener('abort', listener);
  limits[2]!.removeEventListener('abort', listener);
  await vi.advanceTimersByTimeAsync(1);
  limits[1]!.clear();
  caller.abort('enough');
  for (const limit of limits) {
    limit.pause();
    limit.resume();
    limit.restart();
  }
  expect([vi.getTimerCount(), getEventListeners(signal, 'abort')]).toEqual([0, []]);
  expect(ends).toEqual([expect.objectContaining({ name: 'TimedOut' }), 'enough']);
  expect(listener).toHaveBeenCalledOnce();
  expect(limits.map(({ isOver, aborted, signal: own }) => [isOver, aborted, own.aborted])).toEqual([
    [true, true, true],
    [false, false, false],
    [false, true, true],
  ]);
  expect([limits[0]!.signal.reason, limits[2]!.signal.reason]).toEqual(ends);
  expect(new Deadline(1, signal)).toMatchObject({ aborted: true, reason: 'enough', isOver: false });
});

test('A wait ends with its time or its signal, and leaves no timer and no listener', async () => {
  const caller = new AbortController();
  const { signal } = caller;
  const over: string[] = [];
  const note = (what: string) => () => void over.push(what);
  void pause(10, signal).then(note('short'));
  void pause(1000, signal).then(note('long'));
  void settlesWithin(1000, Promise.reject(new Error('no'))).then((isInTime) => over.push(`failed ${isInTime}`));
  void settlesWithin(5, new Promise(() => {})).then((isInTime) => over.push(`late ${isInTime}`));
  void unlessAborted(Promise.resolve('done'), signal).then((result) => over.push(result));
  void unlessAborted(new Promise(() => {}), signal).catch((error: unknown) => over.push((error as Error).name));
  await vi.advanceTimersByTimeAsync(10);
  expect(over.sort()).toEqual(['done', 'failed true', 'late false', 'short']);
  caller.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(over.slice(4).sort()).toEqual(['Aborted', 'long']);
  await pause(1000, signal);
  expect([vi.getTimerCount(), getEventListeners(signal, 'abort')]).toEqual([0, []]);
});
