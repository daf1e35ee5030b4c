import { afterEach, describe, expect, test, vi } from 'vitest';
import { startWork } from '../../src/json/index.js';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('Work', () => {
  test('ends when its steps are used up, and stays at its end', () => {
    const work = startWork({ steps: 10, ms: 1e9 });
    expect(work.spend(4)).toBe(true);
    expect(work.spend(6)).toBe(true);
    expect(work.exhausted).toBe(false);
    expect(work.spend()).toBe(false);
    expect(work.exhausted).toBe(true);
    expect(work.spend(-100)).toBe(false);
  });

  test('ends when its time is up, at which it looks now and then', () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(1000);
    const work = startWork({ steps: Infinity, ms: 50 });
    expect(clock).toHaveBeenCalledTimes(1);
    expect(work.spend(255)).toBe(true);
    expect(clock).toHaveBeenCalledTimes(1);
    clock.mockReturnValue(1050);
    expect(work.spend(1)).toBe(true);
    expect(clock).toHaveBeenCalledTimes(2);
    clock.mockReturnValue(1051);
    expect(work.spend(255)).toBe(true);
    expect(work.spend(1)).toBe(false);
    expect(work.exhausted).toBe(true);
    expect(clock).toHaveBeenCalledTimes(3);
  });
});
