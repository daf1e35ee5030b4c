import { beforeEach, expect, test, vi } from 'vitest';
import { WorkBudget } from '../../src/json/index.js';

let now = 0;
beforeEach(() => {
  now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});

test('A budget ends with its steps, and stays ended', () => {
  const budget = new WorkBudget({ steps: 2, ms: 1 });
  expect([budget.consume(2), budget.exhausted]).toEqual([true, false]);
  expect([budget.consume(1), budget.consume(0)]).toEqual([false, false]);
});

test('A budget ends with its time, which is checked every few hundred steps or on request', () => {
  const budget = new WorkBudget({ steps: Infinity, ms: 10 });
  now = 11;
  expect([budget.consume(1), budget.consume(1, true), budget.exhausted]).toEqual([true, false, true]);
  const other = new WorkBudget({ steps: Infinity, ms: 10 });
  now = 22;
  expect([other.consume(255), other.consume(1)]).toEqual([true, false]);
});

test('A paused budget takes time only during its parts', () => {
  const budget = new WorkBudget({ steps: Infinity, ms: 10, paused: true });
  now = 100;
  expect(budget.consume(1, true)).toBe(true);
  budget.during(() => (now += 6));
  now += 100;
  expect(budget.during(() => budget.consume(1, true))).toBe(true);
  expect(budget.during(() => budget.during(() => (now += 5)) && budget.consume(1, true))).toBe(false);
});
