import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startBudget } from '../../src/json/index.js';

describe('A budget', () => {
  let now = 0;
  beforeEach(() => {
    now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => vi.restoreAllMocks());

  test('ends with its steps, and stays ended', () => {
    const work = startBudget({ steps: 2, ms: 1 });
    expect([work.consume(2), work.exhausted, work.consume(1), work.consume(0)]).toEqual([true, false, false, false]);
  });

  test('ends with its time, which is looked at every few hundred steps or when asked', () => {
    const work = startBudget({ steps: Infinity, ms: 10 });
    now = 4;
    expect(work.msLeft).toBe(6);
    now = 11;
    expect([work.msLeft, work.consume(1), work.consume(1, true), work.exhausted]).toEqual([0, true, false, true]);
    const other = startBudget({ steps: Infinity, ms: 10 });
    now = 22;
    expect([other.consume(255), other.consume(1)]).toEqual([true, false]);
  });

  test('that is paused takes time only during its parts', () => {
    const work = startBudget({ steps: Infinity, ms: 10, paused: true });
    now = 100;
    expect(work.consume(1, true)).toBe(true);
    work.during(() => (now += 6));
    now += 100;
    expect(work.msLeft).toBe(4);
    expect(work.during(() => work.consume(1, true))).toBe(true);
    expect(work.during(() => work.during(() => (now += 5)) && work.consume(1, true))).toBe(false);
  });

  test('within other work charges that while its clock runs, and ends with it', () => {
    const outer = startBudget({ steps: 5, ms: 10, paused: true });
    const inner = startBudget({ steps: Infinity, ms: 1000, within: outer });
    expect(inner.running).toBe(false);
    outer.during(() => {
      expect([inner.running, inner.consume(5), inner.consume(1), inner.exhausted]).toEqual([true, true, false, true]);
    });
    // What is read of its result later has limits of its own.
    expect([inner.consume(1), inner.exhausted, outer.exhausted]).toEqual([true, false, true]);
  });
});
