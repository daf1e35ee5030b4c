import { expect, test } from 'vitest';
import type { Origin } from '../../src/mcp/index.js';
import { type Caller, CallsUnderWay } from '../../src/serve/upstream/calls-under-way.js';

test("A server's message in a response, or over HTTP, belongs to that request and to no later one", async () => {
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

test('A cancelled request that waited for another one does not make the next one ambiguous', async () => {
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
