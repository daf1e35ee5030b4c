import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { texts } from '../../test-support/schemas/short.js';
import { OpenSessions, type OpenSession } from '../../src/serve/http/open-sessions.js';

beforeEach(() => void vi.useFakeTimers());

function sessions(max = 3) {
  const closed: string[] = [];
  const stuck: string[] = [];
  const all = new OpenSessions(max, 1000);
  const add = (key: string) => {
    const session: OpenSession = {
      close: () => (stuck.includes(key) ? new Promise(() => {}) : Promise.resolve(void closed.push(key))),
    };
    const response = new EventEmitter();
    const isOpen = all.use(key, response, () => session) !== undefined;
    response.emit('close');
    return isOpen;
  };
  /** A response to the session's client. */
  const use = (key: string) => {
    const response = new EventEmitter();
    all.use(key, response);
    return response;
  };
  return { all, add, use, closed, unclosed: (keys: string[]) => stuck.push(...keys) };
}

test('A hundred sessions are kept for half an hour without use, unless other limits are set', () => {
  const all = new OpenSessions();
  const closed: string[] = [];
  const add = (key: string) => {
    const response = new EventEmitter();
    const isOpen = all.use(key, response, () => ({ isBusy: key !== 'idle', close: async () => void closed.push(key) }));
    if (key === 'first') response.emit('close');
    return isOpen !== undefined;
  };
  expect(['first', 'idle', ...texts(98, 'busy')].every(add)).toBe(true);
  vi.advanceTimersByTime(30 * 60_000 - 1);
  expect(closed).toEqual([]);
  vi.advanceTimersByTime(1);
  expect([add('new'), closed.length, add('newer'), closed, add('newest')]).toEqual([
    true,
    1,
    true,
    ['first', 'idle'],
    false,
  ]);
});

test('Without room for another session, the least recently used one is closed, not the oldest', () => {
  const { add, use, closed } = sessions(2);
  add('a');
  const response = use('a');
  add('b');
  // A client that has just read its answer counts as one that has called just now.
  for (const event of ['finish', 'close']) response.emit(event);
  expect([add('c'), closed]).toEqual([true, ['b']]);
});

describe('Sessions', () => {
  test('Sessions that are being closed count, since their processes still run', async () => {
    const { all, add, unclosed } = sessions(2);
    unclosed(['a', 'b']);
    for (const key of ['a', 'b', 'c', 'd']) expect(add(key)).toBe(true);
    expect(add('e')).toBe(false);
    expect(all.all).toHaveLength(2);
  });

  test('Sessions are closed after an idle time that begins with the end of the last response', () => {
    const { all, add, use, closed } = sessions();
    add('a');
    const [first, second] = [use('a'), use('a')];
    first.emit('close');
    vi.advanceTimersByTime(5000);
    second.emit('close');
    vi.advanceTimersByTime(999);
    use('a').emit('close');
    vi.advanceTimersByTime(999);
    expect(closed).toEqual([]);
    vi.advanceTimersByTime(1);
    expect([closed, all.all]).toEqual([['a'], []]);
    add('b');
    void all.close('b', 'ended');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('Sessions that were closed while they answered do not come back with the end of the answer', () => {
    const { all, add, use, closed } = sessions(1);
    add('a');
    const response = use('a');
    expect(add('b')).toBe(false);
    void all.close('a', 'ended');
    for (const event of ['finish', 'close']) response.emit(event);
    expect([closed, all.all, vi.getTimerCount()]).toEqual([['a'], [], 0]);
  });
});
