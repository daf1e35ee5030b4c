import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Places } from '../../src/serve/http/places.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function places(most = 3) {
  const closed: string[] = [];
  const all = new Places({ most, idleMs: 1000 });
  const add = (key: string) => all.add(key, () => ({ close: () => Promise.resolve(void closed.push(key)) }));
  return { all, add, closed };
}

describe('Places', () => {
  test('go in the order in which they were used last, not in that in which they came', () => {
    const { all, add, closed } = places();
    for (const key of ['a', 'b', 'c']) {
      add(key);
      all.use(key)();
    }
    all.use('a')();
    expect(add('d')).toBe(true);
    expect([closed, all.get('a') !== undefined]).toEqual([['b'], true]);
  });

  test('in use are never closed: who comes when all are is turned away', () => {
    const { all, add, closed } = places(2);
    add('a');
    add('b');
    const [leaveA] = [all.use('a'), all.use('b')];
    expect([add('c'), closed]).toEqual([false, []]);
    leaveA();
    expect([add('c'), closed]).toEqual([true, ['a']]);
  });

  test('are closed when nobody has used them for so long, counted from the end of the last use', () => {
    const { all, add, closed } = places();
    add('a');
    const [first, second] = [all.use('a'), all.use('a')];
    first();
    first();
    vi.advanceTimersByTime(5000);
    second();
    vi.advanceTimersByTime(999);
    all.use('a')();
    vi.advanceTimersByTime(999);
    expect(closed).toEqual([]);
    vi.advanceTimersByTime(1);
    expect([closed, all.get('a')]).toEqual([['a'], undefined]);
  });

  test('that nobody used at all go as well', () => {
    const { add, closed } = places(1);
    add('a');
    expect([add('b'), closed]).toEqual([true, ['a']]);
  });

  test('are all closed in the end, and leave no timer', async () => {
    const { all, add, closed } = places();
    add('a');
    all.use('a')();
    add('b');
    all.use('b');
    await all.closeAll();
    expect([closed, vi.getTimerCount()]).toEqual([['a', 'b'], 0]);
  });
});
