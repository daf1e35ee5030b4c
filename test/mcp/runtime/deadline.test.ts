import { beforeEach, expect, test, vi } from 'vitest';
import { Deadline } from '../../../src/mcp/runtime/timers.js';

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
