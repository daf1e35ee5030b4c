import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { whileBusy } from '../../../src/mcp/connection/while-busy.js';
import { HttpFailure } from '../../../src/mcp/errors/failures.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
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
