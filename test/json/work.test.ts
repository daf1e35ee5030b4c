import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startWork } from '../../src/json/index.js';

describe('Work', () => {
  let now = 0;
  beforeEach(() => {
    now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => vi.restoreAllMocks());

  test('ends with its steps, and stays ended', () => {
    const work = startWork({ steps: 2, ms: 1 });
    expect([work.spend(2), work.exhausted, work.spend(1), work.spend(0)]).toEqual([true, false, false, false]);
  });

  test('ends with its time, which is looked at every few hundred steps or when asked', () => {
    const work = startWork({ steps: Infinity, ms: 10 });
    now = 4;
    expect(work.msLeft).toBe(6);
    now = 11;
    expect([work.msLeft, work.spend(1), work.spend(1, true), work.exhausted]).toEqual([0, true, false, true]);
    const other = startWork({ steps: Infinity, ms: 10 });
    now = 22;
    expect([other.spend(255), other.spend(1)]).toEqual([true, false]);
  });

  test('that is paused takes time only during its parts', () => {
    const work = startWork({ steps: Infinity, ms: 10, paused: true });
    now = 100;
    expect(work.spend(1, true)).toBe(true);
    work.during(() => (now += 6));
    now += 100;
    expect(work.msLeft).toBe(4);
    expect(work.during(() => work.spend(1, true))).toBe(true);
    expect(work.during(() => work.during(() => (now += 5)) && work.spend(1, true))).toBe(false);
  });

  test('within other work charges that while its clock runs, and ends with it', () => {
    const outer = startWork({ steps: 5, ms: 10, paused: true });
    const inner = startWork({ steps: Infinity, ms: 1000, within: outer });
    expect(inner.running).toBe(false);
    outer.during(() => {
      expect([inner.running, inner.spend(5), inner.spend(1), inner.exhausted]).toEqual([true, true, false, true]);
    });
    // What is read of its result later has limits of its own.
    expect([inner.spend(1), inner.exhausted, outer.exhausted]).toEqual([true, false, true]);
  });
});
