import { expect, test } from 'vitest';
import type { Origin } from '../../src/mcp/index.js';
import { type Caller, CallsUnderWay } from '../../src/serve/upstream/calls-under-way.js';

test("A server's message within a response, or over HTTP, belongs to that request, and to nobody later", async () => {
  const calls = new CallsUnderWay(false);
  const open = () => Promise.resolve();
  const [first, other] = ['first', 'other'].map(
    (of) => ({ of, signal: new AbortController().signal }) as unknown as Caller,
  );
  let end = () => {};
  const running = calls.run(first!, open, () => new Promise<void>((resolve) => (end = resolve)));
  await new Promise((resolve) => setImmediate(resolve));
  const callerOf = (context: Caller | undefined, isStdio: boolean, within?: number) =>
    calls.callerOf({ within, context } as Origin, isStdio);
  expect([callerOf(first, false), callerOf(first, true, 1)]).toEqual([first, first]);
  for (const nobody of [callerOf(other, false), callerOf(undefined, false), callerOf(other, true, 2)])
    expect(nobody).toBeUndefined();
  end();
  await running;
  expect(callerOf(first, false)).toBeUndefined();
});

test("A server's message over stdio belongs to nobody if it may belong to several requests, or to another client's cancelled one", async () => {
  const controllers = [1, 2].map(() => new AbortController());
  const callers = controllers.map(({ signal }, index) => {
    const envelope = { 'io.modelcontextprotocol/clientInfo': { name: String(index) } };
    return { signal, envelope } as unknown as Caller;
  });
  const run = (calls: CallsUnderWay, caller: Caller) => {
    let end = () => {};
    const open = () => Promise.resolve();
    const running = calls.run(caller, open, () => new Promise<void>((resolve) => (end = resolve)));
    return new Promise((resolve) => setImmediate(resolve)).then(() => () => (end(), running));
  };
  const [several, one] = [new CallsUnderWay(false), new CallsUnderWay(true)];
  const belongsTo = () => [several, one].map((calls) => callers.indexOf(calls.callerOf({} as Origin, true)!));
  const ends = [await run(several, callers[0]!), await run(one, callers[0]!)];
  expect(belongsTo()).toEqual([0, 0]);
  await Promise.all([run(several, callers[1]!), run(one, callers[1]!)]);
  expect(belongsTo()).toEqual([-1, 1]);
  controllers[0]!.abort();
  await Promise.all(ends.map((end) => end()));
  expect(belongsTo()).toEqual([-1, 1]);
});

test('A request that was cancelled while it waited for another one leaves the next one certain', async () => {
  const [waiting, next] = ['waiting', 'next'].map((name) => {
    const controller = new AbortController();
    const envelope = { 'io.modelcontextprotocol/clientInfo': { name } };
    return { controller, caller: { signal: controller.signal, envelope } as unknown as Caller };
  });
  const calls = new CallsUnderWay(false);
  calls.runOneAtATime();
  const open = () => Promise.resolve();
  let end = () => {};
  const first = calls.run(next!.caller, open, () => new Promise<void>((resolve) => (end = resolve)));
  const second = calls.run(waiting!.caller, open, () => Promise.reject(new Error('cancelled')));
  waiting!.controller.abort();
  await new Promise((resolve) => setImmediate(resolve));
  end();
  await Promise.all([first, expect(second).rejects.toThrow('cancelled')]);
  void calls.run(next!.caller, open, () => new Promise(() => {}));
  await new Promise((resolve) => setImmediate(resolve));
  expect(calls.callerOf({} as Origin, true)).toBe(next!.caller);
});
