import { expect, test, vi } from 'vitest';
import type { Origin } from '../../src/mcp/index.js';
import { type Caller, CallsUnderWay } from '../../src/serve/upstream/calls-under-way.js';

const open = () => Promise.resolve();
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("A server's message in a response, or over HTTP, belongs to that request and to no later one", async () => {
  const calls = new CallsUnderWay(false);
  // Callers are only told apart.
  const [first, other] = ['first', 'other'].map(
    (of) => ({ of, signal: new AbortController().signal }) as unknown as Caller,
  );
  let end = () => {};
  const running = calls.run(first!, open, () => new Promise<void>((resolve) => (end = resolve)));
  await turn();
  const callerOf = (context: Caller | undefined, isStdio: boolean, within?: number) =>
    calls.callerOf({ within, context } as Origin, isStdio);
  expect([callerOf(first, false), callerOf(first, true, 1)]).toEqual([first, first]);
  for (const nobody of [callerOf(other, false), callerOf(undefined, false), callerOf(other, true, 2)])
    expect(nobody).toBeUndefined();
  end();
  await running;
  expect(callerOf(first, false)).toBeUndefined();
});

/** A request of the client with this name. */
function requestOf(name: string) {
  const controller = new AbortController();
  const envelope = { 'io.modelcontextprotocol/clientInfo': { name } };
  // The calls under way read the signal and the envelope of a caller.
  return { controller, caller: { signal: controller.signal, envelope } as unknown as Caller };
}

test('A cancelled request that waited for another one does not make the next one ambiguous', async () => {
  const [waiting, next] = [requestOf('waiting'), requestOf('next')];
  const calls = new CallsUnderWay(false);
  calls.runOneAtATime();
  let end = () => {};
  const first = calls.run(next.caller, open, () => new Promise<void>((resolve) => (end = resolve)));
  const second = calls.run(waiting.caller, open, () => Promise.reject(new Error('cancelled')));
  waiting.controller.abort();
  await turn();
  end();
  await Promise.all([first, expect(second).rejects.toThrow('cancelled')]);
  void calls.run(next.caller, open, () => new Promise(() => {}));
  await turn();
  expect(calls.callerOf({} as Origin, true)).toBe(next.caller);
});

test('A cancelled request makes the requests of other clients ambiguous for a minute', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const [cancelled, next] = [requestOf('cancelled'), requestOf('next')];
  const calls = new CallsUnderWay(false);
  await calls.run(cancelled.caller, open, () => {
    cancelled.controller.abort();
    return open();
  });
  void calls.run(next.caller, open, () => new Promise(() => {}));
  await turn();
  vi.advanceTimersByTime(59_999);
  expect(calls.callerOf({} as Origin, true)).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect(calls.callerOf({} as Origin, true)).toBe(next.caller);
});

test('A message outside a request belongs to the last of several requests of one client, and to none of several clients', async () => {
  const [first, last] = [requestOf('one'), requestOf('one')];
  const owners = await Promise.all(
    [true, false].map(async (isOneClient) => {
      const calls = new CallsUnderWay(isOneClient);
      for (const { caller } of [first, last]) void calls.run(caller, open, () => new Promise(() => {}));
      await turn();
      return calls.callerOf({} as Origin, true);
    }),
  );
  expect(owners).toEqual([last.caller, undefined]);
  expect(owners[0]).toBe(last.caller);
});

test('Once requests are made one after the other, each waits for the one before it', async () => {
  const calls = new CallsUnderWay(false);
  const started: string[] = [];
  let end = () => {};
  const run = (name: string) => {
    const work = () => {
      started.push(name);
      return new Promise<void>((resolve) => (end = resolve));
    };
    void calls.run(requestOf(name).caller, open, work);
  };
  run('before');
  await turn();
  expect(calls.isWaiting).toBe(false);
  calls.runOneAtATime();
  for (const name of ['second', 'third', 'fourth']) run(name);
  for (const count of [1, 2, 3, 4]) {
    await turn();
    expect([started.length, calls.isWaiting]).toEqual([count, true]);
    end();
  }
  await turn();
  expect([started, calls.isWaiting]).toEqual([['before', 'second', 'third', 'fourth'], false]);
});
